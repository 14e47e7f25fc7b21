import Archiving

/// An error in the bytes of a typedstream, or in values that cannot be written as one. It describes the finding and its position.
public struct TypedStreamError: Error, Equatable, Sendable {
    /// The kind of the error.
    public let code: Code
    /// The offset in the input in bytes; nil if the error is not about input.
    public let byteOffset: Int?
    /// The finding.
    let sentence: String

    init(_ code: Code, at byteOffset: Int? = nil, _ sentence: String) {
        self.code = code
        self.byteOffset = byteOffset
        self.sentence = sentence
    }

    /// The same error with a position.
    func at(_ byteOffset: Int) -> TypedStreamError { TypedStreamError(code, at: byteOffset, sentence) }
}

// MARK: - Codes

extension TypedStreamError {
    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: ErrorName

        private init(_ name: StaticString) { self.name = ErrorName(name) }

        /// The name of the static member, such as "notATypedStream".
        public var description: String { name.description }

        /// The bytes do not begin like a typedstream.
        public static var notATypedStream: Self { Self("notATypedStream") }
        /// The version of the typedstream is unknown.
        public static var unknownVersion: Self { Self("unknownVersion") }
        /// The bytes end early.
        public static var truncated: Self { Self("truncated") }
        /// A type encoding is invalid, or not possible in a typedstream.
        public static var badType: Self { Self("badType") }
        /// A reference is invalid, or refers to a value of another kind.
        public static var badReference: Self { Self("badReference") }
        /// A value does not match its type.
        public static var badValue: Self { Self("badValue") }
        /// A count is too large for the file.
        public static var badCount: Self { Self("badCount") }
        /// The class of an object is missing or invalid, or its superclasses form a cycle or are too many.
        public static var badClass: Self { Self("badClass") }
    }
}

extension TypedStreamError: CustomStringConvertible {
    /// The finding and its position.
    public var description: String {
        guard let byteOffset else { return sentence }
        return "\(sentence) (byte \(byteOffset) of the typedstream)"
    }
}
