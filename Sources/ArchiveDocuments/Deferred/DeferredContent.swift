import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type that a `@Deferred` property can have: its empty value is the result of a read if the part of the archive
/// cannot be decoded.
public protocol DeferredContent {
    /// The empty value.
    static var emptyContent: Self { get }
}

extension Optional: DeferredContent {
    /// `nil`.
    public static var emptyContent: Self { nil }
}

extension Array: DeferredContent {
    /// An empty array.
    public static var emptyContent: Self { [] }
}

extension ContiguousArray: DeferredContent {
    /// An empty array.
    public static var emptyContent: Self { [] }
}

extension Set: DeferredContent {
    /// An empty set.
    public static var emptyContent: Self { [] }
}

extension Dictionary: DeferredContent {
    /// An empty dictionary.
    public static var emptyContent: Self { [:] }
}

extension String: DeferredContent {
    /// An empty string.
    public static var emptyContent: Self { "" }
}

extension Data: DeferredContent {
    /// Empty data.
    public static var emptyContent: Self { Data() }
}
