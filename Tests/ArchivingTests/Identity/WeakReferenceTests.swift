// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A weak reference` {
    final class View: Codable {
        var title: String
        var subviews: [View] = []
        @WeakReference var superview: View?

        init(_ title: String, _ subviews: [View] = []) {
            self.title = title
            self.subviews = subviews
            for view in subviews { view.superview = self }
        }
    }

    // MARK: - Back to what is archived

    @Test(arguments: PropertyListFormat.allCases)
    func `refers to the parent in a canonical archive of a tree`(format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        encoder.outputFormatting = .sortedKeys
        func tree() -> View { View("root", [View("a"), View("b", [View("a")])]) }
        let (first, second) = (tree(), tree())
        let data = try encoder.encode(first)
        #expect(try encoder.encode(second) == data)
        let again = try ArchiveDecoder().decode(View.self, from: data)
        #expect(again.subviews.map(\.title) == ["a", "b"])
        #expect(again.subviews.allSatisfy { $0.superview === again })
        #expect(again.subviews[1].subviews[0].superview === again.subviews[1])
        let alone = try ArchiveDecoder().decode(View.self, from: encoder.encode(first.subviews[1]))
        #expect(alone.superview == nil)
        #expect(alone.subviews[0].superview === alone)
        #expect(try encoder.encode(first.subviews[1]) == encoder.encode(second.subviews[1]))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `refers to the parent, and closes no cycle of memory`(format: PropertyListFormat) throws {
        weak var gone: View?
        do {
            let root = View("root", [View("a"), View("b", [View("c")])])
            let text = """
                #1=View{title: @"root", subviews: NSArray[#2=View{title: @"a", subviews: NSArray[], superview: #1}, \
                #3=View{title: @"b", subviews: NSArray[View{title: @"c", subviews: NSArray[], superview: #3}], \
                superview: #1}]}
                """
            #expect(try archiveText(root) == text.replacing("#2=", with: "").replacing("#3", with: "#2"))
            let again = try roundTrip(root, format: format)
            gone = again
            #expect(again.superview == nil)
            #expect(again.subviews.map(\.title) == ["a", "b"])
            #expect(again.subviews.allSatisfy { $0.superview === again })
            #expect(again.subviews[1].subviews[0].superview === again.subviews[1])
        }
        #expect(gone == nil)
    }

    @Test func `refers to an instance that is archived earlier, later or deeper`() throws {
        struct Root: Codable {
            @WeakReference var before: View? = nil
            var deep: [[String: View]]
            @WeakReference var between: View? = nil
            @Reference var later: View? = nil
            @WeakReference var after: View? = nil
        }
        let deep = View("deep")
        let later = View("later")
        let again = try roundTrip(Root(before: deep, deep: [["k": deep]], between: later, later: later, after: deep))
        #expect(again.before?.title == "deep")
        #expect(again.before === again.deep[0]["k"])
        #expect(again.after === again.before)
        #expect(again.between?.title == "later")
        #expect(again.between === again.later)
    }

    @Test func `refers to an instance that has only references and collections of them`() throws {
        final class Node: Codable {
            var name: String
            @WeakReference var friend: Node?
            @Reference var next: Node?
            @References var others: [Node]
            init(_ name: String) { self.name = name }
        }
        let (root, next, other) = (Node("root"), Node("next"), Node("other"))
        root.next = next
        next.others = [other]
        root.friend = other
        other.friend = next
        next.friend = next
        let again = try roundTrip(root)
        #expect(again.friend?.name == "other")
        #expect(again.friend === again.next?.others[0])
        #expect(again.friend?.friend === again.next)
        #expect(again.next?.friend === again.next)
    }

    @Test func `of many instances refers to their common owner`() throws {
        let root = View("root", (0..<2000).map { View("\($0)") })
        let again = try roundTrip(root)
        #expect(again.subviews.count == 2000)
        #expect(again.subviews.allSatisfy { $0.superview === again })
    }

    // MARK: - Not archived

    @Test(arguments: PropertyListFormat.allCases)
    func `alone does not archive its instance, and comes back as nil`(format: PropertyListFormat) throws {
        let child = View("child")
        let root = View("root", [child, View("sibling")])
        #expect(try archiveText(child) == #"View{title: @"child", subviews: NSArray[], superview: @null}"#)
        let again = try roundTrip(child, format: format)
        #expect(again.title == "child")
        #expect(again.superview == nil)
        withExtendedLifetime(root) {}
    }

    @Test func `out of an instance that is itself only referred to weakly archives nothing`() throws {
        struct Root: Codable {
            @WeakReference var view: View? = nil
        }
        let leaf = View("leaf")
        let root = View("root", [View("middle", [leaf])])
        let archive = try InspectedArchive(of: Root(view: leaf))
        #expect(archive.text == "Root{view: @null}")
        #expect(archive.count(ofClass: "View") == 0)
        withExtendedLifetime(root) {}
    }

    @Test func `in a deep copy refers to the copy, or is nil`() throws {
        let root = View("root", [View("a")])
        let copy = try deepCopy(of: root)
        #expect(copy !== root)
        #expect(copy.subviews[0] !== root.subviews[0])
        #expect(copy.subviews[0].superview === copy)
        #expect(try deepCopy(of: root.subviews[0]).superview == nil)
    }

    @Test func `to an instance that is gone is nil, and no key`() throws {
        let view = View("child")
        view.superview = View("temporary")
        #expect(view.superview == nil)
        #expect(try archiveText(view) == #"View{title: @"child", subviews: NSArray[]}"#)
    }

    // MARK: - Afterwards

    @Test func `does not keep its instance`() throws {
        struct Pair: Codable {
            var strong: View?
            @WeakReference var weak: View? = nil
        }
        struct Reversed: Codable {
            @WeakReference var weak: View? = nil
            var strong: View?
        }
        let view = View("a")
        var pair = try roundTrip(Pair(strong: view, weak: view))
        #expect(pair.weak?.title == "a")
        pair.strong = nil
        #expect(pair.weak == nil)
        var reversed = try roundTrip(Reversed(weak: view, strong: view))
        #expect(reversed.weak?.title == "a")
        reversed.strong = nil
        #expect(reversed.weak == nil)
    }

    @Test func `can be set to something else`() throws {
        let root = View("root", [View("a")])
        let again = try roundTrip(root)
        let other = View("other")
        again.subviews[0].superview = other
        #expect(again.subviews[0].superview === other)
        again.subviews[0].superview = nil
        #expect(again.subviews[0].superview == nil)
    }

    @Test func `that was decoded is archived again`() throws {
        let twice = try roundTrip(roundTrip(View("root", [View("a"), View("b")])))
        #expect(twice.subviews.map(\.title) == ["a", "b"])
        #expect(twice.subviews.allSatisfy { $0.superview === twice })
    }

    @Test func `is nil where the program that decodes keeps nothing of its instance`() throws {
        struct Root: Codable {
            var child: View
            var parent: View
        }
        struct ChildOnly: Decodable {
            var child: View
        }
        let child = View("child")
        let parent = View("parent", [child])
        let data = try ArchiveEncoder().encode(Root(child: child, parent: parent))
        #expect(try ArchiveDecoder().decode(ChildOnly.self, from: data).child.superview == nil)
        let all = try ArchiveDecoder().decode(Root.self, from: data)
        #expect(all.child.superview === all.parent)
        #expect(all.parent.subviews[0] === all.child)
    }

    // MARK: - In values

    final class Hub: Codable {
        struct Link: Codable {
            var label: String
            @WeakReference var target: Hub? = nil
        }

        enum Payload: Codable {
            case link(Link)
            case weak(WeakReference<Hub>)
        }

        var links: [Link] = []
        var named: [String: Link] = [:]
        var payloads: [Payload] = []
        var weak: [WeakReference<Hub>] = []
        var optional: Link?
        var other: Hub?

        func fill(_ target: Hub?) {
            let link = Link(label: "l", target: target)
            links = [link, link]
            named = ["n": link]
            payloads = [.link(link), .weak(WeakReference(wrappedValue: target))]
            weak = [WeakReference(wrappedValue: target)]
            optional = link
        }

        /// The targets of all seven weak references.
        var all: [Hub?] {
            var all = links.map(\.target) + named.values.map(\.target) + weak.map(\.wrappedValue) + [optional?.target]
            for payload in payloads {
                switch payload {
                case .link(let link): all.append(link.target)
                case .weak(let weak): all.append(weak.wrappedValue)
                }
            }
            return all
        }
    }

    @Test func `is possible in any value`() throws {
        let hub = Hub()
        let other = Hub()
        hub.other = other
        hub.fill(other)
        other.fill(hub)
        let again = try roundTrip(hub)
        let found = try #require(again.other)
        #expect(again.all.count == 7)
        #expect(again.all.allSatisfy { $0 === found })
        #expect(found.all.count == 7)
        #expect(found.all.allSatisfy { $0 === again })
        // Alone, the other one has nothing to refer to.
        let alone = try roundTrip(other)
        #expect(alone.all.count == 7)
        #expect(alone.all.allSatisfy { $0 == nil })
        #expect(alone.optional?.label == "l")
    }

    @Test func `as the root object is nil`() throws {
        let view = View("a")
        #expect(try archiveText(WeakReference(wrappedValue: view)) == "@null")
        #expect(try roundTrip(WeakReference(wrappedValue: view)).wrappedValue == nil)
    }
}
