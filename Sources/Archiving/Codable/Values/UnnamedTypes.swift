/// Types that only the full Foundation or CoreGraphics has, and that archives have a form of their own for. They are known
/// by their names at run time: naming them in code would load all of Foundation.
enum UnnamedType {
    case indexSet
    /// CGPoint, CGSize or CGRect, whichever platform's.
    case geometry(Geometry.Kind)
    /// NSRange.
    case range
    /// A Measurement whose unit's class has this name in archives.
    case measurement(unit: String)

    /// What `type` is; nil where it is another type.
    init?(_ type: any Any.Type) {
        let name = _typeName(type, qualified: true)
        switch name {
        case "Foundation.IndexSet": self = .indexSet
        case "Foundation.CGPoint", "__C.CGPoint": self = .geometry(.point)
        case "Foundation.CGSize", "__C.CGSize": self = .geometry(.size)
        case "Foundation.CGRect", "__C.CGRect": self = .geometry(.rect)
        case "Foundation._NSRange", "__C._NSRange": self = .range
        default:
            let prefix = "Foundation.Measurement<"
            guard name.hasPrefix(prefix), name.last == ">" else { return nil }
            self = .measurement(unit: Self.archivedName(name.dropFirst(prefix.utf8.count).dropLast()))
        }
    }

    /// The name in archives of the class of units `name`: that of a program's own class is its name in Swift.
    private static func archivedName(_ name: Substring) -> String {
        for (module, prefix) in [("__C.", ""), ("Foundation.", "NS")] where name.hasPrefix(module) {
            return prefix + name.dropFirst(module.utf8.count)
        }
        return String(name)
    }
}

extension NativeTypes {
    /// What writes the values of `type`, where it is one of the types without a name here.
    static func unnamedEncodable<Value: Encodable>(_ type: Value.Type) -> (any NativelyEncodable.Type)? {
        switch UnnamedType(type) {
        case .indexSet: IndexSetEncoding<Value>.self
        case .geometry(let kind) where StructMemory.holds(kind.count, Double.self, in: type): kind.form.encoding
        case .range where StructMemory.holds(2, Int.self, in: type): RangeEncoding.self
        case .measurement: MeasurementEncoding<Value>.self
        default: nil
        }
    }

    /// What reads the values of `type`, where it is one of the types without a name here.
    static func unnamedDecodable<Value: Decodable>(_ type: Value.Type) -> (any NativelyDecodable.Type)? {
        switch UnnamedType(type) {
        case .indexSet: IndexSetDecoding<Value>.self
        case .geometry(let kind) where StructMemory.holds(kind.count, Double.self, in: type):
            kind.form.decoding(type)
        case .range where StructMemory.holds(2, Int.self, in: type): RangeDecoding<Value>.self
        case .measurement: MeasurementDecoding<Value>.self
        default: nil
        }
    }
}

/// A struct whose fields are numbers of one type, as it lies in memory.
private enum StructMemory {
    /// Whether values of `type` can be `count` numbers. On platforms of 32 bits those of geometry are not.
    static func holds<Number: BitwiseCopyable, Value>(_ count: Int, _: Number.Type, in type: Value.Type) -> Bool {
        MemoryLayout<Value>.size == count * MemoryLayout<Number>.size
            && MemoryLayout<Value>.alignment == MemoryLayout<Number>.alignment && _isPOD(type)
    }

    static func load<Number: BitwiseCopyable>(
        _ count: Int, of type: Number.Type, at address: UnsafeRawPointer
    ) -> [Number] {
        (0..<count).map { address.load(fromByteOffset: $0 * MemoryLayout<Number>.size, as: type) }
    }

    static func store<Number: BitwiseCopyable>(_ numbers: [Number], at address: UnsafeMutableRawPointer) {
        for (index, number) in numbers.enumerated() {
            address.storeBytes(of: number, toByteOffset: index * MemoryLayout<Number>.size, as: Number.self)
        }
    }
}

// MARK: - Points, sizes and rectangles

/// A kind of geometry as a type, so that a form can be made for it.
private protocol GeometryForm {
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
    fileprivate var form: any GeometryForm.Type {
        switch self {
        case .point: PointForm.self
        case .size: SizeForm.self
        case .rect: RectForm.self
        }
    }
}

/// Under a key geometry is text, as Cocoa's `encode(_:forKey:)` writes it. Anywhere else it is an NSValue: a collection of
/// Cocoa's can hold nothing else of it.
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

/// `Value` is the type that `Form` stands for.
private enum GeometryDecoding<Form: GeometryForm, Value: Decodable>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let numbers = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.numbers(value, of: Form.kind)
        }
        guard let numbers else {
            let result = try decoder.otherStruct(Value.self, value, at: step)
            address.initializeMemory(as: Value.self, to: result)
            return
        }
        StructMemory.store(numbers, at: address)
    }
}

// MARK: - Ranges

private enum RangeEncoding: NativelyEncodable {
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

/// `Value` is NSRange.
private enum RangeDecoding<Value: Decodable>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let range = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in try contents.range(value) }
        guard let range else {
            let result = try decoder.otherStruct(Value.self, value, at: step)
            address.initializeMemory(as: Value.self, to: result)
            return
        }
        StructMemory.store([range.location, range.length], at: address)
    }
}

extension ArchiveDecoding {
    /// Reads a struct in the form in which it encodes itself, where `value` is not what Cocoa makes of it.
    fileprivate func otherStruct<Value: Decodable>(
        _ type: Value.Type, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        let isCocoaValue = try contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.classUID(of: value.node).map { uid throws(KeyedArchiveError) in
                try contents.cocoaClass(uid)?.class == .value
            } ?? false
        }
        if isCocoaValue { throw CodableErrors.mismatch(type, found: value, in: archive, path: path(step)) }
        return try otherForm(of: type, value, at: step) { try Value(from: $0) }
    }
}

// MARK: - Measurements

/// `Value` is a Measurement.
private enum MeasurementEncoding<Value: Encodable>: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let value = address.assumingMemoryBound(to: Value.self).pointee
        guard case .measurement(let unit)? = UnnamedType(Value.self),
            let (number, symbol, converter) = try PlainFields(of: value).measurement
        else { throw CodableErrors.unknownParts(value) }
        let superclasses = converter == nil ? ["NSUnit"] : ["NSDimension", "NSUnit"]
        let unitClass = ArchivedClass(unit, inheritingFrom: superclasses.filter { $0 != unit })
        return encoder.graph.pointee.measurement(number, unit: unitClass, symbol: symbol, converter: converter)
    }
}

/// `Value` is a Measurement.
private enum MeasurementDecoding<Value: Decodable>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let measurement = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.measurement(value)
        }
        guard let measurement else {
            let result = try decoder.otherForm(of: Value.self, value, at: step) { try Value(from: $0) }
            address.initializeMemory(as: Value.self, to: result)
            return
        }
        guard case .measurement(let unit)? = UnnamedType(Value.self), unit == measurement.unitName else {
            let found = "a measurement in \(UnarchivingError.shown(measurement.unitName)) (uid \(value.uid))"
            throw CodableErrors.mismatch(Value.self, found: found, path: decoder.path(step))
        }
        guard let result = try? PlainFields(measurement).value(of: Value.self) else {
            throw CodableErrors.invalid(
                "The unit \"\(measurement.symbol.prefix(40))\" of a measurement has no linear converter, which a Measurement"
                    + " needs",
                path: decoder.path(step))
        }
        address.initializeMemory(as: Value.self, to: result)
    }
}
