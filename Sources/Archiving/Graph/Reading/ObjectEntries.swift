// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The entries of an object, by key, for objects of Foundation's classes.
///
/// The keys are keys of the format, and the value of each is of a known kind. The search starts after the last entry found,
/// because readers use the order of writers if possible.
package struct ObjectEntries {
    package let contents: ArchiveContents
    private let node: Node
    package let uid: UInt32
    private let count: Int
    private var next = 0

    package init(_ value: ArchivedValue, in contents: ArchiveContents) {
        self.contents = contents
        node = value.node
        uid = value.uid
        count = value.node.kind == .dictionary ? value.node.count : 0
    }

    /// The value for `key`; `nil` if there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    package subscript(key: StaticString) -> ArchivedValue? {
        @inline(never)
        mutating get throws(KeyedArchiveError) {
            guard let reference = try reference(key) else { return nil }
            return try contents.value(reference)
        }
    }

    /// Returns the reference for `key`, which may refer to a uid; `nil` if there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    @inline(never)
    package mutating func reference(_ key: StaticString) throws(KeyedArchiveError) -> Int? {
        for offset in 0..<count {
            let position = next &+ offset < count ? next &+ offset : next &+ offset &- count
            let candidate = try contents.node(contents.list.reference(position, in: node.payload))
            guard contents.list.isString(candidate, key) else { continue }
            next = position &+ 1
            try contents.countWork(offset)
            return contents.list.reference(count &+ position, in: node.payload)
        }
        try contents.countWork(count)
        return nil
    }

    package mutating func has(_ key: StaticString) throws(KeyedArchiveError) -> Bool {
        guard let entry = try self[key] else { return false }
        return !entry.isNull
    }

    package func damaged(_ key: StaticString, _ wanted: String) -> KeyedArchiveError {
        KeyedArchiveError(.badEntry(.init(key), uid: uid, wanted: wanted))
    }
}

extension ArchiveContents {
    package func entries(of value: ArchivedValue) -> ObjectEntries { ObjectEntries(value, in: self) }
}

// MARK: - The usual first entry

/// For values that are frequent: their key is known from an earlier object, and comes first.
extension ArchiveContents {
    @inline(__always)
    func firstValue(of object: Node, ifKeyIs key: Int?) throws(KeyedArchiveError) -> Node? {
        guard object.kind == .dictionary, object.count > 0, list.reference(0, in: object.payload) == key else {
            return nil
        }
        return try node(list.reference(object.count, in: object.payload))
    }

    func firstKey(of object: Node, ifNamed key: StaticString) -> Int? {
        guard object.kind == .dictionary, object.count > 0 else { return nil }
        let reference = list.reference(0, in: object.payload)
        guard let node = try? node(reference), list.isString(node, key) else { return nil }
        return reference
    }
}

// MARK: - Kinds

extension ObjectEntries {
    package mutating func integer(_ key: StaticString) throws(KeyedArchiveError) -> Int? {
        try integer(key, as: Int.self)
    }

    package mutating func integer<Integer: FixedWidthInteger>(
        _ key: StaticString, as type: Integer.Type
    ) throws(KeyedArchiveError) -> Integer? {
        guard let entry = try self[key] else { return nil }
        guard entry.node.kind == .integer, let integer = Integer(exactly: contents.list.integer(entry.node))
        else { throw damaged(key, "an integer of \(Integer.bitWidth) bits") }
        return integer
    }

    /// Returns the Bool for `key`. Some writers have no Bool and write 0 and 1.
    package mutating func boolean(_ key: StaticString) throws(KeyedArchiveError) -> Bool? {
        guard let entry = try self[key] else { return nil }
        switch entry.node.kind {
        case .true: return true
        case .false: return false
        case .integer where contents.list.integer(entry.node) == 0: return false
        case .integer where contents.list.integer(entry.node) == 1: return true
        default: throw damaged(key, "a Bool")
        }
    }

    package mutating func real(_ key: StaticString) throws(KeyedArchiveError) -> Double? {
        guard let entry = try self[key] else { return nil }
        let objects = contents.list.objects
        switch entry.node.kind {
        case .real64: return objects.real64(entry.node)
        case .real32: return Double(objects.real32(entry.node))
        case .integer:
            if let exact = Double(exactly: objects.integer(entry.node)) { return exact }
        default: break
        }
        throw damaged(key, "a number")
    }

    /// Returns the string for `key`, as a leaf or as an object of its own.
    mutating func text(_ key: StaticString) throws(KeyedArchiveError) -> String? {
        guard let entry = try self[key] else { return nil }
        switch entry.node.kind {
        case .ascii where !entry.isNull: return try contents.string(entry.node)
        case .utf16: return try contents.string(entry.node)
        case .dictionary:
            if let text = try contents.value(of: "NS.string", in: entry.node),
                text.node.kind == .ascii || text.node.kind == .utf16
            {
                return try contents.string(text.node)
            }
        default: break
        }
        throw damaged(key, "a string")
    }

    mutating func text(_ key: StaticString, or other: StaticString) throws(KeyedArchiveError) -> String? {
        if let text = try text(key) { return text }
        return try text(other)
    }

    /// Returns the bytes of the data for `key`, as a leaf or as an object of its own.
    package mutating func bytes(_ key: StaticString) throws(KeyedArchiveError) -> StoredBytes? {
        guard let entry = try self[key] else { return nil }
        if entry.node.kind == .data { return try contents.countedBytes(entry.node) }
        // An NSMutableData. Its own entry is a leaf, so there is no recursion.
        for inner in ["NS.data", "NS.bytes"] as [StaticString] {
            if let data = try contents.value(of: inner, in: entry.node), data.node.kind == .data {
                return try contents.countedBytes(data.node)
            }
        }
        throw damaged(key, "data")
    }

    mutating func copiedBytes(_ key: StaticString) throws(KeyedArchiveError) -> [UInt8]? {
        guard try has(key), let bytes = try bytes(key) else { return nil }
        return [UInt8](bytes)
    }

    /// Returns the date for `key`, in seconds from 2001-01-01 00:00 UTC.
    package mutating func date(_ key: StaticString) throws(KeyedArchiveError) -> Double? {
        guard let entry = try self[key] else { return nil }
        guard let seconds = try contents.date(entry) else { throw damaged(key, "a date") }
        return seconds
    }
}
