// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `Values by key` {
    /// The form of `entry` in `archive`.
    private func form(of entry: PropertyList?, in archive: InspectedArchive) -> KeyedValue.Form? {
        guard let entry else { return nil }
        guard case .uid(let uid) = entry else { return .inline(entry) }
        guard uid != 0 else { return .null }
        guard let object = archive.follow(entry), case .dictionary(var fields) = object else {
            return archive.follow(entry).map { .leaf($0) }
        }
        fields["$class"] = nil
        guard let name = archive.className(of: object), fields.count == 1, let field = fields.first else { return nil }
        return .object(name, key: field.key, field.value)
    }

    @Test(arguments: KeyedPlace.allCases)
    func `are stored inline or behind a uid, as in Cocoa's archives`(place: KeyedPlace) throws {
        for value in KeyedValue.all {
            let keyed = try InspectedArchive(place.archive { try value.encode($0, "key") })
            #expect(try place.entries(in: keyed).keys == ["key"])
            #expect(form(of: try place.entries(in: keyed)["key"], in: keyed) == value.form, "\(value.testDescription)")
            let next = try InspectedArchive(place.archive { try value.encode($0, nil) })
            #expect(try place.entries(in: next).keys == ["$0"])
            #expect(form(of: try place.entries(in: next)["$0"], in: next) == value.form, "\(value.testDescription)")
        }
    }

    @Test(arguments: KeyedPlace.allCases, PropertyListFormat.allCases)
    func `come back as they were`(place: KeyedPlace, format: PropertyListFormat) throws {
        // XML has no control characters.
        let values = KeyedValue.all.filter { format == .binary || $0.form.isXML }
        #expect(values.count >= KeyedValue.all.count - 1)
        let data = try place.archive(format: format) { archiver in
            for (index, value) in values.enumerated() {
                try value.encode(archiver, "key \(index)")
                try value.encode(archiver, nil)
            }
        }
        try place.read(data) { unarchiver throws in
            for (index, value) in values.enumerated().reversed() {
                #expect(unarchiver.containsValue(forKey: "key \(index)"))
                #expect(try value.isBack(unarchiver, "key \(index)"), "\(value.testDescription)")
            }
            for value in values { #expect(try value.isBack(unarchiver, nil), "next: \(value.testDescription)") }
            #expect(unarchiver.allKeys.count == values.count)
        }
    }

    @Test func `share an entry where they are equal strings or dates`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let archive = try InspectedArchive(
            KeyedPlace.top.archive { archiver in
                for key in ["a", "b"] {
                    archiver.encode("text", forKey: key)
                    archiver.encode(date, forKey: key + " date")
                    archiver.encode("$null", forKey: key + " null")
                }
                archiver.encode("other", forKey: "c")
                try archiver.encode(Scribe { $0.encode("text", forKey: "a") }, forKey: "object")
            })
        let top = try KeyedPlace.top.entries(in: archive)
        for suffix in ["", " date", " null"] { #expect(top["a" + suffix] == top["b" + suffix]) }
        #expect(top["a"] != top["c"])
        #expect(archive.follow(top["object"])?["a"] == top["a"])
        #expect(archive.objects.filter { $0 == "text" }.count == 1)
        #expect(archive.count(ofClass: "NSDate") == 1)
    }

    @Test func `that are equal numbers of different types stay apart`() throws {
        let archive = try InspectedArchive(
            KeyedPlace.top.archive { archiver in
                archiver.encode(1, forKey: "int")
                archiver.encode(true, forKey: "bool")
                archiver.encode(1.0, forKey: "double")
                archiver.encode(Float(1), forKey: "float")
                archiver.encode("1", forKey: "string")
            })
        let top = try KeyedPlace.top.entries(in: archive)
        #expect(top["int"] == .integer(1))
        #expect(top["bool"] == .boolean(true))
        #expect(top["double"] == .real(1))
        #expect(top["float"] == .real32(1))
        #expect(archive.follow(top["string"]) == .string("1"))
        #expect(archive.objects.count == 2)
    }

    @Test func `of strings in object form are read, and of data and numbers`() throws {
        let data = try handmadeArchive(
            top: ["string": .uid(1), "bytes": .uid(2), "data": .uid(3), "number": .uid(4), "date": .date(Date())],
            ["NS.string": "caf\u{e9}", "$class": .uid(5)], ["NS.bytes": .data(Data("x".utf8)), "$class": .uid(5)],
            ["NS.data": .data(Data([1, 2])), "$class": .uid(6)], ["NS.intval": 7, "$class": .uid(7)],
            ["$classname": "NSMutableString", "$classes": ["NSMutableString", "NSString", "NSObject"]],
            ["$classname": "NSMutableData", "$classes": ["NSMutableData", "NSData", "NSObject"]],
            ["$classname": "NSNumber", "$classes": ["NSNumber", "NSValue", "NSObject"]])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(try unarchiver.decodeIfPresent(String.self, forKey: "string") == "caf\u{e9}")
        #expect(try unarchiver.decodeIfPresent(String.self, forKey: "bytes") == "x")
        #expect(try unarchiver.decodeIfPresent(Data.self, forKey: "data") == Data([1, 2]))
        #expect(try unarchiver.decodeBytes(forKey: "data") == [1, 2])
        #expect(try unarchiver.decodeInteger(forKey: "number") == 7)
        #expect(try unarchiver.decodeIfPresent(Date.self, forKey: "date") != nil)
    }

    @Test func `of bytes are an error where there are too few`() throws {
        let unarchiver = try unarchiver { $0.encodeBytes([1, 2, 3], forKey: "bytes") }
        #expect(try unarchiver.decodeBytes(forKey: "bytes", minimumLength: 3) == [1, 2, 3])
        let error = try keyedFailure { try unarchiver.decodeBytes(forKey: "bytes", minimumLength: 4) as Any }
        #expect(error.code == "damaged")
        #expect(error.path == "bytes")
        #expect(error.says("3", "4", "\"bytes\""))
        #expect(try unarchiver.decodeBytes(forKey: "missing", minimumLength: 4) == nil)
    }
}

extension KeyedValue.Form {
    /// Whether XML can represent the text of the value.
    fileprivate var isXML: Bool {
        switch self {
        case .inline(let list), .leaf(let list), .object(_, _, let list):
            list.replacingCharactersUnrepresentableInXML().count == 0
        default: true
        }
    }
}
