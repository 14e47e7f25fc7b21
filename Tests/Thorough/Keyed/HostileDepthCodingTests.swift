// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Archives made to be deep, or large, when they are read by key.
@Suite(.inTurn)
struct `A hostile archive, read by key` {
    /// Kinds of references from an object to the next one.
    enum Way: String, CaseIterable, Codable {
        case next, all, named, any

        /// `depth` objects, each of which refers to the next, and the last to the one with the uid `last`.
        func objects(depth: Int, last: UInt32) -> [PropertyList] {
            let classes = UInt32(2 * depth + 1)
            var objects: [PropertyList] = []
            for index in 0..<depth {
                let uid = UInt32(2 * index + 1)
                let next = PropertyList.uid(index + 1 < depth ? uid + 2 : last)
                let link = self == .next ? next : .uid(uid + 1)
                objects.append([rawValue: link, "$class": .uid(classes)])
                objects.append(
                    self == .named
                        ? ["NS.keys": ["k"], "NS.objects": [next], "$class": .uid(classes + 2)]
                        : ["NS.objects": [next], "$class": .uid(classes + 1)])
            }
            return objects + [HostileArchive.link, HostileArchive.array, HostileArchive.dictionary]
        }
    }

    @Test(arguments: Way.allCases)
    func `of many levels is an error on a small stack and on a large one`(way: Way) async {
        await #expect(processExitsWith: .success) { [way] in
            let depth = way == .next ? 100_000 : 20_000
            let data = try handmadeArchive(objects: way.objects(depth: depth, last: 0))
            for stackSize in [512 << 10, 8 << 20] {
                for nesting in [10_000, Int.max] {
                    let error = try onThread(stackSize: stackSize) {
                        var limits = DecodingLimits()
                        limits.nesting = nesting
                        let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
                        unarchiver.classes.register(HostileLink.self, aliases: ["Link"])
                        return try keyedFailure { try unarchiver.decode(HostileLink.self, forKey: "root") }
                    }
                    #expect(error.code == "limit")
                    #expect(error.says("nested"))
                    #expect(error.path.hasPrefix("root." + way.rawValue))
                }
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `whose instance refers back comes back through a collection, and is an error otherwise`(way: Way) throws {
        for (depth, last) in [(1, 1), (2, 1), (3, 3), (3, 5)] as [(Int, UInt32)] {
            let unarchiver = try HostileArchive.unarchiver(objects: way.objects(depth: depth, last: last))
            if way == .any || way == .next {
                for _ in 0..<2 {
                    let error = try keyedFailure { try unarchiver.decode(HostileLink.self, forKey: "root") }
                    #expect(error.code == "cycle", "\(error)")
                    #expect(error.path.hasPrefix("root." + way.rawValue))
                    #expect(error.says("leads back", "publish"), "\(error)")
                }
            } else {
                // A link has every second uid, from 1 on.
                var links = [try unarchiver.decode(HostileLink.self, forKey: "root")]
                for _ in 0..<depth {
                    let link = try #require(links.last)
                    links.append(try #require(link.next ?? link.all.first ?? link.named["k"]))
                }
                #expect(Set(links.map { ObjectIdentifier($0) }).count == depth)
                #expect(links[depth] === links[Int(last - 1) / 2])
            }
        }
    }

    /// Objects that contain themselves, and are read as values.
    static let selfContaining: [(PropertyList, PropertyList)] = [
        (["NS.objects": [.uid(1)], "$class": .uid(2)], HostileArchive.array),
        (["NS.objects": [.uid(1)], "$class": .uid(2)], HostileArchive.set),
        (["NS.object.0": .uid(1), "$class": .uid(2)], HostileArchive.array),
        (["NS.keys": ["k"], "NS.objects": [.uid(1)], "$class": .uid(2)], HostileArchive.dictionary),
        (["NS.keys": [.uid(1)], "NS.objects": ["v"], "$class": .uid(2)], HostileArchive.dictionary),
    ]

    @Test(arguments: selfContaining.indices)
    func `whose collection contains itself is an error`(index: Int) async {
        await #expect(processExitsWith: .success) { [index] in
            let (object, entry) = `A hostile archive, read by key`.selfContaining[index]
            let data = try handmadeArchive(object, entry)
            for stackSize in [512 << 10, 8 << 20] {
                for nesting in [10_000, Int.max] {
                    let error = try onThread(stackSize: stackSize) {
                        var limits = DecodingLimits()
                        limits.nesting = nesting
                        let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
                        return try keyedFailure {
                            try unarchiver.decodeObject(
                                of: [[Any].self, [AnyHashable: Any].self, Set<AnyHashable>.self, String.self],
                                forKey: "root") as Any
                        }
                    }
                    #expect(error.code == "limit" || error.code == "damaged", "\(error.code)")
                    #expect(error.path.hasPrefix("root"))
                }
            }
        }
    }

    @Test func `whose leaves refer to themselves is an error`() throws {
        let keys = ["NS.string", "NS.bytes", "NS.number", "NS.intval", "NS.time", "NS.data", "NS.pointval"]
        for key in keys {
            let unarchiver = try HostileArchive.unarchiver(
                [key: .uid(1), "$class": .uid(2)], ["$classname": "NSValue", "$classes": ["NSValue", "NSObject"]])
            let bodies: [() throws -> Any] = [
                { try unarchiver.decode(String.self, forKey: "root") },
                { try unarchiver.decode(Int.self, forKey: "root") },
                { try unarchiver.decode(Double.self, forKey: "root") },
                { try unarchiver.decode(Bool.self, forKey: "root") },
                { try unarchiver.decode(Date.self, forKey: "root") },
                { try unarchiver.decode(Data.self, forKey: "root") },
                { try unarchiver.decodePoint(forKey: "root") },
                { try unarchiver.decodeObject(of: [String.self, Int.self], forKey: "root") as Any },
            ]
            for body in bodies {
                let error = try keyedFailure(body)
                #expect(["typeMismatch", "damaged", "classNotAllowed"].contains(error.code), "\(key): \(error)")
                #expect(error.path == "root")
            }
        }
        let url = try HostileArchive.unarchiver(
            ["NS.relative": "a", "NS.base": .uid(1), "$class": .uid(2)],
            ["$classname": "NSURL", "$classes": ["NSURL", "NSObject"]])
        let error = try keyedFailure { try url.decode(URL.self, forKey: "root") }
        #expect(["damaged", "limit"].contains(error.code))
    }

    /// An object of the property list may contain itself where the format has a uid.
    @Test(arguments: ["Node", "NSArray"])
    func `whose bytes contain themselves is an error`(className: String) throws {
        let text = { (text: String) in [0x50 + UInt8(text.utf8.count)] + Array(text.utf8) }
        let file = BinaryFile(
            [0xD3, 1, 2, 3, 4, 5, 6], text("$version"), text("$objects"), text("$top"), [0x12, 0, 1, 0x86, 0xA0],
            [0xA2, 7, 8], [0xD1, 9, 10], text("$null"), [0xD1, 11, 12], text("root"),
            // The object under "root": its field refers to itself, without a uid.
            className == "Node" ? [0xD2, 13, 14, 10, 15] : [0xD2, 13, 14, 16, 15],
            text("$classname"), text(className), text(className == "Node" ? "next" : "NS.objects"), text("$class"),
            [0x80, 1], [0xA1, 10])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: Data(file.bytes))
        unarchiver.classes.register(HostileLink.self, aliases: ["Node"])
        let error = try keyedFailure {
            className == "Node"
                ? try unarchiver.decode(HostileLink.self, forKey: "root")
                : try unarchiver.decodeObject(of: [[Any].self], forKey: "root") as Any
        }
        #expect(error.code == "limit", "\(error)")
        #expect(error.path.hasPrefix("root"))
    }

    // MARK: - Visits

    /// Each array has the next one twice: 2⁴⁰ elements in 40 objects.
    private func unfolding(_ limits: DecodingLimits) throws -> KeyedUnarchiver {
        let objects = (1...40).map { index in
            let next = PropertyList.uid(UInt32(index + 1))
            return ["NS.objects": index == 40 ? [] : [next, next], "$class": .uid(41)] as PropertyList
        }
        return try HostileArchive.unarchiver(objects: objects + [HostileArchive.array], limits: limits)
    }

    @Test func `that unfolds to more visits than its limit is an error, however it is read`() throws {
        struct Bare: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while !container.isAtEnd { _ = try container.decode(Bare.self) }
            }
        }
        var limits = DecodingLimits()
        limits.work = 20_000
        for error in [
            try keyedFailure { try unfolding(limits).decodeObject(of: [[Any].self], forKey: "root") as Any },
            try keyedFailure { try unfolding(limits).decodeArray(of: [[Any].self], forKey: "root") as Any },
            try keyedFailure { try unfolding(limits).decode(Bare.self, forKey: "root") },
        ] {
            #expect(error.code == "limit", "\(error)")
            #expect(error.path.hasPrefix("root[0]"))
            #expect(error.says("work", "20000"))
        }
    }

    @Test func `may have as many objects as its limit of work`() throws {
        var limits = DecodingLimits()
        limits.work = 100
        let unarchiver = try unarchiver(limits: limits) { archiver in
            try archiver.encode((0..<200).map { CodedItem("\($0)", $0) }, forKey: "items")
        }
        let error = try keyedFailure { try unarchiver.decode([CodedItem].self, forKey: "items") }
        #expect(error.code == "limit")
        #expect(error.path.hasPrefix("items"))
        #expect(error.says("work", "100"))
    }

    @Test func `gives as many bytes as its limit, the same ones counting each time`() throws {
        var limits = DecodingLimits()
        limits.work = 350
        let data = try KeyedPlace.top.archive {
            $0.encode(Data(count: 2_000), forKey: "data")
            $0.encode(String(repeating: "a", count: 1_000), forKey: "text")
        }
        let bytes = try Archiving.KeyedUnarchiver(forReadingFrom: data, limits: limits)
        for _ in 0..<2 { #expect(try bytes.decodeIfPresent(Data.self, forKey: "data")?.count == 2_000) }
        let tooOften = try keyedFailure { try bytes.decodeIfPresent(Data.self, forKey: "data") as Any }
        #expect(tooOften.code == "limit")
        #expect(tooOften.path == "data")
        #expect(tooOften.says("work", "350"))
        let texts = try Archiving.KeyedUnarchiver(forReadingFrom: data, limits: limits)
        for _ in 0..<5 { #expect(try texts.decodeIfPresent(String.self, forKey: "text")?.utf8.count == 1_000) }
        #expect(
            try keyedFailure { try texts.decodeIfPresent(String.self, forKey: "text") as Any }.says("work", "350"))
    }

    @Test func `whose limit is exceeded gives nothing more, even if the error was caught`() throws {
        var limits = DecodingLimits()
        limits.work = 70
        let bytes = try Archiving.KeyedUnarchiver(
            forReadingFrom: KeyedPlace.top.archive {
                $0.encode(Data(count: 2_000), forKey: "large")
                $0.encode(Data(count: 20), forKey: "small")
            }, limits: limits)
        #expect((try? bytes.decodeIfPresent(Data.self, forKey: "large")) == nil)
        #expect(try keyedFailure { try bytes.decodeIfPresent(Data.self, forKey: "small") as Any }.code == "limit")
    }

    @Test func `of instances that are shared counts each once`() throws {
        var limits = DecodingLimits()
        limits.work = 1_000
        let objects = (1...40).map { index -> PropertyList in
            guard index < 40 else { return ["$class": .uid(41)] }
            let next = PropertyList.uid(UInt32(index + 1))
            return ["next": next, "any": next, "$class": .uid(41)]
        }
        let unarchiver = try HostileArchive.unarchiver(objects: objects + [HostileArchive.link], limits: limits)
        let link = try unarchiver.decode(HostileLink.self, forKey: "root")
        #expect(link.any as? HostileLink === link.next)
        #expect(link.next?.next?.any as? HostileLink === link.next?.next?.next)
    }
}
