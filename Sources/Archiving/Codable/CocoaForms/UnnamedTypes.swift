/// Types of only the full Foundation or CoreGraphics for which archives have their own form. They are identified by
/// name at run time, because naming them in code would load the full Foundation.
enum UnnamedType {
    case indexSet
    /// CGPoint, CGSize or CGRect of any platform.
    case geometry(Geometry.Kind)
    /// NSRange.
    case range
    case characterSet
    case personName
    case affineTransform
    /// A Measurement. `unit` is the name of its unit's class in archives.
    case measurement(unit: String)

    /// Returns nil for any other type.
    init?(_ type: any Any.Type) {
        let name = _typeName(type, qualified: true)
        switch name {
        case "Foundation.IndexSet": self = .indexSet
        case "Foundation.CGPoint", "__C.CGPoint": self = .geometry(.point)
        case "Foundation.CGSize", "__C.CGSize": self = .geometry(.size)
        case "Foundation.CGRect", "__C.CGRect": self = .geometry(.rect)
        case "Foundation._NSRange", "__C._NSRange": self = .range
        case "Foundation.CharacterSet": self = .characterSet
        case "Foundation.PersonNameComponents": self = .personName
        case "Foundation.AffineTransform": self = .affineTransform
        default:
            let prefix = "Foundation.Measurement<"
            guard name.hasPrefix(prefix), name.last == ">" else { return nil }
            self = .measurement(unit: Self.archivedName(name.dropFirst(prefix.utf8.count).dropLast()))
        }
    }

    /// Returns the archive name of the class of units `name`. For a program's own class it is the Swift name.
    private static func archivedName(_ name: Substring) -> String {
        for (module, prefix) in [("__C.", ""), ("Foundation.", "NS")] where name.hasPrefix(module) {
            return prefix + name.dropFirst(module.utf8.count)
        }
        return String(name)
    }
}

extension NativeTypes {
    /// Returns the writer of the values of `type`, if it is one of these types.
    static func unnamedEncodable<Value: Encodable>(_ type: Value.Type) -> (any NativelyEncodable.Type)? {
        switch UnnamedType(type) {
        case .indexSet: IndexSetEncoding<Value>.self
        case .geometry(let kind) where StructMemory.holds(kind.count, Double.self, in: type):
            kind.form.encoding(type)
        case .range where StructMemory.holds(2, Int.self, in: type): RangeEncoding<Value>.self
        case .characterSet: CharacterSetEncoding<Value>.self
        case .personName: PersonNameEncoding<Value>.self
        case .affineTransform where StructMemory.holds(AffineMatrix.count, Double.self, in: type):
            AffineTransformEncoding<Value>.self
        case .measurement: MeasurementEncoding<Value>.self
        default: nil
        }
    }

    /// Returns the reader of the values of `type`, if it is one of these types.
    static func unnamedDecodable<Value: Decodable>(_ type: Value.Type) -> (any NativelyDecodable.Type)? {
        switch UnnamedType(type) {
        case .indexSet: IndexSetDecoding<Value>.self
        case .geometry(let kind) where StructMemory.holds(kind.count, Double.self, in: type):
            kind.form.decoding(type)
        case .range where StructMemory.holds(2, Int.self, in: type): RangeDecoding<Value>.self
        case .characterSet: CharacterSetDecoding<Value>.self
        case .personName: PersonNameDecoding<Value>.self
        case .affineTransform where StructMemory.holds(AffineMatrix.count, Double.self, in: type):
            AffineTransformDecoding<Value>.self
        case .measurement: MeasurementDecoding<Value>.self
        default: nil
        }
    }
}
