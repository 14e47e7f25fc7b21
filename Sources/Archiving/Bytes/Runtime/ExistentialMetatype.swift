/// The type of the metatypes of a protocol's conforming types: `any Shape.Type` for `any Shape`.
///
/// Swift has no expression for it if the protocol is a generic parameter, so the runtime creates it from its mangled
/// name. The layout of metadata and the mangling are parts of Swift's stable binary interface on Apple's platforms
/// (`docs/ABI/TypeMetadata.rst` and `docs/ABI/Mangling.rst` of the Swift project). Before the first use, a known
/// protocol is tested. If the result is wrong, no protocol has a metatype, and callers examine values instead of types.
enum ExistentialMetatype {
    /// The kind of a type.
    enum Kind {
        /// A protocol, with the type of the metatypes of its conforming types.
        case existential(any Any.Type)
        /// Not a protocol.
        case concrete
        /// Only a value can determine it: a protocol with given associated types, or an unknown runtime.
        case unknown
    }

    static func kind(of type: any Any.Type) -> Kind {
        guard isKnown else { return .unknown }
        switch metadataKind(of: type) {
        case existentialKind: return metatype(of: type).map { .existential($0) } ?? .unknown
        case constrainedExistentialKind: return .unknown
        default: return .concrete
        }
    }

    private static var existentialKind: Int { 0x303 }
    private static var constrainedExistentialKind: Int { 0x307 }

    /// Whether the runtime returns the metatype of a known protocol, and distinguishes it from a struct.
    private static let isKnown: Bool = {
        #if ARCHIVING_PORTABLE
            return false
        #else
            let requested = (any CodingKey).self as any Any.Type
            return metadataKind(of: requested) == existentialKind && metadataKind(of: Int.self) < existentialKind
                && metatype(of: requested) == (any CodingKey.Type).self
        #endif
    }()

    /// A type with one parameter, which a mangled name can refer to.
    private enum Parameter<Value> {}

    private static func metadataKind(of type: any Any.Type) -> Int {
        TypeAddress.of(type).assumingMemoryBound(to: Int.self).pointee
    }

    private static func metatype(of type: any Any.Type) -> (any Any.Type)? {
        // The word after the kind of metadata.
        let context = TypeAddress.of(Parameter<Any>.self).assumingMemoryBound(to: UnsafeRawPointer.self)[1]
        // The existential metatype of the first parameter.
        let name = [UInt8]("xXp".utf8)
        return withUnsafePointer(to: type) { argument in
            _getTypeByMangledNameInContext(
                name, UInt(name.count), genericContext: context, genericArguments: UnsafeRawPointer(argument))
        }
    }
}
