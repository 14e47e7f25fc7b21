// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A value that a decoding has to set later: a collection that waits for an instance in progress, the instances of `@References`,
/// or a declared field.
class WaitingValue {
    /// Its number among the values of the decoding.
    final fileprivate(set) var number = WaitingValues.none
    /// The next value that waits for the same instance.
    final var nextWaiting = WaitingValues.none
    /// Whether it is created after all instances: a set, or a dictionary, whose elements or keys are instances.
    final let isHashed: Bool

    /// Whether an initializer has received it empty, and it is not filled.
    final var isLent = false
    /// The innermost instance in progress when an initializer received it.
    final var owner: InstanceTable.Index = 0
    /// The state of the budget when an initializer received it.
    final var mark = DecodingMeter.Mark.none
    /// Whether a complete instance has it that was not in progress: it is the value of a declared field.
    final var isKept = false

    init(isHashed: Bool = false) { self.isHashed = isHashed }

    /// Requests the instances that the value needs, so that they are not decoded within each other.
    func prepare() throws {}

    /// Decodes the value and sets it.
    ///
    /// - Returns: nil if the value is set; otherwise the instance in progress that it refers back to and has to wait
    ///   for.
    func finish() throws -> InstanceTable.Index? {
        preconditionFailure("WaitingValue is abstract")
    }

    /// Forgets the value: the value that has received it has failed.
    func withdraw() {}

    /// Whether the program may still have the place of the value.
    var isWanted: Bool { true }
    /// Whether it is needed after it is set: to be checked, or to be removed again.
    var isNeededLater: Bool { false }
    /// Gives up references that keep an unneeded place of the value alive.
    func observe() {}
    /// Removes what was set: the decoding has failed.
    func clear() {}
    /// Throws an error if an element of the value is not found by its hash.
    func check() throws {}
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

    /// The number of values that have ever waited.
    var count: Int { values.count }

    func append(_ value: WaitingValue) {
        value.number = Number(truncatingIfNeeded: values.append(value))
    }

    subscript(number: Number) -> WaitingValue? { number == Self.none ? nil : values[Int(number) - 1] }

    /// Releases a value that is set or no longer needed.
    func remove(_ value: WaitingValue) { values[Int(value.number) - 1] = nil }

    /// Calls `body` with the values that remain of those after the first `mark`.
    func forEach(after mark: Int = 0, _ body: (WaitingValue) throws -> Void) rethrows {
        var position = mark
        while position < values.count {
            if let value = values[position] { try body(value) }
            position += 1
        }
    }

    /// Releases all values.
    func removeAll() { values.removeAll() }
}
