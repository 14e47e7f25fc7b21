/// Whether the values of a type are values of another one, which may be a protocol: known before there is a value.
///
/// Swift has no expression for the question where the protocol is a generic parameter: the metatype that a conforming type
/// casts to, `any Shape.Type`, cannot be spelled with a parameter that stands for `any Shape`. The runtime makes it from
/// its mangled name, and the cast does the rest.
enum ProtocolConformance {
    /// Whether an instance of `type` is a `requested`. Also true where `requested` is a protocol with given associated types,
    /// such as `any Collection<Int>`, of which only a value tells.
    static func mayBe(_ type: any Any.Type, a requested: any Any.Type) -> Bool {
        if type == requested { return true }
        switch metadataKind(of: requested) {
        case existentialKind:
            guard let metatype = existentialMetatype(of: requested) else { return true }
            func contains<Metatype>(_ metatype: Metatype.Type) -> Bool { type is Metatype }
            return _openExistential(metatype, do: contains)
        case constrainedExistentialKind: return true
        default: return ClassResolution.isSubclass(type, of: requested)
        }
    }
}

// MARK: - The runtime

// The layout of metadata and the mangling of names are a part of Swift's stable binary interface on Apple's platforms:
// `docs/ABI/TypeMetadata.rst` and `docs/ABI/Mangling.rst` of the Swift project.
extension ProtocolConformance {
    private static var existentialKind: Int { 0x303 }
    private static var constrainedExistentialKind: Int { 0x307 }

    /// A type with one parameter, in whose terms a mangled name can say it.
    private enum Parameter<Value> {}

    private static func metadataKind(of type: any Any.Type) -> Int {
        unsafeBitCast(type, to: UnsafePointer<Int>.self).pointee
    }

    /// The type of the metatypes of what conforms to `type`, which is a protocol: `any Shape.Type` for `any Shape`.
    private static func existentialMetatype(of type: any Any.Type) -> (any Any.Type)? {
        // Behind the kind of metadata.
        let context = unsafeBitCast(Parameter<Any>.self as any Any.Type, to: UnsafePointer<UnsafeRawPointer>.self)[1]
        // The first parameter, and that its existential metatype is meant.
        let name = [UInt8]("xXp".utf8)
        return withUnsafePointer(to: type) { argument in
            _getTypeByMangledNameInContext(
                name, UInt(name.count), genericContext: context, genericArguments: UnsafeRawPointer(argument))
        }
    }
}
