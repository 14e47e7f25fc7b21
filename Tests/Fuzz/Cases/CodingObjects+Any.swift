// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A class whose values are whatever the archive has, as far as lists allow it.
public final class Cabinet: Coding {
    var object: Any?
    var things: [Any]?
    var entries: [AnyHashable: Any]?
    var inherited: Any?
    var disk: Folder?

    init() {}

    /// The types that may be in a cabinet.
    public static let contents: [any Any.Type] =
        leaves + [[Any].self, Set<AnyHashable>.self, [AnyHashable: Any].self, Folder.self, Stop.self, Corner.self]

    /// Leaves, and Foundation's values.
    public static let leaves: [any Any.Type] = [
        String.self, Bool.self, Int.self, UInt64.self, Double.self, Data.self, Date.self, URL.self, UUID.self,
        Decimal.self, IndexPath.self, DateInterval.self, DateComponents.self,
    ]

    /// Reads what is in the cabinet.
    public init(coder: KeyedUnarchiver) throws {
        object = try coder.decodeObject(of: Self.contents, forKey: "object")
        things = try coder.decodeArray(of: Self.contents, forKey: "things")
        entries = try coder.decodeDictionary(
            keysOf: [String.self, Int.self], valuesOf: Self.contents, forKey: "entries")
        inherited = try? coder.decodeObject(forKey: "inherited")
        disk = try coder.decodeIfPresent(Folder.self, forKey: "disk")
    }

    /// Writes what is in the cabinet.
    public func encode(with coder: KeyedArchiver) throws {
        try coder.encodeObject(object, forKey: "object")
        try coder.encodeObject(things, forKey: "things")
        try coder.encodeObject(entries, forKey: "entries")
        try coder.encodeObject(inherited, forKey: "inherited")
        try coder.encode(disk, forKey: "disk")
    }
}

/// An object that puts another in its place when it was decoded.
public final class Token: Coding {
    let code: String
    private let isShared: Bool

    init(_ code: String) {
        self.code = code
        isShared = false
    }

    private init(shared code: String) {
        self.code = code
        isShared = true
    }

    /// Reads the code.
    public init(coder: KeyedUnarchiver) throws {
        code = try coder.decode(String.self, forKey: "code")
        isShared = false
    }

    /// Writes the code.
    public func encode(with coder: KeyedArchiver) throws { coder.encode(code, forKey: "code") }

    /// Another instance takes the place of one with the code "shared".
    public func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding {
        code == "shared" ? Token(shared: code) : self
    }
}
