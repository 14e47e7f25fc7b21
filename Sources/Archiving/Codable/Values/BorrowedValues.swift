// Values and encoders in place, without reference counting (`Borrowed`).

extension Borrowed where Value: Encodable {
    @inline(__always)
    fileprivate borrowing func encode(to encoder: UnsafeMutablePointer<BorrowedEncoder>) throws {
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

/// Calls `body` with the address of the value in the optional at `address`, if there is one.
@inline(__always)
func withPresent<Wrapped>(
    inOptionalAt address: UnsafeRawPointer, of type: Wrapped.Type, _ body: (UnsafeRawPointer) throws -> Void
) rethrows {
    if RuntimeLayout.holds(.singleProperties) {
        try withPresent(address.assumingMemoryBound(to: Borrowed<Wrapped?>.self).pointee.value, body)
    } else {
        try withPresent(address.assumingMemoryBound(to: Wrapped?.self).pointee, body)
    }
}

/// An encoder in the form that values receive. It does not retain the encoder, which owns its memory.
struct BorrowedEncoder: ~Copyable {
    private let encoder: any Encoder

    /// Stores `encoder`, which outlives the memory, at `address`. `RuntimeLayout.Assumption.existentials` holds.
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
        if let borrowed = encoder.borrowed, RuntimeLayout.holds(.singleProperties) {
            try address.assumingMemoryBound(to: Borrowed<Value>.self).pointee.encode(to: borrowed)
        } else {
            try address.assumingMemoryBound(to: Value.self).pointee.encode(to: encoder)
        }
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
