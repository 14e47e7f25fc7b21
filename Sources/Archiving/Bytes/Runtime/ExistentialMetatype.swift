// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The type of the metatypes of a protocol's conforming types: `any Shape.Type` for `any Shape`.
///
/// Swift has no expression for it if the protocol is a generic parameter, so the runtime creates it from its mangled
/// name. Without `RuntimeLayout.Assumption.mangledNames`, no protocol has a metatype, and callers examine values instead of
/// types.
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
        guard RuntimeLayout.holds(.mangledNames) else { return .unknown }
        switch Reflection.kind(of: type) {
        case existentialKind: return metatype(of: type).map { .existential($0) } ?? .unknown
        case constrainedExistentialKind: return .unknown
        default: return .concrete
        }
    }

    private static var enumerationKind: Int { 0x201 }
    private static var existentialKind: Int { 0x303 }
    private static var constrainedExistentialKind: Int { 0x307 }

    /// Returns whether the runtime returns `metatype` for `type`, and distinguishes it from `other`.
    static func recognises(_ type: any Any.Type, as metatype: any Any.Type, not other: any Any.Type) -> Bool {
        Reflection.kind(of: type) == existentialKind && Reflection.kind(of: other) < existentialKind
            && Reflection.kind(of: Parameter<Any>.self) == enumerationKind && self.metatype(of: type) == metatype
    }

    /// A type with one parameter, which a mangled name can refer to.
    private enum Parameter<Value> {}

    private static func metatype(of type: any Any.Type) -> (any Any.Type)? {
        // The existential metatype of the first parameter.
        let name = [UInt8]("xXp".utf8)
        // Safe because the word after the kind is the descriptor of an enumeration, as the probe has confirmed, and the
        // runtime reads the name, the descriptor and as many arguments as that has parameters: one.
        return unsafe withUnsafePointer(to: type) { argument in
            let context = unsafe TypeAddress.of(Parameter<Any>.self)
                .load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
            return unsafe _getTypeByMangledNameInContext(
                name, UInt(name.count), genericContext: context, genericArguments: UnsafeRawPointer(argument))
        }
    }
}
