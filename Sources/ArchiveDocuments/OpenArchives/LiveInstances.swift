// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// An instance and the uid of its object.
package struct LiveInstance {
    package var object: AnyObject
    package let uid: UInt32
}

/// Instances by the uids of their objects.
///
/// It retains them or observes them. It finds an instance that it does not retain as long as the program retains it.
///
/// A list holds the instances in the order of their insertion. Instances that were decoded in order are mostly adjacent in
/// memory, so a pass over all of them causes few cache misses.
struct LiveInstances: ~Copyable {
    /// The instance of an object for one type.
    private struct Entry {
        let uid: UInt32
        let type: any Any.Type
        /// The instance, if it is retained.
        var kept: AnyObject?
        /// The instance, if it is not retained. From its first weak reference on, all reference counting of an object
        /// is slow.
        var watched: WeakInstance?

        var instance: AnyObject? { kept ?? watched?.instance }

        /// The instance, which is retained from then on.
        mutating func keep() -> AnyObject? {
            if kept == nil { kept = watched?.instance }
            return kept
        }

        /// Stops retaining the instance.
        ///
        /// - Returns: The instance, if it was retained.
        mutating func letGo() -> AnyObject? {
            guard let instance = kept else { return nil }
            if watched == nil { watched = WeakInstance(instance) }
            kept = nil
            return instance
        }
    }

    /// A separate object, so that a growing table moves only strong references: moving a weak one is slow.
    private final class WeakInstance {
        weak var instance: AnyObject?

        init(_ instance: AnyObject) { self.instance = instance }
    }

    /// The first instance of each object. Most objects have become instances of one type only.
    private var entries: [Entry] = []
    /// The number of each object's entry, plus 1, by its uid.
    private var numbers = SparseNumbers<UInt32>(limit: 0)
    /// The instances of other types.
    private var others: [UInt32: [Entry]] = [:]
    /// Whether instances are retained: changes in them are saved even if the program releases every reference to them.
    var keepsInstances = false
    /// The number of objects that triggers the removal of those with deallocated instances.
    private var sweepCount = 1024
    /// The uids by instances; nil until one is looked up. An instance may have been deallocated, and its identity may be
    /// that of another one.
    private var uids: [ObjectIdentifier: UInt32]?
    /// The uid of one instance of each class; empty until `uids` is created.
    private var examples: [ObjectIdentifier: UInt32] = [:]
    /// The instances to release when no lock is held, since releasing them may run the program's own code.
    private var released: [AnyObject] = []

    mutating func takeReleased() -> [AnyObject] {
        guard !released.isEmpty else { return [] }
        defer { released = [] }
        return released
    }

    /// Reserves capacity for more objects.
    mutating func reserve(_ count: Int) {
        if !keepsInstances, entries.count + count >= sweepCount { sweep() }
        if entries.capacity < entries.count + count {
            entries.reserveCapacity(max(entries.count + count, 2 * entries.capacity))
            uids?.reserveCapacity(entries.capacity)
        }
    }

    /// Returns the place of the first entry of the object `uid`.
    private func place(_ uid: UInt32) -> Int? {
        guard Int(uid) < numbers.limit else { return nil }
        let number = numbers[Int(uid)]
        return number == 0 ? nil : Int(number) - 1
    }

    private mutating func append(_ entry: Entry) {
        let uid = Int(entry.uid)
        if uid >= numbers.limit {
            var wider = SparseNumbers<UInt32>(limit: max(uid + 1, 2 * numbers.limit))
            numbers.visit { wider[$0] = $1 }
            numbers = wider
        }
        entries.append(entry)
        numbers[uid] = UInt32(truncatingIfNeeded: entries.count)
    }

    mutating func insert(_ instance: AnyObject, _ uid: UInt32, as type: any Any.Type) {
        if uids != nil { note(instance, uid) }
        let entry = Entry(
            uid: uid, type: type, kept: keepsInstances ? instance : nil,
            watched: keepsInstances ? nil : WeakInstance(instance))
        guard let place = place(uid) else { return append(entry) }
        guard entries[place].type != type else {
            if let kept = entries[place].kept { released.append(kept) }
            entries[place] = entry
            return
        }
        // The first entry stays first.
        others[uid, default: []].removeAll { $0.type == type }
        others[uid, default: []].append(entry)
    }

    /// The instance of the object `uid` as `type`. The program may change an instance that it has found, so it is
    /// retained again.
    mutating func instance(_ uid: UInt32, as type: any Any.Type) -> AnyObject? {
        guard let first = place(uid) else { return nil }
        if entries[first].type == type { return instance(at: first) }
        guard let place = others[uid]?.firstIndex(where: { $0.type == type }) else { return nil }
        return keepsInstances ? others[uid]?[place].keep() : others[uid]?[place].instance
    }

    /// As `instance(_:as:)`, of any type.
    mutating func instance(_ uid: UInt32) -> AnyObject? {
        guard let first = place(uid) else { return nil }
        return instance(at: first) ?? others[uid]?.lazy.compactMap(\.instance).first
    }

    func instances(where isIncluded: (any Any.Type) -> Bool) -> [DecodedInstance] {
        var found: [DecodedInstance] = []
        func add(_ entry: Entry) {
            guard isIncluded(entry.type), let object = entry.instance else { return }
            found.append(DecodedInstance(object: object, uid: entry.uid, type: entry.type))
        }
        for entry in entries { add(entry) }
        for entries in others.values {
            for entry in entries { add(entry) }
        }
        return found
    }

    private mutating func instance(at place: Int) -> AnyObject? {
        keepsInstances ? entries[place].keep() : entries[place].instance
    }

    mutating func uid(of instance: AnyObject) -> UInt32? {
        noteAll()
        guard let uid = uids?[ObjectIdentifier(instance)] else { return nil }
        let isCurrent =
            place(uid).map { entries[$0].instance === instance } ?? false
            || others[uid]?.contains { $0.instance === instance } ?? false
        return isCurrent ? uid : nil
    }

    mutating func example(of type: AnyClass) -> UInt32? {
        noteAll()
        return examples[ObjectIdentifier(type)].flatMap { place($0) == nil ? nil : $0 }
    }

    /// Finds the uids of all instances, and of those that are inserted later.
    mutating func noteAll() {
        guard uids == nil else { return }
        uids = Dictionary(minimumCapacity: entries.count)
        for first in entries {
            for entry in [first] + (others[first.uid] ?? []) {
                if let instance = entry.instance { note(instance, entry.uid) }
            }
        }
    }

    private mutating func note(_ instance: AnyObject, _ uid: UInt32) {
        uids?[ObjectIdentifier(instance)] = uid
        examples[ObjectIdentifier(type(of: instance)), default: uid] = uid
    }

    /// One instance of each object, in the order of the first insertion of the objects.
    var all: [LiveInstance] {
        var all: [LiveInstance] = []
        all.reserveCapacity(entries.count)
        for entry in entries {
            let instance = entry.instance ?? others[entry.uid]?.lazy.compactMap(\.instance).first
            if let instance { all.append(LiveInstance(object: instance, uid: entry.uid)) }
        }
        return all
    }
}

// MARK: - Releasing

extension LiveInstances {
    /// Stops retaining the instances of the object `uid`.
    mutating func letGo(of uid: UInt32) {
        if let place = place(uid), let instance = entries[place].letGo() { released.append(instance) }
        guard var entries = others[uid] else { return }
        for index in entries.indices {
            if let instance = entries[index].letGo() { released.append(instance) }
        }
        others[uid] = entries
    }

    /// Stops retaining all instances.
    mutating func letGoOfAll() {
        for place in entries.indices {
            if let instance = entries[place].letGo() { released.append(instance) }
        }
        for uid in others.keys { letGo(of: uid) }
    }

    /// Forgets objects.
    mutating func remove(where isGone: (UInt32) -> Bool) {
        let gone = entries.filter { isGone($0.uid) }
        guard !gone.isEmpty else { return }
        for entry in gone {
            if let kept = entry.kept { released.append(kept) }
            released += (others.removeValue(forKey: entry.uid) ?? []).compactMap(\.kept)
            numbers[Int(entry.uid)] = 0
        }
        // The numbers of the others change.
        entries.removeAll { isGone($0.uid) }
        for (place, entry) in entries.enumerated() { numbers[Int(entry.uid)] = UInt32(truncatingIfNeeded: place + 1) }
    }

    /// Forgets the objects whose instances were deallocated.
    private mutating func sweep() {
        let instances = all
        released += instances.map(\.object)
        if instances.count < entries.count {
            let live = Set(instances.map(\.uid))
            remove { !live.contains($0) }
        }
        sweepCount = max(1024, 2 * entries.count)
    }
}
