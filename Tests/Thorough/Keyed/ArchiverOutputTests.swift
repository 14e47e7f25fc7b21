// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `What an archiver gives` {
    private func encode(to archiver: KeyedArchiver) throws {
        let item = CodedItem("caf\u{e9}", 5)
        try archiver.encode([item, CodedItem("other", 6), item], forKey: "items")
        try archiver.encode(CodedBox(item: item, title: "box"), forKey: "box")
        archiver.encode(1.5, forKey: "number")
        archiver.encodeNext(-1)
    }

    @Test func `is the same data at each request`() throws {
        let archiver = KeyedArchiver()
        try encode(to: archiver)
        let data = try archiver.finishEncoding()
        #expect(try archiver.finishEncoding() == data)
        let other = KeyedArchiver()
        try encode(to: other)
        #expect(try other.finishEncoding() == data)
    }

    @Test func `is an archive of nothing where nothing was encoded`() throws {
        let data = try KeyedArchiver().finishEncoding()
        let list = try PropertyList(data)
        #expect(
            list == ["$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": [:], "$objects": ["$null"]])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(unarchiver.allKeys.isEmpty)
        #expect(try unarchiver.decodeInteger(forKey: "root") == 0)
    }

    @Test func `in XML holds what it holds in binary form`() throws {
        let lists = try PropertyListFormat.allCases.map { format in
            let archiver = KeyedArchiver()
            archiver.outputFormat = format
            try encode(to: archiver)
            let data = try archiver.finishEncoding()
            #expect(PropertyListFormat(detectedIn: data) == format)
            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            let items = try unarchiver.decode([CodedItem].self, forKey: "items")
            #expect(items.map(\.name) == ["caf\u{e9}", "other", "caf\u{e9}"])
            #expect(items[0] === items[2])
            #expect(try unarchiver.decode(CodedBox.self, forKey: "box").item === items[0])
            #expect(try unarchiver.decodeDouble(forKey: "number") == 1.5)
            #expect(try unarchiver.decodeNext(Int.self) == -1)
            return try PropertyList(data)
        }
        #expect(lists.allSatisfy { $0 == lists[0] })
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `with sorted keys is the same in whatever order things are encoded`(format: PropertyListFormat) throws {
        let names = (0..<50).map { "name \($0)" }
        let item = CodedItem("item", 1)
        let outputs = try (0..<5).map { round in
            let archiver = KeyedArchiver()
            archiver.outputFormat = format
            archiver.outputFormatting = .sortedKeys
            let order = round == 0 ? names : names.shuffled()
            for name in order { archiver.encode(name, forKey: name) }
            try archiver.encode(
                Scribe { coder in
                    for name in order.reversed() { try coder.encode(item, forKey: name) }
                }, forKey: "object")
            try archiver.encode(Set(order.map { HashedItem($0) }), forKey: "set")
            let items = Dictionary(uniqueKeysWithValues: order.map { ($0, HashedItem($0)) })
            try archiver.encode(items, forKey: "dictionary")
            try archiver.encodeObject(Set<AnyHashable>(order.map { $0 as AnyHashable }), forKey: "any")
            return try archiver.finishEncoding()
        }
        #expect(outputs.allSatisfy { $0 == outputs[0] })
        let unarchiver = try KeyedUnarchiver(forReadingFrom: outputs[0])
        #expect(unarchiver.allKeys == unarchiver.allKeys.sorted())
        #expect(try unarchiver.decode(Set<HashedItem>.self, forKey: "set") == Set(names.map { HashedItem($0) }))
        #expect(try unarchiver.decode([String: HashedItem].self, forKey: "dictionary")["name 7"]?.name == "name 7")
    }

    // MARK: - Files

    /// Gives `body` the address of a file that is not there, in a folder of its own.
    private func withFile(_ body: (URL) throws -> Void) throws {
        try TemporaryFolder.with { try body($0["farm \u{e9}.archive"]) }
    }

    @Test func `goes to a file and comes back from it`() throws {
        try withFile { url in
            try ArchiveEncoder().encode(Coded(wrappedValue: CodedItem("item", 3)), to: url)
            #expect(
                try PropertyList(Data(contentsOf: url))
                    == PropertyList(KeyedArchiver.archivedData(withRootObject: CodedItem("item", 3))))
            #expect(try KeyedUnarchiver.unarchivedObject(of: CodedItem.self, from: Data(contentsOf: url)).value == 3)
            let unarchiver = try KeyedUnarchiver(contentsOf: url)
            #expect(unarchiver.allKeys == ["root"])
            #expect(try unarchiver.decode(CodedItem.self, forKey: "root").name == "item")
            try ArchiveEncoder().encode(Coded(wrappedValue: [CodedItem("a", 1), CodedItem("b", 2)]), to: url)
            let items = try KeyedUnarchiver.unarchivedObject(of: [CodedItem].self, from: Data(contentsOf: url))
            #expect(items.map(\.value) == [1, 2])
            try ArchiveEncoder().encode(["a": 1], to: url)
            #expect(
                try KeyedUnarchiver.unarchivedObject(of: [String: Int].self, from: Data(contentsOf: url)) == ["a": 1])
            let folder = url.deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        }
    }

    @Test func `goes to a file with the settings of an encoder`() throws {
        try withFile { url in
            let archiver = KeyedArchiver()
            archiver.outputFormat = .xml
            archiver.classes.register(CodedItem.self, name: "Thing")
            try archiver.encode(["a": CodedItem("item", 3)], forKey: "root")
            var encoder = ArchiveEncoder()
            encoder.outputFormat = .xml
            encoder.classes.register(CodedItem.self, name: "Thing")
            try encoder.encode(Coded(wrappedValue: ["a": CodedItem("item", 3)]), to: url)
            #expect(try Data(contentsOf: url).starts(with: Data("<?xml".utf8)))
            #expect(try Data(contentsOf: url) == archiver.finishEncoding())
            var classes = ClassRegistry()
            classes.register(CodedItem.self, name: "Thing")
            let items = try KeyedUnarchiver.unarchivedObject(
                of: [String: CodedItem].self, from: Data(contentsOf: url), classes: classes)
            #expect(items.mapValues(\.value) == ["a": 3])
        }
    }

    @Test func `leaves an old file as it was where encoding fails`() throws {
        try withFile { url in
            #expect(throws: FailingItem.Failure()) {
                try ArchiveEncoder().encode(Coded(wrappedValue: FailingItem(fails: true)), to: url)
            }
            #expect(!FileManager.default.fileExists(atPath: url.path))
            try ArchiveEncoder().encode(Coded(wrappedValue: CodedItem("old", 1)), to: url)
            let old = try Data(contentsOf: url)
            #expect(throws: FailingItem.Failure()) {
                try ArchiveEncoder().encode(Coded(wrappedValue: [FailingItem(fails: true)]), to: url)
            }
            #expect(throws: EncodingError.self) {
                try ArchiveEncoder().encode(Coded(wrappedValue: InsecureItem()), to: url)
            }
            #expect(throws: FailingItem.Failure(number: 2)) {
                try ArchiveEncoder().encode(`An archiver in which something fails`.FailingValue(), to: url)
            }
            #expect(try Data(contentsOf: url) == old)
        }
    }

    @Test func `is not read from a file that is not there, or is none`() throws {
        try withFile { url in
            #expect(throws: CocoaError.self) { try KeyedUnarchiver(contentsOf: url) }
            #expect(throws: CocoaError.self) {
                try KeyedUnarchiver.unarchivedObject(of: CodedItem.self, from: Data(contentsOf: url))
            }
            for content in ["", "text", "bplist00", "<plist>"] {
                try Data(content.utf8).write(to: url)
                let error = try keyedFailure { try KeyedUnarchiver(contentsOf: url) }
                #expect(error.code == "damaged")
                #expect(error.says("property list"))
            }
        }
    }

    // MARK: - The root

    @Test func `has the root under "root", whatever it is`() throws {
        let item = CodedItem("item", 1)
        let coding: any Coding = item
        let archives = try [
            KeyedArchiver.archivedData(withRootObject: item), KeyedArchiver.archivedData(withRootObject: [item]),
            KeyedArchiver.archivedData(withRootObject: coding),
            KeyedArchiver.archivedData(withRootObject: CodedBox(item: item, title: "box")),
            KeyedArchiver.archivedData(withRootObject: "text"), KeyedArchiver.archivedData(withRootObject: 5),
        ]
        for data in archives { #expect(try KeyedUnarchiver(forReadingFrom: data).allKeys == ["root"]) }
        #expect(try KeyedUnarchiver.unarchivedObject(of: CodedItem.self, from: archives[0]).name == "item")
        #expect(try KeyedUnarchiver.unarchivedObject(of: [CodedItem].self, from: archives[1]).count == 1)
        #expect(try KeyedUnarchiver.unarchivedObject(of: CodedItem.self, from: archives[2]).name == "item")
        #expect(try KeyedUnarchiver.unarchivedObject(of: CodedBox.self, from: archives[3]).title == "box")
        #expect(try KeyedUnarchiver.unarchivedObject(of: String.self, from: archives[4]) == "text")
        #expect(try KeyedUnarchiver.unarchivedObject(of: [Int.self], from: archives[5]) as? Int == 5)
        // The decoder of Codable reads them as well.
        #expect(try ArchiveDecoder().decode(String.self, from: archives[4]) == "text")
        #expect(try ArchiveDecoder().decode(CodedBox.self, from: archives[3]).item.name == "item")
    }

    @Test func `without a root is an error if the root is requested`() throws {
        let archiver = KeyedArchiver()
        archiver.encode(1, forKey: "other")
        let data = try archiver.finishEncoding()
        for error in [
            try keyedFailure { try KeyedUnarchiver.unarchivedObject(of: CodedItem.self, from: data) },
            try keyedFailure { try KeyedUnarchiver.unarchivedObject(of: Int.self, from: data) },
            try keyedFailure { try KeyedUnarchiver.unarchivedObject(of: [Int.self], from: data) as Any },
            try keyedFailure { try KeyedUnarchiver.unarchivedObject(of: [CodedItem].self, from: data) },
            try keyedFailure { try KeyedUnarchiver.unarchivedObject(of: [String: CodedItem].self, from: data) },
        ] {
            #expect(error.code == "valueNotFound")
            #expect(error.says("\"root\"", "\"other\""))
        }
    }
}
