extension TypedStream.Value {
    /// Whether the value refers to an object, a class or a C string by its position.
    var isReferring: Bool {
        switch self {
        case .object(_?), .class(_?), .cString(_?): true
        case .array(let values), .structure(let values): values.contains { $0.isReferring }
        default: false
        }
    }

    /// The value with mapped positions of objects. The recursion is bounded by the nesting of types.
    func mapping(objects: (Int) throws -> Int?) rethrows -> TypedStream.Value {
        switch self {
        case .object(let index?): .object(try objects(index))
        case .array(let values): .array(try values.map { try $0.mapping(objects: objects) })
        case .structure(let values): .structure(try values.map { try $0.mapping(objects: objects) })
        default: self
        }
    }
}
