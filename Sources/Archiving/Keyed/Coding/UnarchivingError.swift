// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error that `KeyedUnarchiver` or `SequentialUnarchiver` throws if it cannot read an archive, or decode a value as requested.
///
/// Errors from `init(coder:)` and `init(from:)` reach the caller unchanged, except `DecodingError`: it becomes an
/// `UnarchivingError` with the original as its underlying error.
///
/// ```swift
/// do {
///     window = try unarchiver.decode(Window.self, forKey: "window")
/// } catch let error as UnarchivingError where error.code == .valueNotFound {
///     window = Window(title: "Untitled")  // an older file, which has none
/// } catch let error as UnarchivingError {
///     print("The file cannot be read (\(error.code)): \(error)")
/// }
/// ```
public struct UnarchivingError: Error {
    /// The kind of the error.
    public let code: Code
    /// The keys and positions from the top of the archive to the value that caused the error. In a sequential archive, which has
    /// no keys, a key describes an object and the number of its group: "View (object 3), group 2".
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
    package init(_ code: Code, at path: [String], byteOffset: Int?, _ sentence: String) {
        let place = path.joined(separator: " → ") + (byteOffset.map { " (byte \($0))" } ?? "")
        self.init(code, path: path.map { ArchiveKey(stringValue: $0) }, "\(sentence) at \(place)")
    }
}

// MARK: - Codes

extension UnarchivingError {
    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: ErrorName

        private init(_ name: StaticString) { self.name = ErrorName(name) }

        /// The name of the static member, such as "damaged".
        public var description: String { name.description }

        /// The bytes are not a keyed archive, or a part of an archive violates the format.
        public static var damaged: Self { Self("damaged") }
        /// A required value is absent or nil, or all values of a sequential archive have been decoded.
        public static var valueNotFound: Self { Self("valueNotFound") }
        /// The value has another type than requested, or an object of a sequential archive has more values than were decoded.
        public static var typeMismatch: Self { Self("typeMismatch") }
        /// The requested type cannot represent the number.
        public static var numberOutOfRange: Self { Self("numberOutOfRange") }
        /// The object has a class other than the requested ones.
        public static var classNotAllowed: Self { Self("classNotAllowed") }
        /// The class does not support secure coding, which the unarchiver requires.
        public static var notSecure: Self { Self("notSecure") }
        /// An object needs another object that cannot be complete before this one.
        public static var cycle: Self { Self("cycle") }
        /// An object was replaced after other objects received it, or by an object that they cannot reference.
        public static var replaced: Self { Self("replaced") }
        /// The archive exceeds the limits, or the stack.
        public static var limit: Self { Self("limit") }
    }
}

extension UnarchivingError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence that says what was found, where, and how to correct it.
    public var description: String { debugDescription }
}

// MARK: - Conversions

extension UnarchivingError: CoderError {
    var isLimit: Bool { code == .limit }
    var carriedError: (any Error)? { underlyingError }
}

extension UnarchivingError {
    /// Creates the error of a keyed unarchiver that failed with `failure`.
    @inline(never)
    init(_ failure: ReadingFailure) {
        let code: Code =
            switch failure.kind {
            case .damaged: .damaged
            case .limit: .limit
            case .keyNotFound, .null: .valueNotFound
            case .mismatch: .typeMismatch
            case .outOfRange: .numberOutOfRange
            case .classNotAllowed: .classNotAllowed
            case .notSecure: .notSecure
            case .cycle: .cycle
            case .replaced: .replaced
            }
        self.init(code, path: failure.path, failure.sentence, underlying: failure.underlying)
    }

    /// Returns the error that `KeyedUnarchiver` throws if it, or a decoder, has failed with `error`: a `DecodingError`
    /// becomes an `UnarchivingError`; an error of the program stays unchanged.
    static func converted(_ error: any Error) -> any Error {
        if let failure = error as? ReadingFailure { return UnarchivingError(failure) }
        guard let error = error as? DecodingError else { return error }
        let code: UnarchivingError.Code
        let context: DecodingError.Context
        switch error {
        case .typeMismatch(_, let inner): (code, context) = (.typeMismatch, inner)
        case .valueNotFound(_, let inner), .keyNotFound(_, let inner): (code, context) = (.valueNotFound, inner)
        case .dataCorrupted(let inner): (code, context) = (.damaged, inner)
        @unknown default: return error
        }
        if let own = context.underlyingError as? UnarchivingError { return own }
        if let cycle = context.underlyingError as? CycleReference { return UnarchivingError(cycle.failure) }
        return UnarchivingError(code, path: context.codingPath, context.debugDescription, underlying: error)
    }
}

// MARK: - For people

extension UnarchivingError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        switch code {
        case .damaged: "The archive is damaged, or is not an archive."
        case .valueNotFound: "The archive does not have a value that is required."
        case .typeMismatch, .numberOutOfRange: "The archive has a value that does not fit."
        case .classNotAllowed, .notSecure: "The archive has an object that is not allowed."
        case .limit: "The archive exceeds a limit."
        default: "The archive cannot be read."
        }
    }

    /// The finding and its place: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch code {
        case .damaged: "Restore the file from a backup."
        case .valueNotFound, .typeMismatch, .numberOutOfRange:
            "Open the file with the version of the program that wrote it."
        case .classNotAllowed, .notSecure: "Open the file only if you trust it, with a program that allows the object."
        case .limit: "Open the file with higher limits if you trust it."
        default: "Report the error to the author of the program."
        }
    }
}
