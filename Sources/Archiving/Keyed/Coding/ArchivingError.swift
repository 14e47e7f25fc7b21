// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error that `KeyedArchiver` or `SequentialArchiver` throws if it cannot write an archive.
///
/// Errors from `encode(with:)` and `encode(to:)` reach the caller unchanged, except `EncodingError`: it becomes an
/// `ArchivingError` with the original as its underlying error.
///
/// ```swift
/// do {
///     data = try KeyedArchiver.archivedData(withRootObject: window)
/// } catch let error as ArchivingError where error.code == .notSecure {
///     print("Only for those who trust the file: \(error)")
///     data = try KeyedArchiver.archivedData(withRootObject: window, requiringSecureCoding: false)
/// }
/// ```
public struct ArchivingError: Error {
    /// The kind of the error.
    public let code: Code
    /// The keys and positions from the top of the archive to the value that caused the error, as of `UnarchivingError`.
    public let codingPath: [any CodingKey]
    /// A sentence that says what was found, where, and how to correct it.
    public let debugDescription: String
    /// The underlying error, if any.
    public let underlyingError: (any Error)?

    init(_ code: Code, path: [any CodingKey], _ sentence: String, underlying: (any Error)? = nil) {
        self.code = code
        codingPath = path
        debugDescription = sentence
        underlyingError = underlying
    }

    /// Creates an error of a sequential archive, whose path consists of descriptions.
    package init(_ code: Code, at path: [String], _ sentence: String) {
        self.init(
            code, path: path.map { ArchiveKey(stringValue: $0) }, "\(sentence) at \(path.joined(separator: " → "))")
    }
}

// MARK: - Codes

extension ArchivingError {
    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: ErrorName

        private init(_ name: StaticString) { self.name = ErrorName(name) }

        /// The name of the static member, such as "duplicateKey".
        public var description: String { name.description }

        /// Two values were encoded under one key in one object.
        public static var duplicateKey: Self { Self("duplicateKey") }
        /// An instance of a class without support for secure coding was encoded, and the archiver requires it.
        public static var notSecure: Self { Self("notSecure") }
        /// A value is neither `Coding` nor `Encodable`, or cannot be archived, or not as the given type.
        public static var notEncodable: Self { Self("notEncodable") }
        /// Values are nested deeper than the stack allows, or the archive would be larger than 4 GiB.
        public static var limit: Self { Self("limit") }
        /// A value cannot be written in the format `.xml`, such as a string with a control character. The underlying error is
        /// a `PropertyListError` with the character.
        public static var unrepresentableInXML: Self { Self("unrepresentableInXML") }
    }
}

extension ArchivingError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence that says what was found, where, and how to correct it.
    public var description: String { debugDescription }
}

extension ArchivingError {
    static func duplicateKey(_ key: String, in type: (any Any.Type)?, path: [any CodingKey]) -> ArchivingError {
        let writer = type.map { "\($0)" } ?? "The archive"
        return ArchivingError(
            .duplicateKey, path: path,
            "\(writer) has two values under the key \"\(key)\" at \(path.pathDescription). An object has one value for"
                + " each key: in a subclass, use keys that its superclasses do not use")
    }

    static func notSecure(_ type: any Any.Type, path: [any CodingKey]) -> ArchivingError {
        ArchivingError(
            .notSecure, path: path,
            "Found an instance of \(type) at \(path.pathDescription), which does not support secure coding. Create the"
                + " archiver with requiringSecureCoding: false if only programs that trust the archive will read it")
    }

    static func notEncodable(_ value: Any, path: [any CodingKey]) -> ArchivingError {
        ArchivingError(
            .notEncodable, path: path,
            "Found a value of \(Swift.type(of: value)) at \(path.pathDescription), which is neither Coding nor Encodable"
        )
    }

    static func notWritable(_ error: PropertyListError) -> ArchivingError {
        ArchivingError(
            error.code == .unrepresentableInXML ? .unrepresentableInXML : .limit, path: error.codingPath,
            error.description, underlying: error)
    }

    /// Returns the error that `KeyedArchiver` throws if an encoder has failed with `error`: an `EncodingError` becomes
    /// an `ArchivingError`; every other error stays unchanged.
    static func converted(_ error: any Error) -> any Error {
        guard case EncodingError.invalidValue(_, let context) = error else { return error }
        if let own = context.underlyingError as? ArchivingError { return own }
        return ArchivingError(
            .notEncodable, path: context.codingPath, context.debugDescription, underlying: error)
    }
}

// MARK: - For people

extension ArchivingError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        switch code {
        case .limit: "The values are too many or nested too deeply for an archive."
        case .unrepresentableInXML: "The values cannot be written as XML."
        default: "The values cannot be archived."
        }
    }

    /// The finding and its place: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch code {
        case .limit: "Divide the values among several files."
        case .unrepresentableInXML: "Write the binary format, or remove the characters that XML does not have."
        default: "Report the error to the author of the program."
        }
    }
}
