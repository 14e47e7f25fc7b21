// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The facts about classes whose instances encode themselves by key, which reading needs. Their protocol, `Coding`, names
/// the keyed coders, so the layer of those has the only conformance.
protocol CodingClasses {
    /// Returns whether `type` is such a class.
    static func isCoding(_ type: any Any.Type) -> Bool

    /// Returns the type that objects of the class `type` are decoded as. It is `type` unless the class names another one.
    static func decodedType(of type: any Any.Type) -> any Any.Type

    /// Returns whether instances of `type` represent objects of any class, in their archived form.
    static func isForeign(_ type: any Any.Type) -> Bool
}

/// The tables of a coder. A reading or a writing keeps them, also for the next archive.
class CoderTables {
    /// Whether a table is too large to be kept for another archive.
    var hasGrown: Bool { preconditionFailure("CoderTables is abstract") }

    /// Forgets the state of one archive.
    func reset() { preconditionFailure("CoderTables is abstract") }
}
