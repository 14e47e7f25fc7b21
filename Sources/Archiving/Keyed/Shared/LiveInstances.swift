/// An instance, and the uid of the object that it was made from.
struct LiveInstance {
    var object: AnyObject
    let uid: UInt32
}

/// Instances by the objects that they were made from.
///
/// It keeps them or not. An instance that is not kept is found as long as the program has it.
struct LiveInstances {
    /// The instance of an object for one type.
    private struct Entry {
        /// The address of the metatype.
        let type: UInt
        /// The instance, if it is kept.
        var kept: AnyObject?
        /// The instance, if it is not kept. A weak reference makes all counting of references to it slow, from then on.
        var watched: WeakInstance?

        var instance: AnyObject? { kept ?? watched?.instance }

        /// The instance, which is kept from then on.
        mutating func keep() -> AnyObject? {
            if kept == nil { kept = watched?.instance }
            return kept
        }

        /// Keeps the instance no longer.
        ///
        /// - Returns: The instance, if it was kept.
        mutating func letGo() -> AnyObject? {
            guard let instance = kept else { return nil }
            if watched == nil { watched = WeakInstance(instance) }
            kept = nil
            return instance
        }
    }

    /// An object of its own, so that a growing table moves nothing but references: to move a weak one takes long.
    private final class WeakInstance {
        weak var instance: AnyObject?

        init(_ instance: AnyObject) { self.instance = instance }
    }

    /// Most objects have become instances of one type.
    private var entries: [UInt32: Entry] = [:]
    /// The instances of other types.
    private var others: [UInt32: [Entry]] = [:]
    /// Whether instances are kept: what was changed in them is saved, whatever becomes of what refers to them.
    var keepsInstances = false
    /// The number of objects from which on those are removed whose instances are gone.
    private var sweepCount = 1024
    /// What is to be released when nothing is locked: the program's own code may run then.
    private var released: [AnyObject] = []

    /// Gives away what is to be released.
    mutating func takeReleased() -> [AnyObject] {
        guard !released.isEmpty else { return [] }
        defer { released = [] }
        return released
    }

    /// Makes room for more objects.
    mutating func reserve(_ count: Int) {
        if !keepsInstances, entries.count + count >= sweepCount { sweep() }
        if entries.capacity < entries.count + count {
            entries.reserveCapacity(max(entries.count + count, 2 * entries.capacity))
        }
    }

    mutating func insert(_ instance: AnyObject, _ uid: UInt32, as type: UnsafeRawPointer) {
        let type = UInt(bitPattern: type)
        let entry = Entry(
            type: type, kept: keepsInstances ? instance : nil, watched: keepsInstances ? nil : WeakInstance(instance))
        guard let known = entries.updateValue(entry, forKey: uid) else { return }
        guard known.type != type else {
            if let kept = known.kept { released.append(kept) }
            return
        }
        // The first one stays the first.
        entries[uid] = known
        others[uid, default: []].removeAll { $0.type == type }
        others[uid, default: []].append(entry)
    }

    /// The instance that the object `uid` has become as `type`. What the program has found it may change: it is kept again.
    mutating func instance(_ uid: UInt32, as type: UnsafeRawPointer) -> AnyObject? {
        let type = UInt(bitPattern: type)
        guard let first = entries[uid] else { return nil }
        if first.type == type { return instance(of: first, uid) }
        guard let place = others[uid]?.firstIndex(where: { $0.type == type }) else { return nil }
        return keepsInstances ? others[uid]?[place].keep() : others[uid]?[place].instance
    }

    /// As `instance(_:as:)`, whatever the type.
    mutating func instance(_ uid: UInt32) -> AnyObject? {
        guard let first = entries[uid] else { return nil }
        return instance(of: first, uid) ?? others[uid]?.lazy.compactMap(\.instance).first
    }

    private mutating func instance(of entry: Entry, _ uid: UInt32) -> AnyObject? {
        keepsInstances && entry.kept == nil ? entries[uid]?.keep() : entry.instance
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

// MARK: - Letting go

extension LiveInstances {
    /// Keeps the instances of the object `uid` no longer.
    mutating func letGo(of uid: UInt32) {
        if let instance = entries[uid]?.letGo() { released.append(instance) }
        guard var entries = others[uid] else { return }
        for index in entries.indices {
            if let instance = entries[index].letGo() { released.append(instance) }
        }
        others[uid] = entries
    }

    /// Keeps no instance any longer.
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

    /// Forgets the objects whose instances are gone.
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
