/// What kind of error a `Failure` is: one of the static members that the codes of `Failure` have. More may be added, so
/// compare with those that you know.
public struct ErrorCode<Failure: Error>: Hashable, Sendable, CustomStringConvertible {
    /// The name of the static member. It is no `String`: an error that is made and dropped, as `try?` does by the thousand,
    /// costs no allocation.
    private let name: StaticString

    package init(_ name: StaticString) { self.name = name }

    /// The name of the code, such as "valueNotFound".
    public var description: String { name.description }

    /// Returns whether both are the same code.
    public static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    /// Feeds the code into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
