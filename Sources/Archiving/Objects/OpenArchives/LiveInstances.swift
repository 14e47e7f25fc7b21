/// An instance and the uid of its object.
package struct LiveInstance {
    package var object: AnyObject
    package let uid: UInt32
}

/// Instances by the uids of their objects.
///
/// It retains them or observes them. It finds an instance that it does not retain as long as the program retains it.
struct LiveInstances {
    /// The instance of an object for one type.
    private struct Entry {
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
    private var entries: [UInt32: Entry] = [:]
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

    /// Returns the instances to release.
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

    mutating func insert(_ instance: AnyObject, _ uid: UInt32, as type: any Any.Type) {
        if uids != nil { note(instance, uid) }
        let entry = Entry(
            type: type, kept: keepsInstances ? instance : nil, watched: keepsInstances ? nil : WeakInstance(instance))
        guard let known = entries.updateValue(entry, forKey: uid) else { return }
        guard known.type != type else {
            if let kept = known.kept { released.append(kept) }
            return
        }
        // The first entry stays first.
        entries[uid] = known
        others[uid, default: []].removeAll { $0.type == type }
        others[uid, default: []].append(entry)
    }

    /// The instance of the object `uid` as `type`. The program may change an instance that it has found, so it is
    /// retained again.
    mutating func instance(_ uid: UInt32, as type: any Any.Type) -> AnyObject? {
        guard let first = entries[uid] else { return nil }
        if first.type == type { return instance(of: first, uid) }
        guard let place = others[uid]?.firstIndex(where: { $0.type == type }) else { return nil }
        return keepsInstances ? others[uid]?[place].keep() : others[uid]?[place].instance
    }

    /// As `instance(_:as:)`, of any type.
    mutating func instance(_ uid: UInt32) -> AnyObject? {
        guard let first = entries[uid] else { return nil }
        return instance(of: first, uid) ?? others[uid]?.lazy.compactMap(\.instance).first
    }

    /// The instances of the types for which `isIncluded` returns true.
    func instances(where isIncluded: (any Any.Type) -> Bool) -> [DecodedInstance] {
        var found: [DecodedInstance] = []
        func add(_ entry: Entry, _ uid: UInt32) {
            guard isIncluded(entry.type), let object = entry.instance else { return }
            found.append(DecodedInstance(object: object, uid: uid, type: entry.type))
        }
        for (uid, entry) in entries { add(entry, uid) }
        for (uid, entries) in others {
            for entry in entries { add(entry, uid) }
        }
        return found
    }

    private mutating func instance(of entry: Entry, _ uid: UInt32) -> AnyObject? {
        keepsInstances && entry.kept == nil ? entries[uid]?.keep() : entry.instance
    }

    /// The uid of the object of which `instance` is an instance.
    mutating func uid(of instance: AnyObject) -> UInt32? {
        noteAll()
        guard let uid = uids?[ObjectIdentifier(instance)] else { return nil }
        let isCurrent =
            entries[uid]?.instance === instance || others[uid]?.contains { $0.instance === instance } ?? false
        return isCurrent ? uid : nil
    }

    /// The uid of an instance of the class `type`.
    mutating func example(of type: AnyClass) -> UInt32? {
        noteAll()
        return examples[ObjectIdentifier(type)].flatMap { entries[$0] == nil ? nil : $0 }
    }

    /// Finds the uids of all instances, and of those that are inserted later.
    mutating func noteAll() {
        guard uids == nil else { return }
        uids = Dictionary(minimumCapacity: entries.count)
        for (uid, entry) in entries {
            for entry in [entry] + (others[uid] ?? []) {
                if let instance = entry.instance { note(instance, uid) }
            }
        }
    }

    private mutating func note(_ instance: AnyObject, _ uid: UInt32) {
        uids?[ObjectIdentifier(instance)] = uid
        examples[ObjectIdentifier(type(of: instance)), default: uid] = uid
    }

    var all: [LiveInstance] {
        var all: [LiveInstance] = []
        all.reserveCapacity(entries.count)
        for (uid, entry) in entries {
            let instance = entry.instance ?? others[uid]?.lazy.compactMap(\.instance).first
            if let instance { all.append(LiveInstance(object: instance, uid: uid)) }
        }
        return all
    }
}

// MARK: - Releasing

extension LiveInstances {
    /// Stops retaining the instances of the object `uid`.
    mutating func letGo(of uid: UInt32) {
        if let instance = entries[uid]?.letGo() { released.append(instance) }
        guard var entries = others[uid] else { return }
        for index in entries.indices {
            if let instance = entries[index].letGo() { released.append(instance) }
        }
        others[uid] = entries
    }

    /// Stops retaining all instances.
    mutating func letGoOfAll() {
        for index in entries.values.indices {
            if let instance = entries.values[index].letGo() { released.append(instance) }
        }
        for uid in others.keys { letGo(of: uid) }
    }

    /// Forgets objects.
    mutating func remove(where isGone: (UInt32) -> Bool) {
        for uid in entries.keys.filter(isGone) { remove(uid) }
    }

    private mutating func remove(_ uid: UInt32) {
        if let kept = entries.removeValue(forKey: uid)?.kept { released.append(kept) }
        released += (others.removeValue(forKey: uid) ?? []).compactMap(\.kept)
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
