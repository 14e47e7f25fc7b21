// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `Foundation's objects in a sequential archive` {
    /// The body of an archive with one object whose class is its own superclass's child: "84 01 @", then the object.
    private static func object(_ text: String) -> Data { streamFile("84 01 '@' \(text)") }

    // MARK: - Bytes, worked out by hand

    @Test func `are written as Foundation writes them`() throws {
        func check<Value: SequentialValue & Equatable>(_ value: Value, _ expected: String) throws {
            let data = try SequentialArchiver.archivedData(withRootObject: value)
            #expect(data == Self.object(expected))
            #expect(try SequentialUnarchiver.unarchivedObject(of: Value.self, from: data) == value)
        }
        let root = "84 84 08 'NSObject' 00 85"
        try check("aä", "84 84 84 08 'NSString' 01 \(root) 84 01 '+' 03 'a' C3 A4 86")
        try check("", "84 84 84 08 'NSString' 01 \(root) 84 01 '+' 00 86")
        try check(Data([1, 2, 3]), "84 84 84 06 'NSData' 00 \(root) 84 01 'i' 03 84 04 '[3c]' 01 02 03 86")
        try check(Data(), "84 84 84 06 'NSData' 00 \(root) 84 01 'i' 00 84 04 '[0c]' 86")
        try check(
            Date(timeIntervalSinceReferenceDate: 1.5),
            "84 84 84 06 'NSDate' 00 \(root) 84 01 'd' 83 00 00 00 00 00 00 F8 3F 86")
        try check(
            URL(string: "a:b")!,
            "84 84 84 05 'NSURL' 00 \(root) 84 01 'c' 00 92 84 84 84 08 'NSString' 01 94 84 01 '+' 03 'a:b' 86 86")
        let number = "84 84 84 08 'NSNumber' 00 84 84 07 'NSValue' 00 \(root)"
        try check(-5, "\(number) 84 01 '*' 84 84 01 'i' 97 FB 86")
        try check(Int64(1) << 40, "\(number) 84 01 '*' 84 84 01 'q' 97 87 00 00 00 00 00 01 00 00 86")
        try check(UInt64.max, "\(number) 84 01 '*' 84 84 01 'Q' 97 FF 86")
        try check(true, "\(number) 84 01 '*' 84 84 01 'c' 97 01 86")
        try check(0.5, "\(number) 84 01 '*' 84 84 01 'd' 97 83 00 00 00 00 00 00 E0 3F 86")
        try check(Float(0.5), "\(number) 84 01 '*' 84 84 01 'f' 97 83 00 00 00 3F 86")
        try check([] as [String], "84 84 84 07 'NSArray' 00 \(root) 84 01 'i' 00 86")
        try check(
            ["a", "a", nil],
            """
            84 84 84 07 'NSArray' 00 \(root) 84 01 'i' 03
            92 84 84 84 08 'NSString' 01 94 84 01 '+' 01 'a' 86   92 95   92 84 84 84 06 'NSNull' 00 94 86 86
            """)
        try check(
            Set([1]),
            "84 84 84 05 'NSSet' 00 \(root) 84 01 'I' 01 92 84 84 84 08 'NSNumber' 00 84 84 07 'NSValue' 00 94 84 01 '*' 84 84 01 'i' 99 01 86 86"
        )
        try check(
            ["k": "v"],
            """
            84 84 84 0C 'NSDictionary' 00 \(root) 84 01 'i' 01
            92 84 84 84 08 'NSString' 01 94 84 01 '+' 01 'k' 86   92 84 96 97 01 'v' 86 86
            """)
    }

    @Test func `may be relative to another URL`() throws {
        let url = try #require(URL(string: "page.html", relativeTo: URL(string: "https://example.com/dir/")))
        let again = try SequentialUnarchiver.unarchivedObject(
            of: URL.self, from: SequentialArchiver.archivedData(withRootObject: url))
        #expect(again.relativeString == "page.html" && again.baseURL?.absoluteString == "https://example.com/dir/")
        #expect(again.absoluteString == "https://example.com/dir/page.html")
    }

    @Test func `hold values of any depth, and instances`() throws {
        let item = SequentialItem(name: "shared", count: 1)
        let data = try sequentialArchive {
            try $0.encode([["a": [1, 2]], [:]] as [[String: [Int]]])
            try $0.encode(["x": [item, nil], "y": [item]] as [String: [SequentialItem?]])
        }
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        #expect(try unarchiver.decode([[String: [Int]]].self) == [["a": [1, 2]], [:]])
        let items = try unarchiver.decode([String: [SequentialItem?]].self)
        #expect(items["x"]?.count == 2 && items["x"]?[1] == nil)
        #expect(items["x"]?[0] === items["y"]?[0])
    }

    @Test func `that are mutable are read as the others`() throws {
        let data = streamFile(
            """
            84 01 '@' 84 84 84 0E 'NSMutableArray' 00 84 84 07 'NSArray' 00 84 84 08 'NSObject' 00 85 84 01 'i' 01
            92 84 84 84 0F 'NSMutableString' 01 84 84 08 'NSString' 01 95 84 01 '+' 01 'm' 86 86
            """)
        #expect(try SequentialUnarchiver.unarchivedObject(of: [String].self, from: data) == ["m"])
    }

    @Test func `may be texts of NeXT's systems`() throws {
        // 0xC8 is a diaeresis, and 0xFB a sharp s, in that encoding; neither is UTF-8.
        let data = streamFile("84 01 '*' 84 84 04 'Gr' C8 FB")
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        #expect(try unarchiver.decode(String.self) == "Gr\u{A8}ß")
    }

    // MARK: - Whatever it is

    @Test func `are identified by their class if the caller names no type`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 3)
        let data = try sequentialArchive {
            try $0.encodeObject(
                ["text", 1, 1.5, Float(0.5), true, Data([9]), date, UInt64.max, nil] as [Any?] as [Any])
            try $0.encodeObject(["k": [1, "v"] as [Any]] as [AnyHashable: Any])
            try $0.encodeObject(Set<AnyHashable>([1, "x"]))
            try $0.encodeObject(TypedStream.TypedValue("{_NSPoint=ff}", .structure([.float(1), .float(2)])))
            try $0.encodeObject(SequentialItem(name: "item", count: 2))
            try $0.encodeObject(nil)
        }
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        unarchiver.classes.register(SequentialItem.self)
        let values = try #require(try unarchiver.decodeObject() as? [Any])
        #expect(values.count == 9)
        #expect(values[0] as? String == "text" && values[1] as? Int == 1 && values[2] as? Double == 1.5)
        #expect(values[3] as? Float == 0.5 && values[4] as? Int == 1 && values[5] as? Data == Data([9]))
        #expect(values[6] as? Date == date && values[7] as? UInt == .max)
        // What they are, and not optionals of it.
        #expect(type(of: values[0]) == String.self && type(of: values[1]) == Int.self)
        let last = Mirror(reflecting: values[8])
        #expect(last.displayStyle == .optional && last.children.isEmpty)
        let entries = try #require(try unarchiver.decodeObject() as? [AnyHashable: Any])
        #expect((entries["k"] as? [Any])?.count == 2)
        #expect(try unarchiver.decodeObject() as? Set<AnyHashable> == [1, "x"])
        let value = try unarchiver.decodeObject() as? TypedStream.TypedValue
        #expect(value == TypedStream.TypedValue("{_NSPoint=ff}", .structure([.float(1), .float(2)])))
        #expect((try unarchiver.decodeObject() as? SequentialItem)?.count == 2)
        #expect(try unarchiver.decodeObject() == nil)
    }

    @Test func `cannot be encoded where they are something else`() throws {
        struct Other {}
        let archiver = SequentialArchiver()
        #expect(throws: ArchivingError.self) { try archiver.encodeObject([Other()]) }
    }

    // MARK: - Damage

    @Test(arguments: [
        (
            "84 84 84 08 'NSString' 01 84 84 08 'NSObject' 00 85 84 01 '+' 01 FF 86",
            ArchivingError.Code.damaged
        ),
        ("84 84 84 08 'NSString' 01 84 84 08 'NSObject' 00 85 84 01 'i' 01 86", .damaged),
        ("84 84 84 08 'NSString' 01 84 84 08 'NSObject' 00 85 86", .valueNotFound),
        ("84 84 84 08 'NSString' 01 84 84 08 'NSObject' 00 85 84 01 '+' 01 'a' 92 85 86", .typeMismatch),
        ("84 84 84 08 'NSObject' 00 85 86", .typeMismatch),
        ("85", .valueNotFound),
    ])
    func `are errors where they are not what their class has`(text: String, code: ArchivingError.Code) throws {
        let error = try sequentialError {
            try SequentialUnarchiver.unarchivedObject(of: String.self, from: Self.object(text))
        }
        #expect(error.code == code, "\(error)")
    }

    @Test(arguments: [
        (
            "84 84 84 07 'NSArray' 00 84 84 08 'NSObject' 00 85 84 01 'i' 02 92 85 86",
            ArchivingError.Code.damaged
        ),
        ("84 84 84 07 'NSArray' 00 84 84 08 'NSObject' 00 85 84 01 'i' FF 86", .damaged),
        ("84 84 84 07 'NSArray' 00 84 84 08 'NSObject' 00 85 84 01 'i' 82 FF FF FF 7F 86", .damaged),
        ("84 84 84 07 'NSArray' 00 84 84 08 'NSObject' 00 85 84 01 'i' 01 92 92 86", .typeMismatch),
    ])
    func `are errors where their count lies, or they hold something else`(
        text: String, code: ArchivingError.Code
    ) throws {
        let error = try sequentialError {
            try SequentialUnarchiver.unarchivedObject(of: [String?].self, from: Self.object(text))
        }
        #expect(error.code == code, "\(error)")
    }

    @Test func `that contain themselves are an error`() throws {
        let data = Self.object("84 84 84 07 'NSArray' 00 84 84 08 'NSObject' 00 85 84 01 'i' 01 92 92 86")
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        #expect(try sequentialError { try unarchiver.decodeObject() }.code == .cycle)
    }
}
