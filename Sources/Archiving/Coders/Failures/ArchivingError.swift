// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error of the keyed and the sequential coders: why an archive cannot be written or read, or a value not as requested.
///
/// ```swift
/// do {
///     window = try unarchiver.decode(Window.self, forKey: "window")
/// } catch let error as ArchivingError where error.code == .valueNotFound {
///     window = Window(title: "Untitled")  // an older file, which has none
/// } catch let error as ArchivingError {
///     print("The file cannot be read (\(error.code)): \(error)")
/// }
/// ```
///
/// Errors that `encode(with:)`, `encode(to:)`, `init(coder:)` and `init(from:)` throw reach the caller unchanged, except
/// `EncodingError` and `DecodingError`: they become an `ArchivingError` with the original as its underlying error.
///
/// `ArchiveEncoder` and `ArchiveDecoder` throw `EncodingError` and `DecodingError`. If a decoded value is not as requested, or a limit is
/// exceeded, their underlying error is an `ArchivingError`, which says what was found and what to do.
public struct ArchivingError: Error {
    /// The kind of the error.
    public let code: Code
    /// The keys and positions from the top of the archive to the value that caused the error. In a sequential archive, which has
    /// no keys, a key describes an object and the number of its group: "View (object 3), group 2".
    public let codingPath: [any CodingKey]
    /// The underlying error, if any.
    public let underlyingError: (any Error)?
    let type: any Any.Type
    private let isWriting: Bool
    private let sentence: @Sendable (_ place: String) -> String

    /// Creates the error of a value at `path`.
    ///
    /// - Parameters:
    ///   - type: The requested type.
    ///   - isWriting: Whether the value is being written; most codes say so.
    ///   - sentence: Returns what was found at the place, and how to correct it. It is called when the error is read: most
    ///     errors of a program that tries alternatives are not read.
    init(
        _ code: Code, _ type: any Any.Type = Any.self, isWriting: Bool = false, path: [any CodingKey],
        underlying: (any Error)? = nil, _ sentence: @escaping @Sendable (_ place: String) -> String
    ) {
        self.code = code
        self.type = type
        self.isWriting = isWriting
        self.sentence = sentence
        codingPath = path
        underlyingError = underlying
    }

    /// Creates an error of a sequential archive, whose path consists of descriptions.
    package init(_ code: Code, at path: [String], byteOffset: Int? = nil, _ sentence: String) {
        let place = path.joined(separator: " → ") + (byteOffset.map { " (byte \($0))" } ?? "")
        self.init(code, path: path.map { ArchiveKey(stringValue: $0) }) { _ in "\(sentence) at \(place)" }
    }

    /// Returns the error, met inside a value at `path`, with the whole path.
    func inside(_ path: [any CodingKey]) -> ArchivingError {
        ArchivingError(
            code, type, isWriting: isWriting, path: path + codingPath, underlying: underlyingError, sentence)
    }

    /// Creates the error that `error` is, or that an error of Codable carries; nil if there is none.
    init?(in error: any Error) {
        let carried: (any Error)?
        switch error {
        case let own as ArchivingError:
            self = own
            return
        case let error as DecodingError: carried = error.context?.underlyingError
        case EncodingError.invalidValue(_, let context): carried = context.underlyingError
        default: return nil
        }
        guard let own = carried as? ArchivingError else { return nil }
        self = own
    }
}

extension DecodingError {
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

// MARK: - Codes

extension ArchivingError {
    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Name: String {
            case damaged, valueNotFound, typeMismatch, numberOutOfRange, classNotAllowed, notSecure, cycle, replaced
            case duplicateKey, notEncodable, limit, unrepresentableInXML
        }

        let name: Name

        /// The name of the static member, such as "damaged".
        public var description: String { name.rawValue }

        /// The bytes are not a keyed archive, or a part of an archive violates the format.
        public static var damaged: Self { Self(name: .damaged) }
        /// A required value is absent or nil, or all values of a sequential archive have been decoded.
        public static var valueNotFound: Self { Self(name: .valueNotFound) }
        /// The value has another type than requested, or an object of a sequential archive has more values than were decoded.
        public static var typeMismatch: Self { Self(name: .typeMismatch) }
        /// The requested type cannot represent the number.
        public static var numberOutOfRange: Self { Self(name: .numberOutOfRange) }
        /// The object has a class other than the requested ones.
        public static var classNotAllowed: Self { Self(name: .classNotAllowed) }
        /// The class does not support secure coding, which the archiver or the unarchiver requires.
        public static var notSecure: Self { Self(name: .notSecure) }
        /// An object needs another object that cannot be complete before this one.
        public static var cycle: Self { Self(name: .cycle) }
        /// An object was replaced after other objects received it, or by an object that they cannot reference.
        public static var replaced: Self { Self(name: .replaced) }
        /// Two values were encoded under one key in one object.
        public static var duplicateKey: Self { Self(name: .duplicateKey) }
        /// A value is neither `Coding` nor `Encodable`, or cannot be archived, or not as the given type.
        public static var notEncodable: Self { Self(name: .notEncodable) }
        /// The archive exceeds the limits, or the stack. Or it would: values are nested deeper than the stack allows, or the archive would
        /// be larger than 4 GiB.
        public static var limit: Self { Self(name: .limit) }
        /// A value cannot be written in the format `.xml`, such as a string with a control character. The underlying error is
        /// a `PropertyListError` with the character.
        public static var unrepresentableInXML: Self { Self(name: .unrepresentableInXML) }
    }
}

// MARK: - Descriptions

extension ArchivingError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence that says what was found, where, and how to correct it.
    public var description: String { sentence(codingPath.pathDescription) }
    /// A sentence that says what was found, where, and how to correct it.
    public var debugDescription: String { description }
}

extension ArchivingError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        switch code.name {
        case .limit where isWriting: "The values are too many or nested too deeply for an archive."
        case .unrepresentableInXML: "The values cannot be written as XML."
        case .duplicateKey, .notEncodable: "The values cannot be archived."
        case .notSecure where isWriting: "The values cannot be archived."
        case .damaged: "The archive is damaged, or is not an archive."
        case .valueNotFound: "The archive does not have a value that is required."
        case .typeMismatch, .numberOutOfRange: "The archive has a value that does not fit."
        case .classNotAllowed, .notSecure: "The archive has an object that is not allowed."
        case .limit: "The archive exceeds a limit."
        case .cycle, .replaced: "The archive cannot be read."
        }
    }

    /// The finding and its place: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch code.name {
        case .limit where isWriting: "Divide the values among several files."
        case .unrepresentableInXML: "Write the binary format, or remove the characters that XML does not have."
        case .damaged: "Restore the file from a backup."
        case .valueNotFound, .typeMismatch, .numberOutOfRange:
            "Open the file with the version of the program that wrote it."
        case .limit: "Open the file with higher limits if you trust it."
        case .cycle, .replaced, .duplicateKey, .notEncodable: "Report the error to the author of the program."
        case .notSecure where isWriting: "Report the error to the author of the program."
        case .classNotAllowed, .notSecure: "Open the file only if you trust it, with a program that allows the object."
        }
    }
}
