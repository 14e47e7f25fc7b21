// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The facts about types, for the whole process.
///
/// The facts about a type never change, so objects are entered once and never released. Coders look up a type once per archive.
final class MetatypeCache<Object: AnyObject & Sendable>: Sendable {
    // Not a dictionary: the first of a type of keys looks up its conformances, which takes longer than all work for a small value.
    private let objects = Mutex(MetatypeTable<Object>())

    /// The object of `type`; nil if none was entered.
    func object(of type: any Any.Type) -> Object? { objects.withLock { $0.record(of: type) } }

    /// Returns the object of `type`, and enters `object` if there was none.
    func enter(_ object: Object, of type: any Any.Type) -> Object {
        objects.withLock { objects in
            if let known = objects.record(of: type) { return known }
            objects.enter(object, for: type)
            return object
        }
    }
}
