/// The memory of a struct whose fields are numbers of one type.
enum StructMemory {
    /// Returns whether values of `type` can be `count` numbers. On 32-bit platforms those of geometry are not Doubles.
    static func holds<Number: BitwiseCopyable, Value>(_ count: Int, _: Number.Type, in type: Value.Type) -> Bool {
        MemoryLayout<Value>.size == count * MemoryLayout<Number>.size
            && MemoryLayout<Value>.alignment == MemoryLayout<Number>.alignment && _isPOD(type)
    }

    static func load<Number: BitwiseCopyable>(
        _ count: Int, of type: Number.Type, at address: UnsafeRawPointer
    ) -> [Number] {
        (0..<count).map { address.load(fromByteOffset: $0 * MemoryLayout<Number>.size, as: type) }
    }

    /// Returns the struct of the type `Value` that consists of `numbers`.
    static func value<Number: BitwiseCopyable, Value>(of numbers: [Number], as type: Value.Type = Value.self) -> Value {
        Reinterpretation.structure(of: numbers, as: type)
    }
}

// MARK: - Points, sizes and rectangles

/// A kind of geometry as a type, for use as a generic argument.
protocol GeometryForm {
    static var kind: Geometry.Kind { get }
}

extension GeometryForm {
    static var encoding: any NativelyEncodable.Type { GeometryEncoding<Self>.self }

    static func decoding<Value: Decodable>(_ type: Value.Type) -> any NativelyDecodable.Type {
        GeometryDecoding<Self, Value>.self
    }
}

private enum PointForm: GeometryForm { static var kind: Geometry.Kind { .point } }
private enum SizeForm: GeometryForm { static var kind: Geometry.Kind { .size } }
private enum RectForm: GeometryForm { static var kind: Geometry.Kind { .rect } }

extension Geometry.Kind {
    var form: any GeometryForm.Type {
        switch self {
        case .point: PointForm.self
        case .size: SizeForm.self
        case .rect: RectForm.self
        }
    }
}

/// Geometry under a key is text, as Cocoa's `encode(_:forKey:)` writes it. Elsewhere it is an NSValue, the only form
/// that Cocoa's collections can hold.
private enum GeometryEncoding<Form: GeometryForm>: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        let numbers = StructMemory.load(Form.kind.count, of: Double.self, at: address)
        return inline
            ? encoder.graph.pointee.string(Geometry.text(of: numbers))
            : encoder.graph.pointee.value(Form.kind, numbers)
    }
}

/// The form of `Value`, which is the type for `Form`.
private enum GeometryDecoding<Form: GeometryForm, Value: Decodable>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> Value {
        let numbers = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.numbers(value, of: Form.kind)
        }
        guard let numbers else {
            return try decoder.otherStruct(Value.self, value, at: step)
        }
        return StructMemory.value(of: numbers)
    }
}

// MARK: - Ranges

enum RangeEncoding: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let bounds = StructMemory.load(2, of: Int.self, at: address)
        guard bounds[0] >= 0, bounds[1] >= 0 else {
            throw CodableErrors.negativeRange(location: bounds[0], length: bounds[1], path: encoder.keys(step))
        }
        return encoder.graph.pointee.range(location: bounds[0], length: bounds[1])
    }
}

/// The form of `Value`, which is NSRange.
enum RangeDecoding<Value: Decodable>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> Value {
        let range = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.range(value)
        }
        guard let range else {
            return try decoder.otherStruct(Value.self, value, at: step)
        }
        return StructMemory.value(of: [range.location, range.length])
    }
}

// MARK: - Affine transforms

enum AffineTransformEncoding: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.affineTransform(StructMemory.load(AffineMatrix.count, of: Double.self, at: address))
    }
}

/// The form of `Value`, which is AffineTransform.
enum AffineTransformDecoding<Value: Decodable>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> Value {
        let numbers = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.affineTransform(value)
        }
        guard let numbers else {
            // Its own form is an array of numbers.
            return try decoder.with(nil, value, step) { try Value(from: $0.forProgram) }
        }
        return StructMemory.value(of: numbers)
    }
}

// MARK: - Other forms

extension ArchiveDecoding {
    /// Decodes a struct in the form of its own `encode(to:)`, if `value` is not in Cocoa's form.
    fileprivate func otherStruct<Value: Decodable>(
        _ type: Value.Type, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        let isCocoaValue = try contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.classUID(of: value.node).map { uid throws(KeyedArchiveError) in
                try contents.cocoaClass(uid) == .value
            } ?? false
        }
        if isCocoaValue { throw CodableErrors.mismatch(type, found: value, in: archive, path: path(step)) }
        return try otherForm(of: type, value, at: step) { try Value(from: $0) }
    }
}
