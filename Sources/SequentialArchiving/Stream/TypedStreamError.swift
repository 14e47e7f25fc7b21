import Archiving

/// Why bytes are no typedstream, or values cannot be written as one: what was found, and where.
public struct TypedStreamError: Error, Equatable, Sendable {
    /// What kind of error one is: the static members of `ErrorCode<TypedStreamError>`.
    public typealias Code = ErrorCode<TypedStreamError>

    /// What is wrong.
    public let code: Code
    /// Where in the input, in bytes from its start; nil where it is not about input.
    public let byteOffset: Int?
    /// What was found.
    let sentence: String

    init(_ code: Code, at byteOffset: Int? = nil, _ sentence: String) {
        self.code = code
        self.byteOffset = byteOffset
        self.sentence = sentence
    }

    /// The same, found at this place.
    func at(_ byteOffset: Int) -> TypedStreamError { TypedStreamError(code, at: byteOffset, sentence) }
}

// MARK: - Codes

extension ErrorCode where Failure == TypedStreamError {
    /// The bytes do not start like a typedstream.
    public static var notATypedStream: Self { Self("notATypedStream") }
    /// The typedstream is of a version that nobody has described.
    public static var unknownVersion: Self { Self("unknownVersion") }
    /// The bytes end before what they announce.
    public static var truncated: Self { Self("truncated") }
    /// A type encoding says no type that a typedstream can have.
    public static var badType: Self { Self("badType") }
    /// A reference leads to nothing, or to something of another kind.
    public static var badReference: Self { Self("badReference") }
    /// A value is not what its type says.
    public static var badValue: Self { Self("badValue") }
    /// A count does not fit into the file.
    public static var badCount: Self { Self("badCount") }
    /// The classes of an object have no end.
    public static var badClass: Self { Self("badClass") }
}

extension TypedStreamError: CustomStringConvertible {
    /// A sentence that says what was found, and where.
    public var description: String {
        guard let byteOffset else { return sentence }
        return "\(sentence) (byte \(byteOffset) of the typedstream)"
    }
}
