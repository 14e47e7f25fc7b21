// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// The code of docs/sequential-archives.md, unchanged, and its other statements.
@Suite(.inTurn)
struct `The guide to sequential archives`: DocumentedOutput {
    @Test func `reads the text of a message`() throws {
        let attributedBody = try SequentialSamples.attributedBody()
        let text = try AttributedText(attributedBody)
        print(text.string)
        for mention in text.mentions { print(text.string[mention.range], mention.value) }  // Bo bo@example.com
        for link in text.links { print(link.value) }  // https://example.com
        for file in text.attachments { print(file.value) }  // at_0_1
        #expect(text.string == "Bo: see\u{FFFC}")
        #expect(text.mentions.count == 1 && text.links.count == 1 && text.attachments.count == 1)
    }

    class Landmark: SequentialCoding {
        var name: String
        var height: Double

        class var classVersion: Int { 2 }

        required init(coder: SequentialUnarchiver) throws {
            name = try coder.decode(String.self)
            // Version 1 had whole metres.
            height =
                coder.archivedVersion(of: Landmark.self) == 1
                ? Double(try coder.decode(Int32.self)) : try coder.decode(Double.self)
        }

        func encode(with coder: SequentialArchiver) throws {
            try coder.encode(name)
            try coder.encode(height)
        }
    }

    @Test func `has a class with versions`() throws {
        let old = streamFile(
            """
            84 01 '@' 84 84 84 08 'Landmark' 01 84 84 08 'NSObject' 00 85
            92 84 84 84 08 'NSString' 01 94 84 01 '+' 05 'tower' 86 84 01 'i' 0C 86
            """)
        let landmark = try SequentialUnarchiver.unarchivedObject(of: Landmark.self, from: old)
        #expect(landmark.name == "tower" && landmark.height == 12)

        landmark.height = 12.5
        let archiver = SequentialArchiver()
        archiver.classes.register(Landmark.self, name: "Landmark")
        try archiver.encode(landmark)
        let unarchiver = try SequentialUnarchiver(forReadingFrom: archiver.finishEncoding())
        unarchiver.classes.register(Landmark.self, name: "Landmark")
        #expect(try unarchiver.decode(Landmark.self).height == 12.5)
    }

    @Test func `encodes and decodes values`() throws {
        let flags: UInt16 = 65535
        let archiver = SequentialArchiver()
        do {
            let (coder, index, length) = (archiver, 1, 6)
            try coder.encode(Int32(5))
            try coder.encode(flags, as: "S")
            try coder.encode("title", as: "*")
            try coder.encode("title")
            try coder.encodeValues("iI", index, length)
            try coder.encodeArray([Float(1), 2, 3])
            try coder.encode([1, 2, 3])
            try coder.encodeBytes([1, 2, 3])
        }
        let coder = try SequentialUnarchiver(forReadingFrom: archiver.finishEncoding())
        let types = coder.stream.groups.map { $0.types.map(\.description).joined() }
        #expect(types == ["i", "S", "*", "@", "iI", "[3f]", "@", "+"])
        let number = try coder.decode(Int.self)
        let same = try coder.decode(UInt16.self, as: "S")
        let title = try coder.decode(String.self)
        let name = try coder.decode(String?.self)
        let (index, length) = try coder.decodeValues("iI", as: Int.self, Int.self)
        let vector = try coder.decodeArray(of: Float.self, count: 3)
        let numbers = try coder.decode([Int].self)
        let bytes = try coder.decodeBytes()
        #expect(number == 5 && same == 65535 && title == "title" && name == "title" && index == 1 && length == 6)
        #expect(vector == [1, 2, 3] && numbers == [1, 2, 3] && bytes == [1, 2, 3] && coder.isAtEnd)
    }

    final class View: SequentialCoding {
        var title: String
        var subviews: [View] = []
        weak var superview: View?

        init(title: String) { self.title = title }

        func encode(with coder: SequentialArchiver) throws {
            try coder.encode(title)
            try coder.encode(subviews)
            try coder.encodeConditional(superview)
        }

        required init(coder: SequentialUnarchiver) throws {
            title = try coder.decode(String.self)
            coder.publish(self)  // all stored properties have a value
            subviews = try coder.decode([View].self)  // each of them refers to this one
            superview = try coder.decode(View?.self)
        }
    }

    @Test func `publishes a view before its subviews are there`() throws {
        let view = View(title: "all")
        view.subviews = [View(title: "one"), View(title: "two")]
        for subview in view.subviews { subview.superview = view }
        let data = try SequentialArchiver.archivedData(withRootObject: view)
        let again = try SequentialUnarchiver.unarchivedObject(of: View.self, from: data)
        #expect(again.subviews.map(\.title) == ["one", "two"])
        #expect(again.subviews.allSatisfy { $0.superview === again })
    }
}
