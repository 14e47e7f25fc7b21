// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension PropertyList {
    /// Values by their keys, in the order of the file.
    ///
    /// It is a collection of key-value pairs, and finds a value by its key:
    ///
    ///     for (key, value) in dictionary { … }
    ///     dictionary["name"] = "Bella"
    ///
    /// Keys keep their bytes. A key is found by its bytes, or if there is none, by Unicode's canonical equivalence, as in a Swift
    /// dictionary.
    ///
    /// A binary file may have the same key twice. The dictionary keeps both entries and finds the first, as CoreFoundation does.
    /// In XML, readers find the last, so that it is the only one.
    public struct Dictionary: Hashable, Sendable {
        /// A key and its value.
        public typealias Element = (key: String, value: PropertyList)

        private var entries: [Element]
        /// The position of the first entry for each key, in a dictionary that is too large for a linear search. Keys that are equal
        /// by Unicode's rules are one.
        private var positions: [String: Int] = [:]
        /// The position of the first entry for each key that `positions` has in another spelling.
        private var otherSpellings: [ExactText: Int] = [:]

        /// The number of entries up to which a key is searched linearly.
        private static let scanLimit = 16

        /// Creates a dictionary of `entries`, in their order; keys may occur twice.
        public init(_ entries: some Sequence<Element> = []) {
            self.entries = Array(entries)
            if self.entries.count > Self.scanLimit { indexEntries() }
        }
    }
}

// MARK: - Finding

extension PropertyList.Dictionary {
    /// The first value for `key`; `nil` if there is none.
    ///
    /// Setting a value replaces the first one for that key, or adds an entry at the end. Setting nil removes all
    /// entries with that key.
    ///
    /// - Complexity: O(1); O(*n*) to remove entries.
    public subscript(key: String) -> PropertyList? {
        get {
            firstPosition(of: key).map { entries[$0].value }
        }
        set {
            guard let position = firstPosition(of: key) else {
                if let newValue { append(key: key, value: newValue) }
                return
            }
            if let newValue {
                entries[position].value = newValue
            } else {
                let found = ExactText(entries[position].key)
                entries.removeAll { ExactText($0.key) == found }
                if !positions.isEmpty { indexEntries() }
            }
        }
    }

    /// Adds an entry at the end, even if there is an entry with that key.
    public mutating func append(key: String, value: PropertyList) {
        entries.append((key, value))
        if !positions.isEmpty {
            index(entries.count - 1)
        } else if entries.count > Self.scanLimit {
            indexEntries()
        }
    }

    package func firstPosition(of key: String) -> Int? {
        if positions.isEmpty {
            let exact = ExactText(key)
            return entries.firstIndex { ExactText($0.key) == exact } ?? entries.firstIndex { $0.key == key }
        }
        return (otherSpellings.isEmpty ? nil : otherSpellings[ExactText(key)]) ?? positions[key]
    }

    /// Adds an entry, or replaces the value of the one with the same key, as a reader does that takes the last value.
    mutating func setLast(key: String, value: PropertyList) {
        if let position = firstPosition(of: key), ExactText(entries[position].key) == ExactText(key) {
            entries[position].value = value
        } else {
            append(key: key, value: value)
        }
    }

    private mutating func indexEntries() {
        (positions, otherSpellings) = ([:], [:])
        for position in entries.indices { index(position) }
    }

    private mutating func index(_ position: Int) {
        let key = entries[position].key
        guard let first = positions[key] else {
            positions[key] = position
            return
        }
        let exact = ExactText(key)
        if ExactText(entries[first].key) != exact, otherSpellings[exact] == nil { otherSpellings[exact] = position }
    }

    /// The keys in their order.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    package var keys: [String] { entries.map(\.key) }
    /// The values in the order of the keys.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    package var values: [PropertyList] { entries.map(\.value) }
}

// MARK: - By position

extension PropertyList.Dictionary {
    /// Replaces the value at `position` by `value`, and returns the previous one.
    package mutating func exchangeValue(at position: Int, with value: PropertyList) -> PropertyList {
        let old = entries[position].value
        entries[position].value = value
        return old
    }

    /// Inserts an entry before the one at `position`, or at the end.
    ///
    /// - Complexity: O(*n*), except at the end.
    package mutating func insert(key: String, value: PropertyList, at position: Int) {
        guard position < entries.count else { return append(key: key, value: value) }
        entries.insert((key, value), at: position)
        if entries.count > Self.scanLimit { indexEntries() }
    }

    /// Removes the entry at `position`.
    ///
    /// - Complexity: O(*n*).
    package mutating func remove(at position: Int) {
        entries.remove(at: position)
        if !positions.isEmpty { indexEntries() }
    }
}

// MARK: - Collection

extension PropertyList.Dictionary: RandomAccessCollection {
    /// The position of the first entry, zero.
    public var startIndex: Int { 0 }
    /// The number of entries.
    public var endIndex: Int { entries.count }

    /// The entry at `position`.
    public subscript(position: Int) -> Element { entries[position] }
}

extension PropertyList.Dictionary: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary in the order of the literal.
    public init(dictionaryLiteral elements: (String, PropertyList)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}

extension PropertyList.Dictionary: CustomStringConvertible {
    /// The entries as `PropertyList` describes them, one on each line.
    public var description: String { PropertyList.dictionary(self).description }
}
