// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Points, sizes and rectangles

/// A kind of geometry as a type, for use as a generic argument.
protocol GeometryKind {
    static var kind: Geometry.Kind { get }
}

enum PointKind: GeometryKind { static var kind: Geometry.Kind { .point } }
enum SizeKind: GeometryKind { static var kind: Geometry.Kind { .size } }
enum RectKind: GeometryKind { static var kind: Geometry.Kind { .rect } }

/// The form of `Value`, which is the type for `Kind`.
///
/// Geometry under a key is text, as Cocoa's `encode(_:forKey:)` writes it. Elsewhere it is an NSValue, the only form
/// that Cocoa's collections can hold.
enum GeometryForm<Kind: GeometryKind, Value: Codable>: CodedShape {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        let numbers = Reinterpretation.reals(Kind.kind.count, in: value)
        return inline
            ? encoding.graph.string(Geometry.text(of: numbers))
            : encoding.graph.value(Kind.kind, numbers)
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        let numbers = try decoder.undamaged(decoder.archive.numbers(value, of: Kind.kind), at: step)
        guard let numbers else {
            return try decoder.otherStruct(Value.self, value, at: step)
        }
        return try decoder.structure(numbers, value, step)
    }
}

// MARK: - Ranges

enum RangeForm<Value: Codable>: CodedShape {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let bounds = Reinterpretation.numbers(2, of: Int.self, in: value)
        guard bounds[0] >= 0, bounds[1] >= 0 else {
            throw EncodingError.invalid(bounds, path: encoding.keys(step)) {
                "Found an NSRange with location \(bounds[0]) and length \(bounds[1]) at \($1). Both must be 0 or greater"
            }
        }
        return encoding.graph.range(location: bounds[0], length: bounds[1])
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        let range = try decoder.undamaged(decoder.archive.range(value), at: step)
        guard let range else {
            return try decoder.otherStruct(Value.self, value, at: step)
        }
        return Reinterpretation.structure(of: [range.location, range.length])
    }
}

// MARK: - Affine transforms

enum AffineTransformForm<Value: Codable>: CodedShape {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoding.graph.affineTransform(Reinterpretation.reals(AffineMatrix.count, in: value))
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        let numbers = try decoder.undamaged(decoder.archive.affineTransform(value), at: step)
        guard let numbers else {
            // Its own form is an array of numbers.
            return try decoder.withDecoder(nil, value, step) { try Value(from: $0) }
        }
        return try decoder.structure(numbers, value, step)
    }
}

// MARK: - Other forms

extension DecodingFrame {
    fileprivate func structure<Value>(
        _ numbers: [Double], _ value: ArchivedValue, _ step: CodingPathStep
    ) throws -> Value {
        guard let structure = Reinterpretation.structure(ofReals: numbers, as: Value.self) else {
            throw mismatch(Value.self, value, step)
        }
        return structure
    }

    /// Decodes a struct in the form of its own `encode(to:)`, if `value` is not in Cocoa's form.
    fileprivate func otherStruct<Value: Decodable>(
        _ type: Value.Type, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        let isCocoaValue = try contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.classUID(of: value.node).map { uid throws(KeyedArchiveError) in
                try contents.cocoaClass(uid) == .value
            } ?? false
        }
        if isCocoaValue { throw mismatch(type, value, step) }
        return try otherForm(of: type, value, at: step) { try Value(from: $0) }
    }
}
