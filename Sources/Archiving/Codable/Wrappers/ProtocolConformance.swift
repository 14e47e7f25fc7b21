/// Whether the values of a type are values of another one, which may be a protocol: known before there is a value.
///
/// A type conforms if it casts to the type of the protocol's metatypes (`ExistentialMetatype`).
enum ProtocolConformance {
    /// Whether an instance of `type` is a `requested`. Also true if only a value can tell, as of a protocol with given
    /// associated types, such as `any Collection<Int>`.
    static func mayBe(_ type: any Any.Type, a requested: any Any.Type) -> Bool {
        if type == requested { return true }
        switch ExistentialMetatype.kind(of: requested) {
        case .existential(let metatype):
            func contains<Metatype>(_ metatype: Metatype.Type) -> Bool { type is Metatype }
            return _openExistential(metatype, do: contains)
        case .unknown: return true
        case .concrete: return ClassResolution.isSubclass(type, of: requested)
        }
    }
}
