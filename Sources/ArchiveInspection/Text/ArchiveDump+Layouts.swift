import Archiving

/// How the contents of a container are written.
enum DumpLayout {
    /// By key, in the order of the archive. The class of an object, which is at `classPosition`, is left out.
    case fields(Node, classPosition: Int?)
    /// A dictionary, Foundation's or the property list's.
    case entries(keys: ArchivedElements, values: ArchivedElements)
    /// An array, or another list with positions.
    case elements(ArchivedElements)
    /// A set.
    case members(ArchivedElements)
    /// An NSCountedSet.
    case countedMembers([(reference: Int, count: Int128)])

    /// The number of entries that an object may have to be looked at as a whole wherever something refers to it. Objects
    /// with more are looked at once.
    static let smallCount = 16

    /// The number of things that are written.
    var count: Int {
        switch self {
        case .fields(let node, let classPosition): node.count - (classPosition == nil ? 0 : 1)
        case .entries(let keys, _): keys.count
        case .elements(let elements), .members(let elements): elements.count
        case .countedMembers(let members): members.count
        }
    }

    /// How many things there are; nil for the fields of an object, which speak for themselves.
    var summary: String? {
        switch self {
        case .fields: nil
        case .entries: DumpOutput.count(count, "entry", "entries")
        case .elements, .members, .countedMembers: DumpOutput.count(count, "element", "elements")
        }
    }
}

extension ArchiveDump {
    /// How the contents of `place` are written, and what is wrong with them where they cannot be written as those of
    /// `described` should be.
    mutating func layout(
        of place: DumpedPlace, _ described: DescribedClass?
    ) -> (layout: DumpLayout, damage: KeyedArchiveError?) {
        let node = place.node
        guard node.kind == .dictionary else {
            let elements = ArchivedElements(node)
            return (node.kind == .set ? .members(elements) : .elements(elements), nil)
        }
        guard case .object(_, let classPosition) = role(of: place) else {
            if case .damaged = role(of: place) { return (.fields(node, classPosition: nil), nil) }
            let values = Node(
                kind: .array, count: node.count, payload: node.payload + node.count * contents.list.referenceSize)
            return (.entries(keys: ArchivedElements(node), values: ArchivedElements(values)), nil)
        }
        // What stands where the class should be is a field like the others.
        guard let described else { return (.fields(node, classPosition: nil), nil) }
        let fields = DumpLayout.fields(node, classPosition: classPosition)
        do throws(KeyedArchiveError) {
            // What is damaged is not written as a leaf, and its fields show what is there.
            _ = try contents.leafObject(place.value, of: described)
            return (try collectionLayout(of: place, described) ?? fields, nil)
        } catch {
            return (fields, error)
        }
    }

    /// How the contents of a collection of Foundation's are written; nil for other objects, and for those that have more
    /// than a list of elements says, or share it with others.
    private func collectionLayout(
        of place: DumpedPlace, _ described: DescribedClass
    ) throws(KeyedArchiveError) -> DumpLayout? {
        let node = place.node
        guard try contents.mayBeCollection(node) else { return nil }
        if let (keys, values) = try contents.dictionary(place.value) {
            var isWhole = node.count == 1 + 2 * keys.count
            if let ownsKeys = try ownsList("NS.keys", in: node), let ownsValues = try ownsList("NS.objects", in: node) {
                isWhole = node.count == 3 && ownsKeys && ownsValues
            }
            return isWhole ? .entries(keys: keys, values: values) : nil
        }
        if described.kind == .set, let members = try countedMembers(of: node) { return .countedMembers(members) }
        if let elements = try contents.elements(of: place.value) {
            var isWhole = node.count == 1 + elements.count
            if let owns = try ownsList("NS.objects", in: node) { isWhole = owns && node.count == 2 }
            guard isWhole else { return nil }
            return described.kind == .set ? .members(elements) : .elements(elements)
        }
        return nil
    }

    /// The elements of an NSCountedSet, and how often it has each; nil where `node` is something else.
    private func countedMembers(of node: Node) throws(KeyedArchiveError) -> [(reference: Int, count: Int128)]? {
        guard let (elements, counts) = try contents.countedElements(of: node) else { return nil }
        var members: [(reference: Int, count: Int128)] = []
        for position in 0..<elements.count {
            let count = try contents.value(counts.reference(position, in: contents)).node
            guard count.kind == .integer else { return nil }
            members.append((elements.reference(position, in: contents), contents.list.objects.integer(count)))
        }
        return members
    }

    /// Whether no other object has the list that `node` has under `key`; nil where that has none.
    private func ownsList(_ key: StaticString, in node: Node) throws(KeyedArchiveError) -> Bool? {
        guard let position = try contents.index(of: key, in: node),
            case .found(let list) = resolve(contents.list.reference(node.count + position, in: node.payload)),
            list.node.kind == .array || list.node.kind == .set
        else { return nil }
        return !census.shared.contains(list.reference)
    }
}
