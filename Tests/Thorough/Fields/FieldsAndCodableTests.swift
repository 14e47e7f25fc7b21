// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Declared fields whose values are Codable, with references back to the owner of the field.
@Suite(.inTurn) struct `A graph of declared fields and Codable types` {
    final class Tag: Codable {
        var name = "x"
        @WeakReference var owner: Entity?
        init(_ owner: Entity) { self.owner = owner }
    }

    final class BoxClass: Codable {
        let tag: Tag
        init(_ tag: Tag) { self.tag = tag }
    }

    struct BoxStruct: Codable {
        let tag: Tag
    }

    final class Entity: ArchivedFields {
        var id = 0
        var part: BoxClass?
        var value: BoxStruct?
        var target: Entity?
        init() {}
        static let fields = FieldList<Entity> {
            Field("id", \.id)
            Field("part", \.part)
            Field("value", \.value)
            Field("target", \.target)
        }
    }

    /// Takes `count` entities, each of which leads to the one before it, through an archive on a stack of 512 KB.
    ///
    /// - Parameter isInClass: Whether the way to the tag of an entity has an instance of a Codable class, or a struct.
    private static func roundTrip(_ count: Int, isInClass: Bool) throws {
        var all: [Entity] = []
        for id in 0..<count {
            let entity = Entity()
            (entity.id, entity.target) = (id, all.last)
            let tag = Tag(entity)
            if isInClass { entity.part = BoxClass(tag) } else { entity.value = BoxStruct(tag: tag) }
            all.append(entity)
        }
        nonisolated(unsafe) let entities = all
        let data = try onThread(stackSize: 512 << 10) { try ArchiveEncoder().encode(entities) }
        for entity in all { entity.target = nil }
        try onThread(stackSize: 512 << 10) {
            let copies = try ArchiveDecoder().decode([Entity].self, from: data)
            #expect(copies.count == count && copies.enumerated().allSatisfy { $0.element.id == $0.offset })
            for (index, copy) in copies.enumerated() {
                guard copy.target === (index > 0 ? copies[index - 1] : nil),
                    (copy.part?.tag ?? copy.value?.tag)?.owner === copy
                else {
                    Issue.record("\(index)")
                    break
                }
            }
            for copy in copies { copy.target = nil }
        }
    }

    @Test(arguments: [false, true]) func `of any length is decoded on a small stack`(isInClass: Bool) async {
        await #expect(processExitsWith: .success) { [isInClass] in
            try Self.roundTrip(30_000, isInClass: isInClass)
        }
    }

    // MARK: Memory

    private typealias Life = LifeToken<Neighbour>

    final class Neighbour: ArchivedFields, Hashable {
        nonisolated(unsafe) static var bad = -1
        private let life = Life()
        var id = 0
        var neighbours: [Neighbour] = []
        init() {}
        static let fields = FieldList<Neighbour> {
            Field("id", \.id)
            Field("neighbours", \.neighbours)
        }
        func didFinishDecoding() throws { if id == Self.bad { throw CocoaError(.coderReadCorrupt) } }
        static func == (left: Neighbour, right: Neighbour) -> Bool { left.id == right.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    final class Town: Codable {
        @References var nodes: Set<Neighbour> = []
        init() {}
        func clear() { for node in nodes { node.neighbours = [] } }
    }

    @Test func `leaves no second graph in memory, nor anything after a failure or a copy`() throws {
        let town = Town()
        let all = (0..<200).map { id in
            let node = Neighbour()
            node.id = id
            return node
        }
        for index in all.indices { all[index].neighbours = [all[(index + 1) % 200], all[(index + 199) % 200]] }
        town.nodes = Set(all)
        defer { town.clear() }
        let data = try ArchiveEncoder().encode(town)
        let before = Life.count
        for bad in [-1, 5, -1, 199] {
            Neighbour.bad = bad
            defer { Neighbour.bad = -1 }
            do {
                let copy = try ArchiveDecoder().decode(Town.self, from: data)
                #expect(bad < 0 && copy.nodes.count == 200 && Life.count == before + 200)
                copy.clear()
            } catch is CocoaError {
                #expect(bad >= 0)
            }
            #expect(Life.count == before, "\(bad)")
            do {
                let copy = try deepCopy(of: town)
                #expect(bad < 0 && copy.nodes.count == 200)
                copy.clear()
            } catch is CocoaError {
                #expect(bad >= 0)
            }
            #expect(Life.count == before, "a copy, \(bad)")
        }
    }
}
