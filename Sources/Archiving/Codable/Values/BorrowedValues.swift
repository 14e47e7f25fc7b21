// Values and encoders where they lie in memory. To call a method of what a pointer leads to, Swift makes a copy first, in case
// the method changes the original; the copy counts references. It makes none of what cannot be copied.

/// A value that is encoded where it lies.
private struct BorrowedValue<Value: Encodable>: ~Copyable {
    let value: Value

    @inline(__always)
    borrowing func encode(to encoder: UnsafeMutablePointer<BorrowedEncoder>) throws {
        try encoder.pointee.encode(value)
    }
}

/// Hands the address of the value in `optional` to `body`, if there is one.
///
/// Any other way to look into an optional of a type that is not known makes a copy of it first, and looks up its type for that.
@inline(__always)
func withPresent<Value: ~Copyable>(
    _ optional: borrowing Value?, _ body: (UnsafeRawPointer) throws -> Void
) rethrows {
    switch optional {
    case .none: break
    case .some(let value): try withUnsafePointer(to: value) { try body(UnsafeRawPointer($0)) }
    }
}

/// An optional that is looked into where it lies.
struct BorrowedOptional<Wrapped>: ~Copyable {
    private let value: Wrapped?

    /// Hands the address of the value to `body`, if there is one.
    @inline(__always)
    borrowing func withValue(_ body: (UnsafeRawPointer) throws -> Void) rethrows {
        try withPresent(value, body)
    }
}

/// An encoder as values are given it. It does not keep the encoder, whose frame it lies beside.
struct BorrowedEncoder: ~Copyable {
    private let encoder: any Encoder

    /// Lets `address` hold `encoder`, which outlives that.
    static func lend(_ encoder: ArchiveEncoding, at address: UnsafeMutablePointer<BorrowedEncoder>) {
        address.initialize(to: BorrowedEncoder(encoder: encoder))
        Unmanaged.passUnretained(encoder).release()
    }

    @inline(__always)
    fileprivate borrowing func encode<Value: Encodable>(_ value: Value) throws {
        try value.encode(to: encoder)
    }
}

/// Encodes values of one type by their addresses, for code that does not know the type.
class AddressedEncoding: @unchecked Sendable {
    fileprivate init() {}

    /// Lets the value at `address` encode itself.
    func encode(valueAt address: UnsafeRawPointer, to encoder: ArchiveEncoding) throws {
        preconditionFailure("AddressedEncoding is abstract")
    }

    /// What stands for the value at `address`, which is archived once.
    func referenceOnce(
        toValueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, _ type: UnsafeMutablePointer<EncodingType>,
        at step: CodingPathStep
    ) throws -> ArchiveGraph.Reference {
        preconditionFailure("AddressedEncoding is abstract")
    }

    /// A copy of the value at `address`, for an error.
    func value(at address: UnsafeRawPointer) -> Any { preconditionFailure("AddressedEncoding is abstract") }

    /// What encodes values of `type`: a generic class, so that its methods know the type.
    static func of<Value: Encodable>(_ type: Value.Type) -> AddressedEncoding { TypedEncoding<Value>() }
}

private final class TypedEncoding<Value: Encodable>: AddressedEncoding, @unchecked Sendable {
    override init() {}

    override func encode(valueAt address: UnsafeRawPointer, to encoder: ArchiveEncoding) throws {
        try address.assumingMemoryBound(to: BorrowedValue<Value>.self).pointee.encode(to: encoder.borrowed)
    }

    override func referenceOnce(
        toValueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, _ type: UnsafeMutablePointer<EncodingType>,
        at step: CodingPathStep
    ) throws -> ArchiveGraph.Reference {
        try encoder.referenceOnce(to: address.assumingMemoryBound(to: Value.self).pointee, type: type, at: step)
    }

    override func value(at address: UnsafeRawPointer) -> Any {
        address.assumingMemoryBound(to: Value.self).pointee
    }
}
