// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The class of one program.
class MappedCrate: NSObject, NSSecureCoding {
    class var supportsSecureCoding: Bool { true }
    let label: String
    init(label: String) { self.label = label }
    required init?(coder: NSCoder) {
        guard let label = coder.decodeObject(of: NSString.self, forKey: "label") else { return nil }
        self.label = label as String
    }
    func encode(with coder: NSCoder) { coder.encode(label as NSString, forKey: "label") }
}

/// The class of another program.
final class MappedBox: MappedCrate {
    override static var supportsSecureCoding: Bool { true }
}

private struct CrateRecord: Codable, Equatable {
    var label: String
}

/// The names of classes that programs set for Foundation's coders. On Linux these differ from Apple's.
@Suite(.inTurn) struct `Class maps of Foundation` {
    /// The name under which Foundation archives a `Crate`.
    private func archivedName(_ prepare: (NSKeyedArchiver) -> Void) throws -> String? {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        prepare(archiver)
        archiver.encode(MappedCrate(label: "a"), forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let archive = try KeyedArchive(archiver.encodedData)
        var classes = ClassRegistry()
        classes.register(CrateRecord.self, aliases: [try #require(archive.root.className)])
        #expect(try archive.root.decode(CrateRecord.self) == CrateRecord(label: "a"))
        return archive.root.className
    }

    /// Foundation on Linux stores the name under the text of the class's type, and looks it up under that of the class.
    @Test func `are ignored by the archiver on Linux, on the archiver and on its class`() throws {
        #if canImport(Darwin)
            let name = "Shipping.Crate"
        #else
            let name = NSStringFromClass(MappedCrate.self)
        #endif
        #expect(try archivedName { $0.setClassName("Shipping.Crate", for: MappedCrate.self) } == name)
        NSKeyedArchiver.setClassName("Shipping.Crate", for: MappedCrate.self)
        defer { NSKeyedArchiver.setClassName(nil, for: MappedCrate.self) }
        #expect(try archivedName { _ in } == name)
    }

    @Test func `have an effect on the unarchiver, and on its class`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(CrateRecord.self, name: "Shipping.Crate")
        let data = try encoder.encode(CrateRecord(label: "a"))
        let box = try withFoundationUnarchiver(of: data, classes: ["Shipping.Crate": MappedBox.self]) {
            $0.decodeObject(of: MappedCrate.self, forKey: NSKeyedArchiveRootObjectKey)
        }
        #expect(box is MappedBox && box?.label == "a")
        // This call has an unarchiver of its own.
        NSKeyedUnarchiver.setClass(MappedBox.self, forClassName: "Shipping.Crate")
        defer { NSKeyedUnarchiver.setClass(nil, forClassName: "Shipping.Crate") }
        let other = try NSKeyedUnarchiver.unarchivedObject(ofClass: MappedCrate.self, from: data)
        #expect(other is MappedBox && other?.label == "a")
    }
}
