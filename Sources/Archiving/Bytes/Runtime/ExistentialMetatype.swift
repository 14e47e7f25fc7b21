/// The type of the metatypes of what conforms to a protocol: `any Shape.Type` for `any Shape`.
///
/// Swift has no expression for it where the protocol is a generic parameter, so the runtime makes it from its mangled name. Both
/// the layout of metadata and the mangling are a part of Swift's stable binary interface on Apple's platforms
/// (`docs/ABI/TypeMetadata.rst` and `docs/ABI/Mangling.rst` of the Swift project). Before they are used for the first time, a
/// protocol that is known is asked for. If the answer is not the right one, no protocol has a metatype, and callers look at
/// values instead of types.
enum ExistentialMetatype {
    /// What `type` says of itself.
    enum Kind {
        /// It is a protocol, and this is the type of the metatypes of what conforms to it.
        case existential(any Any.Type)
        /// It is no protocol.
        case concrete
        /// Only a value can tell: a protocol with given associated types, or a runtime that is not known.
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

    /// Whether the runtime gives the metatype of a protocol that is known, and tells it from a struct.
    private static let isKnown: Bool = {
        #if ARCHIVING_PORTABLE
            return false
        #else
            let requested = (any CodingKey).self as any Any.Type
            return metadataKind(of: requested) == existentialKind && metadataKind(of: Int.self) < existentialKind
                && metatype(of: requested) == (any CodingKey.Type).self
        #endif
    }()

    /// A type with one parameter, in whose terms a mangled name can say it.
    private enum Parameter<Value> {}

    private static func metadataKind(of type: any Any.Type) -> Int {
        TypeAddress.of(type).assumingMemoryBound(to: Int.self).pointee
    }

    private static func metatype(of type: any Any.Type) -> (any Any.Type)? {
        // Behind the kind of metadata.
        let context = TypeAddress.of(Parameter<Any>.self).assumingMemoryBound(to: UnsafeRawPointer.self)[1]
        // The first parameter, and that its existential metatype is meant.
        let name = [UInt8]("xXp".utf8)
        return withUnsafePointer(to: type) { argument in
            _getTypeByMangledNameInContext(
                name, UInt(name.count), genericContext: context, genericArguments: UnsafeRawPointer(argument))
        }
    }
}
