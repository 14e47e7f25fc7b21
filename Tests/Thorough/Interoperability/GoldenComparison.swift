// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// An archive, value by value as the public interface gives them, against a dump of what plistlib found in it.
struct GoldenComparison {
    private let archive: KeyedArchive
    private let golden: GoldenDump
    private let name: String
    /// Whether the archive has been XML, which has dates without fractions of a second.
    private let wasXML: Bool

    init(_ archive: KeyedArchive, _ golden: GoldenDump, at name: String, wasXML: Bool = false) {
        self.archive = archive
        self.golden = golden
        self.name = name
        self.wasXML = wasXML
    }

    func compare() throws {
        #expect(archive.archiver == golden["archiver"]?.string, "\(name)")
        #expect(golden["version"] == .integer(100_000))
        #expect(archive.objects.count == golden["objects_count"]?.integer, "\(name)")
        let topKeys = golden["top_keys"]?.array?.compactMap(\.string) ?? []
        #expect(archive.top.keys.sorted() == topKeys.map { Self.userKey($0) }.sorted(), "\(name)")
        try compareClasses()
        let plist = try #require(golden["plist"])
        let objects = try #require(plist["$objects"]?.array)
        for (uid, expected) in objects.enumerated() {
            // Uid 0 is nil, and so is "$null" at any other.
            let value = archive[uid: UInt32(uid)]
            if uid == 0 || expected.string == "$null" {
                #expect(value.isNull && value.kind == .null, "\(name) \(uid)")
            } else {
                try compare(value, expected, "\(name) \(uid)")
            }
        }
        let top = try #require(plist["$top"]?.dictionary)
        try compareFields(archive.top, top, isMangled: true, "\(name) $top")
    }

    private func compareClasses() throws {
        // One dump has an entry without a name, which is none.
        let definitions = (golden["class_definitions"]?.array ?? []).filter { $0["$classname"] != nil }
        #expect(archive.classes.map { Int($0.uid) } == definitions.map { $0["index"]?.integer }, "\(name)")
        for (found, definition) in zip(archive.classes, definitions) {
            let className = try #require(definition["$classname"]?.string)
            let chain = definition["$classes"]?.array?.compactMap(\.string) ?? []
            #expect(found.name == className, "\(name)")
            #expect(found.chain == (chain.isEmpty ? [className] : chain), "\(name)")
            let value = archive[uid: found.uid]
            #expect(value.kind == .classEntry && value.describedClass == found, "\(name)")
        }
    }

    // MARK: - Values

    private func compare(_ value: KeyedArchive.Value, _ expected: GoldenDump, _ path: String) throws {
        switch expected {
        case .null: Issue.record("\(path): plistlib has no null")
        case .boolean(let boolean): #expect(value.kind == .boolean && value.boolean == boolean, "\(path)")
        case .integer(let integer):
            #expect(value.kind == .integer && value.int128 == integer, "\(path)")
            #expect(value.integer == Int(exactly: integer), "\(path)")
        case .real(let real): #expect(value.kind == .real && value.double == real, "\(path)")
        case .string(let string): compare(value, string, path)
        case .array(let elements):
            #expect(value.kind == .array && value.uid == nil || value.kind == .array, "\(path)")
            try #require(value.count == elements.count, "\(path)")
            for (position, element) in elements.enumerated() {
                try compareInside(value.elements[position], element, "\(path)[\(position)]")
            }
        case .dictionary(let entries): try compare(value, expected, entries, path)
        }
    }

    private func compare(_ value: KeyedArchive.Value, _ string: String, _ path: String) {
        #expect(value.kind == .string, "\(path)")
        // plistlib reads XML as the standard has it, which makes a line feed of a carriage return.
        let isEqual = value.string?.utf8.elementsEqual(string.utf8) == true
        #expect(isEqual || value.string?.replacing("\r\n", with: "\n").replacing("\r", with: "\n") == string, "\(path)")
    }

    private func compare(
        _ value: KeyedArchive.Value, _ expected: GoldenDump, _ entries: [String: GoldenDump], _ path: String
    ) throws {
        if let data = expected.data {
            #expect(value.kind == .data && value.data == data, "\(path)")
        } else if let seconds = expected.date {
            let date = try #require(value.date, "\(path)").timeIntervalSinceReferenceDate
            #expect(value.kind == .date && date == (wasXML ? seconds.rounded(.down) : seconds), "\(path)")
        } else if let real = expected.specialReal {
            let found = try #require(value.double, "\(path)")
            #expect(value.kind == .real && (real.isNaN ? found.isNaN : found == real), "\(path)")
        } else if expected.loneSurrogates != nil {
            #expect(value.kind == .string && value.string?.contains("\u{FFFD}") == true, "\(path)")
        } else {
            let uid = entries["$class"]?.uid
            let kind: KeyedArchive.Value.Kind =
                uid != nil ? .object : entries["$classname"] != nil ? .classEntry : .dictionary
            #expect(value.kind == kind, "\(path)")
            try compareClass(value, uid, path)
            var fields = entries
            if uid != nil { fields["$class"] = nil }
            try compareFields(value, fields, isMangled: uid != nil, path)
            compareCollection(value, entries)
        }
    }

    /// The contents of a container: a reference refers to the object, which is compared at its own place.
    private func compareInside(_ value: KeyedArchive.Value, _ expected: GoldenDump, _ path: String) throws {
        if let uid = expected.uid {
            #expect(value.uid == uid && value == archive[uid: uid], "\(path)")
        } else {
            #expect(value.uid == nil, "\(path)")
            try compare(value, expected, path)
        }
    }

    private func compareClass(_ value: KeyedArchive.Value, _ uid: UInt32?, _ path: String) throws {
        guard let uid else {
            #expect(value.className == nil && value.class == nil, "\(path)")
            return
        }
        // Where no class is described, plistlib's list has none.
        guard let definition = golden["class_definitions"]?.array?.first(where: { $0["index"]?.integer == Int(uid) }),
            definition["$classname"] != nil
        else { return }
        #expect(value.class?.uid == uid && value.className == definition["$classname"]?.string, "\(path)")
    }

    // MARK: - Containers

    /// The key that the program used for one of the archive.
    private static func userKey(_ key: String) -> String { key.hasPrefix("$$") ? String(key.dropFirst()) : key }

    private func compareFields(
        _ value: KeyedArchive.Value, _ expected: [String: GoldenDump], isMangled: Bool, _ path: String
    ) throws {
        // Of entries with the same key plistlib takes the last.
        let fields = Dictionary(value.fields.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let names = expected.keys.map { isMangled ? Self.userKey($0) : $0 }
        #expect(Set(fields.keys) == Set(names), "\(path)")
        for (key, element) in expected {
            let name = isMangled ? Self.userKey(key) : key
            let field = try #require(fields[name], "\(path).\(name)")
            try compareInside(field, element, "\(path).\(name)")
            // In a dictionary a key has its own value.
            if value.class?.chain.contains("NSDictionary") != true, value.fields.count == fields.count {
                #expect(value[name] == field, "\(path).\(name)")
            }
        }
    }

    /// The elements or the entries of a collection, where the archive has its own form of one.
    private func compareCollection(_ value: KeyedArchive.Value, _ entries: [String: GoldenDump]) {
        guard entries["$class"] != nil else { return }
        if value.class?.chain.contains("NSDictionary") == true {
            guard let keys = list("NS.keys", "NS.key.", entries), let values = list("NS.objects", "NS.object.", entries)
            else { return }
            #expect(value.entries.map(\.key.uid) == keys.map(\.uid), "\(name)")
            #expect(value.entries.map(\.value.uid) == values.map(\.uid), "\(name)")
            #expect(value.elements.isEmpty && value.count == keys.count, "\(name)")
            for (key, entry) in zip(keys, value.entries) where key.uid != nil {
                if let text = entry.key.string { #expect(value[text] == entry.value, "\(name) \(text)") }
            }
        } else if entries["NS.keys"] == nil, let elements = list("NS.objects", "NS.object.", entries) {
            #expect(value.elements.map(\.uid) == elements.map(\.uid) && value.count == elements.count, "\(name)")
        }
    }

    /// What is under `key`, or under a key with each number from 0.
    private func list(_ key: String, _ prefix: String, _ entries: [String: GoldenDump]) -> [GoldenDump]? {
        if let list = entries[key]?.array { return list }
        var list: [GoldenDump] = []
        while let element = entries[prefix + String(list.count)] { list.append(element) }
        return list.isEmpty ? nil : list
    }
}
