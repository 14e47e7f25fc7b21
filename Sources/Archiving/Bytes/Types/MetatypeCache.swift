// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The facts about types, for the whole process: read and written without a lock.
///
/// The facts about a type never change, so objects are entered once and never released. A lookup is a hash and,
/// usually, one comparison: it happens for every type in every call.
final class MetatypeCache<Object: AnyObject & Sendable>: Sendable {
    private typealias Entry = MetatypeCacheEntry

    /// The roots of the trees: empty entries, whose left branch has the first entry.
    private let roots: [Entry]

    private static var rootCount: UInt { 64 }

    init() {
        roots = (0..<Self.rootCount).map { _ in Entry(0, nil) }
    }

    @inline(__always)
    private static func hash(_ key: UInt) -> UInt { key >> 4 ^ key >> 13 }

    /// The object of `type`; nil if none was entered.
    @inline(__always)
    func object(of type: any Any.Type) -> Object? { object(for: UInt(bitPattern: ObjectIdentifier(type))) }

    private func object(for key: UInt) -> Object? {
        var hash = Self.hash(key)
        var next = roots[Int(hash % Self.rootCount)].left.load()
        hash /= Self.rootCount
        while let entry = next {
            if entry.key == key { return entry.object as? Object }
            next = hash & 1 == 0 ? entry.left.load() : entry.right.load()
            hash >>= 1
        }
        return nil
    }

    /// Returns the object of `type`, and enters `object` if there was none.
    func enter(_ object: Object, of type: any Any.Type) -> Object {
        let made = Entry(UInt(bitPattern: ObjectIdentifier(type)), object)
        var hash = Self.hash(made.key)
        var entry = roots[Int(hash % Self.rootCount)].left.storeIfNil(made)
        hash /= Self.rootCount
        while entry.key != made.key {
            entry = hash & 1 == 0 ? entry.left.storeIfNil(made) : entry.right.storeIfNil(made)
            hash >>= 1
        }
        return entry.object as? Object ?? object
    }
}

/// An entry of a tree whose branches are chosen by the bits of a hash.
///
/// It is not generic: a generic class would be looked up at each step.
private final class MetatypeCacheEntry: Sendable {
    let key: UInt
    let object: (any AnyObject & Sendable)?
    let left = AtomicLazyReference<MetatypeCacheEntry>()
    let right = AtomicLazyReference<MetatypeCacheEntry>()

    init(_ key: UInt, _ object: (any AnyObject & Sendable)?) { (self.key, self.object) = (key, object) }
}
