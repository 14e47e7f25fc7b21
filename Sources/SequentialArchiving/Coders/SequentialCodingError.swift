import Archiving

/// An error in decoding or encoding a sequential archive.
///
/// Errors that `init(coder:)` and `encode(with:)` throw are passed on unchanged. Bytes that are not a typedstream cause a
/// `TypedStreamError`.
public struct SequentialCodingError: Error {
    /// The kind of the error.
    public let code: Code
    /// The offset of the group that the error is about, in bytes from the start of the archive; `nil` during encoding.
    public let byteOffset: Int?
    /// The path to the group from the top of the archive: "group 0", "View (object 3), group 2".
    public let path: [String]
    /// The finding, its place, and a remedy.
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

extension SequentialCodingError {
    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: ErrorName

        private init(_ name: StaticString) { self.name = ErrorName(name) }

        /// The name of the static member, such as "typeMismatch".
        public var description: String { name.description }

        /// The value is of another kind: values were decoded in another order than they were encoded in.
        public static var typeMismatch: Self { Self("typeMismatch") }
        /// A number is out of range for the requested type, or for the type that it is encoded as.
        public static var numberOutOfRange: Self { Self("numberOutOfRange") }
        /// A required value is nil.
        public static var valueNotFound: Self { Self("valueNotFound") }
        /// All values have been decoded.
        public static var atEnd: Self { Self("atEnd") }
        /// An object has more values than its `init(coder:)` decoded.
        public static var valuesLeft: Self { Self("valuesLeft") }
        /// The contents of a Foundation object do not match its class.
        public static var damaged: Self { Self("damaged") }
        /// An object has a class that is neither requested nor registered.
        public static var classNotAllowed: Self { Self("classNotAllowed") }
        /// An object needs another object that is not yet complete.
        public static var cycle: Self { Self("cycle") }
        /// The archive exceeds the limits, or needs more stack than is available.
        public static var limit: Self { Self("limit") }
        /// A value cannot be encoded as the given type.
        public static var notEncodable: Self { Self("notEncodable") }
    }
}

extension SequentialCodingError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The finding, its place, and a remedy.
    public var description: String { debugDescription }
}
