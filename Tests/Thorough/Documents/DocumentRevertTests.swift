// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A document that is reverted` {
    final class Node: ArchivedFields {
        var name = ""
        var link: Node?
        var plain: Plain?
        @Deferred var hidden: [Node]
        /// Whether the node is selected, which is not archived.
        var isSelected = false
        var finished = 0

        init() { hidden = [] }

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }

        static let fields = FieldList<Node> {
            Field("name", \.name)
            Field("link", \.link)
            Field("plain", \.plain)
            Field("hidden", \._hidden)
        }

        func didFinishDecoding() throws {
            finished += 1
            if name == "refused" { throw CocoaError(.fileReadCorruptFile) }
        }
    }

    final class Plain: Codable {
        var number = 1
        init() {}
    }

    private func hasChanges(_ document: ArchiveDocument<Node>) throws -> Bool { try document.hasChanges() }

    private func withDocument(_ body: (ArchiveDocument<Node>, URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            let root = Node("root")
            root.link = Node("linked")
            root.link?.link = root
            root.plain = Plain()
            root.hidden = [Node("hidden")]
            try ArchiveEncoder().encode(root, to: folder["file"])
            try body(try ArchiveDocument<Node>(contentsOf: folder["file"]), folder["file"])
        }
    }

    @Test func `has the same instances with the state of the file, if they declare their fields`() throws {
        try withDocument { document, _ in
            let (root, hidden) = (document.root, document.root.hidden[0])
            let linked = try #require(root.link)
            let plain = try #require(root.plain)
            root.name = "changed"
            root.isSelected = true
            linked.link = linked
            linked.name = "also changed"
            hidden.name = "changed as well"
            plain.number = 2
            root.link = nil
            try document.revert()
            #expect(document.root === root && root.name == "root" && root.isSelected)
            #expect(root.link === linked && linked.link === root && linked.name == "linked")
            #expect(!root.$hidden.isLoaded && hidden.name == "changed as well")
            #expect(root.hidden[0] === hidden && hidden.name == "hidden")
            // A class with an initializer of its own has a new instance.
            #expect(root.plain !== plain && root.plain?.number == 1 && plain.number == 2)
            #expect(root.finished == 2 && linked.finished == 2 && hidden.finished == 2)
            #expect(try !hasChanges(document))
            linked.name = "saved"
            #expect(try document.save().objectsWritten == 1)
            try document.revert()
            #expect(document.root === root && root.link === linked && root.hidden[0] === hidden)
            #expect(linked.name == "saved")
        }
    }

    @Test func `has the saved instances that it did not decode`() throws {
        try withDocument { document, _ in
            let new = Node("new")
            document.root.link?.link = new
            try document.save()
            new.name = "changed"
            try document.revert()
            #expect(document.root.link?.link === new && new.name == "new")
        }
    }

    @Test func `is unchanged if the file cannot be decoded`() throws {
        try withDocument { document, url in
            let root = document.root
            let linked = try #require(root.link)
            root.name = "changed"
            linked.link = nil
            let other = Node("other")
            other.link = Node("refused")
            try ArchiveEncoder().encode(other, to: url)
            #expect(throws: CocoaError.self) { try document.revert() }
            #expect(document.root === root && root.name == "changed" && root.link === linked)
            #expect(linked.name == "linked" && linked.link === nil && root.plain?.number == 1)
            #expect(root.hidden[0].name == "hidden")
        }
    }
}
