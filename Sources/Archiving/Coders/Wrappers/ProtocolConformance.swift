// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Whether values of a registered type can have a requested type, as far as the types alone show.
enum ProtocolConformance {
    /// Returns whether an instance of `type` may be a `requested`. Only the value can decide whether it is of a protocol.
    static func mayBe(_ type: any Any.Type, a requested: any Any.Type) -> Bool {
        if requested == AnyObject.self { return type is AnyClass }
        guard requested is AnyClass else { return true }
        return ClassResolution.isSubclass(type, of: requested)
    }

    /// Returns what to write if a value of the protocol `requested` has a type that is not Codable, after a sentence without a full
    /// stop; empty if it is no protocol that can require it.
    static func advice(for requested: any Any.Type) -> String {
        guard requested != Any.self, requested != AnyObject.self, !(requested is AnyClass) else { return "" }
        return ". The protocol \(requested) does not require its types to be: write `protocol \(requested): Codable`"
    }
}
