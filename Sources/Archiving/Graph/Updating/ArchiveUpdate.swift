/// What has to be appended to an archive to bring it up to date with a newer archive of the same graph.
///
/// Objects keep their uids. An instance that both archives have, and whose contents are the same, is kept as it is in the old one.
/// A changed one gets new contents, a new one a new uid. Values that are no instances, such as strings and arrays, are kept if an
/// equal one is in the same place.
///
/// The old archive may be a file that is read page by page: only what is compared is read. What is damaged in it counts as
/// changed.
final class ArchiveUpdate {
    let old: ArchiveContents
    private let new: ArchiveContents
    /// Where the instances of the new archive are in the old one, by uids.
    private let known: [UInt32: UInt32]
    /// Objects of the old one that the new one only refers to.
    private let external: [UInt32: UInt32]
    /// The instances of the new archive that the old one does not have.
    private let added: Set<UInt32>
    /// Whether values of the new archive are those of the old one that they were compared with.
    private var compared: [Comparison: Bool] = [:]
    /// Values of the new archive, and an equal one in the old one for each.
    private var matched: [UInt32: UInt32] = [:]

    /// The uids that objects of the new archive got.
    private(set) var assigned: [UInt32: UInt32] = [:]
    private var remaining: [(new: UInt32, uid: UInt32)] = []
    /// The objects of the property list behind the old ones.
    private(set) var bytes = ByteWriter(capacity: 1024)
    /// Where each of them is in `bytes`.
    private(set) var offsets: [Int] = []
    /// The objects of the property list that slots refer to from now on: those of the old archive that change.
    private(set) var changedSlots: [UInt32: Int] = [:]
    /// Those behind the old slots.
    private(set) var addedSlots: [Int] = []
    /// The new `$top`; nil if the old one stays.
    private(set) var top: Int?
    /// Objects of the property list of the new archive that were appended.
    private var copied: [Int: Int] = [:]
    private var uidObjects: [UInt32: Int] = [:]
    /// The instances that stay as they are.
    private(set) var keptCount = 0

    private struct Comparison: Hashable {
        let new: UInt32
        let old: UInt32
    }

    /// Levels of values inside each other, without instances between them, that are compared. Deeper ones count as changed.
    private static let depthLimit = 128

    init(
        of old: ArchiveContents, to new: ArchiveContents, known: [UInt32: UInt32], external: [UInt32: UInt32],
        added: Set<UInt32>
    ) {
        self.old = old
        self.new = new
        self.known = known
        self.external = external
        self.added = added
    }

    /// Whether nothing has to be written.
    var isEmpty: Bool { changedSlots.isEmpty && addedSlots.isEmpty && top == nil }

    /// Instances that are changed or new.
    var writtenCount: Int { changedSlots.count + assigned.keys.count { added.contains($0) } }

    /// Compares the archives, and appends what has changed.
    ///
    /// - Throws: `PropertyListError` if the new archive is damaged, which is none that this library has written.
    func update() throws(PropertyListError) {
        for (uid, oldUID) in known.sorted(by: { $0.value < $1.value }) {
            let reference = new.object(inSlot: Int(uid))
            if Int(oldUID) < old.slotCount, isEqual(reference, old.object(inSlot: Int(oldUID)), depth: 0) {
                keptCount += 1
            } else {
                changedSlots[oldUID] = try copy(reference, depth: 0)
            }
        }
        if !isTopEqual() { top = try copyContainer(new.top, depth: 0) }
        while let next = remaining.popLast() {
            addedSlots[Int(next.uid) - old.slotCount] = try copy(new.object(inSlot: Int(next.new)), depth: 0)
        }
    }
}

// MARK: - Comparing

extension ArchiveUpdate {
    /// Whether the root object of the new archive is what the object `uid` of the old one is, and all instances are.
    func isUnchanged(since uid: UInt32) -> Bool {
        guard let root = (try? new.index(of: "root", in: new.top)) ?? nil,
            let node = try? new.node(new.list.reference(new.top.count + root, in: new.top.payload)), node.kind == .uid,
            let rootUID = try? new.uid(node)
        else { return false }
        return isEqual(uid: rootUID, uid, depth: 0)
            && known.allSatisfy { new, old in
                Int(old) < self.old.slotCount
                    && isEqual(self.new.object(inSlot: Int(new)), self.old.object(inSlot: Int(old)), depth: 0)
            }
    }

    private func isTopEqual() -> Bool {
        isEqual(new.top, old.top, depth: 0)
    }

    /// Whether the object `left` of the new property list is what the object `right` of the old one is.
    private func isEqual(_ left: Int, _ right: Int, depth: Int) -> Bool {
        guard depth < Self.depthLimit, let leftNode = try? new.node(left), let rightNode = try? old.node(right) else {
            return false
        }
        return isEqual(leftNode, rightNode, depth: depth)
    }

    private func isEqual(_ left: Node, _ right: Node, depth: Int) -> Bool {
        switch (left.kind, right.kind) {
        case (.uid, .uid):
            guard let uid = try? new.uid(left), let oldUID = try? old.uid(right) else { return false }
            return isEqual(uid: uid, oldUID, depth: depth)
        case (.array, .array), (.set, .set):
            guard left.count == right.count else { return false }
            return (0..<left.count).allSatisfy { isEqual(element: $0, left, $0, right, depth: depth) }
        case (.dictionary, .dictionary): return isEqual(dictionary: left, right, depth: depth)
        case (.integer, .integer): return new.list.objects.integer(left) == old.list.objects.integer(right)
        case (.ascii, .utf16), (.utf16, .ascii): return text(left, in: new) == text(right, in: old)
        default:
            return left.kind == right.kind && left.count == right.count
                && (isMarker(left.kind) || new.list.objects.bytes(left).elementsEqual(old.list.objects.bytes(right)))
        }
    }

    /// Whether objects of that kind have no contents.
    private func isMarker(_ kind: Node.Kind) -> Bool { kind == .null || kind == .true || kind == .false }

    private func isEqual(element: Int, _ left: Node, _ oldElement: Int, _ right: Node, depth: Int) -> Bool {
        isEqual(
            new.list.reference(element, in: left.payload), old.list.reference(oldElement, in: right.payload),
            depth: depth + 1)
    }

    private func isEqual(uid: UInt32, _ oldUID: UInt32, depth: Int) -> Bool {
        if let counterpart = external[uid] ?? known[uid] { return counterpart == oldUID }
        if added.contains(uid) { return false }
        guard let value = try? new.object(uid), let oldValue = try? old.object(oldUID) else { return false }
        if value.isNull || oldValue.isNull { return value.isNull && oldValue.isNull }
        let comparison = Comparison(new: uid, old: oldUID)
        if let known = compared[comparison] { return known }
        // A value that leads to itself without an instance between is in no archive that was written.
        compared[comparison] = false
        let result = isEqual(value.node, oldValue.node, depth: depth + 1)
        compared[comparison] = result
        if result, matched[uid] == nil { matched[uid] = oldUID }
        return result
    }

    /// Whether both have the same keys with the same values, whatever their order.
    private func isEqual(dictionary left: Node, _ right: Node, depth: Int) -> Bool {
        guard left.count == right.count else { return false }
        var order = Order.fixed
        if let name = className(of: left, in: new), name == className(of: right, in: old) { order = Order(name) }
        var isEqualSoFar = true
        var places: [Text: Int]?
        for position in 0..<left.count {
            guard let key = text(left, position, in: new) else { return false }
            var oldPosition = position
            if text(right, position, in: old) != key {
                // In another order, as that of a dictionary that differs from process to process.
                let known = places ?? self.places(of: right)
                places = known
                guard let place = known[key] else { return false }
                oldPosition = place
            }
            if order != .fixed, key == Text("NS.keys".utf8) || key == Text("NS.objects".utf8) { continue }
            // All are compared, so that those which are equal are kept.
            if !isEqual(element: left.count + position, left, right.count + oldPosition, right, depth: depth) {
                isEqualSoFar = false
            }
        }
        guard isEqualSoFar, order != .fixed else { return isEqualSoFar }
        return hasEqualElements(left, right, order, depth: depth)
    }

    /// What the positions of elements mean.
    private enum Order {
        case fixed, keyed, none

        init(_ className: String) {
            switch className {
            case "NSDictionary", "NSMutableDictionary": self = .keyed
            case "NSSet", "NSMutableSet": self = .none
            default: self = .fixed
            }
        }
    }

    /// Whether two collections without an order have the same elements, or the same entries.
    private func hasEqualElements(_ left: Node, _ right: Node, _ order: Order, depth: Int) -> Bool {
        guard let elements = list("NS.objects", of: left, in: new),
            let oldElements = list("NS.objects", of: right, in: old),
            elements.count == oldElements.count
        else { return false }
        var keys = elements
        var oldKeys = oldElements
        if order == .keyed {
            guard let list = list("NS.keys", of: left, in: new), let oldList = self.list("NS.keys", of: right, in: old),
                list.count == elements.count, oldList.count == elements.count
            else { return false }
            (keys, oldKeys) = (list, oldList)
        }
        var positions: [Element: Int] = [:]
        for position in 0..<oldKeys.count {
            guard let key = element(old.list.reference(position, in: oldKeys.payload), in: old, isNew: false),
                positions.updateValue(position, forKey: key) == nil
            else { return false }
        }
        var result = true
        for position in 0..<keys.count {
            guard let key = element(new.list.reference(position, in: keys.payload), in: new, isNew: true),
                let oldPosition = positions[key]
            else { return false }
            // Again, so that what is equal is kept.
            if !isEqual(element: position, keys, oldPosition, oldKeys, depth: depth) { result = false }
            if order == .keyed, !isEqual(element: position, elements, oldPosition, oldElements, depth: depth) {
                result = false
            }
        }
        return result
    }

    /// What tells an element of a collection from the others.
    private enum Element: Hashable {
        case object(UInt32)
        case text(Text)
        case integer(Int128)
        case bits(UInt8, UInt64)
    }

    private func element(_ reference: Int, in contents: ArchiveContents, isNew: Bool) -> Element? {
        guard var node = try? contents.node(reference) else { return nil }
        if node.kind == .uid {
            guard let uid = try? contents.uid(node), let value = try? contents.object(uid) else { return nil }
            if isNew, let counterpart = external[uid] ?? known[uid] { return .object(counterpart) }
            switch value.node.kind {
            case .array, .set, .dictionary, .data: return isNew ? nil : .object(uid)
            default: node = value.node
            }
        }
        let objects = contents.list.objects
        switch node.kind {
        case .ascii, .utf16: return text(node, in: contents).map { .text($0) }
        case .integer: return .integer(objects.integer(node))
        case .real64, .date: return .bits(node.kind.rawValue, objects.real64(node).bitPattern)
        case .real32: return .bits(node.kind.rawValue, UInt64(objects.real32(node).bitPattern))
        case .true, .false: return .bits(node.kind.rawValue, 0)
        default: return nil
        }
    }

    /// A string as its UTF-8: to compare or hash a `String` takes time without bounds if it has many combining marks.
    private typealias Text = [UInt8]

    private func text(_ node: Node, in contents: ArchiveContents) -> Text? {
        switch node.kind {
        case .ascii: Text(contents.list.objects.bytes(node))
        case .utf16: Text(contents.list.objects.string(node).utf8)
        default: nil
        }
    }

    /// The key at `position` of a dictionary.
    private func text(_ dictionary: Node, _ position: Int, in contents: ArchiveContents) -> Text? {
        guard let node = try? contents.node(contents.list.reference(position, in: dictionary.payload)) else {
            return nil
        }
        return text(node, in: contents)
    }

    /// Where the keys of a dictionary of the old archive are.
    private func places(of dictionary: Node) -> [Text: Int] {
        var places: [Text: Int] = [:]
        for position in 0..<dictionary.count {
            if let key = text(dictionary, position, in: old) { places[key] = position }
        }
        return places
    }

    private func list(_ key: StaticString, of node: Node, in contents: ArchiveContents) -> Node? {
        guard let value = try? contents.value(of: key, in: node), value.node.kind == .array else { return nil }
        return value.node
    }

    private func className(of node: Node, in contents: ArchiveContents) -> String? {
        guard let uid = try? contents.classUID(of: node) else { return nil }
        return try? contents.className(uid)
    }
}

// MARK: - Copying

extension ArchiveUpdate {
    /// The uid of what the object `uid` of the new archive is, which is put on the list if the old archive does not have it.
    private func place(_ uid: UInt32) -> UInt32 {
        if let counterpart = external[uid] ?? known[uid] ?? matched[uid] ?? assigned[uid] { return counterpart }
        if (try? new.object(uid))?.isNull ?? true { return 0 }
        let place = UInt32(truncatingIfNeeded: old.slotCount + addedSlots.count)
        assigned[uid] = place
        addedSlots.append(0)
        remaining.append((uid, place))
        return place
    }

    /// Appends the object `reference` of the new property list.
    ///
    /// - Returns: Its number behind the objects of the old one.
    private func copy(_ reference: Int, depth: Int) throws(PropertyListError) -> Int {
        if let known = copied[reference] { return known }
        let node = try new.list.node(reference)
        let number: Int
        switch node.kind {
        case .uid: return uidObject(place(try new.list.objects.uid(node)))
        case .array, .set, .dictionary:
            guard depth < PropertyListLimits.nesting else { throw PropertyListError(.nestedTooDeep, at: node.payload) }
            number = try copyContainer(node, depth: depth)
        default:
            let start = try new.list.offset(of: reference)
            number = append(
                UnsafeRawBufferPointer(
                    start: new.list.objects.base + start, count: node.end(referenceSize: new.list.referenceSize) - start
                ))
        }
        copied[reference] = number
        return number
    }

    private func copyContainer(_ node: Node, depth: Int) throws(PropertyListError) -> Int {
        var references: [Int] = []
        references.reserveCapacity(node.referenceCount)
        for position in 0..<node.referenceCount {
            references.append(try copy(new.list.reference(position, in: node.payload), depth: depth + 1))
        }
        let size = old.list.referenceSize
        let offset = bytes.count
        bytes.reserve(10)
        let marker: UInt8 =
            switch node.kind {
            case .dictionary: BinaryFormat.Marker.dictionary
            case .set: BinaryFormat.Marker.set
            default: BinaryFormat.Marker.array
            }
        bytes.advance(bytes.end.store(marker: marker, count: node.count))
        for reference in references { bytes.append(number: UInt64(reference), size: size) }
        return added(at: offset)
    }

    private func uidObject(_ uid: UInt32) -> Int {
        if let known = uidObjects[uid] { return known }
        let offset = bytes.count
        bytes.reserve(5)
        bytes.advance(bytes.end.store(uid: uid))
        let number = added(at: offset)
        uidObjects[uid] = number
        return number
    }

    private func append(_ object: UnsafeRawBufferPointer) -> Int {
        let offset = bytes.count
        bytes.append(contentsOf: object)
        return added(at: offset)
    }

    private func added(at offset: Int) -> Int {
        offsets.append(offset)
        return old.list.objectCount + offsets.count - 1
    }
}
