extension TypedStream {
    /// Keeps those objects whose positions `isKept` says. References to others become nil.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values.
    mutating func keepObjects(_ isKept: (Int) -> Bool) {
        var count = 0
        let moved = objects.indices.map { index -> Int? in
            guard isKept(index) else { return nil }
            count += 1
            return count - 1
        }
        guard count < objects.count else { return }
        objects = objects.indices.filter { moved[$0] != nil }.map { objects[$0] }
        for index in groups.indices { groups[index].mapObjects { moved[$0] } }
        for index in objects.indices {
            for group in objects[index].groups.indices { objects[index].groups[group].mapObjects { moved[$0] } }
        }
    }
}

extension TypedStream.Group {
    fileprivate mutating func mapObjects(_ moved: (Int) -> Int?) {
        for index in values.indices { values[index] = values[index].mapping(objects: moved) }
    }
}

extension TypedStream.Value {
    /// Whether the value refers to an object, a class or a C string by its position.
    var isReferring: Bool {
        switch self {
        case .object(_?), .class(_?), .cString(_?): true
        case .array(let values), .structure(let values): values.contains { $0.isReferring }
        default: false
        }
    }

    /// The value with other positions of objects; arrays and structs are as deep as their types, which have few levels.
    func mapping(objects: (Int) throws -> Int?) rethrows -> TypedStream.Value {
        switch self {
        case .object(let index?): .object(try objects(index))
        case .array(let values): .array(try values.map { try $0.mapping(objects: objects) })
        case .structure(let values): .structure(try values.map { try $0.mapping(objects: objects) })
        default: self
        }
    }
}
