// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A damaged archive` {
    final class Owner: Codable { var name = "Anna" }

    struct Animal: Codable {
        var name = "Bella"
        var owner: Owner
        var weight = 512.5
        var tags: Set<String> = ["a", "\u{e9}"]
        var counts: [Int: [Bool]] = [1: [true], -70_000: []]
    }

    static func sample(_ format: PropertyListFormat) throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let owner = Owner()
        return try encoder.encode([Animal(owner: owner), Animal(name: "Dora", owner: owner)])
    }

    /// Decodes, and records an issue if what is thrown is no decoding error.
    private static func decode(_ data: Data) -> CodingFailure.Kind? {
        do {
            _ = try ArchiveDecoder().decode([Animal].self, from: data)
            return nil
        } catch {
            let failure = CodingFailure(error)
            if failure.kind == .other || failure.text.isEmpty { Issue.record("\(failure)") }
            return failure.kind
        }
    }

    @Test func `is an error if it ends early`() throws {
        let data = try Self.sample(.binary)
        for length in 0..<data.count where Self.decode(data.prefix(length)) != .dataCorrupted {
            Issue.record("\(length) of \(data.count) bytes")
        }
    }

    @Test(arguments: [(PropertyListFormat.binary, 1), (.xml, 61)])
    func `with one byte replaced is a value or a decoding error`(format: PropertyListFormat, step: Int) throws {
        let data = try Self.sample(format)
        #expect(Self.decode(data) == nil)
        var refused = 0
        for offset in stride(from: data.startIndex, to: data.endIndex, by: step) {
            var damaged = data
            damaged[offset] ^= 0x81
            if Self.decode(damaged) != nil { refused += 1 }
        }
        #expect(refused > data.count / step / 10)
    }

    @Test(arguments: ["", "x", "{}", "bplist", "<html></html>", "<?xml version=\"1.0\"?>"])
    func `that is no property list is an error that says so`(text: String) throws {
        let error = try failure(decoding: Int.self, from: Data(text.utf8))
        #expect(error.kind == .dataCorrupted)
        #expect(error.says("property list"), "\(error.text)")
    }
}
