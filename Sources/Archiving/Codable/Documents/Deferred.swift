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
/// Decoding reads only those pages of the file that `name` needs. The books are read and decoded by the second line.
///
/// The property can have any type with an empty value (``DeferredContent``): an optional, an array, a set, a dictionary, `Data`
/// or `String`. In the archive it is what a plain property is. With other encoders and decoders it is a plain property, too.
///
/// **Reading.** The archive stays open as long as a property has a part that is not decoded. The part is decoded with the
/// settings of the decoder that created the property. Every instance is created once: a part refers to the instances that
/// were decoded before, if the program still has them.
///
/// **Damage.** If the part cannot be decoded, `$books.load()` throws the error. A plain read returns the empty value; the error is in
/// `$books.error`, and is given to ``ArchiveDecoder/deferredErrorHandler``. The part counts as not loaded, so that encoding writes it
/// as it is in the archive. Only assigning a new value replaces it.
///
/// **Encoding.** A part that is not loaded is copied from its archive without decoding it. If it refers to instances that the
/// program has, the copy refers to these.
///
/// While the archive is being decoded, in an `init(from:)` that is written by hand, the part cannot be loaded: the property is
/// empty until the decoder returns.
///
/// The property may be read by several tasks at the same time if its value is `Sendable`. The part is decoded once.
@propertyWrapper
public struct Deferred<Value> {
    /// The value; the empty one if `part` has it.
    private var value: Value
    private var part: DeferredPart<Value>?

    // In the type itself: only so does the memberwise initializer of a struct take the value.

    /// A property with the value `wrappedValue`, which is loaded.
    public init(wrappedValue: Value) where Value: DeferredContent {
        value = wrappedValue
    }

    /// Only types with an empty value can be deferred.
    @available(
        *, unavailable,
        message: "A @Deferred property is an optional, an array, a set, a dictionary, Data or a String: it can be empty"
    )
    public init(wrappedValue: Value) {
        value = wrappedValue
    }

    init(_ part: DeferredPart<Value>, empty: Value) {
        value = empty
        self.part = part
    }

    /// The value. It is decoded when it is first read, and empty if that fails.
    ///
    /// - Complexity: O(1) if it is loaded, otherwise O(*n*), where *n* is the number of values that are decoded.
    public var wrappedValue: Value {
        get { part == nil ? value : part?.valueForReading ?? value }
        set {
            value = newValue
            part = nil
        }
        _modify {
            if let part {
                guard let loaded = part.valueForReading else {
                    // What cannot be decoded is not replaced by what becomes of the empty value.
                    var lost = value
                    yield &lost
                    return
                }
                value = loaded
                self.part = nil
            }
            yield &value
        }
    }

    /// The property itself, for ``isLoaded``, ``load()``, ``unload()`` and ``error``.
    public var projectedValue: Deferred { self }
}

// MARK: - Loading

extension Deferred {
    /// A Boolean value that indicates whether the value is there: it was decoded, or set by the program.
    public var isLoaded: Bool { part?.isLoaded ?? true }

    /// The error that a read has met; `nil` if there was none, or the value was decoded since.
    public var error: (any Error)? { part?.error }

    /// Decodes the value, if it is not loaded.
    ///
    /// - Throws: `DecodingError` if the archive has something else than the type asks for, is damaged, or exceeds the limits of the
    ///   decoder; ``DeferredError`` if the archive is being decoded on this thread; and what `init(from:)` throws. The value stays
    ///   as it is in the archive then, and can be loaded again.
    /// - Complexity: O(*n*), where *n* is the number of values that are decoded.
    public func load() throws {
        _ = try part?.load()
    }

    /// Lets go of a value that was decoded and not changed: it is decoded again when it is read. Instances in it that the program
    /// still has stay the ones that are read.
    ///
    /// The value is compared with that in the archive. Nothing happens if it is not loaded. A weak reference that the program has
    /// set to an instance that goes is nil from then on; one that was decoded finds the instance when it is decoded again.
    ///
    /// - Throws: ``DeferredError`` if the value was set by the program, or anything in it was changed. What encoding it throws.
    /// - Complexity: O(*n*), where *n* is the number of values in it.
    public func unload() throws {
        guard let part else { throw DeferredError(.changed) }
        try part.unload()
    }

    /// The part of an archive that the value is, if it is not loaded.
    var unloadedPart: DeferredPart<Value>? { part.flatMap { $0.isLoaded ? nil : $0 } }
}

/// Why a deferred property cannot be loaded or unloaded.
public struct DeferredError: Error, Equatable, CustomStringConvertible {
    /// What kind of error one is: the static members of `ErrorCode<DeferredError>`.
    public typealias Code = ErrorCode<DeferredError>

    /// What kind of error it is.
    public let code: Code

    init(_ code: Code) { self.code = code }

    /// What was found, and what to do.
    public var description: String {
        switch code {
        case .changed:
            "The value of a deferred property was changed since it was decoded, and is nowhere else. Save it before it is unloaded"
        default:
            "A deferred property was read while its archive is being decoded, by an initializer. Read it when the decoder has returned"
        }
    }
}

extension ErrorCode where Failure == DeferredError {
    /// The value was changed since it was decoded.
    public static var changed: Self { Self("changed") }
    /// The archive is being decoded on the same thread.
    public static var tooEarly: Self { Self("tooEarly") }
}

// MARK: - As the value

extension Deferred: @unchecked Sendable where Value: Sendable {}

extension Deferred: Equatable where Value: Equatable {
    /// Whether the values are equal. They are loaded for that.
    public static func == (left: Deferred, right: Deferred) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Deferred: Hashable where Value: Hashable {
    /// Hashes the value, which is loaded for that.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}

extension Deferred: CustomStringConvertible {
    /// The description of the value; "not loaded" if it is not.
    public var description: String { isLoaded ? "\(wrappedValue)" : "not loaded" }
}
