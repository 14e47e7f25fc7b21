// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import FuzzCases
import SequentialArchiving
import TestSupport
import Testing

/// Mutants name types that were not requested, and none of those is ever created. That is meaningful only because they would be
/// counted otherwise.
@Suite(.inTurn) struct `A type that was not requested` {
    /// How an archive is read that has one.
    enum Way: String, CaseIterable, Codable {
        case value, node, folder, object, part, gadget

        /// Reads a seed that names the type; with a registry that has it where `isRegistered` says so.
        func read(isRegistered: Bool) throws {
            var classes = Registries.standard
            if isRegistered {
                classes.register(ForbiddenValue.self)
                classes.register(ForbiddenNode.self)
                classes.register(ForbiddenFolder.self)
                classes.register(ForbiddenObject.self)
            }
            var decoder = ArchiveDecoder()
            decoder.classes = classes
            switch self {
            case .value:
                let data = try #require(Seeds.named("graph-forbidden")).data
                _ = try decoder.decode(Things.self, from: data)
            case .node:
                let data = try #require(Seeds.named("graph-forbidden")).data
                _ = try decoder.decode(Root.self, from: data)
            case .folder:
                let data = try #require(Seeds.named("forbidden-objects")).data
                _ = try KeyedUnarchiver.unarchivedObject(of: Folder.self, from: data, classes: classes)
            case .object:
                let unarchiver = try KeyedUnarchiver(
                    forReadingFrom: #require(Seeds.named("forbidden-objects")).data, requiringSecureCoding: false)
                unarchiver.classes = classes
                _ = try unarchiver.decodeObject(forKey: "object")
            case .part, .gadget:
                let unarchiver = try SequentialUnarchiver(
                    forReadingFrom: #require(Seeds.named("sequential-forbidden")).data)
                unarchiver.classes.unknownClasses = .fail
                unarchiver.classes.register(Wheel.self)
                if isRegistered {
                    unarchiver.classes.register(ForbiddenPart.self)
                    unarchiver.classes.register(ForbiddenGadget.self)
                }
                if self == .part {
                    _ = try unarchiver.decode(Wheel.self)
                } else {
                    _ = try unarchiver.decode(UnknownSequentialObject.self)
                    _ = try unarchiver.decodeObject()
                }
            }
        }
    }

    /// What a graph has behind a protocol.
    private struct Things: Decodable {
        @Polymorphic var things: [any Thing]
    }

    /// The nodes of a graph.
    private struct Root: Decodable {
        var root: FuzzCases.Node?
    }

    @Test(arguments: Way.allCases)
    func `is counted where it is registered, and so is made`(way: Way) async {
        // Another process, so that the count of this one stays 0.
        await #expect(processExitsWith: .success) { [way] in
            precondition(Forbidden.count == 0)
            try way.read(isRegistered: true)
            precondition(Forbidden.count > 0, "\(way) made none")
        }
    }

    @Test(arguments: Way.allCases)
    func `is not made where it is not registered`(way: Way) {
        #expect(throws: (any Error).self) { try way.read(isRegistered: false) }
        #expect(Forbidden.count == 0)
    }

    @Test func `is not created by a request with another name`() throws {
        let data = try #require(Seeds.named("forbidden-value")).data
        for name in ["unarchiver, whatever is listed", "unarchiver, leaves only", "unarchiver, without secure coding"] {
            guard case .failure = try #require(EntryPoints.named(name)).run(data) else {
                Issue.record("\(name) reads it")
                continue
            }
        }
        #expect(Forbidden.count == 0)
    }
}
