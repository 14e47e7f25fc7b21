// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

// What other readers find in the file of a document.

extension `Random lives of a document` {
    /// Expects plistlib and Foundation to find `contents` in the file at `url`.
    nonisolated static func checkOtherReaders(of url: URL, _ contents: Contents) throws {
        let text = try Plistlib.run(plistlibReader, url.path)
        let found = try JSONDecoder().decode(Contents.self, from: Data(text.utf8))
        if found != contents { throw Difference(description: "plistlib finds\n\(found)\nand not\n\(contents)") }
        guard contents.isAcyclic else { return }
        // Foundation on Linux reads no references back to an instance that it is reading.
        let data = try Data(contentsOf: url)
        let classes: [String: AnyClass] = ["Note": FoundationNote.self, "Stamp": FoundationStamp.self]
        let root = try withFoundationUnarchiver(of: data, classes: classes) {
            $0.decodeObject(of: FoundationNote.self, forKey: "root")
        }
        var entries: [Int: Entry] = [:]
        try #require(root).add(to: &entries)
        for (id, entry) in entries {
            if let friend = entry.friend, entries[friend] == nil { entries[id]?.friend = nil }
        }
        let other = Contents(root: root?.id ?? -1, entries: entries)
        if other != contents { throw Difference(description: "Foundation finds\n\(other)\nand not\n\(contents)") }
    }

    /// Prints the contents of an archive as JSON. Each note is one object.
    private nonisolated static let plistlibReader = #"""
        import json, plistlib, sys
        with open(sys.argv[1], 'rb') as file:
            archive = plistlib.load(file)
        objects = archive['$objects']
        def value(item):
            item = objects[item.data] if isinstance(item, plistlib.UID) else item
            return None if item == '$null' else item
        def plain(item):
            assert item is None or isinstance(item, (str, int)), item
            return item
        def name(item):
            return value(item['$class'])['$classname']
        def array(item):
            return value(item)['NS.objects']
        entries, uids = {}, {}
        def number(uid):
            note = value(uid)
            assert name(note) == 'Note', note
            identity = value(note['id'])
            assert uids.setdefault(identity, uid.data) == uid.data, 'two objects are note %d' % identity
            return identity
        remaining = [archive['$top']['root']]
        root = number(remaining[0])
        while remaining:
            uid = remaining.pop()
            identity = number(uid)
            if identity in entries:
                continue
            note = value(uid)
            stamp = value(note['stamp'])
            assert name(stamp) == 'Stamp', stamp
            index = value(note['index'])
            keys = [value(key) for key in index['NS.keys']]
            parts = {key: array(note[key]) for key in ('links', 'extra', 'list')}
            for part in list(parts.values()) + [index['NS.objects']]:
                remaining += part
            entry = {key: list(map(number, part)) for key, part in parts.items()}
            entry['index'] = dict(zip(keys, map(number, index['NS.objects'])))
            entry['text'] = plain(value(note.get('text')))
            entry['rating'] = plain(value(note.get('rating')))
            entry['tags'] = [plain(value(tag)) for tag in array(note['tags'])]
            entry['stamp'] = {key: plain(value(stamp.get(key))) for key in ('place', 'year', 'color')}
            friend = value(note.get('friend'))
            entry['friend'] = None if friend is None else value(friend['id'])
            entries[identity] = entry
        for entry in entries.values():
            if entry['friend'] not in entries:
                entry['friend'] = None
        print(json.dumps({'root': root, 'entries': entries}))
        """#
}

extension `Random lives of a document`.Contents {
    /// Whether no note has a way to itself.
    fileprivate var isAcyclic: Bool {
        var finished: Set<Int> = []
        func hasWayBack(_ id: Int, _ path: Set<Int>) -> Bool {
            if path.contains(id) { return true }
            guard !finished.contains(id), let entry = entries[id] else { return false }
            defer { finished.insert(id) }
            let ways = entry.neighbours + (entry.friend.map { [$0] } ?? [])
            return ways.contains { hasWayBack($0, path.union([id])) }
        }
        return !hasWayBack(root, [])
    }
}

private final class FoundationStamp: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let stamp: `Random lives of a document`.Whole.Stamp

    init?(coder: NSCoder) {
        stamp = .init(
            place: coder.text("place") ?? "", year: coder.number("year"), color: coder.text("color"))
    }

    func encode(with coder: NSCoder) {}
}

private final class FoundationNote: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let id: Int
    private var entry: `Random lives of a document`.Entry
    private let neighbours: [FoundationNote]

    init?(coder: NSCoder) {
        func notes(_ key: String) -> [FoundationNote] {
            coder.decodeObject(of: [NSArray.self, FoundationNote.self], forKey: key) as? [FoundationNote] ?? []
        }
        guard let number = coder.number("id"),
            let stamp = coder.decodeObject(of: FoundationStamp.self, forKey: "stamp"),
            let tags = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "tags") as? [String],
            let index = coder.decodeObject(
                of: [NSDictionary.self, NSString.self, FoundationNote.self], forKey: "index")
                as? [String: FoundationNote]
        else { return nil }
        id = number
        let (links, extra, list) = (notes("links"), notes("extra"), notes("list"))
        let friend =
            coder.containsValue(forKey: "friend") ? coder.decodeObject(of: FoundationNote.self, forKey: "friend") : nil
        entry = .init(
            text: coder.text("text"), rating: coder.number("rating"), tags: tags, stamp: stamp.stamp,
            links: links.map(\.id), friend: friend?.id, extra: extra.map(\.id), list: list.map(\.id),
            index: index.mapValues(\.id))
        neighbours = links + extra + list + index.values
    }

    func encode(with coder: NSCoder) {}

    func add(to entries: inout [Int: `Random lives of a document`.Entry]) {
        guard entries.updateValue(entry, forKey: id) == nil else { return }
        for note in neighbours { note.add(to: &entries) }
    }
}

extension NSCoder {
    fileprivate func text(_ key: String) -> String? {
        containsValue(forKey: key) ? decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) } : nil
    }

    fileprivate func number(_ key: String) -> Int? {
        containsValue(forKey: key) ? decodeInteger(forKey: key) : nil
    }
}
