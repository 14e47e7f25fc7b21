/// Types that only the full Foundation or CoreGraphics has, and that archives have a form of their own for. They are known
/// by their names at run time: naming them in code would load all of Foundation.
enum UnnamedType {
    case indexSet
    /// CGPoint, CGSize or CGRect, whichever platform's.
    case geometry(Geometry.Kind)
    /// NSRange.
    case range
    /// A Measurement whose unit's class has this name in archives.
    case measurement(unit: String)

    /// What `type` is; nil where it is another type.
    init?(_ type: any Any.Type) {
        let name = _typeName(type, qualified: true)
        switch name {
        case "Foundation.IndexSet": self = .indexSet
        case "Foundation.CGPoint", "__C.CGPoint": self = .geometry(.point)
        case "Foundation.CGSize", "__C.CGSize": self = .geometry(.size)
        case "Foundation.CGRect", "__C.CGRect": self = .geometry(.rect)
        case "Foundation._NSRange", "__C._NSRange": self = .range
        default:
            let prefix = "Foundation.Measurement<"
            guard name.hasPrefix(prefix), name.last == ">" else { return nil }
            self = .measurement(unit: Self.archivedName(name.dropFirst(prefix.utf8.count).dropLast()))
        }
    }

    /// The name in archives of the class of units `name`: that of a program's own class is its name in Swift.
    private static func archivedName(_ name: Substring) -> String {
        for (module, prefix) in [("__C.", ""), ("Foundation.", "NS")] where name.hasPrefix(module) {
            return prefix + name.dropFirst(module.utf8.count)
        }
        return String(name)
    }
}

extension NativeTypes {
    /// What writes the values of `type`, where it is one of the types without a name here.
    static func unnamedEncodable<Value: Encodable>(_ type: Value.Type) -> (any NativelyEncodable.Type)? {
        switch UnnamedType(type) {
        case .indexSet: IndexSetEncoding<Value>.self
        case .geometry(let kind) where StructMemory.holds(kind.count, Double.self, in: type): kind.form.encoding
        case .range where StructMemory.holds(2, Int.self, in: type): RangeEncoding.self
        case .measurement: MeasurementEncoding<Value>.self
        default: nil
        }
    }

    /// What reads the values of `type`, where it is one of the types without a name here.
    static func unnamedDecodable<Value: Decodable>(_ type: Value.Type) -> (any NativelyDecodable.Type)? {
        switch UnnamedType(type) {
        case .indexSet: IndexSetDecoding<Value>.self
        case .geometry(let kind) where StructMemory.holds(kind.count, Double.self, in: type):
            kind.form.decoding(type)
        case .range where StructMemory.holds(2, Int.self, in: type): RangeDecoding<Value>.self
        case .measurement: MeasurementDecoding<Value>.self
        default: nil
        }
    }
}
