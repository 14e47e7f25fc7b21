/// The kind of a `Failure`: one of the static members for `Failure`. Later versions may add members, so compare with
/// those that you know.
public struct ErrorCode<Failure: Error>: Hashable, Sendable, CustomStringConvertible {
    /// The name of the static member. It is not a `String`, so that an error that is created and discarded, as by
    /// `try?`, causes no allocation.
    private let name: StaticString

    package init(_ name: StaticString) { self.name = name }

    /// The name of the code, such as "valueNotFound".
    public var description: String { name.description }

    /// Returns whether both are the same code.
    public static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    /// Hashes the code into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
