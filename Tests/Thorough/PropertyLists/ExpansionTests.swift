// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `The limits of property lists that unfold` {
    /// Each object is an array of ten references to the next, the last is a string.
    private func billionLaughs(_ levels: Int, text: Int = 3) -> [UInt8] {
        var file = BinaryFile(offsetSize: 4)
        for level in 0..<levels {
            file.objects.append([0xAA] + [UInt8](repeating: UInt8(level + 1), count: 10))
        }
        file.objects.append(
            [0x5F, 0x12] + BinaryFile.number(UInt64(text), size: 4) + [UInt8](repeating: 0x61, count: text))
        return file.bytes
    }

    @Test func `stop a small file that unfolds to a billion values`() throws {
        #expect(propertyListError(reading: billionLaughs(5)) == nil)
        let bomb = billionLaughs(100)
        let error = propertyListError(reading: bomb)
        #expect(error?.defect == .tooLarge)
        #expect(error?.found == PropertyListLimits.expansionFloor + PropertyListLimits.expansionFactor * bomb.count)
        let writing = #expect(throws: PropertyListError.self) {
            try XMLPropertyListWriter.xml(of: BinaryPropertyListReader(StoredBytes(Data(bomb))))
        }
        #expect(writing?.defect == .tooLarge)
    }

    @Test func `stop a file with many references to a large string`() throws {
        let bomb = billionLaughs(5, text: 100_000)
        #expect(propertyListError(reading: bomb)?.defect == .tooLarge)
        #expect(propertyListError(reading: billionLaughs(2, text: 100_000)) == nil)
        let writing = #expect(throws: PropertyListError.self) {
            try XMLPropertyListWriter.xml(of: BinaryPropertyListReader(StoredBytes(Data(bomb))))
        }
        #expect(writing?.defect == .tooLarge)
    }
}
