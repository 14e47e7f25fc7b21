// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// A binary property list put together by hand, right or wrong.
package struct BinaryFile {
    package var objects: [[UInt8]]
    package var top: UInt64 = 0
    package var offsetSize = 1
    package var referenceSize = 1
    package var header = Array("bplist00".utf8)
    /// Offsets that take the place of the true ones.
    package var offsets: [UInt64]?
    /// Figures that take the place of the true ones.
    package var objectCount: UInt64?
    package var tableOffset: UInt64?
    package var trailerOffsetSize: UInt8?
    package var trailerReferenceSize: UInt8?

    package init(_ objects: [UInt8]..., offsetSize: Int = 1, referenceSize: Int = 1) {
        self.objects = objects
        self.offsetSize = offsetSize
        self.referenceSize = referenceSize
    }

    package var bytes: [UInt8] {
        var bytes = header
        var trueOffsets: [UInt64] = []
        for object in objects {
            trueOffsets.append(UInt64(bytes.count))
            bytes += object
        }
        let trueTableOffset = UInt64(bytes.count)
        for offset in offsets ?? trueOffsets { bytes += Self.number(offset, size: offsetSize) }
        bytes += [
            0, 0, 0, 0, 0, 0, trailerOffsetSize ?? UInt8(offsetSize), trailerReferenceSize ?? UInt8(referenceSize),
        ]
        bytes += Self.number(objectCount ?? UInt64(offsets?.count ?? objects.count), size: 8)
        bytes += Self.number(top, size: 8)
        bytes += Self.number(tableOffset ?? trueTableOffset, size: 8)
        return bytes
    }

    /// `value` in `size` bytes, the highest first.
    package static func number(_ value: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { (place: Int) -> UInt8 in
            place < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * place)) : 0
        }
    }
}

/// The bytes that `hexadecimal` spells, with any spaces in between.
package func hex(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.filter { $0 != " " && $0 != "\n" }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { (place: Int) -> UInt8 in
        UInt8(digits[place] << 4 | digits[place + 1])
    }
}

/// What the bytes of a file say, by way of the reader and the value.
package func propertyList(_ file: [UInt8]) throws -> PropertyList {
    try PropertyList(Data(file))
}

/// What the XML says.
package func propertyList(xml: String) throws -> PropertyList {
    try propertyList(Array(xml.utf8))
}

/// The error that reading `file` throws; nil where it throws none.
package func propertyListError(reading file: [UInt8]) -> PropertyListError? {
    do {
        _ = try PropertyList(Data(file))
        return nil
    } catch {
        return error
    }
}
