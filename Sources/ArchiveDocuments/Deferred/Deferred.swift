// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A property that is decoded from its archive when it is first read.
///
/// ```swift
/// final class Library: Codable {
///     var name: String
///     @Deferred var books: [Book]
///     @Deferred var cover: Data
///     @Deferred var author: Author?
/// }
///
/// let library = try ArchiveDecoder().decode(Library.self, from: url)
/// let title = library.books[1].title
/// ```
///
/// The decoder reads only the pages of the file that `name` needs. The second line reads and decodes the books.
///
/// The property can have any type with an empty value (`Emptiable`): an optional, an array, a set, a
/// dictionary, `Data` or `String`. The archive is that of a plain property, and other encoders and decoders treat it as
/// one.
///
/// **Reading.** The archive stays open while a property has a part that is not decoded. The part is decoded with the
/// settings of the decoder that created the property. Each instance is created once: a part references the instances
/// that were decoded before, if the program still has them.
///
/// **Damage.** If the part cannot be decoded, `$books.load()` throws the error. A plain read returns the empty value,
/// stores the error in `$books.error`, and passes it to the `deferredErrorHandler` of the document. The part remains
/// unloaded, so an encoder copies it from the archive. The assignment of a new value replaces it. After a modification
/// in place, such as `books.append(book)`, the property has the modified empty value, and encoding it throws
/// ``ArchiveDocumentError``: the archive would lose either the part or the modification.
///
/// **Encoding.** The encoder copies an unloaded part from its archive without decoding it. If the part references
/// instances that the program has, the copy references those.
///
/// In a hand-written `init(from:)` the part cannot be loaded while the archive is being decoded. The property is empty
/// until the decoder returns.
///
/// Several tasks may read the property at the same time if its value is `Sendable`. The part is decoded once.
@propertyWrapper
public struct Deferred<Value> {
    /// The value, or the empty value if `part` provides it.
    private var value: Value
    private var part: DeferredPart<Value>?
    /// Whether the program has modified the empty value in place, because `part` could not be read.
    private(set) var isModifiedUnread = false

    // These initializers are in the type itself: otherwise the memberwise initializer of a struct would not take the
    // value.

    /// Creates a loaded property with the value `wrappedValue`.
    public init(wrappedValue: Value) where Value: Emptiable {
        value = wrappedValue
    }

    /// Unavailable: only a type with an empty value can be deferred.
    @available(
        *, unavailable,
        message: "A @Deferred property needs a type that can be empty: optional, array, set, dictionary, Data or String"
    )
    public init(wrappedValue: Value) {
        value = wrappedValue
    }

    init(_ part: DeferredPart<Value>, empty: Value) {
        value = empty
        self.part = part
    }

    /// The value. The first read decodes it. The value is empty if that fails.
    ///
    /// - Complexity: O(1) if it is loaded, otherwise O(*n*), where *n* is the number of decoded values.
    public var wrappedValue: Value {
        get {
            guard let part, !isModifiedUnread else { return value }
            return part.valueForReading ?? value
        }
        set {
            value = newValue
            part = nil
            isModifiedUnread = false
        }
        _modify {
            if let part, !isModifiedUnread {
                if let loaded = part.valueForReading {
                    value = loaded
                    self.part = nil
                } else {
                    // The part is not replaced by a modification of the empty value.
                    isModifiedUnread = true
                }
            }
            yield &value
        }
    }

    /// The property itself, for ``isLoaded``, ``load()``, ``unload()`` and ``error``.
    public var projectedValue: Deferred { self }
}

// MARK: - Loading

extension Deferred {
    /// A Boolean value that indicates whether the value is in memory: decoded, or set by the program.
    public var isLoaded: Bool { !isModifiedUnread && part?.isLoaded ?? true }

    /// The error of the last failed read, or `nil` if no read failed or the value was decoded since.
    public var error: (any Error)? { part?.error }

    /// Decodes the value if it is not loaded.
    ///
    /// - Throws: `DecodingError` if the archive has a value of another type, is damaged, or exceeds the limits of the
    ///   decoder; ``ArchiveDocumentError`` if the archive is being decoded on this thread, or if the program has modified the
    ///   property although it could not be read; errors of `init(from:)`. After an error the value is still unloaded, and
    ///   can be loaded again.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    public func load() throws {
        if isModifiedUnread { throw ArchiveDocumentError(.unreadablePartModified) }
        _ = try part?.load()
    }

    /// Releases a value that was decoded and is unchanged. The next read decodes it again, with those of its instances
    /// that the program still has.
    ///
    /// The value is compared with the one in the archive. An unloaded property stays as it is. A weak reference that
    /// the program has set becomes nil if its instance is deallocated; a decoded one finds its instance again when it
    /// is decoded again.
    ///
    /// - Throws: ``ArchiveDocumentError`` if the program has set the value or changed anything in it. Errors of the encoder.
    /// - Complexity: O(*n*), where *n* is the number of values in it.
    public func unload() throws {
        guard let part, !isModifiedUnread else { throw ArchiveDocumentError(.partChanged) }
        try part.unload()
    }

    var unloadedPart: OpenArchive.Part? { part.flatMap { $0.isLoaded ? nil : $0.origin } }
}

// MARK: - Conformances of the value

extension Deferred: @unchecked Sendable where Value: Sendable {}

extension Deferred: Equatable where Value: Equatable {
    /// Returns whether the values are equal. Loads them.
    public static func == (left: Deferred, right: Deferred) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Deferred: Hashable where Value: Hashable {
    /// Hashes the value. Loads it.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}

extension Deferred: CustomStringConvertible {
    /// The value's description, or "not loaded".
    public var description: String { isLoaded ? "\(wrappedValue)" : "not loaded" }
}
