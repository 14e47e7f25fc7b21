// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// NSKeyedArchiver and its delegate.
extension `Cocoa's interface` {
    static let archiverCases: [InterfaceCase] = wholeArchiveCases + archiverStateCases + archiverDelegateCases

    // MARK: Whole archives

    private static let wholeArchiveCases: [InterfaceCase] = [
        InterfaceCase("NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)") {
            let data = try KeyedArchiver.archivedData(withRootObject: Bell("Big Ben"), requiringSecureCoding: true)
            #expect(try InspectedArchive(data).text == #"Bell{name: @"Big Ben"}"#)
            #expect(data.starts(with: Data("bplist00".utf8)))
        },
        InterfaceCase("NSKeyedArchiver.archivedData(withRootObject:)") {
            let data = try KeyedArchiver.archivedData(withRootObject: Unsafe(), requiringSecureCoding: false)
            #expect(try InspectedArchive(data).text == "Unsafe{}")
        },
        InterfaceCase("NSKeyedArchiver.archiveRootObject(_:toFile:)") {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).archive")
            defer { try? FileManager.default.removeItem(at: url) }
            try ArchiveEncoder().encode(Coded(wrappedValue: Bell("Big Ben")), to: url)
            #expect(try KeyedUnarchiver.unarchivedObject(of: Bell.self, from: Data(contentsOf: url)).name == "Big Ben")
        },
        InterfaceCase("NSKeyedArchiver.init(requiringSecureCoding:)") {
            #expect(KeyedArchiver(requiringSecureCoding: true).requiresSecureCoding)
            #expect(!KeyedArchiver(requiringSecureCoding: false).requiresSecureCoding)
        },
        InterfaceCase("NSKeyedArchiver.init(forWritingWith:)") {
            // There is no data that grows: it is there when the archive is finished.
            let archiver = KeyedArchiver()
            archiver.encode(1, forKey: "one")
            let data = try archiver.finishEncoding()
            #expect(try InspectedArchive(data).list["$top"] == ["one": 1])
        },
        InterfaceCase("NSKeyedArchiver.init()") {
            #expect(KeyedArchiver().requiresSecureCoding)
        },
        InterfaceCase("NSKeyedArchiver.encodedData") {
            let archiver = KeyedArchiver()
            archiver.encode(1, forKey: "one")
            let data = try archiver.finishEncoding()
            #expect(try InspectedArchive(data).list["$top"] == ["one": 1])
        },
        InterfaceCase("NSKeyedArchiver.finishEncoding()") {
            let archiver = KeyedArchiver()
            try archiver.encode(Bell("Big Ben"), forKey: "bell")
            let data = try archiver.finishEncoding()
            #expect(try archiver.finishEncoding() == data)
            #expect(try KeyedUnarchiver(forReadingFrom: data).decode(Bell.self, forKey: "bell").name == "Big Ben")
        },
        InterfaceCase("NSKeyedArchiveRootObjectKey") {
            let data = try KeyedArchiver.archivedData(withRootObject: Bell("Big Ben"))
            #expect(try KeyedUnarchiver(forReadingFrom: data).allKeys == ["root"])
        },
        InterfaceCase("NSKeyedArchiver.encodeEncodable(_:forKey:)") {
            let text = try topText("tone") { try $0.encode(Tone(pitch: 440, name: "A"), forKey: "tone") }
            #expect(text == #"Tone{pitch: 440, name: @"A"}"#)
        },
        InterfaceCase("NSKeyedArchiver.encodePropertyList(_:forKey:)") {
            let text = try topText("list") { try $0.encodeObject(["a": [1.5, true] as [Any]], forKey: "list") }
            #expect(text == #"NSDictionary[@"a": NSArray[@1.5, @true]]"#)
        },
    ]

    // MARK: State

    private static let archiverStateCases: [InterfaceCase] = [
        InterfaceCase("NSKeyedArchiver.outputFormat") {
            let archiver = KeyedArchiver()
            #expect(archiver.outputFormat == .binary)
            archiver.outputFormat = .xml
            archiver.encode(1, forKey: "one")
            let data = try archiver.finishEncoding()
            #expect(String(decoding: data, as: UTF8.self).hasPrefix("<?xml"))
        },
        InterfaceCase("NSKeyedArchiver.requiresSecureCoding") {
            let refused = #expect(throws: ArchivingError.self) {
                try KeyedArchiver.archivedData(withRootObject: Unsafe(), requiringSecureCoding: true)
            }
            #expect(refused?.code == .notSecure)
        },
        InterfaceCase("NSKeyedArchiver.setClassName(_:for:) (class)") {
            // A registry is a value: what one archiver has of it is no other's business.
            var classes = ClassRegistry()
            classes.register(Whistle.self, name: "LOWhistle")
            let archiver = KeyedArchiver()
            archiver.classes = classes
            try archiver.encode(Whistle(pitch: 3), forKey: "one")
            #expect(try InspectedArchive(archiver.finishEncoding()).classNames == ["LOWhistle"])
        },
        InterfaceCase("NSKeyedArchiver.setClassName(_:for:) (instance)") {
            let archiver = KeyedArchiver()
            archiver.classes.register(Whistle.self, name: "LOWhistle")
            try archiver.encode(Whistle(pitch: 3), forKey: "one")
            #expect(try InspectedArchive(archiver.finishEncoding()).classNames == ["LOWhistle"])
        },
        InterfaceCase("NSKeyedArchiver.className(for:) (class)") {
            var classes = ClassRegistry()
            #expect(classes.name(for: Whistle.self) == "Whistle")
            classes.register(Whistle.self, name: "LOWhistle")
            #expect(classes.name(for: Whistle.self) == "LOWhistle")
        },
        InterfaceCase("NSKeyedArchiver.className(for:) (instance)") {
            let archiver = KeyedArchiver()
            #expect(archiver.classes.name(for: Whistle.self) == "Whistle")
            archiver.classes.register(Whistle.self, name: "LOWhistle")
            #expect(archiver.classes.name(for: Whistle.self) == "LOWhistle")
            archiver.classes = ClassRegistry()
            #expect(archiver.classes.name(for: Whistle.self) == "Whistle")
        },
        InterfaceCase("NSKeyedArchiver.delegate") {
            let archiver = KeyedArchiver()
            do {
                let log = ArchiverLog()
                archiver.delegate = log
                #expect(archiver.delegate === log)
            }
            // It is not kept.
            #expect(archiver.delegate == nil)
        },
    ]

    // MARK: The delegate

    private static let archiverDelegateCases: [InterfaceCase] = [
        InterfaceCase("NSKeyedArchiverDelegate.archiver(_:willEncode:)") {
            let bell = Bell("Big Ben")
            let log = ArchiverLog()
            log.replace = { ($0 as? Bell)?.name == "secret" ? nil : $0 }
            let archiver = KeyedArchiver()
            archiver.delegate = log
            try archiver.encodeConditional(bell, forKey: "maybe")
            try archiver.encode([bell, bell, Bell("secret")], forKey: "bells")
            let inspected = try InspectedArchive(archiver.finishEncoding())
            #expect(log.events.filter { $0.hasPrefix("will encode") } == ["will encode Big Ben", "will encode secret"])
            let bells = inspected.text(of: inspected.list["$top"]?["bells"] ?? .null)
            #expect(bells == #"NSArray[#1=Bell{name: @"Big Ben"}, #1, NSNull{}]"#)
        },
        InterfaceCase("NSKeyedArchiverDelegate.archiver(_:didEncode:)") {
            let bell = Bell("Big Ben", friend: Bell("Emmanuel"))
            let log = ArchiverLog()
            let archiver = KeyedArchiver()
            archiver.delegate = log
            try archiver.encode([bell, bell], forKey: "bells")
            try archiver.encodeConditional(Bell("nobody's"), forKey: "maybe")
            _ = try archiver.finishEncoding()
            // Once for each that was written, and not for one that was only referred to.
            let encoded = log.events.filter { $0.hasPrefix("did encode") }
            #expect(encoded.sorted() == ["did encode Big Ben", "did encode Emmanuel"])
        },
        InterfaceCase("NSKeyedArchiverDelegate.archiver(_:willReplace:with:)") {
            let log = ArchiverLog()
            log.replace = { ($0 as? Bell)?.name == "old" ? Bell("new") : $0 }
            let archiver = KeyedArchiver()
            archiver.delegate = log
            try archiver.encode(Bell("old"), forKey: "bell")
            let inspected = try InspectedArchive(archiver.finishEncoding())
            #expect(log.events.filter { $0.hasPrefix("will replace") } == ["will replace old with new"])
            #expect(inspected.text(of: inspected.list["$top"]?["bell"] ?? .null) == #"Bell{name: @"new"}"#)
        },
        InterfaceCase("NSKeyedArchiverDelegate.archiverWillFinish(_:)") {
            let log = ArchiverLog()
            let archiver = KeyedArchiver()
            archiver.delegate = log
            archiver.encode(1, forKey: "one")
            #expect(log.events == [])
            _ = try archiver.finishEncoding()
            #expect(log.events.first == "will finish")
        },
        InterfaceCase("NSKeyedArchiverDelegate.archiverDidFinish(_:)") {
            let log = ArchiverLog()
            let archiver = KeyedArchiver()
            archiver.delegate = log
            _ = try archiver.finishEncoding()
            _ = try archiver.finishEncoding()
            #expect(log.events == ["will finish", "did finish"])
        },
    ]

    /// Records its calls.
    private final class ArchiverLog: KeyedArchiverDelegate {
        var events: [String] = []
        var replace: (any Coding) -> (any Coding)? = { $0 }

        private func name(_ object: (any Coding)?) -> String { (object as? Bell)?.name ?? "nil" }

        func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? {
            events.append("will encode \(name(object))")
            return replace(object)
        }

        func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding) {
            events.append("did encode \(name(object))")
        }

        func archiver(
            _ archiver: KeyedArchiver, willReplace object: any Coding, with replacement: (any Coding)?
        ) {
            events.append("will replace \(name(object)) with \(name(replacement))")
        }

        func archiverWillFinish(_ archiver: KeyedArchiver) { events.append("will finish") }
        func archiverDidFinish(_ archiver: KeyedArchiver) { events.append("did finish") }
    }
}
