// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// NSKeyedUnarchiver and its delegate.
extension `Cocoa's interface` {
    static let unarchiverCases: [InterfaceCase] =
        wholeUnarchivingCases + unarchiverStateCases + unarchiverDelegateCases

    /// An archive of a bell.
    private static func bellData() throws -> Data { try KeyedArchiver.archivedData(withRootObject: Bell("Big Ben")) }

    /// An archive of two bells in an array.
    private static func bellsData() throws -> Data {
        try keyedArchive { try $0.encode([Bell("Big Ben"), Bell("Emmanuel")], forKey: "root") }
    }

    /// An archive of two bells by name.
    private static func namedData() throws -> Data {
        try keyedArchive { try $0.encode(["a": Bell("Big Ben"), "b": Bell("Emmanuel")], forKey: "root") }
    }

    /// A registry of bells and whistles.
    private static var classes: ClassRegistry {
        var classes = ClassRegistry()
        classes.register(Bell.self)
        classes.register(Whistle.self)
        return classes
    }

    // MARK: Whole archives

    private static let wholeUnarchivingCases: [InterfaceCase] = [
        InterfaceCase("NSKeyedUnarchiver.unarchivedObject(ofClass:from:)") {
            let bell = try KeyedUnarchiver.unarchivedObject(of: Bell.self, from: bellData())
            #expect(bell.name == "Big Ben")
            #expect(throws: ArchivingError.self) {
                try KeyedUnarchiver.unarchivedObject(of: Bell.self, from: Data("no archive".utf8))
            }
        },
        InterfaceCase("NSKeyedUnarchiver.unarchivedObject(ofClasses:from:)") {
            let data = try bellData()
            let bell = try KeyedUnarchiver.unarchivedObject(
                of: [Whistle.self, Bell.self], from: data, classes: classes)
            #expect((bell as? Bell)?.name == "Big Ben")
            let code = unarchivingCode {
                try KeyedUnarchiver.unarchivedObject(of: [Whistle.self], from: data, classes: classes)
            }
            #expect(code == .classNotAllowed)
        },
        InterfaceCase("NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass:from:)") {
            let bells = try KeyedUnarchiver.unarchivedObject(of: [Bell].self, from: bellsData())
            #expect(bells.map(\.name) == ["Big Ben", "Emmanuel"])
        },
        InterfaceCase("NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClasses:from:)") {
            let coder = try KeyedUnarchiver(forReadingFrom: bellsData())
            coder.classes = classes
            let bells = try coder.decodeArray(of: [Bell.self, Whistle.self], forKey: "root")
            #expect(bells?.compactMap { ($0 as? Bell)?.name } == ["Big Ben", "Emmanuel"])
        },
        InterfaceCase("NSKeyedUnarchiver.unarchivedDictionary(ofKeyClass:objectClass:from:)") {
            let named = try KeyedUnarchiver.unarchivedObject(of: [String: Bell].self, from: namedData())
            #expect(named.mapValues(\.name) == ["a": "Big Ben", "b": "Emmanuel"])
        },
        InterfaceCase("NSKeyedUnarchiver.unarchivedDictionary(ofKeyClasses:objectClasses:from:)") {
            let coder = try KeyedUnarchiver(forReadingFrom: namedData())
            coder.classes = classes
            let named = try coder.decodeDictionary(
                keysOf: [String.self], valuesOf: [Bell.self, Whistle.self], forKey: "root")
            #expect(named?.mapValues { ($0 as? Bell)?.name } == ["a": "Big Ben", "b": "Emmanuel"])
        },
        InterfaceCase("NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(_:)") {
            let coder = try KeyedUnarchiver(forReadingFrom: bellData(), requiringSecureCoding: false)
            coder.classes = classes
            #expect((try coder.decodeObject(forKey: "root") as? Bell)?.name == "Big Ben")
        },
        InterfaceCase("NSKeyedUnarchiver.unarchiveObject(with:)") {
            let value = try KeyedUnarchiver.unarchivedObject(of: Bell.self, from: bellData()).name
            #expect(value == "Big Ben")
        },
        InterfaceCase("NSKeyedUnarchiver.unarchiveObject(withFile:)") {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).archive")
            defer { try? FileManager.default.removeItem(at: url) }
            try bellData().write(to: url)
            #expect(try KeyedUnarchiver.unarchivedObject(of: Bell.self, from: Data(contentsOf: url)).name == "Big Ben")
        },
        InterfaceCase("NSKeyedUnarchiver.decodeDecodable(_:forKey:)") {
            let coder = try reread { try $0.encode(Tone(pitch: 440), forKey: "tone") }
            #expect(try coder.decodeIfPresent(Tone.self, forKey: "tone") == Tone(pitch: 440))
            #expect(try coder.decodeIfPresent(Tone.self, forKey: "missing") == nil)
        },
        InterfaceCase("NSKeyedUnarchiver.decodeTopLevelDecodable(_:forKey:)") {
            let coder = try reread { try $0.encode(Tone(pitch: 440, name: "A"), forKey: "tone") }
            #expect(try coder.decode(Tone.self, forKey: "tone") == Tone(pitch: 440, name: "A"))
            #expect(throws: (any Error).self) { try coder.decode(Tone.self, forKey: "missing") }
        },
    ]

    // MARK: State

    private static let unarchiverStateCases: [InterfaceCase] = [
        InterfaceCase("NSKeyedUnarchiver.init(forReadingFrom:) throws") {
            #expect(try KeyedUnarchiver(forReadingFrom: bellData()).allKeys == ["root"])
            let damaged = try bellData().dropLast()
            #expect(unarchivingCode { try KeyedUnarchiver(forReadingFrom: damaged) } == .damaged)
        },
        InterfaceCase("NSKeyedUnarchiver.init(forReadingWith:)") {
            let coder = try KeyedUnarchiver(forReadingFrom: bellData(), requiringSecureCoding: false)
            #expect(!coder.requiresSecureCoding)
        },
        InterfaceCase("NSKeyedUnarchiver.finishDecoding()") {
            let log = UnarchiverLog()
            let coder = try KeyedUnarchiver(forReadingFrom: bellData())
            coder.delegate = log
            _ = try coder.decode(Bell.self, forKey: "root")
            coder.finishDecoding()
            coder.finishDecoding()
            #expect(log.events.count { $0 == "will finish" } == 1)
        },
        InterfaceCase("NSKeyedUnarchiver.requiresSecureCoding") {
            let data = try keyedArchive(requiringSecureCoding: false) { try $0.encode(Unsafe(), forKey: "root") }
            let secure = try KeyedUnarchiver(forReadingFrom: data)
            #expect(unarchivingCode { try secure.decode(Unsafe.self, forKey: "root") } == .notSecure)
            let trusting = try KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: false)
            #expect(throws: Never.self) { try trusting.decode(Unsafe.self, forKey: "root") }
        },
        InterfaceCase("NSKeyedUnarchiver.setClass(_:forClassName:) (class)") {
            let data = try keyedArchive { archiver in
                archiver.classes.register(Bell.self, name: "LOBell")
                try archiver.encode(Bell("Big Ben"), forKey: "root")
            }
            var classes = ClassRegistry()
            classes.register(Bell.self, aliases: ["LOBell"])
            let bell = try KeyedUnarchiver.unarchivedObject(of: [Bell.self], from: data, classes: classes)
            #expect((bell as? Bell)?.name == "Big Ben")
        },
        InterfaceCase("NSKeyedUnarchiver.setClass(_:forClassName:) (instance)") {
            let data = try keyedArchive { archiver in
                archiver.classes.register(Bell.self, name: "LOBell")
                try archiver.encode(Bell("Big Ben"), forKey: "root")
            }
            let coder = try KeyedUnarchiver(forReadingFrom: data)
            coder.classes.register(Bell.self, aliases: ["LOBell"])
            #expect((try coder.decodeObject(of: [Bell.self], forKey: "root") as? Bell)?.name == "Big Ben")
        },
        InterfaceCase("NSKeyedUnarchiver.class(forClassName:) (class)") {
            #expect(classes.type(named: "Bell") == Bell.self)
            #expect(classes.type(named: "LOBell") == nil)
        },
        InterfaceCase("NSKeyedUnarchiver.class(forClassName:) (instance)") {
            let coder = try KeyedUnarchiver(forReadingFrom: bellData())
            #expect(coder.classes.type(named: "LOBell") == nil)
            coder.classes.register(Bell.self, aliases: ["LOBell"])
            #expect(coder.classes.type(named: "LOBell") == Bell.self)
            coder.classes = ClassRegistry()
            #expect(coder.classes.type(named: "LOBell") == nil)
        },
        InterfaceCase("NSKeyedUnarchiver.delegate") {
            let coder = try KeyedUnarchiver(forReadingFrom: bellData())
            do {
                let log = UnarchiverLog()
                coder.delegate = log
                #expect(coder.delegate === log)
            }
            // It is not kept.
            #expect(coder.delegate == nil)
        },
    ]

    // MARK: The delegate

    private static let unarchiverDelegateCases: [InterfaceCase] = [
        InterfaceCase("NSKeyedUnarchiverDelegate.unarchiver(_:cannotDecodeObjectOfClassName:originalClasses:)") {
            let data = try handmadeArchive(
                ["NS.objects": [.uid(2), .uid(3)], "$class": .uid(6)], ["name": .uid(4), "$class": .uid(5)],
                ["name": .uid(4), "$class": .uid(5)], "Big Ben",
                ["$classname": "LOBell", "$classes": ["LOBell", "LOThing", "NSObject"]],
                ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]])
            for isTyped in [true, false] {
                let log = UnarchiverLog()
                log.replacementClass = Bell.self
                let coder = try KeyedUnarchiver(forReadingFrom: data)
                coder.delegate = log
                let all: Any? =
                    try isTyped
                    ? coder.decode([Bell].self, forKey: "root")
                    : coder.decodeObject(of: [[Any].self, Bell.self], forKey: "root")
                #expect((all as? [Any])?.compactMap { ($0 as? Bell)?.name } == ["Big Ben", "Big Ben"])
                // Once for the class, and not for Foundation's own.
                let asked = log.events.filter { $0.hasPrefix("cannot") }
                #expect(asked == ["cannot decode LOBell, LOThing, NSObject"], "typed: \(isTyped)")
            }
        },
        InterfaceCase("NSKeyedUnarchiverDelegate.unarchiver(_:didDecode:)") {
            let log = UnarchiverLog()
            let coder = try reread { try $0.encode(Bell("Big Ben", friend: Bell("Emmanuel")), forKey: "root") }
            coder.delegate = log
            _ = try coder.decode(Bell.self, forKey: "root")
            #expect(log.events == ["did decode Emmanuel", "did decode Big Ben"])
        },
        InterfaceCase("NSKeyedUnarchiverDelegate.unarchiver(_:willReplace:with:)") {
            let log = UnarchiverLog()
            log.replace = { ($0 as? Bell)?.name == "Big Ben" ? Bell("Elizabeth") : nil }
            let coder = try KeyedUnarchiver(forReadingFrom: bellsData())
            coder.delegate = log
            #expect(try coder.decode([Bell].self, forKey: "root").map(\.name) == ["Elizabeth", "Emmanuel"])
            #expect(log.events.filter { $0.hasPrefix("will") } == ["will replace Big Ben with Elizabeth"])
        },
        InterfaceCase("NSKeyedUnarchiverDelegate.unarchiverWillFinish(_:)") {
            let log = UnarchiverLog()
            let coder = try KeyedUnarchiver(forReadingFrom: bellData())
            coder.delegate = log
            #expect(log.events == [])
            coder.finishDecoding()
            #expect(log.events.first == "will finish")
        },
        InterfaceCase("NSKeyedUnarchiverDelegate.unarchiverDidFinish(_:)") {
            let log = UnarchiverLog()
            let coder = try KeyedUnarchiver(forReadingFrom: bellData())
            coder.delegate = log
            coder.finishDecoding()
            #expect(log.events == ["will finish", "did finish"])
        },
    ]

    /// Records its calls.
    private final class UnarchiverLog: KeyedUnarchiverDelegate {
        var events: [String] = []
        var replacementClass: (any Any.Type)?
        var replace: (any Coding) -> (any Coding)? = { _ in nil }

        private func name(_ object: any Coding) -> String { (object as? Bell)?.name ?? "another" }

        func unarchiver(
            _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
        ) -> (any Any.Type)? {
            events.append("cannot decode \(originalClasses.joined(separator: ", "))")
            return replacementClass
        }

        func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: any Coding) -> (any Coding)? {
            events.append("did decode \(name(object))")
            return replace(object)
        }

        func unarchiver(
            _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with replacement: any Coding
        ) {
            events.append("will replace \(name(object)) with \(name(replacement))")
        }

        func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) { events.append("will finish") }
        func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) { events.append("did finish") }
    }
}
