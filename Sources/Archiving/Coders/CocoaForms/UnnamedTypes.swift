// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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

extension UnnamedType {
    /// Returns the form of the values of `type`, which is this type; nil if its memory has another layout than is known.
    func form<Value: Codable>(of type: Value.Type) -> (any CodedShape.Type)? {
        switch self {
        case .indexSet: IndexSetForm<Value>.self
        case .geometry(let kind) where Reinterpretation.isStructure(ofReals: kind.count, type):
            switch kind {
            case .point: GeometryForm<PointKind, Value>.self
            case .size: GeometryForm<SizeKind, Value>.self
            case .rect: GeometryForm<RectKind, Value>.self
            }
        case .range where Reinterpretation.isStructure(of: 2, Int.self, type): RangeForm<Value>.self
        case .characterSet: CharacterSetForm<Value>.self
        case .personName: PersonNameForm<Value>.self
        case .affineTransform where Reinterpretation.isStructure(ofReals: AffineMatrix.count, type):
            AffineTransformForm<Value>.self
        case .measurement: MeasurementForm<Value>.self
        default: nil
        }
    }
}

extension NativeTypes {
    /// Returns the form of the values of `type`, if it is one of these types.
    static func unnamed(_ type: any Any.Type) -> (any CodedShape.Type)? {
        guard let unnamed = UnnamedType(type), let type = type as? any Codable.Type else { return nil }
        return unnamed.form(of: type)
    }
}
