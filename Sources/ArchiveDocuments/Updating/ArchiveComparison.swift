// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Compares values of a new archive with those of an old one.
///
/// Values are equal if all their contents are equal, up to instances. Instances are equal if they are counterparts, whatever
/// their contents. A damaged object of the old archive is equal to no other.
struct ArchiveComparison {
    let old: ArchiveContents
    let new: ArchiveContents
    private(set) var counterparts: Counterparts
    private let isSame: ((UInt32, UInt32) -> Bool)?
    /// Instances whose counterparts were found during the comparison, and whose contents are still to be compared.
    private var remaining: [UInt32] = []
    private let equal: EqualObjects
    private var results: [Pair: Bool] = [:]
    private var isComparingTemporary = false
    /// Temporary instances that are nested so deeply that the ones around them are compared after them.
    private var postponed: [Pair] = []
    /// The pairs of which nothing is known as long as those in `postponed` are not compared.
    private var undecided: Set<Pair> = []
    var orders: [UInt32: Order] = [:]
    var oldOrders: [UInt32: Order] = [:]
    var digests: [Int: Int] = [:]
    var oldDigests: [Int: Int] = [:]
    private(set) lazy var oldInstances = counterparts.instances
    /// The remaining steps. Values outside instances count as changed after them: in a damaged archive, containers that
    /// contain others many times unfold to more than its size.
    var meter: DecodingMeter
    /// The steps for finding kept entries, which no comparison can use up.
    var keptMeter: DecodingMeter
    /// Equal keys of both archives: the last pair for each value of the last bits of the new reference.
    private var equalKeys = [(new: Int, old: Int)](repeating: (-1, -1), count: 64)
    /// The contents of old objects that new versions of them keep; nil if there are none.
    let kept: KeptContents?
    var keptClasses: [Pair: Bool] = [:]
    /// The objects of the old archive whose unknown keys changed values keep, by the uids of the values.
    var origins: [UInt32: UInt32] = [:]

    struct Pair: Hashable {
        let new: UInt32
        let old: UInt32
    }

    /// The maximum nesting depth of values, without instances between them, that are compared. Deeper values count as changed.
    private static let depthLimit = 128
    /// The depth from which on temporary instances are postponed.
    private static let temporaryDepthLimit = 64
    /// The bytes of a string or of data that count as one step.
    private static let bytesPerStep = 16

    /// - Parameter isSame: Returns whether an instance of the new archive, which has no counterpart yet, was decoded from an
    ///   object of the old one, which then becomes its counterpart.
    init(
        of new: ArchiveContents, to old: ArchiveContents, _ counterparts: Counterparts,
        keeping kept: KeptContents?,
        isSame: ((UInt32, UInt32) -> Bool)? = nil
    ) {
        self.kept = kept
        self.isSame = isSame
        self.new = new.noted()
        self.old = old.noted()
        self.counterparts = counterparts
        equal = EqualObjects(of: new, and: old)
        for uid in 0..<UInt32(truncatingIfNeeded: counterparts.count) {
            switch counterparts.kind(uid) {
            case .instance, .reference: equal[uid] = counterparts[uid]
            case .added, .temporary: equal.exclude(uid)
            case .value: break
            }
        }
        meter = DecodingLimits().meter(forByteCount: new.byteCount + old.byteCount)
        keptMeter = DecodingLimits().meter(forByteCount: new.byteCount + old.byteCount)
    }

    /// Returns the uid in the old archive of the counterpart of the object `uid`; 0 if none is known.
    func counterpart(_ uid: UInt32) -> UInt32 {
        counterparts.kind(uid) == .value ? equal[uid] : counterparts[uid]
    }

    mutating func isUnchanged(_ uid: UInt32) -> Bool {
        let counterpart = counterparts[uid]
        guard Int(counterpart) < old.slotCount else { return false }
        if equal.isKnownEqual(uid, counterpart) { return true }
        let (object, oldObject) = (new.object(inSlot: Int(uid)), old.object(inSlot: Int(counterpart)))
        guard kept?.unknown[counterpart] != nil, let node = try? new.node(object),
            let oldNode = try? old.node(oldObject)
        else { return isEqual(object, oldObject, depth: 0) }
        return isEqual(object: node, oldNode, counterpart, depth: 0)
    }

    /// Finds the class of the instance `uid` of the new archive if the object `example` of the old one has an equal one.
    mutating func findClass(ofInstance uid: UInt32, _ example: UInt32) {
        guard let instance = try? new.object(uid), let object = try? old.object(example),
            let classUID = (try? new.classUID(of: instance.node)) ?? nil,
            let oldClassUID = (try? old.classUID(of: object.node)) ?? nil
        else { return }
        _ = isEqual(uid: classUID, oldClassUID, depth: 0)
    }

    var isTopEqual: Bool {
        mutating get {
            // Of the entries of an archive, a document writes all but that of its checksum.
            let hasOther = kept != nil || old.checksumObjects != nil && old.top.count == new.top.count + 1
            return !hasOther
                ? isEqual(new.top, old.top, depth: 0) : isEqual(new.top, old.top, besides: nil, depth: 0)
        }
    }

    /// Returns whether the root object of the new archive equals the object `uid` of the old one, and every instance whose
    /// counterpart was found is unchanged.
    mutating func isUnchanged(since uid: UInt32) -> Bool {
        guard let root = (try? new.index(of: "root", in: new.top)) ?? nil,
            let node = try? new.node(
                new.list.reference(new.top.count + root, in: new.top.payload)),
            node.kind == .uid,
            let rootUID = try? new.uid(node), isEqual(uid: rootUID, uid, depth: 0)
        else { return false }
        while let next = remaining.popLast() {
            guard isUnchanged(next) else { return false }
        }
        return true
    }
}

// MARK: - Objects of the property list

extension ArchiveComparison {
    private mutating func isEqual(_ left: Int, _ right: Int, depth: Int) -> Bool {
        guard depth < Self.depthLimit, meter.take(1), let leftNode = try? new.node(left),
            let rightNode = try? old.node(right)
        else { return false }
        return isEqual(leftNode, rightNode, depth: depth)
    }

    private mutating func isEqual(_ left: Node, _ right: Node, depth: Int) -> Bool {
        switch (left.kind, right.kind) {
        case (.uid, .uid):
            guard let uid = try? new.uid(left), let oldUID = try? old.uid(right) else { return false }
            return isEqual(uid: uid, oldUID, depth: depth)
        case (.array, .array), (.set, .set):
            var result = left.count == right.count
            // Compares all of them, so that equal values are found and kept.
            for place in 0..<min(left.count, right.count)
            where !isEqual(listElement: place, left, place, right, depth: depth) { result = false }
            return result
        case (.dictionary, .dictionary): return isEqual(dictionary: left, right, depth: depth)
        case (.integer, .integer):
            return new.list.objects.integer(left) == old.list.objects.integer(right)
        case (.ascii, .utf16), (.utf16, .ascii): return text(left, in: new) == text(right, in: old)
        default: return left.kind == right.kind && hasEqualBytes(left, right)
        }
    }

    private mutating func hasEqualBytes(_ left: Node, _ right: Node) -> Bool {
        guard left.count == right.count else { return false }
        if left.kind == .null || left.kind == .true || left.kind == .false { return true }
        return takeBytes(new.byteCount(left)) && new.hasBytes(left, equalTo: right, of: old)
    }

    /// Counts the comparison or the conversion of `count` bytes.
    ///
    /// - Returns: Whether the remaining steps allow it.
    mutating func takeBytes(_ count: Int) -> Bool { meter.take(count / Self.bytesPerStep) }

    mutating func isEqual(element: Int, _ left: Node, _ oldElement: Int, _ right: Node, depth: Int) -> Bool {
        isEqual(
            new.list.reference(element, in: left.payload),
            old.list.reference(oldElement, in: right.payload),
            depth: depth + 1)
    }

    /// Returns whether elements of two collections are equal. Nil in the file and the NSNull that is
    /// written for it are equal.
    mutating func isEqual(listElement element: Int, _ left: Node, _ oldElement: Int, _ right: Node, depth: Int) -> Bool
    {
        isEqual(element: element, left, oldElement, right, depth: depth)
            || isNil(new.list.reference(element, in: left.payload), in: new)
                && isNil(old.list.reference(oldElement, in: right.payload), in: old)
    }

    /// Returns whether the element `reference` of a collection is nil or the NSNull.
    func isNil(_ reference: Int, in contents: ArchiveContents) -> Bool {
        guard let node = try? contents.node(reference), node.kind == .uid, let uid = try? contents.uid(node),
            let value = try? contents.object(uid)
        else { return false }
        return contents.isNil(value)
    }

    private mutating func isEqual(uid: UInt32, _ oldUID: UInt32, depth: Int) -> Bool {
        switch counterparts.kind(uid) {
        case .instance: return counterparts[uid] == oldUID
        case .reference: return counterparts[uid] == oldUID || isSameValue(counterparts[uid], oldUID)
        case .added, .temporary:
            if isSame?(uid, oldUID) ?? false {
                counterparts.set(uid, .instance, oldUID)
                remaining.append(uid)
                return true
            }
            return counterparts.kind(uid) == .temporary && isEqual(temporary: Pair(new: uid, old: oldUID), depth: depth)
        case .value: break
        }
        let match = equal[uid]
        if match != 0, match == oldUID { return true }
        guard let value = try? new.object(uid), let oldValue = try? old.object(oldUID) else { return false }
        if value.isNull || oldValue.isNull {
            // A conditional reference is nil in an archive that does not contain the instance.
            return value.isNull && (oldValue.isNull || isSame?(uid, oldUID) ?? false)
        }
        let pair = Pair(new: uid, old: oldUID)
        // A value that contains itself without an instance between exceeds the depth limit, and is different from then on.
        if let known = result(for: pair) { return known }
        let result = isEqual(object: value.node, oldValue.node, oldUID, depth: depth + 1)
        if result, match == 0 { equal[uid] = oldUID } else { keep(result, for: pair) }
        return result
    }
}

// MARK: - Temporary instances

extension ArchiveComparison {
    /// Returns whether the new one of `pair`, a temporary instance, has the contents of the old one, which then becomes its counterpart.
    /// One that contains itself has not.
    private mutating func isEqual(temporary pair: Pair, depth: Int) -> Bool {
        if isComparingTemporary {
            if let known = result(for: pair) { return known }
            guard depth < Self.temporaryDepthLimit else {
                postponed.append(pair)
                undecided.insert(pair)
                return false
            }
            let result = hasEqualContents(temporary: pair, depth: depth)
            if !result { keep(result, for: pair) }
            return result
        }
        isComparingTemporary = true
        defer { isComparingTemporary = false }
        // Each is compared after the postponed ones inside it, which are equal or different then.
        var pairs = [pair]
        while true {
            let current = pairs[pairs.count - 1]
            if pairs.count > 1, results[current] != nil || counterparts.kind(current.new) == .instance {
                pairs.removeLast()
                continue
            }
            counterparts.set(current.new, .temporary)
            let result = hasEqualContents(temporary: current, depth: pairs.count == 1 ? depth : 0)
            guard postponed.isEmpty else {
                counterparts.set(current.new, .added)
                pairs += postponed
                postponed.removeAll()
                undecided.removeAll()
                continue
            }
            if pairs.count == 1 { return result }
            if !result { results[current] = false }
            pairs.removeLast()
        }
    }

    private func result(for pair: Pair) -> Bool? {
        if !results.isEmpty, let known = results[pair] { return known }
        return !undecided.isEmpty && undecided.contains(pair) ? false : nil
    }

    private mutating func keep(_ result: Bool, for pair: Pair) {
        if postponed.isEmpty { results[pair] = result } else if !result { undecided.insert(pair) }
    }

    private mutating func hasEqualContents(temporary pair: Pair, depth: Int) -> Bool {
        guard isFree(pair.old, depth: depth), let value = try? new.object(pair.new),
            let oldValue = try? old.object(pair.old)
        else { return false }
        // A reference to it from its contents is that of an added instance.
        counterparts.set(pair.new, .added)
        guard !oldValue.isNull, isEqual(object: value.node, oldValue.node, pair.old, depth: depth + 1),
            postponed.isEmpty
        else {
            counterparts.set(pair.new, .temporary)
            return false
        }
        counterparts.set(pair.new, .instance, pair.old)
        counterparts.unused[pair.old] = nil
        oldInstances.insert(pair.old)
        equal[pair.new] = pair.old
        return true
    }

    /// Returns whether no instance of the program is the object `oldUID`: it has none, or one that only the document has, unchanged.
    private mutating func isFree(_ oldUID: UInt32, depth: Int) -> Bool {
        guard oldInstances.contains(oldUID) else { return true }
        guard let unused = counterparts.unused[oldUID], Int(oldUID) < old.slotCount else { return false }
        return isEqual(new.object(inSlot: Int(unused)), old.object(inSlot: Int(oldUID)), depth: depth + 1)
    }
}

// MARK: - Values with unknown keys

extension ArchiveComparison {
    /// Returns whether the object `left` equals the object `oldUID`, up to keys that the program does not know.
    private mutating func isEqual(object left: Node, _ right: Node, _ oldUID: UInt32, depth: Int) -> Bool {
        guard left.kind == .dictionary, right.kind == .dictionary, let names = kept?.unknown[oldUID]?.names else {
            return isEqual(left, right, depth: depth)
        }
        return isEqual(left, right, besides: names, depth: depth)
    }

    /// Makes the value `oldUID` of the old archive the counterpart of the new value `uid`, if they are equal.
    ///
    /// - Returns: Whether they are.
    mutating func prefer(_ oldUID: UInt32, for uid: UInt32, depth: Int) -> Bool {
        guard isEqual(uid: uid, oldUID, depth: depth) else { return false }
        equal[uid] = oldUID
        return true
    }
}

// MARK: - Dictionaries

extension ArchiveComparison {
    /// Returns whether both dictionaries have the same keys with equal values, in any order.
    private mutating func isEqual(dictionary left: Node, _ right: Node, depth: Int) -> Bool {
        let order = order(of: left, right)
        var isEqualSoFar = left.count == right.count
        var places: [Text: Int]?
        for position in 0..<left.count {
            let keyReference = new.list.reference(position, in: left.payload)
            var oldPosition = position
            if position >= right.count || !isKey(keyReference, at: position, of: right) {
                // The keys have another order, such as that of a dictionary, which varies between processes, or an optional
                // property has become nil.
                guard let key = try? new.node(keyReference) else { return false }
                let known = places ?? self.places(of: right)
                places = known
                guard let text = text(key, in: new), let place = known[text] else {
                    isEqualSoFar = false
                    continue
                }
                oldPosition = place
            }
            if order != .fixed, isListKey(keyReference, in: new) { continue }
            // Compares all of them, so that equal values are found and kept.
            if !isEqual(entry: position, left, oldPosition, right, depth: depth) { isEqualSoFar = false }
        }
        guard isEqualSoFar, order != .fixed else { return isEqualSoFar }
        return hasEqualElements(left, right, order, depth: depth)
    }

    mutating func isKey(_ reference: Int, at position: Int, of dictionary: Node) -> Bool {
        let oldReference = old.list.reference(position, in: dictionary.payload)
        // Archives store each key once, so that nearly all pairs are known.
        let place = reference & (equalKeys.count - 1)
        if equalKeys[place] == (reference, oldReference) { return true }
        guard let key = try? new.node(reference), let oldKey = try? old.node(oldReference), isEqual(key: key, oldKey)
        else { return false }
        equalKeys[place] = (reference, oldReference)
        return true
    }

    private mutating func isEqual(key: Node, _ oldKey: Node) -> Bool {
        if key.kind == oldKey.kind { return (key.kind == .ascii || key.kind == .utf16) && hasEqualBytes(key, oldKey) }
        guard let text = text(key, in: new) else { return false }
        return text == self.text(oldKey, in: old)
    }

    /// Returns whether `reference` is the key of the keys or the elements of a collection.
    func isListKey(_ reference: Int, in contents: ArchiveContents) -> Bool {
        guard let key = try? contents.node(reference) else { return false }
        let objects = contents.list.objects
        return objects.isString(key, "NS.keys") || objects.isString(key, "NS.objects")
    }

    mutating func places(of dictionary: Node) -> [Text: Int] {
        var places: [Text: Int] = [:]
        guard meter.take(DecodingMeter.stepsPerEntry * dictionary.count) else { return places }
        for position in 0..<dictionary.count {
            guard let key = try? old.node(old.list.reference(position, in: dictionary.payload)) else {
                continue
            }
            if let text = text(key, in: old), places[text] == nil { places[text] = position }
        }
        return places
    }

    /// The UTF-8 of a string. Comparing or hashing a `String` with many combining marks takes unbounded time.
    typealias Text = [UInt8]

    mutating func text(_ node: Node, in contents: ArchiveContents) -> Text? {
        guard node.kind == .ascii || node.kind == .utf16 else { return nil }
        return takeBytes(contents.byteCount(node)) ? contents.text(node) : nil
    }
}
