// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The contents of objects in a document's file that a save keeps although the program does not write them: the keys that it does
/// not know, and the classes that it has read as their superclasses.
struct KeptContents: Sendable {
    let unknown: UnknownKeys
    let classes: ClassRegistry
    let types: [UInt32: any Any.Type]

    init?(of open: OpenArchive?, _ types: [UInt32: any Any.Type]) {
        guard let open, open.keepsUnknownKeys else { return nil }
        (unknown, classes, self.types) = (open.unknownKeys, open.classes, types)
    }

    /// Returns whether objects of the class entry `old` in `archive` were decoded as the type of the class entry `uid` of the new
    /// archive because the program does not know their class.
    func isSuperclass(_ uid: UInt32, of old: UInt32, in archive: ArchiveContents) -> Bool {
        guard let type = types[uid], let name = try? archive.className(old), !classes.isName(name, of: type),
            classes.type(named: name) == nil
        else { return false }
        let superclasses = (try? archive.classChain(old))?.dropFirst() ?? []
        let fallbacks = (try? archive.classFallbacks(old)) ?? []
        return (superclasses + fallbacks).contains { classes.isName($0, of: type) }
            || type is AnyClass && classes.unknownClasses == .decodeAsRequested
    }
}

/// The entries of an object in the old archive that a new version of the object keeps.
struct KeptEntries {
    /// The references of the unknown keys, and of their values.
    var unknown: [(key: Int, value: Int)] = []
    /// The reference of the class; nil if the class is the new one.
    var objectClass: Int?

    var isEmpty: Bool { unknown.isEmpty && objectClass == nil }
}

// MARK: - Comparing

extension ArchiveComparison {
    /// Returns whether the value `right` of the old archive has all entries of `left`, and besides only those that the program does not
    /// know. `names` are these keys, or nil if they are all others.
    mutating func isEqual(_ left: Node, _ right: Node, besides names: Set<Text>?, depth: Int) -> Bool {
        var isKnown = [Bool](repeating: false, count: right.count)
        var result = true
        for (position, place) in allPlaces(of: left, in: right).enumerated() {
            guard let place else {
                result = false
                continue
            }
            isKnown[place] = true
            // Compares all of them, so that equal values are found and kept.
            if !isEqual(entry: position, left, place, right, depth: depth) { result = false }
        }
        guard result, let names else { return result }
        return isKnown.indices.allSatisfy { isKnown[$0] || isUnknown($0, of: right, names) }
    }

    /// Returns the position in the old dictionary `right` of each key of the new dictionary `left`.
    mutating func allPlaces(of left: Node, in right: Node) -> [Int?] {
        var places: [Int?] = []
        places.reserveCapacity(left.count)
        var known: [Text: Int]?
        var next = 0
        for position in 0..<left.count {
            let reference = new.list.reference(position, in: left.payload)
            var place: Int?
            // Usually both have the same order, and the unknown keys are between those of the program.
            while known == nil, next < right.count, place == nil {
                if isKey(reference, at: next, of: right) { place = next }
                next += 1
            }
            if place == nil {
                let all = known ?? self.places(of: right)
                known = all
                place = (try? new.node(reference)).flatMap { text($0, in: new) }.flatMap { all[$0] }
            }
            places.append(place)
        }
        return places
    }

    private mutating func isUnknown(_ position: Int, of dictionary: Node, _ names: Set<Text>) -> Bool {
        guard let key = try? old.node(old.list.reference(position, in: dictionary.payload)),
            let name = text(key, in: old)
        else { return false }
        return names.contains(name)
    }

    /// Returns whether the values of two keys, which are equal, are equal.
    mutating func isEqual(entry position: Int, _ left: Node, _ place: Int, _ right: Node, depth: Int) -> Bool {
        isEqual(element: left.count + position, left, right.count + place, right, depth: depth)
            || keepsClass(position, left, place, right)
    }

    /// Returns whether the key is that of the class, and objects with the old class stay of this class.
    private mutating func keepsClass(_ position: Int, _ left: Node, _ place: Int, _ right: Node) -> Bool {
        guard let kept, let key = try? new.node(new.list.reference(position, in: left.payload)),
            new.list.objects.isString(key, "$class"), let uid = try? new.classUID(of: left),
            let oldUID = try? old.classUID(of: right)
        else { return false }
        return keepsClass(kept, uid, oldUID)
    }

    private mutating func keepsClass(_ kept: KeptContents, _ uid: UInt32, _ oldUID: UInt32) -> Bool {
        let pair = Pair(new: uid, old: oldUID)
        if let known = keptClasses[pair] { return known }
        let keepsClass = kept.isSuperclass(uid, of: oldUID, in: old)
        keptClasses[pair] = keepsClass
        return keepsClass
    }

    /// Returns whether values of the old object `right` may be those of the new object `left`: it is of the same class, or of one that
    /// the program reads as this class.
    mutating func isSameClass(_ left: Node, _ right: Node, _ oldUID: UInt32) -> Bool {
        guard let kept else { return false }
        guard let uid = try? new.classUID(of: left), let oldClass = try? old.classUID(of: right) else {
            return (try? new.classUID(of: left)) == .some(nil) && (try? old.classUID(of: right)) == .some(nil)
        }
        if counterpart(uid) == oldClass { return true }
        if let type = kept.types[uid], kept.unknown[oldUID]?.type == type { return true }
        if list("NS.objects", of: left, in: new) != nil, list("NS.objects", of: right, in: old) != nil { return true }
        if let name = try? new.className(uid), (try? old.className(oldClass)) == name { return true }
        return keepsClass(kept, uid, oldClass)
    }
}

// MARK: - Keeping

extension ArchiveComparison {
    mutating func keptEntries(of oldUID: UInt32, in left: Node) -> KeptEntries {
        var entries = KeptEntries()
        guard let kept, left.kind == .dictionary, let right = (try? old.object(oldUID))?.node, right.kind == .dictionary
        else { return entries }
        if let names = kept.unknown[oldUID]?.names {
            entries.unknown = otherEntries(of: right, besides: left, names)
        }
        if let uid = try? new.classUID(of: left), let oldClass = try? old.classUID(of: right),
            counterpart(uid) != oldClass, keepsClass(kept, uid, oldClass),
            let place = (try? old.index(of: "$class", in: right)) ?? nil
        {
            entries.objectClass = old.list.reference(right.count + place, in: right.payload)
        }
        return entries
    }

    /// Returns what the new `$top` keeps of the old one: all keys but those that a document writes.
    mutating func keptTopEntries() -> KeptEntries {
        if kept != nil { return KeptEntries(unknown: otherEntries(of: old.top, besides: new.top, nil)) }
        return KeptEntries(unknown: old.checksumObjects.map { [$0] } ?? [])
    }

    /// Returns the entries of the old dictionary `right` that the new one `left` lacks, and whose keys are in `names`, if that is not
    /// nil.
    private mutating func otherEntries(of right: Node, besides left: Node, _ names: Set<Text>?) -> [(
        key: Int, value: Int
    )] {
        swap(&meter, &keptMeter)
        defer { swap(&meter, &keptMeter) }
        var isKnown = [Bool](repeating: false, count: right.count)
        for place in allPlaces(of: left, in: right) {
            if let place { isKnown[place] = true }
        }
        // Of several entries with one key, readers take the first one.
        let first = places(of: right)
        var entries: [(key: Int, value: Int)] = []
        for place in 0..<right.count where !isKnown[place] {
            let key = old.list.reference(place, in: right.payload)
            guard let node = try? old.node(key), let name = text(node, in: old), names?.contains(name) ?? true,
                first[name] == place
            else { continue }
            entries.append((key, old.list.reference(right.count + place, in: right.payload)))
        }
        return entries
    }
}
