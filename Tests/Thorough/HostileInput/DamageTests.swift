// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Damaged bytes` {
    final class Owner: Codable {
        var name = "Anna"
    }

    enum Kind: String, Codable {
        case cow, duck
    }

    struct Animal: Codable {
        var name = "Bella"
        var kind = Kind.cow
        var owner: Owner
        var weight = 512.5
        var tags: Set<String> = ["a", "\u{e9}"]
        var times: [Double] = [1, 2.5]
        var counts: [Int: [Bool]] = [1: [true], -70_000: []]
        var range = 1..<5
        var none: Int?
    }

    static func sample(_ format: PropertyListFormat) throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let owner = Owner()
        return try encoder.encode(["farm": [Animal(owner: owner), Animal(name: "Dora", kind: .duck, owner: owner)]])
    }

    /// Decodes, and records an issue where what is thrown is no decoding error.
    private static func decode(_ data: Data) -> CodingFailure.Kind? {
        do {
            _ = try ArchiveDecoder().decode([String: [Animal]].self, from: data)
            return nil
        } catch {
            let failure = CodingFailure(error)
            if failure.kind == .other || failure.text.isEmpty { Issue.record("\(failure)") }
            return failure.kind
        }
    }

    @Test func `are those of the sample when nothing is wrong`() throws {
        for format in PropertyListFormat.allCases { #expect(Self.decode(try Self.sample(format)) == nil) }
    }

    @Test func `that end early are refused, wherever they end`() throws {
        let data = try Self.sample(.binary)
        for length in 0..<data.count where Self.decode(data.prefix(length)) != .dataCorrupted {
            Issue.record("\(length) of \(data.count) bytes")
        }
    }

    @Test func `of XML that end early are refused`() throws {
        let data = try Self.sample(.xml)
        let end = try #require(data.range(of: Data("</plist>".utf8), options: .backwards))
        for length in Array(stride(from: 0, to: end.upperBound, by: 11)) + (end.lowerBound..<end.upperBound)
        where Self.decode(data.prefix(length)) != .dataCorrupted {
            Issue.record("\(length) of \(data.count) bytes")
        }
    }

    @Test func `that begin late, or go on too long, are refused or read`() throws {
        let data = try Self.sample(.binary)
        for start in 1..<64 { #expect(Self.decode(data.dropFirst(start)) == .dataCorrupted) }
        _ = Self.decode(data + [0])
        _ = Self.decode(data + Data(count: 100))
    }

    @Test(arguments: [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8])
    func `with one byte replaced give a value or a decoding error`(replacement: UInt8) throws {
        for format in PropertyListFormat.allCases {
            let data = try Self.sample(format)
            var refused = 0
            // XML takes long to read, and its bytes are much alike.
            let step = format == .xml ? 23 : 1
            for offset in stride(from: data.startIndex, to: data.endIndex, by: step) {
                var damaged = data
                damaged[offset] = replacement
                if Self.decode(damaged) != nil { refused += 1 }
            }
            #expect(refused > data.count / step / 10)
        }
    }

    @Test func `with one bit flipped give a value or a decoding error`() throws {
        let data = try Self.sample(.binary)
        for offset in data.indices {
            for bit in 0..<8 {
                var damaged = data
                damaged[offset] ^= 1 << UInt8(bit)
                _ = Self.decode(damaged)
            }
        }
    }

    @Test func `with two parts exchanged give a value or a decoding error`() throws {
        let data = try Self.sample(.binary)
        // A fixed sequence, so that a failure comes again.
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<3000 {
            var damaged = data
            for _ in 0...next(4) {
                let from = next(data.count)
                let to = next(data.count)
                for index in 0..<min(1 + next(16), data.count - max(from, to)) {
                    damaged.swapAt(damaged.startIndex + from + index, damaged.startIndex + to + index)
                }
            }
            _ = Self.decode(damaged)
        }
    }

    @Test func `that are no property list say so`() throws {
        for data in [
            Data(), Data("x".utf8), Data("{}".utf8), Data("{\"farm\": []}".utf8), Data("bplist".utf8),
            Data("bplist15".utf8) + Data(count: 100), Data(count: 1000), Data("<html></html>".utf8),
            Data("<?xml version=\"1.0\"?>".utf8), Data((0...255).map { UInt8($0) }),
        ] {
            let error = try failure(decoding: Int.self, from: data)
            #expect(error.kind == .dataCorrupted)
            #expect(error.says("property list"), "\(error.text)")
        }
    }

    @Test func `keep the error of the property list underneath`() throws {
        do {
            _ = try ArchiveDecoder().decode(Int.self, from: Self.sample(.binary).dropLast(7))
            Issue.record("No error")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.underlyingError is PropertyListError)
        }
    }
}
