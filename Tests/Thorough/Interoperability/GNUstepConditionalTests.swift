// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The class of GNUstep's peer programs, as it would be in Swift.
private final class View: Codable {
    var title: String
    var subviews: [View]
    @WeakReference var superview: View?
    var alpha: Double
    var hidden: Bool

    init(_ title: String, alpha: Double = 1, hidden: Bool = false, _ subviews: [View] = []) {
        self.title = title
        self.subviews = subviews
        self.alpha = alpha
        self.hidden = hidden
        for view in subviews { view.superview = self }
    }
}

/// Views that know their superviews: the archiver of GNUstep calls such references conditional.
@Suite(.inTurn, .needs(.gnustep))
struct `GNUstep's conditional objects` {
    // MARK: - Reading ours

    private static func encoder(_ format: PropertyListFormat, _ type: any Any.Type) -> ArchiveEncoder {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        encoder.classes.register(type, name: "View")
        return encoder
    }

    /// What GNUstep's unarchiver finds in the archive of `value`, without line ends and what they are indented by.
    private func read(_ value: some Encodable, _ encoder: ArchiveEncoder) throws -> String {
        try GNUstepPeers.read(encoder.encode(value))
    }

    private static func description(
        _ title: String, _ superview: String, alpha: String = "1", hidden: Int = 0, _ subviews: String...
    ) -> String {
        "View(title=\(title) alpha=\(alpha) hidden=\(hidden) superview=\(superview) subviews=(\(subviews.joined())))"
    }

    /// `text` without the quotation marks, escapes and spaces that property lists of strings have around and between their
    /// elements.
    private static func plain(_ text: String) -> String {
        text.filter { !"\"\\ ".contains($0) }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `are found in an archive of ours`(format: PropertyListFormat) throws {
        let root = View("root", [View("a", alpha: 0.25, hidden: true)])
        let text = try read(root, Self.encoder(format, View.self))
        let expected = Self.description("root", "nil", Self.description("a", "root", alpha: "0.25", hidden: 1))
        #expect(Self.plain(text) == Self.plain(expected), "\(text)")
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `are found in an archive of ours at any depth`(format: PropertyListFormat) throws {
        let root = View("root", [View("a", [View("b", [View("c")])])])
        let text = Self.plain(try read(root, Self.encoder(format, View.self)))
        // Strings in strings in strings are escaped again and again: only what is inside counts.
        for (view, superview) in [("root", "nil"), ("a", "root"), ("b", "a"), ("c", "b")] {
            #expect(text.contains("View(title=\(view)alpha=1hidden=0superview=\(superview)subviews="), "\(text)")
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `are nil in an archive of ours where nothing else archives them`(format: PropertyListFormat) throws {
        let root = View("root", [View("orphan", alpha: 0.5)])
        let text = try read(root.subviews[0], Self.encoder(format, View.self))
        #expect(Self.plain(text) == Self.plain(Self.description("orphan", "nil", alpha: "0.5")), "\(text)")
    }

    @Test func `are found in a canonical archive of ours`() throws {
        var encoder = Self.encoder(.binary, View.self)
        encoder.outputFormatting = .sortedKeys
        let root = View("root", [View("a")])
        let text = try read(root, encoder)
        #expect(Self.plain(text) == Self.plain(Self.description("root", "nil", Self.description("a", "root"))))
        let orphan = try read(root.subviews[0], encoder)
        #expect(Self.plain(orphan) == Self.plain(Self.description("a", "nil")))
    }

    /// The same class with references that are strong.
    private final class StrongView: Codable {
        var title: String
        @References var subviews: [StrongView]
        @Reference var superview: StrongView?
        var alpha = 1.0
        var hidden = false

        init(_ title: String) { self.title = title }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `may be strong in an archive of ours, and close a cycle`(format: PropertyListFormat) throws {
        let root = StrongView("root")
        let child = StrongView("child")
        root.subviews = [child]
        child.superview = root
        defer { root.subviews = [] }
        let text = try read(root, Self.encoder(format, StrongView.self))
        let expected = Self.description("root", "nil", Self.description("child", "root"))
        #expect(Self.plain(text) == Self.plain(expected), "\(text)")
        // In the other direction, the child is still being decoded when its superview requests its subviews.
        let fromChild = Self.plain(try read(child, Self.encoder(format, StrongView.self)))
        #expect(fromChild.hasPrefix("View(title=childalpha=1hidden=0superview=rootsubviews="), "\(fromChild)")
    }

    // MARK: - Reading theirs

    @Test func `are the superviews of the views that it writes`() throws {
        let root = try ArchiveDecoder().decode(View.self, from: GNUstepPeers.archive("views.archive"))
        #expect(root.title == "root")
        #expect(root.alpha == 1)
        #expect(!root.hidden)
        #expect(root.superview == nil)
        #expect(root.subviews.map(\.title) == ["child 0", "child 1", "child 2"])
        #expect(root.subviews.map(\.alpha) == [0, 0.25, 0.5])
        #expect(root.subviews.map(\.hidden) == [false, true, false])
        #expect(root.subviews.allSatisfy { $0.superview === root })
        #expect(root.subviews.allSatisfy { $0.subviews.isEmpty })
    }

    @Test func `are nil in the orphan that it writes`() throws {
        let data = try GNUstepPeers.archive("orphan.archive")
        let orphan = try ArchiveDecoder().decode(View.self, from: data)
        #expect(orphan.title == "child 1")
        #expect(orphan.alpha == 0.25)
        #expect(orphan.hidden)
        #expect(orphan.superview == nil)
        #expect(orphan.subviews.isEmpty)
    }

    @Test func `close a cycle where they are decoded as strong references`() throws {
        final class View: Codable {
            var title: String
            @References var subviews: [View]
            @Reference var superview: View?
        }
        let root = try ArchiveDecoder().decode(View.self, from: GNUstepPeers.archive("views.archive"))
        defer { root.subviews = [] }
        #expect(root.subviews.map(\.title) == ["child 0", "child 1", "child 2"])
        #expect(root.subviews.allSatisfy { $0.superview === root })
    }

    @Test func `go into an archive of ours and back to it`() throws {
        let root = try ArchiveDecoder().decode(View.self, from: GNUstepPeers.archive("views.archive"))
        let text = Self.plain(try read(root, Self.encoder(.binary, View.self)))
        let children = (0..<3).map {
            Self.description("child \($0)", "root", alpha: ["0", "0.25", "0.5"][$0], hidden: $0 == 1 ? 1 : 0)
        }
        let expected = Self.description("root", "nil", children.joined(separator: ","))
        #expect(text == Self.plain(expected), "\(text)")
    }
}
