/// Why bytes are no typedstream, or values cannot be written as one: what was found, and where.
public struct TypedStreamError: Error, Equatable, Sendable {
    /// What is wrong. More codes may be added; compare with the ones you know.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the code.
        public var description: String { rawValue }

        /// The bytes do not start like a typedstream.
        public static let notATypedStream = Code(rawValue: "notATypedStream")
        /// The typedstream is of a version that nobody has described.
        public static let unknownVersion = Code(rawValue: "unknownVersion")
        /// The bytes end before what they announce.
        public static let truncated = Code(rawValue: "truncated")
        /// A type encoding says no type that a typedstream can have.
        public static let badType = Code(rawValue: "badType")
        /// A reference leads to nothing, or to something of another kind.
        public static let badReference = Code(rawValue: "badReference")
        /// A value is not what its type says.
        public static let badValue = Code(rawValue: "badValue")
        /// A count does not fit into the file.
        public static let badCount = Code(rawValue: "badCount")
        /// The classes of an object have no end.
        public static let badClass = Code(rawValue: "badClass")
    }

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

extension TypedStreamError: CustomStringConvertible {
    /// A sentence that says what was found, and where.
    public var description: String {
        guard let byteOffset else { return sentence }
        return "\(sentence) (byte \(byteOffset) of the typedstream)"
    }
}
