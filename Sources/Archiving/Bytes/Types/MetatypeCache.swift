// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The facts about types, for the whole process.
///
/// The facts about a type never change, so objects are entered once and never released. Coders look up a type once per archive
/// (`MetatypeTable`).
final class MetatypeCache<Object: AnyObject & Sendable>: Sendable {
    private let objects = Mutex<[ObjectIdentifier: Object]>([:])

    /// The object of `type`; nil if none was entered.
    func object(of type: any Any.Type) -> Object? { objects.withLock { $0[ObjectIdentifier(type)] } }

    /// Returns the object of `type`, and enters `object` if there was none.
    func enter(_ object: Object, of type: any Any.Type) -> Object {
        objects.withLock { objects in
            let known = objects[ObjectIdentifier(type)] ?? object
            objects[ObjectIdentifier(type)] = known
            return known
        }
    }
}
