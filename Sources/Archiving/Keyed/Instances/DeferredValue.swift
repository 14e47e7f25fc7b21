/// A value that cannot be decoded where it is asked for, and is decoded and put into its place later: when the instance
/// that it refers to is complete.
///
/// The layers above make subclasses: one for each kind of place.
class DeferredValue {
    /// Its number among the values of one decoding.
    final fileprivate(set) var number = DeferredValues.none
    /// Whether the instance that it waited for has failed.
    final var isLeftOver = false
    /// Whether it is finished later although everything is there that it needs.
    final var isPostponed = false
    /// The next value that waits for the same instance.
    final var nextWaiting = DeferredValues.none
    /// The next value that the same instance owns.
    final var nextOwned = DeferredValues.none

    /// Asks for the instances that the value needs, so that they are not made inside each other.
    func prepare() throws {}

    /// Decodes the value and puts it into its place.
    ///
    /// - Returns: nil when that is done; an instance that is still being decoded where the value leads back to it and has
    ///   to wait for it.
    func finish() throws -> InstanceTable.Index? {
        preconditionFailure("DeferredValue is abstract")
    }

    /// What computes the hashes of the elements anew that the value has; empty where it has none.
    final var hashes: [() -> Int] = []
    /// The hashes by which the elements are where they are.
    final var knownHash = 0

    /// The hashes of the elements, as they are now.
    final func hash() -> Int { hashes.reduce(into: Hasher()) { $0.combine($1()) }.finalize() }

    /// Whether the hashes of its elements go by the value itself. It is in its place, and is again afterwards; meanwhile
    /// something else is there. Also notes by which hashes the elements are where they are.
    ///
    /// - Returns: nil where that cannot be found out.
    func isHashedByItself() throws -> Bool? { nil }

    /// The error of a value whose elements are hashed by the value itself.
    func circularHash() -> any Error { preconditionFailure("DeferredValue is abstract") }

    /// Tells the value that the instance which its place is in is complete.
    func ownerIsComplete(_ owner: UnsafeRawPointer) throws {}
}

/// The values of one decoding that are deferred. Lists of them are linked by number: a long list of objects would
/// overflow the stack when it goes.
struct DeferredValues: ~Copyable {
    /// From 1 up.
    typealias Number = UInt32

    /// No value.
    static var none: Number { 0 }

    private var values: [DeferredValue?] = []

    /// Whether no value was ever deferred.
    var isEmpty: Bool { values.isEmpty }

    mutating func append(_ value: DeferredValue) {
        values.append(value)
        value.number = Number(truncatingIfNeeded: values.count)
    }

    subscript(number: Number) -> DeferredValue? { number == Self.none ? nil : values[Int(number) - 1] }

    /// Lets go of a value that has its place, or that nobody wants any more.
    mutating func remove(_ value: DeferredValue) {
        values[Int(value.number) - 1] = nil
    }
}
