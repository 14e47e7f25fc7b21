// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A dictionary whose values are decoded from an archive one by one, when they are read.
///
/// ```swift
/// final class Library: Codable {
///     @Deferred var books: ArchivedDictionary<String, Book>
///
///     init(_ books: [String: Book]) { self.books = ArchivedDictionary(books) }
/// }
/// ```
///
/// ```swift
/// let document = try ArchiveDocument<Library>(contentsOf: url)
/// let emma = document.root.books["Emma"]
/// ```
///
/// The keys are decoded together when one of them is first needed. The archive has a dictionary, which other programs read
/// as `[String: Book]`. Reading, changing and damage are as for ``ArchivedList``; the subscript returns nil for a value that
/// cannot be decoded, and ``value(forKey:)`` throws the error.
public struct ArchivedDictionary<Key: Codable & Hashable, Value: Codable> {
    private var part: DictionaryPart<Key, Value>?
    /// The values that the program has set, in place of those in the archive.
    private var changed: [Key: Value] = [:]
    /// The keys in the archive whose values the program has removed or set.
    private var hidden: Set<Key> = []
    /// Whether the program has changed a dictionary that could not be read.
    private var isModifiedUnread = false

    /// Creates a dictionary with the entries of `dictionary`.
    public init(_ dictionary: [Key: Value]) { changed = dictionary }
}

// MARK: - Reading

extension ArchivedDictionary {
    /// The number of entries. It is 0 if the dictionary cannot be read.
    ///
    /// - Complexity: O(1), after the keys were decoded.
    public var count: Int { changed.count + archivedCount - hidden.count }

    private var archivedCount: Int { part.flatMap { part in part.ifReadable { try part.count() } } ?? hidden.count }

    /// Whether there are no entries, or the dictionary cannot be read.
    public var isEmpty: Bool { count == 0 }

    /// The keys, in no particular order. There are none if the dictionary cannot be read.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    public var keys: [Key] {
        let archived = part.flatMap { part in part.ifReadable { try part.keys() } } ?? []
        return archived.filter { !hidden.contains($0) } + changed.keys
    }

    /// Returns the value for `key`, decoded if it is in the archive; nil if there is none.
    ///
    /// - Throws: `DecodingError` if the archive has a value of another type, is damaged, or exceeds the limits of the
    ///   decoder; ``ArchiveDocumentError`` if the archive is being decoded on this thread; errors of `init(from:)`.
    /// - Complexity: O(*n*), where *n* is the number of decoded values, after the keys were decoded.
    public func value(forKey key: Key) throws -> Value? {
        if let value = changed[key] { return value }
        return try hidden.contains(key) ? nil : part?.value(key)
    }

    /// The value for a key, decoded if it is in the archive. It is nil if there is none, or if it cannot be decoded.
    ///
    /// Setting nil removes the entry.
    ///
    /// - Complexity: That of ``value(forKey:)``.
    public subscript(key: Key) -> Value? {
        get {
            if let value = changed[key] { return value }
            guard let part, !hidden.contains(key) else { return nil }
            return part.ifReadable { try part.value(key) } ?? nil
        }
        set {
            if let part, !hidden.contains(key) {
                switch part.ifReadable({ try part.hasKey(key) }) {
                case nil: isModifiedUnread = true
                case true: hidden.insert(key)
                case false: break
                }
            }
            changed[key] = newValue
        }
    }

    /// The error of the last read that failed, or `nil` if none did.
    public var error: (any Error)? { part?.error }
}

extension ArchivedDictionary: Sequence {
    /// Returns an iterator that decodes each value when it reaches it. Values that cannot be decoded are left out.
    public func makeIterator() -> AnyIterator<(key: Key, value: Value)> {
        var keys = keys.makeIterator()
        return AnyIterator {
            while let key = keys.next() { if let value = self[key] { return (key, value) } }
            return nil
        }
    }

    /// 0, so that no key is decoded for it.
    public var underestimatedCount: Int { 0 }
}

// MARK: - Conformances

extension ArchivedDictionary: Emptiable {
    /// Creates an empty dictionary.
    public init() {}
}

extension ArchivedDictionary: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary. It traps if a key occurs twice.
    public init(dictionaryLiteral entries: (Key, Value)...) { self.init(Dictionary(uniqueKeysWithValues: entries)) }
}

extension ArchivedDictionary: @unchecked Sendable where Key: Sendable, Value: Sendable {}

extension ArchivedDictionary: CustomStringConvertible {
    /// The number of entries.
    public var description: String { "\(count) entries" }
}

// MARK: - Coding

extension ArchivedDictionary: Codable {
    /// Creates a dictionary whose values are decoded from the archive later. With another decoder, they are decoded at once.
    ///
    /// - Throws: Errors of the decoder.
    public init(from decoder: any Decoder) throws { self = try Self.decoded(from: decoder) }

    /// Encodes the entries as a dictionary. An archive gets values that are not decoded as copies; other encoders decode them.
    ///
    /// - Throws: Errors of the encoder and of ``value(forKey:)``. ``ArchiveDocumentError`` if the program has changed the
    ///   dictionary although its keys could not be read.
    public func encode(to encoder: any Encoder) throws { try encodeContents(to: encoder) }
}

extension ArchivedDictionary: PartDecodable {
    package init(contents: DictionaryContents<Key, Value>) { self = contents.dictionary }

    package init(part: OpenArchive.Part) { self.part = DictionaryPart(part) }
}

extension ArchivedDictionary: PartEncodable {
    package var contents: DictionaryContents<Key, Value> { DictionaryContents(self) }

    package func unloadedPart(at path: () -> [any CodingKey]) throws -> OpenArchive.Part? {
        if isModifiedUnread { throw ArchiveDocumentError(.unreadablePartModified, KeyedArchive.Path(path())) }
        return changed.isEmpty && hidden.isEmpty ? part?.origin : nil
    }

    /// Reads the keys. Each value is decoded when it is encoded.
    package func load() throws { _ = try part?.count() }

    /// Returns the entries to encode.
    fileprivate func elements() throws -> [Key: ArchivedElement<Value>] {
        var elements = changed.mapValues { ArchivedElement($0) }
        guard let part else { return elements }
        if let archived = try part.parts() {
            for (key, part) in archived where !hidden.contains(key) { elements[key] = ArchivedElement(part) }
        } else {
            for (key, value) in part.entries where !hidden.contains(key) { elements[key] = ArchivedElement(value) }
        }
        return elements
    }
}

/// The dictionary in place of one that is decoded later.
package struct DictionaryContents<Key: Codable & Hashable, Value: Codable>: Codable {
    fileprivate let dictionary: ArchivedDictionary<Key, Value>

    fileprivate init(_ dictionary: ArchivedDictionary<Key, Value>) { self.dictionary = dictionary }

    package init(from decoder: any Decoder) throws {
        dictionary = ArchivedDictionary(try decoder.singleValueContainer().decode([Key: Value].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(dictionary.elements())
    }
}
