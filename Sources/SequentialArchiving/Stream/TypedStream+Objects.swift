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
