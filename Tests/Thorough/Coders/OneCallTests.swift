// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The names and limits that a whole archive is written and read with by one call.
@Suite(.inTurn)
struct `Archives in one call` {
    private struct Shelf: Codable, Equatable {
        var name: String
    }

    private static let renamed: ClassRegistry = {
        var classes = ClassRegistry()
        classes.register(CodedItem.self, name: "Thing")
        classes.register(Shelf.self, name: "Board")
        return classes
    }()

    private static var few: DecodingLimits {
        var limits = DecodingLimits()
        limits.objects = 3
        return limits
    }

    /// The names of the classes that `data` describes.
    private func classNames(_ data: Data) throws -> Set<String> {
        Set(try KeyedArchive(data).objects.compactMap(\.className))
    }

    private func withFile(_ body: (URL) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("ArchivingTests-\(UUID())")
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url)
    }

    // MARK: - Names

    @Test func `have the names that classes gives`() throws {
        let classes = Self.renamed
        let item = CodedItem("item", 3)
        let one = try KeyedArchiver.archivedData(withRootObject: item, classes: classes)
        #expect(try classNames(one) == ["Thing"])
        #expect(try KeyedUnarchiver.unarchivedObject(of: CodedItem.self, from: one, classes: classes).value == 3)
        let any: any Coding = item
        #expect(try KeyedArchiver.archivedData(withRootObject: any, classes: classes) == one)
        let many = try KeyedArchiver.archivedData(withRootObject: [item, item], classes: classes)
        #expect(try classNames(many) == ["NSArray", "Thing"])
        let value = try KeyedArchiver.archivedData(withRootObject: Shelf(name: "shelf"), classes: classes)
        #expect(try classNames(value) == ["Board"])
        #expect(
            try KeyedUnarchiver.unarchivedObject(of: Shelf.self, from: value, classes: classes) == Shelf(name: "shelf"))

        // Without them, types have their own names.
        #expect(try classNames(KeyedArchiver.archivedData(withRootObject: item)).contains("Thing") == false)
    }

    @Test func `have the names that classes gives in files, too`() throws {
        let classes = Self.renamed
        var encoder = ArchiveEncoder()
        encoder.classes = classes
        let item = CodedItem("item", 3)
        try withFile { url in
            try encoder.encode(Coded(wrappedValue: item), to: url)
            #expect(try classNames(Data(contentsOf: url)) == ["Thing"])
            let read = try KeyedUnarchiver.unarchivedObject(
                of: [CodedItem.self], from: Data(contentsOf: url), classes: classes)
            #expect((read as? CodedItem)?.value == 3)
            try encoder.encode(Coded(wrappedValue: [item]), to: url)
            #expect(try classNames(Data(contentsOf: url)) == ["NSArray", "Thing"])
            try encoder.encode(Shelf(name: "shelf"), to: url)
            #expect(try classNames(Data(contentsOf: url)) == ["Board"])
        }
    }

    // MARK: - Coders

    /// An instance with the last coder that it has received.
    private final class Keeper: Coding {
        let keeps: Bool
        private(set) var kept: AnyObject?
        private(set) weak var last: AnyObject?

        init(keeps: Bool) { self.keeps = keeps }

        init(coder: KeyedUnarchiver) throws {
            keeps = try coder.decode(Bool.self, forKey: "keeps")
            keep(coder)
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(keeps, forKey: "keeps")
            keep(coder)
        }

        private func keep(_ coder: AnyObject) {
            last = coder
            if keeps { kept = coder }
        }
    }

    @Test(arguments: [false, true])
    func `have coders of their own, which the program may keep`(keeps: Bool) throws {
        let (keeper, other) = (Keeper(keeps: keeps), Keeper(keeps: true))
        let data = try KeyedArchiver.archivedData(withRootObject: keeper)
        #expect((keeper.last != nil) == keeps)
        _ = try KeyedArchiver.archivedData(withRootObject: [other])
        #expect(other.last !== keeper.last)
        if let archiver = keeper.kept as? KeyedArchiver { #expect(try archiver.finishEncoding() == data) }

        let read = try KeyedUnarchiver.unarchivedObject(of: Keeper.self, from: data)
        #expect(read.keeps == keeps && (read.last != nil) == keeps)
        let otherRead = try KeyedUnarchiver.unarchivedObject(
            of: Keeper.self, from: KeyedArchiver.archivedData(withRootObject: other))
        #expect(otherRead.keeps && otherRead.last !== read.last)
        if let unarchiver = read.kept as? KeyedUnarchiver { #expect(unarchiver.allKeys == ["root"]) }
    }

    // MARK: - Limits

    @Test func `are read within limits`() throws {
        // $null, the object, its text and its class are four.
        let item = try KeyedArchiver.archivedData(withRootObject: CodedItem("item", 3))
        let value = try KeyedArchiver.archivedData(withRootObject: Shelf(name: "shelf"))
        let items = try KeyedArchiver.archivedData(withRootObject: [CodedItem("item", 3)])
        let byName = try KeyedArchiver.archivedData(
            withRootObject: ["a": CodedItem("item", 3)].mapValues { Coded(wrappedValue: $0) })
        let readings: [(DecodingLimits) throws -> Void] = [
            { _ = try KeyedUnarchiver.unarchivedObject(of: CodedItem.self, from: item, limits: $0) },
            { _ = try KeyedUnarchiver.unarchivedObject(of: [CodedItem.self], from: item, limits: $0) },
            { _ = try KeyedUnarchiver.unarchivedObject(of: Shelf.self, from: value, limits: $0) },
            { _ = try KeyedUnarchiver.unarchivedObject(of: [CodedItem].self, from: items, limits: $0) },
            { _ = try KeyedUnarchiver.unarchivedObject(of: [String: CodedItem].self, from: byName, limits: $0) },
        ]
        for (number, read) in readings.enumerated() {
            try read(DecodingLimits())
            let error = try #require(throws: ArchivingError.self, "reading \(number)") { try read(Self.few) }
            #expect(error.code == .limit, "reading \(number)")
        }
    }
}
