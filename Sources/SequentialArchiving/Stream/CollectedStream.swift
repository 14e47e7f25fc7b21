/// The values that a `SequentialArchiver` has collected, in a few large blocks. An archive can have millions of objects of a few
/// bytes, and separate lists of groups would take many times as much memory.
struct CollectedStream: TypedStreamContents {
    /// Groups in order.
    struct Groups {
        /// The types of each group. Most groups share a list.
        private var types: [[TypeEncoding]] = []
        /// The end of the values of each group.
        private var ends: [Int] = []
        /// The values of all groups.
        private var values: [TypedStream.Value] = []
    }

    private struct Object {
        var classIndex: Int
        /// The positions of its groups; empty until it is complete.
        var groups = 0..<0
    }

    let streamerVersion = 4
    let byteOrder: TypedStream.ByteOrder
    let systemVersion: Int
    var classes: [TypedStream.Class] = []
    var cStrings: [[UInt8]] = []
    /// The groups of all complete objects, and the top-level groups.
    private var groups = Groups()
    /// The positions of the top-level groups.
    private var top: [Int] = []
    private var objects: [Object] = []

    init(byteOrder: TypedStream.ByteOrder, systemVersion: Int) {
        self.byteOrder = byteOrder
        self.systemVersion = systemVersion
    }
}

// MARK: - Collecting

extension CollectedStream {
    /// The number of top-level groups.
    var topCount: Int { top.count }

    /// Adds a top-level group.
    mutating func append(_ types: [TypeEncoding], _ values: some Collection<TypedStream.Value>) {
        top.append(groups.count)
        groups.append(types, values)
    }

    /// Adds an object without contents and returns its position.
    mutating func addObject() -> Int {
        objects.append(Object(classIndex: 0))
        return objects.count - 1
    }

    mutating func setClassIndex(_ classIndex: Int, ofObjectAt index: Int) { objects[index].classIndex = classIndex }

    /// Sets the contents of the object at the position `index`.
    mutating func complete(objectAt index: Int, _ contents: Groups) {
        let start = groups.count
        groups.append(contentsOf: contents)
        objects[index].groups = start..<groups.count
    }

    /// Removes the objects for which `isKept` is false. All others have contents. References to removed objects become nil.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values.
    mutating func keepObjects(_ isKept: [Bool]) {
        var count = 0
        let moved = isKept.map { isKept -> Int? in
            guard isKept else { return nil }
            count += 1
            return count - 1
        }
        guard count < objects.count else { return }
        objects = zip(objects, isKept).compactMap { object, isKept in isKept ? object : nil }
        // A value that a program created can refer to an object that never existed.
        groups.mapObjects { moved.indices.contains($0) ? moved[$0] : $0 }
    }
}

extension CollectedStream.Groups {
    var count: Int { ends.count }

    /// Adds a group.
    mutating func append(_ types: [TypeEncoding], _ values: some Collection<TypedStream.Value>) {
        self.types.append(types)
        self.values.append(contentsOf: values)
        ends.append(self.values.count)
    }

    /// Adds a group.
    mutating func append(_ group: TypedStream.Group) { append(group.types, group.values) }

    fileprivate mutating func append(contentsOf others: Self) {
        let start = values.count
        types.append(contentsOf: others.types)
        values.append(contentsOf: others.values)
        ends.append(contentsOf: others.ends.lazy.map { start + $0 })
    }

    mutating func removeAll() {
        types.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    fileprivate subscript(index: Int) -> TypedStreamContents.Group {
        (types[index], values[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
    }

    fileprivate mutating func mapObjects(_ moved: (Int) -> Int?) {
        for index in values.indices { values[index] = values[index].mapping(objects: moved) }
    }
}

// MARK: - Reading

extension CollectedStream {
    var objectCount: Int { objects.count }

    func classIndex(ofObjectAt index: Int) -> Int { objects[index].classIndex }

    func group(_ number: Int, ofObjectAt index: Int?) -> Group? {
        guard let index else { return number < top.count ? groups[top[number]] : nil }
        let range = objects[index].groups
        return number < range.count ? groups[range.lowerBound + number] : nil
    }
}

extension TypedStream {
    /// Creates a typedstream with the contents of `collected`.
    init(_ collected: CollectedStream) {
        self.init(byteOrder: collected.byteOrder)
        systemVersion = collected.systemVersion
        classes = collected.classes
        cStrings = collected.cStrings
        groups = Self.groups(of: nil, in: collected)
        objects = (0..<collected.objectCount).map { index in
            Object(
                classIndex: collected.classIndex(ofObjectAt: index), groups: Self.groups(of: index, in: collected))
        }
    }

    private static func groups(of index: Int?, in collected: CollectedStream) -> [Group] {
        var groups: [Group] = []
        while let (types, values) = collected.group(groups.count, ofObjectAt: index) {
            groups.append(Group(types, Array(values)))
        }
        return groups
    }
}
