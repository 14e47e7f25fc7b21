// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The references that the decoder has set after it had created the instances with the references. Every cycle of
/// decoded instances has one, or a filled collection, unless an initializer has stored an instance that had published itself.
///
/// If the decoding fails, they are cleared, and the instances release each other. So they are recorded until the
/// decoding has succeeded.
final class LateReferences {
    /// The shared states of `@Reference` and `@References` with their targets.
    private let recent = ValueList<AwaitedInstance>()
    /// Those that were recorded before the last search for unneeded instances. They are not retained: it would be no
    /// such search if they were.
    private let observed = ValueList<Observed>()
    /// Whether nothing is recorded.
    private(set) var isEmpty = true

    private struct Observed {
        weak var awaited: AwaitedInstance?
    }

    /// Records the state of references that have received their target.
    func append(_ awaited: AwaitedInstance) {
        recent.append(awaited)
        isEmpty = false
    }

    /// Releases all recorded states, and continues to record those that references share.
    func observe() {
        for awaited in recent.removeAll() { observed.append(Observed(awaited: awaited)) }
    }

    /// Clears all references.
    func clear() {
        for awaited in recent.all { awaited.replace(with: nil) }
        for reference in observed.all { reference.awaited?.replace(with: nil) }
    }

    /// Forgets all references.
    func removeAll() {
        recent.removeAll()
        observed.removeAll()
        isEmpty = true
    }
}
