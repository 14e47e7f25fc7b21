// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Objects of unknown classes if `ClassRegistry.unknownClasses` is `.skip`. A caller that can omit a value tests it
// before decoding it: a caught error could come from anything inside the value.

/// A type with its own form whose values are objects of classes.
protocol SkippableValue {
    /// Returns whether the class of `value` is unknown.
    static func isUnknown(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Bool
}

extension DecodingFrame {
    /// Whether objects of unknown classes are skipped.
    var skipsUnknownObjects: Bool { session.settings.classes.unknownClasses == .skip }

    /// Returns whether `value`, requested as `known`, is skipped.
    @inline(__always)
    func isSkipped(
        _ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Bool {
        skipsUnknownObjects ? try isUnknown(known, value, at: step) : false
    }

    @inline(never)
    func isUnknown(
        _ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Bool {
        switch known.kind {
        case .native:
            guard let type = known.facts.native as? any SkippableValue.Type else { return false }
            return try type.isUnknown(value, in: self, at: step)
        case .coding, .instance: return try !isNil(value) && isUnknownObject(known, value, step)
        case .value, .once: return false
        }
    }

    /// Returns whether the class name of `value`, a value of a protocol type, is unregistered.
    func isUnregistered(_ value: ArchivedValue, at step: CodingPathStep) throws -> Bool {
        guard !isNil(value), let uid = try classUID(of: value, step) else { return false }
        return try undamaged(session.type(ofClass: uid, named: archive.className(uid)) == nil, at: step)
    }
}
