// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What a limit lets through, and what it stops.
struct Boundary: Sendable, CustomTestStringConvertible {
    /// The property of `DecodingLimits`, as errors name it.
    let name: String
    /// What the archive needs.
    let figure: Int
    let reader: Reader
    let data: Data
    let set: @Sendable (inout DecodingLimits, Int) -> Void

    var testDescription: String { "\(name) of \(figure), \(reader.name)" }

    func limits(_ figure: Int) -> DecodingLimits {
        var limits = DecodingLimits()
        set(&limits, figure)
        return limits
    }
}

@Suite(.inTurn) struct `A limit` {
    // MARK: - Objects

    static let objects: [Boundary] = {
        // Nil, the list, its class, and 7 numbers.
        let data = RawArchive.data { archive in archive.list((0..<7).map { archive.object(archive.integer($0)) }) }
        return [.decoder([Int].self), .listed()].map { reader in
            Boundary(name: "objects", figure: 10, reader: reader, data: data) { $0.objects = $1 }
        }
    }()

    // MARK: - Nesting

    /// `count` structures, each of which has the next in a list, the last an empty list.
    private static func structures(_ count: Int) -> Data {
        RawArchive.data { archive in
            (0..<count).reduce(nil as Int?) { inner, _ in
                archive.object(archive.fields([("next", archive.list(inner.map { [$0] } ?? []))]))
            } ?? archive.uid(0)
        }
    }

    /// `count` instances, each of which has the next.
    private static func instances(_ count: Int, _ name: String) -> Data {
        RawArchive.data { archive in
            (0..<count).reduce(archive.uid(0)) { inner, _ in
                archive.object(archive.fields([("next", inner)], class: name))
            }
        }
    }

    static let nesting: [Boundary] = [
        // Each structure has a list, and the list has the next structure.
        Boundary(name: "nesting", figure: 40, reader: .decoder(Chain.self), data: structures(20)) { $0.nesting = $1 },
        Boundary(name: "nesting", figure: 20, reader: .decoder(Relative.self), data: instances(20, "Relative")) {
            $0.nesting = $1
        },
        Boundary(
            name: "nesting", figure: 20,
            reader: .unarchiver("Deep") {
                $0.classes.register(Deep.self, name: "Deep")
                return try $0.decode(Deep.self, forKey: "root")
            },
            data: instances(20, "Deep")
        ) { $0.nesting = $1 },
        Boundary(
            name: "nesting", figure: 20, reader: .listed(),
            data: RawArchive.data { archive in (1..<20).reduce(archive.list([])) { inner, _ in archive.list([inner]) } }
        ) { $0.nesting = $1 },
    ]

    /// A class that lets no error pass.
    private final class Deep: Coding {
        init(coder: KeyedUnarchiver) throws { _ = try coder.decodeIfPresent(Deep.self, forKey: "next") }

        func encode(with coder: KeyedArchiver) throws {}
    }

    // MARK: - Strings and data

    static let lengths: [Boundary] = {
        let ascii = RawArchive.data { archive in archive.object(archive.text(String(repeating: "a", count: 100))) }
        let utf16 = RawArchive.data { archive in archive.object(archive.text(String(repeating: "\u{e9}", count: 50))) }
        let data = RawArchive.data { archive in archive.object(archive.data(Array(repeating: 1, count: 100))) }
        let mutable = RawArchive.data { archive in
            let text = archive.text(String(repeating: "a", count: 100))
            return archive.object(archive.fields([("NS.string", text)], class: "NSMutableString"))
        }
        let strings = [
            .decoder(String.self), .listed(),
            Reader.unarchiver("a string") { try $0.decodeIfPresent(String.self, forKey: "root") },
        ]
        let bytes = [
            .decoder(Data.self), .listed(),
            Reader.unarchiver("data") { try $0.decodeIfPresent(Data.self, forKey: "root") },
            .unarchiver("bytes") { try $0.decodeBytes(forKey: "root") },
        ]
        return [ascii, utf16, mutable].flatMap { data in
            strings.map { Boundary(name: "stringLength", figure: 100, reader: $0, data: data) { $0.stringLength = $1 } }
        } + bytes.map { Boundary(name: "dataLength", figure: 100, reader: $0, data: data) { $0.dataLength = $1 } }
    }()

    static let decodedBytes: [Boundary] = {
        // 5 times the same 100 bytes, and the names of no class.
        let strings = RawArchive.data { archive in
            let text = archive.object(archive.text(String(repeating: "a", count: 100)))
            return archive.object(archive.array(Array(repeating: text, count: 5)))
        }
        let pieces = RawArchive.data { archive in
            let data = archive.object(archive.data(Array(repeating: 1, count: 100)))
            return archive.object(archive.array(Array(repeating: data, count: 5)))
        }
        return [
            (Reader.decoder([String].self), strings), (.decoder([String?].self), strings), (.listed(), strings),
            (.decoder([Data].self), pieces), (.listed(), pieces),
        ].map { reader, data in
            Boundary(name: "decodedBytes", figure: 500, reader: reader, data: data) { $0.decodedBytes = $1 }
        }
    }()

    @Test(arguments: [objects, nesting, lengths, decodedBytes].flatMap(\.self))
    func `lets through what it is, and stops at one more`(boundary: Boundary) throws {
        _ = try boundary.reader.read(boundary.data, boundary.limits(boundary.figure))
        let failure = limitFailure {
            try boundary.reader.read(boundary.data, boundary.limits(boundary.figure - 1))
        }
        #expect(failure?.names(boundary.name, boundary.figure - 1) != false, "\(failure.map { "\($0)" } ?? "")")
        // The others have nothing to do with it.
        _ = try boundary.reader.read(boundary.data)
    }

    @Test(arguments: [objects, nesting, lengths, decodedBytes].flatMap(\.self), [-1, Int.min])
    func `that is negative stops everything`(boundary: Boundary, figure: Int) {
        #expect(limitFailure { try boundary.reader.read(boundary.data, boundary.limits(figure)) } != nil)
    }
}
