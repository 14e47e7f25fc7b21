// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `Objects that calls leave for the next ones` {
    private final class Object {}

    @Test func `are taken once, and are at most sixteen`() throws {
        let idle = IdleObjects<Object>()
        let objects = (0...16).map { _ in Object() }
        #expect(objects.map { idle.leave($0) } == objects.indices.map { $0 < objects.count - 1 })
        let taken = objects.compactMap { _ in idle.take() }
        #expect(Set(taken.map(ObjectIdentifier.init)) == Set(objects.dropLast().map(ObjectIdentifier.init)))
        #expect(taken.count == objects.count - 1)
        #expect(idle.take() == nil)
    }

    private final class Animal: Codable {
        var name: String
        var weight: Double

        init(number: Int) {
            name = "Animal \(number)"
            weight = Double(number) / 4
        }
    }

    /// The session of an archive of a usual size serves the next one, whatever its tables hold: making a session takes longer
    /// than a small archive.
    @Test(arguments: [1, 8, 40]) func `include the session of an archive of up to 255 objects`(count: Int) throws {
        let animals = (0..<count).map(Animal.init)
        // A session that has the types of many other archives may not be left again.
        while EncodingSession.idle.take() != nil {}
        let session = EncodingSession.begin()
        try session.encodeRoot(animals)
        let first = try session.finish().data
        session.end()
        #expect(EncodingSession.idle.take() === session)
        try session.encodeRoot(animals)
        #expect(try session.finish().data == first)
        session.end()
        #expect(try ArchiveDecoder().decode([Animal].self, from: first).map(\.name) == animals.map(\.name))
    }
}
