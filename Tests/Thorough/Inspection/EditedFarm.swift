// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

/// An archive by hand, in which every kind of place is that an edit can go to.
enum EditedFarm {
    static let objects: [PropertyList] = [
        "$null",
        [
            "name": .uid(2), "age": 12, "share": .real32(0.1), "huge": .integer(1 << 100), "animals": .uid(3),
            "facts": .uid(9), "plain": ["list": [1, "two"], "ref": .uid(6)], "$$price": 5, "$0": .uid(2),
            "$class": .uid(10),
        ],
        "Old Farm",
        ["NS.objects": [.uid(4), .uid(5), .uid(4)], "$class": .uid(11)],
        ["name": .uid(6), "weight": 512.5, "mother": .uid(5), "born": .uid(7), "$class": .uid(12)],
        ["name": .uid(6), "weight": 480.0, "mother": .uid(0), "$class": .uid(12)],
        "Bella",
        ["NS.time": 100.0, "$class": .uid(13)],
        "nobody refers to this",
        ["NS.keys": [.uid(14), .uid(15)], "NS.objects": [.uid(2), .uid(16)], "$class": .uid(17)],
        ["$classname": "Farm", "$classes": ["Farm", "NSObject"]],
        ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]],
        ["$classname": "Farm.Cow", "$classes": ["Farm.Cow", "Farm.Animal", "NSObject"]],
        ["$classname": "NSDate", "$classes": ["NSDate", "NSObject"]],
        "first",
        "since",
        1990,
        ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]],
        // Two entries with one key.
        .dictionary(.init([(key: "twice", value: 1), (key: "twice", value: 2), (key: "once", value: .uid(6))])),
    ]

    static let top: PropertyList = ["root": .uid(1), "count": 3, "$$dollar": .uid(6), "old": .uid(18)]

    /// The uid of the first object that is added.
    static let next = UInt32(objects.count)

    static let list = list()

    /// The archive with other objects under some uids, more of them, and another `$top`.
    static func list(
        _ changes: [UInt32: PropertyList] = [:], adding new: [PropertyList] = [], top: PropertyList = top
    ) -> PropertyList {
        var objects = objects
        for (uid, object) in changes { objects[Int(uid)] = object }
        return [
            "$version": 100_000, "$objects": .array(objects + new), "$note": ["kept": [.real32(1.5), false]],
            "$archiver": "MSArchiver", "$top": top,
        ]
    }

    static func editor() throws -> KeyedArchiveEditor { try KeyedArchiveEditor(KeyedArchive(list)) }

    /// The object `uid` with other values under some keys.
    static func object(_ uid: Int, _ changes: (key: String, value: PropertyList?)...) -> PropertyList {
        guard case .dictionary(var entries) = objects[uid] else { return .null }
        for change in changes {
            if entries[change.key] == nil, let value = change.value {
                // A new key is in front of the class.
                let rest = entries.map { $0 }
                entries = .init(rest.dropLast() + [(key: change.key, value: value)] + rest.suffix(1))
            } else {
                entries[change.key] = change.value
            }
        }
        return .dictionary(entries)
    }
}

extension PropertyList {
    /// Whether this is the same list, with the keys of its dictionaries in the same order.
    func isExactly(_ other: PropertyList) -> Bool { self == other && description == other.description }
}

/// The error that `body` throws.
func editingFailure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) throws -> KeyedArchiveError {
    var found: (any Error)?
    do {
        let result = try body()
        Issue.record("No error, but \(result)", sourceLocation: sourceLocation)
    } catch {
        found = error
    }
    return try #require(found as? KeyedArchiveError, sourceLocation: sourceLocation)
}
