import Archiving

/// Why a sequential archive could not be read as the program wanted, or could not be written.
///
/// Errors that `init(coder:)` and `encode(with:)` throw themselves are passed on as they are. Bytes that are no typedstream are
/// a `TypedStreamError`.
public struct SequentialCodingError: Error {
    /// What kind of error one is: the static members of `ErrorCode<SequentialCodingError>`.
    public typealias Code = ErrorCode<SequentialCodingError>

    /// What kind of error it is.
    public let code: Code
    /// Where the values begin that it is about, in bytes from the start of the archive; nil while one is written.
    public let byteOffset: Int?
    /// The way there, from the top of the archive: "group 0", "View (object 3), group 2".
    public let path: [String]
    /// What was found, where, and what to do.
    public let debugDescription: String

    init(_ code: Code, at byteOffset: Int?, path: [String], _ sentence: String) {
        self.code = code
        self.byteOffset = byteOffset
        self.path = path
        let place = path.isEmpty ? "" : " at \(path.joined(separator: " → "))"
        debugDescription = "\(sentence)\(place)\(byteOffset.map { " (byte \($0))" } ?? "")"
    }
}

// MARK: - Codes

extension ErrorCode where Failure == SequentialCodingError {
    /// Another kind of value stands there: values were decoded in another order than they were encoded in.
    public static var typeMismatch: Self { Self("typeMismatch") }
    /// A number that the type asked for cannot hold, or that cannot be encoded as the type it is to have.
    public static var numberOutOfRange: Self { Self("numberOutOfRange") }
    /// nil, where a value is needed.
    public static var valueNotFound: Self { Self("valueNotFound") }
    /// There are no more values.
    public static var atEnd: Self { Self("atEnd") }
    /// An object has more values than were decoded.
    public static var valuesLeft: Self { Self("valuesLeft") }
    /// The contents of one of Foundation's objects are not what they are in its class.
    public static var damaged: Self { Self("damaged") }
    /// An object of a class that is neither asked for nor registered.
    public static var classNotAllowed: Self { Self("classNotAllowed") }
    /// An object needs another one that is not complete before this one is.
    public static var cycle: Self { Self("cycle") }
    /// The archive asks for more than the limits, or the stack, allow.
    public static var limit: Self { Self("limit") }
    /// A value cannot be encoded as the type that it is to have.
    public static var notEncodable: Self { Self("notEncodable") }
}

extension SequentialCodingError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What was found, where, and what to do.
    public var description: String { debugDescription }
}
