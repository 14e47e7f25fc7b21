// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A type whose raw value is its coding. The promise makes an enumeration with raw values faster.
///
/// ```swift
/// enum Species: String, Codable, ArchivedAsRawValue {
///     case cow, duck, hen
/// }
/// ```
///
/// By conforming, the author of a type promises:
///
/// - `encode(to:)` encodes `rawValue` in a single value container, and nothing else.
/// - `init(from:)` decodes a `RawValue` from a single value container, and passes it to `init(rawValue:)`.
///
/// The standard library provides both for an enumeration whose raw values are strings or numbers. The promise does not
/// hold if the type, or a protocol that it conforms to, has its own `encode(to:)` or `init(from:)` with another result.
///
/// The coders of this module then write the raw value, and create the value with `init(rawValue:)`. They need not call
/// `encode(to:)` or `init(from:)`. If the promise holds, the archive and the decoded values are the same as without it.
/// If `init(rawValue:)` returns nil, decoding throws the standard library's `DecodingError.dataCorrupted`. If the promise
/// does not hold, the archive contains raw values that the type would not have written, decoded values can differ from
/// those of `init(from:)`, and no error reports it.
///
/// The protocol has no effect on a class, or on a type that also conforms to ``ArchivedOnce`` or ``ArchiveMigrating``.
public protocol ArchivedAsRawValue: ArchiveDescribing, RawRepresentable, Codable where RawValue: Codable {}

/// Finds the types that are coded as their raw values.
enum RawValueTypes {
    /// Returns `type` if its values are coded as their raw values.
    private static func promised(_ type: any Any.Type) -> (any ArchivedAsRawValue.Type)? {
        guard let promised = archiveDescription(of: type, as: (any ArchivedAsRawValue.Type).self),
            !(type is AnyClass), !(type is any ArchivedOnce.Type), !(type is any ArchiveMigrating.Type)
        else { return nil }
        return promised
    }

    /// Returns the writer of the values of `type` as raw values, or nil if its own code writes them.
    static func encodable(_ type: any Any.Type) -> (any NativelyEncodable.Type)? {
        func form<Value: ArchivedAsRawValue>(_ type: Value.Type) -> any NativelyEncodable.Type {
            RawValueForm<Value>.self
        }
        return promised(type).map { form($0) }
    }

    /// Returns the reader of the values of `type` as raw values, or nil if its own code reads them.
    static func decodable(_ type: any Any.Type) -> (any NativelyDecodable.Type)? {
        func form<Value: ArchivedAsRawValue>(_ type: Value.Type) -> any NativelyDecodable.Type {
            RawValueForm<Value>.self
        }
        return promised(type).map { form($0) }
    }

    /// Returns the writer of arrays of `type` in one loop, if the values are coded as their raw values.
    static func encodableArrays(of type: any Any.Type) -> (any NativelyEncodable.Type)? {
        func form<Value: ArchivedAsRawValue>(_ type: Value.Type) -> any NativelyEncodable.Type {
            RawValueArrayForm<Value>.self
        }
        return promised(type).map { form($0) }
    }

    /// Returns the reader of arrays of `type` in one loop, if the values are coded as their raw values, which are numbers
    /// or strings.
    static func decodableArrays(of type: any Any.Type) -> (any NativelyDecodable.Type)? {
        func form<Value: ArchivedAsRawValue>(_ type: Value.Type) -> (any NativelyDecodable.Type)? {
            RawValueForm<Value>.isLeaf ? RawValueArrayForm<Value>.self : nil
        }
        return promised(type).flatMap { form($0) }
    }
}

/// Writes and reads values as their raw values.
private enum RawValueForm<Value: ArchivedAsRawValue> {}

extension RawValueForm: NativelyEncodable {
    /// Returns the reference to the raw value of `value`. The usual types of raw values need no lookup.
    @inline(__always)
    static func reference(
        to value: borrowing Value, in encoding: ArchiveEncoding, at step: @autoclosure () -> CodingPathStep,
        inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let rawValue = value.rawValue
        if Value.RawValue.self == Int.self {
            let number = Reinterpretation.same(rawValue, as: Int.self)
            return encoding.graph.integer(Int64(number), inline: inline)
        }
        if Value.RawValue.self == String.self {
            return encoding.graph.string(Reinterpretation.same(rawValue, as: String.self))
        }
        return try encoding.reference(to: rawValue, at: step(), inline: inline)
    }

    static func write(
        _ value: Value, in encoding: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try reference(to: value, in: encoding, at: step, inline: inline)
    }
}

extension RawValueForm: NativelyDecodable {
    static var isLeaf: Bool { (Value.RawValue.self as? any NativelyDecodable.Type)?.isLeaf ?? false }

    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> Value {
        // A raw value may request this type again, in the same place.
        try decoder.checkStack()
        let rawValue = try decoder.decode(Value.RawValue.self, from: value, at: step)
        guard let result = Value(rawValue: rawValue) else {
            throw CodableErrors.noValue(of: Value.self, for: rawValue, path: decoder.path(step))
        }
        return result
    }
}

// MARK: - Arrays

/// Writes and reads arrays of values as arrays of their raw values.
private enum RawValueArrayForm<Value: ArchivedAsRawValue> {}

extension RawValueArrayForm: NativelyEncodable {
    static func write(
        _ values: [Value], in encoding: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        // Generic code would look up the type of the array to ask whether it is empty.
        let count = values.count
        if count == 0 { return encoding.graph.emptyArray() }
        return try encoding.encodeElements(of: .array, at: step) { encoding in
            encoding.entries.references.reserve(count)
            try encoding.core.countCollection(count)
            @inline(__always)
            func add(_ value: borrowing Value, _ index: Int) throws {
                try encoding.core.countElement(at: index)
                encoding.entries.append(
                    try RawValueForm.reference(to: value, in: encoding, at: .index(index), inline: false))
            }
            try values.withSpan { try $0.forEachInPlace(add) }
        }
    }
}

/// An array of numbers or strings is read in a loop of its own.
extension RawValueArrayForm: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> [Value] {
        if Value.RawValue.self == Int.self {
            return try values(Int.ArrayForm.elements(of: value, in: decoder, at: step), in: decoder, at: step)
        }
        if Value.RawValue.self == String.self {
            return try values(String.ArrayForm.elements(of: value, in: decoder, at: step), in: decoder, at: step)
        }
        return try values(decoder.decode([Value.RawValue].self, from: value, at: step), in: decoder, at: step)
    }

    /// Returns the values with the raw values `rawValues`. `Raw` is `Value.RawValue`.
    @inline(__always)
    private static func values<Raw>(
        _ rawValues: [Raw], in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> [Value] {
        try [Value](filling: rawValues.count) { values in
            // Not over the elements: generic code would look up the type of the array's iterator.
            var index = 0
            while index < rawValues.count {
                let rawValue = rawValues[index]
                index &+= 1
                guard let value = Value(rawValue: Reinterpretation.same(rawValue)) else {
                    let path = decoder.path(step, .index(values.count))
                    throw CodableErrors.noValue(of: Value.self, for: rawValue, path: path)
                }
                values.append(value)
            }
        }
    }
}
