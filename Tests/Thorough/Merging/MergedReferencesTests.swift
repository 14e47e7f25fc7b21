// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// Merges of documents whose parts are loaded on demand, of classes that code themselves, and of conditional references.
@Suite(.inTurn) struct `References in a merge` {
    /// Two documents of the same file, of which theirs is changed and saved before mine is merged.
    ///
    /// - Returns: The descriptions of the conflicts.
    private func merging<Root: Codable>(
        _ root: Root, taking resolution: ArchiveMerge.Resolution = .mine,
        _ mineEdit: (ArchiveDocument<Root>) throws -> Void, _ theirsEdit: (ArchiveDocument<Root>) throws -> Void,
        _ check: (ArchiveDocument<Root>, URL) throws -> Void
    ) throws -> [String] {
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(root, to: folder["file"])
            let mine = try ArchiveDocument<Root>(contentsOf: folder["file"])
            let theirs = try ArchiveDocument<Root>(contentsOf: folder["file"])
            try theirsEdit(theirs)
            try theirs.save()
            try mineEdit(mine)
            var conflicts: [String] = []
            try mine.merge { conflict in
                conflicts.append(conflict.description)
                return resolution
            }
            try check(mine, folder["file"])
            return conflicts
        }
    }

    // MARK: Lists on demand

    final class Note: Codable, Emptiable {
        var text = ""
        var size = 0
        @WeakReference var next: Note?

        init() {}

        convenience init(_ text: String) {
            self.init()
            self.text = text
        }
    }

    struct Diary: Codable {
        var title = "diary"
        @Deferred var notes: ArchivedList<Note>

        init(count: Int) { notes = ArchivedList((0..<count).map { Note("\($0)") }) }
    }

    /// The diary without parts on demand.
    private struct PlainDiary: Codable {
        var title: String
        var notes: [Note]
    }

    @Test func `of a list on demand has the elements of both`() throws {
        let conflicts = try merging(Diary(count: 40)) { mine in
            mine.root.notes[3].text = "mine"
            mine.root.notes.append(Note("end"))
        } _: { theirs in
            theirs.root.title = "theirs"
            theirs.root.notes[3].size = 7
            theirs.root.notes[30].text = "thirty"
            theirs.root.notes.remove(at: 10)
            theirs.root.notes.insert(Note("start"), at: 0)
        } _: { document, url in
            func numbers(_ range: Range<Int>) -> [String] { range.map { "\($0)" } }
            let expected =
                ["start", "0", "1", "2", "mine"] + numbers(4..<10) + numbers(11..<30) + ["thirty"] + numbers(31..<40)
                + ["end"]
            #expect(document.root.notes.count == 41 && document.root.notes.map(\.text) == expected)
            let saved = try ArchiveDecoder().decode(PlainDiary.self, from: url)
            #expect(saved.title == "theirs" && saved.notes.map(\.text) == expected && saved.notes[4].size == 7)
            #expect(try !document.hasChanges())
        }
        #expect(conflicts.isEmpty)
    }

    @Test func `of a list on demand reports what both have changed`() throws {
        let conflicts = try merging(Diary(count: 40)) { mine in
            mine.root.notes[20].text = "mine"
            mine.root.notes.append(Note("m"))
        } _: { theirs in
            theirs.root.notes[20].text = "theirs"
            theirs.root.notes.append(Note("t"))
        } _: { document, _ in
            #expect(document.root.notes.count == 41 && document.root.notes[20].text == "mine")
            #expect(document.root.notes[40].text == "m")
        }
        #expect(conflicts.count == 2)
        #expect(conflicts.contains("root.notes[20].text: base \"20\", mine \"mine\", theirs \"theirs\""))
        #expect(conflicts.contains { $0.hasPrefix("root.notes: base NSArray") })
    }

    // MARK: Weak references

    struct Shelf: Codable {
        var notes: [Note] = []
        @WeakReference var selected: Note?
        var names: [String] = []

        init(count: Int) { notes = (0..<count).map { Note("\($0)") } }
    }

    @Test func `keeps weak references to instances that stay`() throws {
        let conflicts = try merging(Shelf(count: 4)) { mine in
            mine.root.notes[0].next = mine.root.notes[3]
            mine.root.notes.remove(at: 1)
        } _: { theirs in
            theirs.root.selected = theirs.root.notes[2]
            theirs.root.notes[2].next = theirs.root.notes[0]
            theirs.root.notes[3].text = "theirs"
        } _: { document, url in
            for shelf in [document.root, try ArchiveDecoder().decode(Shelf.self, from: url)] {
                #expect(shelf.notes.map(\.text) == ["0", "2", "theirs"])
                #expect(shelf.selected === shelf.notes[1] && shelf.notes[1].next === shelf.notes[0])
                #expect(shelf.notes[0].next === shelf.notes[2] && shelf.notes[2].next == nil)
            }
        }
        #expect(conflicts.isEmpty)
    }

    @Test func `does not keep an instance for a weak reference`() throws {
        // Mine removes the note that theirs refers to weakly: the reference is nil, as in memory.
        let conflicts = try merging(Shelf(count: 3)) { mine in
            mine.root.notes.remove(at: 1)
        } _: { theirs in
            theirs.root.selected = theirs.root.notes[1]
            theirs.root.names = ["theirs"]
        } _: { document, url in
            for shelf in [document.root, try ArchiveDecoder().decode(Shelf.self, from: url)] {
                #expect(shelf.notes.map(\.text) == ["0", "2"] && shelf.selected == nil && shelf.names == ["theirs"])
            }
            document.root.names.append("mine")
            try document.save()
            let saved = try ArchiveDecoder().decode(Shelf.self, from: url)
            #expect(saved.selected == nil && saved.names == ["theirs", "mine"] && saved.notes.count == 2)
        }
        #expect(conflicts.isEmpty)
    }

    // MARK: Coding classes

    final class View: Coding {
        var name: String
        var width = 1
        var subviews: [View] = []
        weak var superview: View?

        init(_ name: String) { self.name = name }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            width = try coder.decodeInteger(forKey: "width")
            subviews = try coder.decode([View].self, forKey: "subviews")
            superview = try coder.decodeIfPresent(View.self, forKey: "superview")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            coder.encode(width, forKey: "width")
            try coder.encode(subviews, forKey: "subviews")
            try coder.encodeConditional(superview, forKey: "superview")
        }

        func add(_ view: View) {
            subviews.append(view)
            view.superview = self
        }

        /// The names and widths of all views, with brackets around the subviews.
        var outline: String {
            "\(name) \(width)" + (subviews.isEmpty ? "" : " [" + subviews.map(\.outline).joined(separator: ", ") + "]")
        }
    }

    struct Screen: Codable {
        var title = "screen"
        @Coded var content: View
        @Coded var focus: View?

        init() {
            content = View("content")
            for name in ["a", "b", "c"] { content.add(View(name)) }
        }
    }

    @Test func `of objects that code themselves goes by their keys`() throws {
        let conflicts = try merging(Screen()) { mine in
            mine.root.content.subviews[0].width = 5
            mine.root.content.add(View("mine"))
        } _: { theirs in
            theirs.root.content.subviews[0].name = "A"
            theirs.root.content.subviews[2].add(View("inner"))
            theirs.root.focus = theirs.root.content.subviews[2]
        } _: { document, url in
            for screen in [document.root, try ArchiveDecoder().decode(Screen.self, from: url)] {
                #expect(screen.content.outline == "content 1 [A 5, b 1, c 1 [inner 1], mine 1]")
                let views = screen.content.subviews
                #expect(views.allSatisfy { $0.superview === screen.content } && screen.focus === views[2])
                #expect(views[2].subviews[0].superview === views[2])
            }
        }
        #expect(conflicts.isEmpty)
    }

    @Test func `of objects that code themselves reports what both have changed`() throws {
        let conflicts = try merging(Screen(), taking: .theirs) { mine in
            mine.root.content.subviews[1].width = 5
            mine.root.content.subviews.remove(at: 2)
        } _: { theirs in
            theirs.root.content.subviews[1].width = 6
            theirs.root.content.subviews[2].width = 7
        } _: { document, _ in
            #expect(document.root.content.outline == "content 1 [a 1, b 6, c 7]")
        }
        #expect(conflicts.count == 2 && conflicts[0] == "root.content.subviews[1].width: base 1, mine 5, theirs 6")
        #expect(conflicts[1].hasPrefix("root.content.subviews[2]: ") && conflicts[1].contains("is removed by mine"))
    }
}
