// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - KeyedUnarchiver

extension EntryPoints {
    static let unarchivers = [
        EntryPoint("unarchiver, folder") { data in
            let folder = try KeyedUnarchiver.unarchivedObject(
                of: Folder.self, from: data, classes: Registries.standard)
            return UInt64(folder.folders.count)
        },
        EntryPoint("unarchiver, record") { data in
            let record = try KeyedUnarchiver.unarchivedObject(
                of: Record.self, from: data, classes: Registries.standard)
            return UInt64(record.numbers.count)
        },
        EntryPoint("unarchiver, cabinet") { data in
            let cabinet = try KeyedUnarchiver.unarchivedObject(
                of: Cabinet.self, from: data, classes: Registries.standard)
            return UInt64(cabinet.things?.count ?? 0)
        },
        EntryPoint("unarchiver, array") { data in
            let tokens = try KeyedUnarchiver.unarchivedObject(
                of: [Token].self, from: data, classes: Registries.standard)
            return UInt64(tokens.count)
        },
        EntryPoint("unarchiver, dictionary") { data in
            let stops = try KeyedUnarchiver.unarchivedObject(
                of: [String: Stop].self, from: data, classes: Registries.standard)
            return UInt64(stops.count)
        },
        EntryPoint("unarchiver, specimen") { data in
            let value = try KeyedUnarchiver.unarchivedObject(
                of: Specimen.self, from: data, classes: Registries.standard)
            return signature(value)
        },
        EntryPoint("unarchiver, by other names") { data in
            let folder = try KeyedUnarchiver.unarchivedObject(
                of: Folder.self, from: data, classes: Registries.renamed)
            return UInt64(folder.folders.count)
        },
        EntryPoint("unarchiver, whatever is listed") { data in
            let object = try KeyedUnarchiver.unarchivedObject(
                of: Cabinet.contents + [Record.self, Cabinet.self, Token.self, Specimen.self, Graph.self], from: data,
                classes: Registries.standard)
            return object == nil ? 0 : 1
        },
        EntryPoint("unarchiver, leaves only") { data in
            let object = try KeyedUnarchiver.unarchivedObject(
                of: Cabinet.leaves + [[Any].self], from: data, classes: Registries.standard)
            return object == nil ? 0 : 1
        },
        EntryPoint("unarchiver, without secure coding") { data in
            let unarchiver = try KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: false)
            unarchiver.classes = Registries.standard
            defer { unarchiver.finishDecoding() }
            var count: UInt64 = 0
            for key in unarchiver.allKeys.prefix(20) {
                if try unarchiver.decodeObject(forKey: key) != nil { count += 1 }
            }
            return count
        },
        EntryPoint("unarchiver, every key as everything", everything),
        EntryPoint("unarchiver, with a delegate", delegated),
    ]

    /// Requests every key as values of all types, and continues after errors.
    private static func everything(_ data: Data) throws -> UInt64 {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.classes = Registries.standard
        defer { unarchiver.finishDecoding() }
        var digest = Digest()
        for key in unarchiver.allKeys.prefix(12) + ["nothing", "$0", ""] {
            digest.combine((try? unarchiver.decodeBool(forKey: key)) == true ? 1 : 0)
            digest.combine((try? unarchiver.decodeInteger(forKey: key)) ?? 1)
            digest.combine((try? unarchiver.decodeIfPresent(Int32.self, forKey: key) ?? 0) ?? 1)
            digest.combine(try? unarchiver.decodeDouble(forKey: key))
            digest.combine(Double((try? unarchiver.decodeFloat(forKey: key)) ?? 1))
            digest.combine((try? unarchiver.decodeIfPresent(String.self, forKey: key)).flatMap { $0 } ?? "")
            digest.combine((try? unarchiver.decodeBytes(forKey: key, minimumLength: 2)).flatMap { $0 } ?? [])
            digest.combine((try? unarchiver.decodeRect(forKey: key))?.width)
            digest.combine((try? unarchiver.decodePoint(forKey: key))?.x)
            digest.combine((try? unarchiver.decodeIfPresent(Corner.self, forKey: key)).flatMap { $0 }?.y ?? 0)
            digest.combine((try? unarchiver.decodeIfPresent(Folder.self, forKey: key)).flatMap { $0 }?.name ?? "")
            digest.combine(unarchiver.archivedClassName(forKey: key) ?? "")
            digest.combine(unarchiver.containsValue(forKey: key) ? 1 : 0)
        }
        digest.combine((try? unarchiver.decodeNextPoint())?.y)
        digest.combine((try? unarchiver.decodeNextObject(of: [String.self])).flatMap { $0 } == nil ? 0 : 1)
        digest.combine((try? unarchiver.decodeNextBytes()).flatMap { $0 } ?? [])
        return digest.value
    }

    private static func delegated(_ data: Data) throws -> UInt64 {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let delegate = Delegate()
        unarchiver.delegate = delegate
        defer { unarchiver.finishDecoding() }
        unarchiver.classes.register(Disk.self, aliases: ["Folder"])
        let folder = try unarchiver.decode(Folder.self, forKey: "root")
        return UInt64(folder.folders.count + delegate.count)
    }
}

/// Gives a class where none is known, and puts other objects in the place of some.
private final class Delegate: KeyedUnarchiverDelegate {
    private(set) var count = 0

    func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> (any Any.Type)? {
        count += 1
        return name.count.isMultiple(of: 2) ? Disk.self : nil
    }

    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: any Coding) -> (any Coding)? {
        guard let folder = object as? Folder, folder.size == 512 else { return object }
        return Folder("another")
    }
}
