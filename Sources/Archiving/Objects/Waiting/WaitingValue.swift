// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A value that cannot be decoded when it is requested. It is decoded and set later, when the instance that it refers
/// to is complete.
///
/// The layers above have a subclass for each kind of place.
class WaitingValue {
    /// Its number among the values of one decoding.
    final fileprivate(set) var number = WaitingValues.none
    /// Whether the instance that it waited for has failed.
    final var isLeftOver = false
    /// The next value that waits for the same instance.
    final var nextWaiting = WaitingValues.none
    /// The next value that the same instance owns.
    final var nextOwned = WaitingValues.none
    /// The key of the value as one of a class; nil if it is not the value of a plain property.
    var key: DecodedField? { nil }

    /// Requests the instances that the value needs, so that they are not decoded within each other.
    func prepare() throws {}

    /// Decodes the value and sets it.
    ///
    /// - Returns: nil if the value is set; otherwise the instance in progress that it refers back to and has to wait
    ///   for.
    func finish() throws -> InstanceTable.Index? {
        preconditionFailure("WaitingValue is abstract")
    }

    /// Functions that compute the current hashes of the value's elements; empty if it has none.
    final var hashes: [() -> Int] = []
    /// The hashes by which the elements are stored.
    final var knownHash = 0

    /// The current hashes of the elements.
    final func hash() -> Int { hashes.reduce(into: Hasher()) { $0.combine($1()) }.finalize() }

    /// Returns whether the hashes of its elements depend on the value itself. The value is replaced for the check and
    /// restored afterwards. The method also records the hashes by which the elements are stored.
    ///
    /// - Returns: nil if this cannot be determined.
    func isHashedByItself() throws -> Bool? { nil }

    /// The error of a value whose elements have hashes that depend on the value itself.
    func circularHash() -> any Error { preconditionFailure("WaitingValue is abstract") }

    /// Notifies the value that the instance that contains its place is complete.
    func ownerIsComplete(_ owner: AnyObject) throws {}
}

/// The waiting values of one decoding. Lists of them are linked by number: the release of a long list of objects would
/// overflow the stack.
final class WaitingValues {
    /// From 1 up.
    typealias Number = UInt32

    /// No value.
    static var none: Number { 0 }

    private let values = ValueList<WaitingValue?>()

    /// Whether no value has ever waited.
    var isEmpty: Bool { values.isEmpty }

    func append(_ value: WaitingValue) {
        value.number = Number(truncatingIfNeeded: values.append(value))
    }

    subscript(number: Number) -> WaitingValue? { number == Self.none ? nil : values[Int(number) - 1] }

    /// Releases a value that is set or no longer needed.
    func remove(_ value: WaitingValue) { values[Int(value.number) - 1] = nil }

    /// Releases all values.
    func removeAll() { values.removeAll() }
}
