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

    @Test(arguments: [objects, nesting].flatMap(\.self))
    func `lets through what it is, and stops at one more`(boundary: Boundary) throws {
        _ = try boundary.reader.read(boundary.data, boundary.limits(boundary.figure))
        let failure = limitFailure {
            try boundary.reader.read(boundary.data, boundary.limits(boundary.figure - 1))
        }
        #expect(failure?.names(boundary.name, boundary.figure - 1) != false, "\(failure.map { "\($0)" } ?? "")")
        // The others have nothing to do with it.
        _ = try boundary.reader.read(boundary.data)
    }

    @Test(arguments: [objects, nesting].flatMap(\.self), [-1, Int.min])
    func `that is negative stops everything`(boundary: Boundary, figure: Int) {
        #expect(limitFailure { try boundary.reader.read(boundary.data, boundary.limits(figure)) } != nil)
    }

    // MARK: - Work

    private struct Lists: Decodable {
        init(from decoder: any Decoder) throws {
            var lists = try decoder.unkeyedContainer()
            while !lists.isAtEnd { _ = try lists.decode(Lists.self) }
        }
    }

    @Test func `of work is 1 250 000 steps, and 17 for each byte, by default`() throws {
        let data = RawArchive.data { archive in
            (0..<30).reduce(archive.list([])) { inner, _ in archive.list([inner, inner]) }
        }
        let failure = limitFailure { try Reader.decoder(Lists.self).read(data) }
        #expect(failure?.names("work", 1_250_000 + 17 * data.count) == true, "\(failure.map { "\($0)" } ?? "")")
    }
}
