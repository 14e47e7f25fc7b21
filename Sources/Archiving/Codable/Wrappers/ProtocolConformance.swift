// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Tests whether the values of a type are values of another type, which may be a protocol, before a value exists.
///
/// A type conforms if it casts to the type of the protocol's metatypes (`ExistentialMetatype`).
enum ProtocolConformance {
    /// Returns whether an instance of `type` is a `requested`. Also returns true if only a value can decide, as for a
    /// protocol with given associated types, such as `any Collection<Int>`.
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
    /// Returns what to write if a value of the protocol `requested` has a type that is not Codable, after a sentence without a full
    /// stop; empty if it is no protocol that can require it.
    static func advice(for requested: any Any.Type) -> String {
        guard requested != Any.self, requested != AnyObject.self,
            case .existential = ExistentialMetatype.kind(of: requested)
        else { return "" }
        return ". The protocol \(requested) does not require its types to be: write `protocol \(requested): Codable`"
    }
}
