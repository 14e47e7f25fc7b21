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
/// `ArchiveEncoder` and `ArchiveDecoder` throw `EncodingError` and `DecodingError`. Their underlying error is an `ArchivingError`, which
/// says what was found and what to do, or the `KeyedArchiveError` or `PropertyListError` that does.
public struct ArchivingError: Error {
    /// The kind of the error.
    public let code: Code
    /// The keys and positions from the top of the archive to the value that caused the error. In a sequential archive, which has
    /// no keys, a key describes an object and the number of its group: "View (object 3), group 2".
    ///
    /// The key of a dictionary is its text if it is a string, a number or a Boolean value, with its integer if it is one. Another key,
    /// such as a date, and its value have the positions of the array of keys and values that JSON has in place of the dictionary.
    public let codingPath: [any CodingKey]
    /// The underlying error, if any.
    public let underlyingError: (any Error)?
    let type: any Any.Type
    /// The version of the object around the value, if a newer program wrote it.
    var newer: NewerVersion?
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

    func inside(_ path: [any CodingKey]) -> ArchivingError {
        var moved = ArchivingError(
            code, type, isWriting: isWriting, path: path + codingPath, underlying: underlyingError, sentence)
        moved.newer = newer
        moved.newer?.path.insert(contentsOf: path, at: 0)
        return moved
    }

    /// Whether a newer version may be the reason, which is not known yet. Damage and limits have others.
    var mayBeOfNewerVersion: Bool {
        switch code.name {
        case .valueNotFound, .typeMismatch, .numberOutOfRange, .classNotAllowed: newer == nil
        case .damaged: newer == nil && (underlyingError == nil || underlyingError is DecodingError)
        default: false
        }
    }

    /// The error for an error of Codable to carry: this one, or the one whose sentence it has.
    var carried: any Error {
        switch underlyingError {
        case let error as KeyedArchiveError where error.description == description: error
        case let error as PropertyListError where error.description == description: error
        case let error as CycleReference: error
        default: self
        }
    }

    /// Creates the error that `error` is, or that an error of Codable carries; nil if there is none.
    init?(in error: any Error) {
        let carried: (any Error)?
        let path: [any CodingKey]
        switch error {
        case let own as ArchivingError: (carried, path) = (own, [])
        case let error as DecodingError:
            (carried, path) = (error.context?.underlyingError, error.context?.codingPath ?? [])
        case EncodingError.invalidValue(_, let context): (carried, path) = (context.underlyingError, context.codingPath)
        default: return nil
        }
        switch carried {
        case let own as ArchivingError: self = own
        case let error as KeyedArchiveError: self = .damaged(error, path: path)
        case let list as PropertyListError where error is DecodingError:
            self = .damaged(KeyedArchiveError(list), path: path)
        case let list as PropertyListError: self = .notWritable(list)
        default: return nil
        }
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
    public var description: String { (newer?.sentence ?? "") + sentence(codingPath.pathDescription) }
    /// A sentence that says what was found, where, and how to correct it.
    public var debugDescription: String { description }
}

extension ArchivingError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        switch code.name {
        case _ where newer != nil: "The archive has an object of a newer version of the program."
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
        case .damaged where newer == nil: "Restore the file from a backup."
        case .damaged, .valueNotFound, .typeMismatch, .numberOutOfRange:
            "Open the file with the version of the program that wrote it."
        case .limit: "Open the file with higher limits if you trust it."
        case .cycle, .replaced, .duplicateKey, .notEncodable: "Report the error to the author of the program."
        case .notSecure where isWriting: "Report the error to the author of the program."
        case .classNotAllowed, .notSecure: "Open the file only if you trust it, with a program that allows the object."
        }
    }
}

extension ArchivingError {
    static func notSecure(writing type: any Any.Type, path: [any CodingKey]) -> ArchivingError {
        ArchivingError(.notSecure, isWriting: true, path: path) {
            "Found an instance of \(type) at \($0), which does not support secure coding. Create the"
                + " archiver with requiringSecureCoding: false if only programs that trust the archive will read it"
        }
    }

    static func notWritable(_ error: PropertyListError) -> ArchivingError {
        let code: Code = error.code == .unrepresentableInXML ? .unrepresentableInXML : .limit
        return ArchivingError(code, isWriting: true, path: error.codingPath, underlying: error) { _ in "\(error)" }
    }
}

// MARK: - Errors of Codable

extension ArchivingError {
    @inline(__always)
    static func converting<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw converted(error) }
    }

    /// Returns the error that a keyed coder throws if it, or a coder of Codable, has failed with `error`: an `EncodingError` or a
    /// `DecodingError` becomes an `ArchivingError`; an error of the program stays unchanged.
    static func converted(_ error: any Error) -> any Error {
        if let own = ArchivingError(in: error) { return own }
        if let cycle = CycleReference(in: error) { return ArchivingError(cycle) }
        let code: Code
        let context: (path: [any CodingKey], text: String)
        switch error {
        case EncodingError.invalidValue(_, let inner):
            (code, context) = (.notEncodable, (inner.codingPath, inner.debugDescription))
        case let error as DecodingError:
            guard let inner = error.context else { return error }
            context = (inner.codingPath, inner.debugDescription)
            switch error {
            case .typeMismatch: code = .typeMismatch
            case .valueNotFound, .keyNotFound: code = .valueNotFound
            default: code = .damaged
            }
        default: return error
        }
        return ArchivingError(code, path: context.path, underlying: error) { _ in context.text }
    }
}

/// The types of an archive that have to be registered and are not. They are found in the complete archive, so that the check costs
/// nothing else.
struct UnregisteredTypes {
    private var types: [any Any.Type] = []
    private(set) var path: [any CodingKey] = []

    /// Orders `types`, which the archive that `archive` returns has; nil if there are none.
    init?(_ types: [any Any.Type], _ classes: ClassRegistry, in archive: @autoclosure () throws -> KeyedArchive) {
        if types.isEmpty { return nil }
        var waiting = Dictionary(grouping: types) { classes.name(for: $0) }
        if let archive = try? archive() {
            for object in archive.objects where !waiting.isEmpty {
                guard let name = object.className, let found = waiting.removeValue(forKey: name) else { continue }
                if self.types.isEmpty, let path = archive.path(to: object) {
                    let keys = path.steps.map { ArchiveKey($0) as any CodingKey }
                    self.path = keys.first?.stringValue == KeyedArchiveFormat.rootKey ? Array(keys.dropFirst()) : keys
                }
                self.types += found
            }
        }
        self.types += waiting.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    var sentence: String {
        let names = types.map { ArchivingError.shown("\($0)") }
        let found = "Found a \(names[0]) at \(path.pathDescription), which is not registered"
        let remedy = "in the classes of encoder and decoder, or set unregisteredTypes to .write"
        if names.count == 1 { return "\(found). Register the type \(remedy)" }
        let registration = names.map { "\($0).self" }.joined(separator: ", ")
        return "\(found), nor are \(names.dropFirst().joined(separator: ", ")). Register them \(remedy):"
            + " register(\(registration))"
    }
}
