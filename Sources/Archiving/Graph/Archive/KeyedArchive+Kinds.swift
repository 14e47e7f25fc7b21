// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Kinds

extension KeyedArchive.Value {
    /// The kind of a value.
    public enum Kind: Sendable, Hashable {
        /// Nil: uid 0, or an object that is "$null".
        case null
        /// True or false, inside an object or as an object of its own.
        case boolean
        /// An integer of up to 128 bits.
        case integer
        /// A floating-point number of 32 or 64 bits.
        case real
        /// A string of the property list. An NSMutableString is an object.
        case string
        /// Data of the property list. An NSMutableData is an object.
        case data
        /// A date of the property list. An NSDate is an object.
        case date
        /// An array of the property list. An NSArray is an object.
        case array
        /// A set of the property list. An NSSet is an object.
        case set
        /// A dictionary of the property list without a class. An NSDictionary is an object.
        case dictionary
        /// An object of a class.
        case object
        /// A class entry, which describes a class and is referenced by its objects.
        case classEntry
        /// A damaged part of the archive; `damage` describes the problem.
        case damaged
    }

    /// The kind of the value.
    public var kind: Kind {
        guard let archived else { return .damaged }
        if archived.isNull { return .null }
        switch archived.node.kind {
        case .null: return .null
        case .true, .false: return .boolean
        case .integer: return .integer
        case .real32, .real64: return .real
        case .ascii, .utf16: return .string
        case .data: return .data
        case .date: return .date
        case .array: return .array
        case .set: return .set
        case .dictionary:
            if place == .top { return .dictionary }
            if classUID != nil { return .object }
            let name = try? source.contents.value(of: "$classname", in: archived.node)
            return name == nil ? .dictionary : .classEntry
        // A uid in an object's slot is damaged. All other uids have been resolved.
        case .uid: return .damaged
        }
    }

    package var isNull: Bool { archived?.isNull ?? false }

    /// The problem with the value; `nil` if its kind is not `damaged`.
    public var damage: KeyedArchiveError? {
        guard archived == nil else { return nil }
        do throws(KeyedArchiveError) {
            switch place {
            case .top: break
            case .slot(let uid): _ = try source.contents.object(uid)
            case .inline(let reference): _ = try source.contents.value(reference)
            }
        } catch {
            return error
        }
        return nil
    }
}

// MARK: - Classes

extension KeyedArchive {
    /// A class as an archive describes it.
    public struct Class: Sendable, Hashable {
        /// The uid of the class entry.
        public let uid: UInt32
        /// The name, such as "NSArray" or "Farm.Cow".
        public let name: String
        /// The class and its superclasses, usually up to NSObject. Only the class itself if its class entry has no `$classes`.
        public let chain: [String]
        /// `$classhints`: classes that a reader can use instead if it does not know this one.
        public let fallbacks: [String]
        /// The versions (`archiveVersion`) of the classes in `chain`, in that order; empty if all are 0.
        public let versions: [Int]

        fileprivate var names: [String] { [name] + chain + fallbacks }
    }

    /// The classes that the archive describes, by uid.
    ///
    /// In a hostile archive, class entries that share contents can have more names than the archive has space for. Classes
    /// beyond 16 bytes of names for each byte of the archive are omitted.
    ///
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public var classes: [Class] {
        let contents = source.contents
        var known = BitSet(count: contents.list.objectCount)
        var classes: [Class] = []
        var room = contents.proportional(1 << 20)
        for slot in 1..<max(1, contents.slotCount) {
            // Several uids may share one object of the property list.
            let reference = contents.object(inSlot: slot)
            guard reference < contents.list.objectCount, known.insert(reference) else { continue }
            let uid = UInt32(truncatingIfNeeded: slot)
            // An object of a class may have a `$classname` of its own. A class entry has no class.
            guard let entry = try? contents.classEntry(uid), (try? contents.classUID(of: entry)) == .some(nil),
                let described = source.class(uid)
            else { continue }
            room -= described.names.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride }
            guard room >= 0 else { break }
            classes.append(described)
        }
        return classes
    }
}

extension ArchiveSource {
    func `class`(_ uid: UInt32) -> KeyedArchive.Class? {
        guard let name = try? contents.className(uid) else { return nil }
        let chain = (try? contents.classChain(uid)) ?? []
        var versions: [Int] = []
        for place in 0..<max(1, chain.count) { versions.append((try? contents.classVersion(at: place, uid)) ?? 0) }
        return KeyedArchive.Class(
            uid: uid, name: name, chain: chain.isEmpty ? [name] : chain,
            fallbacks: (try? contents.classFallbacks(uid)) ?? [],
            versions: versions.contains { $0 != 0 } ? versions : [])
    }
}

extension KeyedArchive.Value {
    /// The uid of the class entry of the object; `nil` for other values. All objects of a class share it, so a program can
    /// cache facts about the class by this uid.
    package var classUID: UInt32? {
        guard let archived, place != .top else { return nil }
        return (try? source.contents.classUID(of: archived.node)) ?? nil
    }

    /// The class of the object; `nil` for other values, and if the class entry is damaged.
    public var `class`: KeyedArchive.Class? { classUID.flatMap { source.class($0) } }

    /// The name of the object's class, such as "NSArray" or "Farm.Cow"; `nil` for other values.
    public var className: String? { classUID.flatMap { try? source.contents.className($0) } }

    package var describedClass: KeyedArchive.Class? {
        guard kind == .classEntry, case .slot(let uid) = place else { return nil }
        return source.class(uid)
    }
}

// MARK: - Leaves

/// Numbers, strings, data and dates: stored inside an object, as objects themselves, or as objects of Foundation classes
/// (`NSMutableString`, `NSDate` …). Each property is `nil` if the value has another type.
extension KeyedArchive.Value {
    private var number: Node? {
        guard let archived, !archived.isNull, let number = try? source.contents.number(archived) else { return nil }
        return number.node
    }

    /// The value as a `Bool`.
    public var boolean: Bool? {
        switch number?.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The integer, if it fits into 64 bits with its sign. `decode(_:using:)` returns a number of any other type.
    public var integer: Int? { int128.flatMap { Int(exactly: $0) } }

    package var int128: Int128? {
        guard let number, number.kind == .integer else { return nil }
        return source.contents.list.objects.integer(number)
    }

    /// The number as a `Double`, if the conversion is exact: from a 64-bit real, a 32-bit real, or an integer.
    public var double: Double? {
        guard let number else { return nil }
        let objects = source.contents.list.objects
        switch number.kind {
        case .real64: return objects.real64(number)
        case .real32: return Double(objects.real32(number))
        case .integer: return Double(exactly: objects.integer(number))
        default: return nil
        }
    }

    /// The number as a `Float`, if the conversion is exact: from a 32-bit real with all its bits, a 64-bit real, or an integer.
    package var float: Float? {
        guard let number else { return nil }
        let objects = source.contents.list.objects
        switch number.kind {
        case .real64:
            let real = objects.real64(number)
            return real.isNaN ? Float(real) : Float(exactly: real)
        case .real32: return objects.real32(number)
        case .integer: return Float(exactly: objects.integer(number))
        default: return nil
        }
    }

    /// The text of a string.
    public var string: String? {
        guard let archived else { return nil }
        return (try? source.contents.text(archived)) ?? nil
    }

    /// A copy of the bytes of data.
    public var data: Data? {
        guard let archived, let bytes = try? source.contents.data(archived) else { return nil }
        return Data(bytes)
    }

    /// The date.
    public var date: Date? {
        guard let archived, let seconds = try? source.contents.date(archived) else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}

// MARK: - Archives in data

extension KeyedArchive.Value {
    /// Whether the value is data that starts like a property list, and may be an archive itself.
    package var looksLikeArchive: Bool {
        guard let archived, let bytes = try? source.contents.data(archived) else { return false }
        return PropertyListFormat(detectedIn: bytes) != nil
    }

    /// Opens the archive in data that is stored in this archive. The bytes are not copied; the new archive retains the storage
    /// of this one.
    ///
    /// - Throws: `KeyedArchiveError` if the value is not data, or its bytes are not an archive.
    /// - Complexity: O(1) for a binary archive.
    public func openArchive() throws(KeyedArchiveError) -> KeyedArchive {
        if let damage { throw damage }
        guard let archived, let bytes = try source.contents.data(archived) else {
            throw KeyedArchiveError(.noData(uid: uid))
        }
        return try KeyedArchive(ArchiveStorage(bytes))
    }
}
