// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization

/// Counts the instances of types that no archive may create: they are neither registered nor requested.
public enum Forbidden {
    private static let made = Atomic<Int>(0)

    /// How many instances were made from archives in this process. It has to stay zero.
    public static var count: Int { made.load(ordering: .relaxed) }

    static func note() { made.add(1, ordering: .relaxed) }

    /// The names that archives give these types.
    public static let names = [
        String(reflecting: ForbiddenValue.self), String(reflecting: ForbiddenNode.self),
        String(reflecting: ForbiddenFolder.self), String(reflecting: ForbiddenObject.self), "ForbiddenObject",
        "ForbiddenPart", "ForbiddenGadget",
    ]
}

/// A structure that no archive may make.
public struct ForbiddenValue: Thing {
    let name: String

    init() { name = "forbidden" }

    /// Counts itself.
    public init(from decoder: any Decoder) throws {
        Forbidden.note()
        name = "made"
    }
}

/// An unregistered subclass of a type that graphs request.
public final class ForbiddenNode: Node {
    /// A node for archives that hostile ones begin with.
    public override init(_ name: String) { super.init(name) }

    /// Counts itself.
    public required init(from decoder: any Decoder) throws {
        Forbidden.note()
        try super.init(from: decoder)
    }
}

/// A subclass of a `Coding` class that is not registered.
public final class ForbiddenFolder: Folder {
    /// A folder for archives that hostile ones begin with.
    public override init(_ name: String) { super.init(name) }

    /// Counts itself.
    public required init(coder: KeyedUnarchiver) throws {
        Forbidden.note()
        try super.init(coder: coder)
    }

    /// Counts itself.
    public required init(from decoder: any Decoder) throws {
        Forbidden.note()
        try super.init(from: decoder)
    }
}

/// A class of its own, by a name of its own.
public final class ForbiddenObject: Coding, ArchiveDescribing {
    /// The name in archives.
    public static let archiveName = "ForbiddenObject"

    init() {}

    /// Counts itself.
    public init(coder: KeyedUnarchiver) throws { Forbidden.note() }

    /// Writes nothing.
    public func encode(with coder: KeyedArchiver) throws {}
}
