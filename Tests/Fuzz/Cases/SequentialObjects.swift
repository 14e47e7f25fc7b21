// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an instance consists of, by which two are compared.
protocol SequentialContents {
    var contents: [Any?] { get }
}

/// A part, which has a count since version 1.
public class Part: SequentialCoding, ArchiveDescribing, SequentialContents {
    /// The name in archives.
    public class var archiveName: String { "Part" }
    /// The version that is written.
    public class var classVersion: Int { 1 }

    var name: String
    var count: Int32 = 1

    init(_ name: String) { self.name = name }

    /// Reads what the version has.
    public required init(coder: SequentialUnarchiver) throws {
        name = try coder.decode(String.self)
        if coder.archivedVersion(of: Part.self) != 0 { count = try coder.decode(Int32.self) }
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: SequentialArchiver) throws {
        try coder.encode(name)
        try coder.encode(count)
    }

    var contents: [Any?] { [name, count] }
}

/// A part that has others, which has to be registered to be made.
public final class Wheel: Part {
    /// The name in archives.
    public override class var archiveName: String { "Wheel" }
    /// The version that is written.
    public override class var classVersion: Int { 3 }

    var radius = 0.5
    var spare: Part?
    var parts: [Part] = []

    override init(_ name: String) { super.init(name) }

    /// Reads both parts.
    public required init(coder: SequentialUnarchiver) throws {
        try super.init(coder: coder)
        radius = try coder.decode(Double.self)
        spare = try coder.decode(Part?.self)
        parts = try coder.decode([Part].self)
        _ = (coder.version(forClassName: "Part"), coder.version(forClassName: "nobody"), coder.stream.systemVersion)
    }

    /// Writes both parts.
    public override func encode(with coder: SequentialArchiver) throws {
        try super.encode(with: coder)
        try coder.encode(radius)
        try coder.encode(spare)
        try coder.encode(parts)
    }

    override var contents: [Any?] { super.contents + [radius, spare, parts] }
}

/// A pane of a window, which knows the one that it is in, and publishes itself.
public final class Pane: SequentialCoding, ArchiveDescribing, SequentialContents {
    /// The name in archives.
    public static let archiveName = "Pane"

    let title: String
    private(set) var panes: [Pane] = []
    private(set) weak var parent: Pane?

    init(_ title: String, _ panes: [Pane] = []) {
        self.title = title
        self.panes = panes
        for pane in panes { pane.parent = self }
    }

    /// Reads the pane, and those that are in it.
    public init(coder: SequentialUnarchiver) throws {
        title = try coder.decode(String.self, as: .cString)
        coder.publish(self)
        parent = try coder.decode(Pane?.self)
        panes = try coder.decode([Pane].self)
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: SequentialArchiver) throws {
        try coder.encode(title, as: .cString)
        try coder.encodeConditional(parent)
        try coder.encode(panes)
    }

    // The parent is archived only where something else refers to it.
    var contents: [Any?] { [title, panes] }
}

/// A bead of a string, whose next one is made later. It does not hold that one, so that rings leave nothing behind.
public final class Bead: SequentialCoding, ArchiveDescribing, SequentialContents {
    /// The name in archives.
    public static let archiveName = "Bead"

    let number: Int
    weak var next: Bead?

    init(_ number: Int) { self.number = number }

    /// Reads the number, and where the next one is.
    public init(coder: SequentialUnarchiver) throws {
        number = try coder.decode(Int.self)
        try coder.decodeReference(Bead.self) { [unowned self] in next = $0 }
        if !coder.isAtEnd { _ = try coder.decode(String.self) }
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: SequentialArchiver) throws {
        try coder.encode(number)
        try coder.encode(next)
    }

    var contents: [Any?] { [number, next?.number, next?.next?.number] }
}

/// A class that goes on after errors, and passes over what is left.
public final class Chest: SequentialCoding, ArchiveDescribing, SequentialContents {
    /// The name in archives.
    public static let archiveName = "Chest"

    private(set) var things: [Any?] = []

    init(_ things: [Any?]) { self.things = things }

    /// Reads whatever is there.
    public init(coder: SequentialUnarchiver) throws {
        for _ in 0..<20 where !coder.isAtEnd {
            if let thing = try? coder.decodeObject() {
                things.append(thing)
            } else if let bead = try? coder.decode(Bead?.self) {
                things.append(bead)
            } else if let number = try? coder.decode(Int.self) {
                things.append(number)
            } else {
                break
            }
        }
        coder.skipRemainingValues()
    }

    /// Writes the things.
    public func encode(with coder: SequentialArchiver) throws {
        for thing in things { try coder.encodeObject(thing) }
    }

    var contents: [Any?] { things }
}

/// A placeholder of a pane, which becomes another instance.
public final class Shade: SequentialCoding, ArchiveDescribing, SequentialContents {
    /// The name in archives.
    public static let archiveName = "Shade"

    weak var bead: Bead?

    init() {}

    /// Reads what is dropped when another instance takes the place of this one.
    public init(coder: SequentialUnarchiver) throws {
        try coder.decodeReference(Bead.self) { [unowned self] in bead = $0 }
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: SequentialArchiver) throws { try coder.encode(bead) }

    /// Another instance.
    public func awakeAfter(using coder: SequentialUnarchiver) throws -> any SequentialCoding { Part("shade") }

    var contents: [Any?] { [] }
}

/// A subclass that is not registered.
public final class ForbiddenPart: Part {
    /// The name in archives.
    public override class var archiveName: String { "ForbiddenPart" }

    override init(_ name: String) { super.init(name) }

    /// Counts itself.
    public required init(coder: SequentialUnarchiver) throws {
        Forbidden.note()
        try super.init(coder: coder)
    }
}

/// A class of its own that is not registered.
public final class ForbiddenGadget: SequentialCoding, ArchiveDescribing {
    /// The name in archives.
    public static let archiveName = "ForbiddenGadget"

    init() {}

    /// Counts itself.
    public init(coder: SequentialUnarchiver) throws { Forbidden.note() }

    /// Writes nothing.
    public func encode(with coder: SequentialArchiver) throws {}
}
