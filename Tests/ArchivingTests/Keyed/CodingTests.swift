// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `A Coding class` {
    @Test func `archives an instance once, and gives the one instance back for every reference`() throws {
        let shared = CodedItem("shared", 3)
        let archiver = KeyedArchiver()
        try archiver.encode(shared, forKey: "first")
        try archiver.encode([shared, CodedItem("other", 4)], forKey: "all")
        archiver.encode(7, forKey: "count")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(try unarchiver.decodeInteger(forKey: "count") == 7)
        let all = try unarchiver.decode([CodedItem].self, forKey: "all")
        #expect(all.map(\.name) == ["shared", "other"])
        #expect(all.map(\.value) == [3, 4])
        #expect(try unarchiver.decode(CodedItem.self, forKey: "first") === all[0])
    }

    @Test func `reads a cycle whose instances publish themselves`() throws {
        let parent = CodedNode("parent")
        let child = CodedNode("child")
        parent.children = [child]
        child.parent = parent
        let data = try KeyedArchiver.archivedData(withRootObject: parent)
        let again = try KeyedUnarchiver.unarchivedObject(of: CodedNode.self, from: data)
        #expect(again.children.map(\.name) == ["child"])
        #expect(again.children.first?.parent === again)
    }

    @Test(arguments: [true, false])
    func `shares instances between a Codable value and a Coding class, whichever is met first`(codableFirst: Bool)
        throws
    {
        let item = CodedItem("both", 1)
        let box = CodedBox(item: item, title: "box")
        let holder = CodedHolder(item: item, box: box)
        let archiver = KeyedArchiver()
        if codableFirst { try archiver.encode(box, forKey: "box") }
        try archiver.encode(holder, forKey: "holder")
        if !codableFirst { try archiver.encode(box, forKey: "box") }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let again = try unarchiver.decode(CodedHolder.self, forKey: "holder")
        let boxAgain = try unarchiver.decode(CodedBox.self, forKey: "box")
        #expect(again.item === boxAgain.item)
        #expect(again.box.item === boxAgain.item)
        #expect(boxAgain.title == "box")
        #expect(again.item.name == "both")
    }
}

final class CodedHolder: Coding {
    let item: CodedItem
    let box: CodedBox

    init(item: CodedItem, box: CodedBox) {
        self.item = item
        self.box = box
    }

    init(coder: KeyedUnarchiver) throws {
        item = try coder.decode(CodedItem.self, forKey: "item")
        box = try coder.decode(CodedBox.self, forKey: "box")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(item, forKey: "item")
        try coder.encode(box, forKey: "box")
    }
}
