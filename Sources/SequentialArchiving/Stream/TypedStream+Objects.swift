// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension TypedStream.Value {
    /// Whether the value refers to an object, a class or a C string by its position.
    var isReferring: Bool {
        switch self {
        case .object(_?), .class(_?), .cString(_?): true
        case .array(let values), .structure(let values): values.contains { $0.isReferring }
        default: false
        }
    }

    /// The value with mapped positions. The recursion is bounded by the nesting of types.
    func mapping(
        objects: (Int) -> Int?, classes: (Int) -> Int? = { $0 }, cStrings: (Int) -> Int? = { $0 }
    ) -> TypedStream.Value {
        switch self {
        case .object(let index?): .object(objects(index))
        case .class(let index?): .class(classes(index))
        case .cString(let index?): .cString(cStrings(index))
        case .array(let values):
            .array(values.map { $0.mapping(objects: objects, classes: classes, cStrings: cStrings) })
        case .structure(let values):
            .structure(values.map { $0.mapping(objects: objects, classes: classes, cStrings: cStrings) })
        default: self
        }
    }
}

extension TypedStream {
    /// Removes the objects for which `isKept` is false. References to removed objects become nil.
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
        func map(_ groups: inout [Group]) {
            for index in groups.indices {
                groups[index].values = groups[index].values.map { value in
                    value.mapping { moved.indices.contains($0) ? moved[$0] : $0 }
                }
            }
        }
        map(&groups)
        for index in objects.indices { map(&objects[index].groups) }
    }
}
