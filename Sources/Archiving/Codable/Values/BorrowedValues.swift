// Values and encoders in place. A method call on the target of a pointer copies the target first, in case the method
// changes the original. The copy counts references. Swift does not copy a noncopyable type.

/// A value that is encoded in place.
private struct BorrowedValue<Value: Encodable>: ~Copyable {
    let value: Value

    @inline(__always)
    borrowing func encode(to encoder: UnsafeMutablePointer<BorrowedEncoder>) throws {
        try encoder.pointee.encode(value)
    }
}

/// Calls `body` with the address of the value in `optional`, if there is one.
///
/// Any other access to an optional of a generic type copies it first, with a type lookup.
@inline(__always)
func withPresent<Value: ~Copyable>(
    _ optional: borrowing Value?, _ body: (UnsafeRawPointer) throws -> Void
) rethrows {
    switch optional {
    case .none: break
    case .some(let value): try withUnsafePointer(to: value) { try body(UnsafeRawPointer($0)) }
    }
}

/// An optional that is read in place.
struct BorrowedOptional<Wrapped>: ~Copyable {
    private let value: Wrapped?

    /// Calls `body` with the address of the value, if there is one.
    @inline(__always)
    borrowing func withValue(_ body: (UnsafeRawPointer) throws -> Void) rethrows {
        try withPresent(value, body)
    }
}

/// An encoder in the form that values receive. It does not retain the encoder, which owns its memory.
struct BorrowedEncoder: ~Copyable {
    private let encoder: any Encoder

    /// Stores `encoder`, which outlives the memory, at `address`.
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

    /// Encodes the value at `address`.
    func encode(valueAt address: UnsafeRawPointer, to encoder: ArchiveEncoding) throws {
        preconditionFailure("AddressedEncoding is abstract")
    }

    /// Returns the reference to the value at `address`, which is archived once.
    func referenceOnce(
        toValueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, _ type: UnsafeMutablePointer<EncodingType>,
        at step: CodingPathStep
    ) throws -> ArchiveGraph.Reference {
        preconditionFailure("AddressedEncoding is abstract")
    }

    /// Returns a copy of the value at `address`, for an error.
    func value(at address: UnsafeRawPointer) -> Any { preconditionFailure("AddressedEncoding is abstract") }

    /// Returns the encoder of values of `type`: an instance of a generic class, whose methods know the type.
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
