// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The facts about types, for the whole process.
///
/// The facts about a type never change, so objects are entered once and never released. Coders look up a type once per archive.
final class MetatypeCache<Object: AnyObject & Sendable>: Sendable {
    // Not a dictionary: the first of a type of keys looks up its conformances, which takes longer than all work for a small value.
    private let objects = Mutex(MetatypeTable<Object>())

    /// Returns the object of `type`, which `make` creates if there is none.
    func object(of type: any Any.Type, make: () -> Object) -> Object {
        objects.withLock { $0.record(of: type) } ?? enter(make(), of: type)
    }

    /// Enters `object` for `type`, unless another thread has entered one meanwhile, and returns the entered one.
    private func enter(_ object: Object, of type: any Any.Type) -> Object {
        objects.withLock { objects in
            if let known = objects.record(of: type) { return known }
            objects.enter(object, for: type)
            return object
        }
    }
}
