// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The shared state of all references to an instance that is not decoded yet.
///
/// It is fulfilled once, on the decoding thread, and may be read on any thread.
final class AwaitedInstance: Sendable {
    /// Sendable: it is only passed on. Its users are responsible for what the instance is.
    private struct Target: @unchecked Sendable {
        var object: AnyObject?
    }

    private let target = Mutex(Target())

    var object: AnyObject? { target.withLock { $0 }.object }

    /// Sets the target of all references to `object`, or clears it. Only the decoding may have the references at this time.
    func fulfil(_ object: AnyObject?) {
        let new = Target(object: object)
        // The old target is released outside the lock, since its own code may run.
        _ = target.withLock { target in
            let old = target
            target = new
            return old
        }
    }
}

/// The shared state of all weak references to an instance that is not decoded yet.
final class AwaitedWeakInstance: Sendable {
    /// The position of the instance in an archive that stays open.
    final class Origin: Sendable {
        let archive: any ReadingObserver
        let uid: UInt32
        private let type: any Any.Type

        init(_ archive: any ReadingObserver, _ uid: UInt32, as type: any Any.Type) {
            self.archive = archive
            self.uid = uid
            self.type = type
        }

        fileprivate var object: AnyObject? { archive.instance(uid, as: type) }
    }

    private struct Target: @unchecked Sendable {
        weak var object: AnyObject?
        var origin: Origin?
    }

    private let target = Mutex(Target())

    var origin: Origin? { target.withLock { $0.origin } }
    func setOrigin(_ new: Origin) { target.withLock { if $0.origin == nil { $0.origin = new } } }

    /// The instance; nil until it is complete, and after it was deallocated.
    var object: AnyObject? {
        let target = target.withLock { $0 }
        return target.object ?? target.origin?.object
    }

    /// Sets the target of all references to `object`, which they do not retain.
    func fulfil(_ object: AnyObject) {
        let new = Target(object: object)
        target.withLock { $0.object = new.object }
    }
}

/// The references that the decoder has set after it had created the instances with the references: the shared states of
/// `@Reference` and `@References`. Every cycle of decoded instances has one, a filled collection, or a declared field, unless an
/// initializer has stored an instance that had published itself.
///
/// If the decoding fails, they are cleared, and the instances release each other.
final class FulfilledReferences {
    private struct Observed {
        weak var state: AwaitedInstance?
    }

    private let states = ValueList<AwaitedInstance>()
    /// Those that were recorded before the last search for unneeded instances, which is about what the program retains.
    private let observed = ValueList<Observed>()

    var isEmpty: Bool { states.isEmpty && observed.isEmpty }
    func append(_ awaited: AwaitedInstance) { states.append(awaited) }

    /// Releases all recorded states, and continues to record those that references share.
    func observe() { for awaited in states.removeAll() { observed.append(Observed(state: awaited)) } }

    func removeAll(isFailure: Bool) {
        let all = (states.removeAll(), observed.removeAll())
        guard isFailure else { return }
        for awaited in all.0 { awaited.fulfil(nil) }
        for observed in all.1 { observed.state?.fulfil(nil) }
    }
}
