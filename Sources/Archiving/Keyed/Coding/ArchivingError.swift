/// Why `KeyedArchiver` could not write an archive.
///
/// Errors that `encode(with:)` and `encode(to:)` throw themselves are passed on as they are; only an `EncodingError` becomes
/// one of these, with the original under it.
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
    /// What kind of error one is: the static members of `ErrorCode<ArchivingError>`.
    public typealias Code = ErrorCode<ArchivingError>

    /// What kind of error it is.
    public let code: Code
    /// Where it happened: the keys and positions from the top of the archive.
    public let codingPath: [any CodingKey]
    /// What was found, where, and what to do.
    public let debugDescription: String
    /// The error under this one, if there is any.
    public let underlyingError: (any Error)?

    init(_ code: Code, path: [any CodingKey], _ sentence: String, underlying: (any Error)? = nil) {
        self.code = code
        codingPath = path
        debugDescription = sentence
        underlyingError = underlying
    }
}

// MARK: - Codes

extension ErrorCode where Failure == ArchivingError {
    /// Two values were encoded under one key in one object.
    public static var duplicateKey: Self { Self("duplicateKey") }
    /// An instance of a class that does not support secure coding was encoded where that is required.
    public static var notSecure: Self { Self("notSecure") }
    /// A value is neither `Coding` nor `Encodable`, or is one that cannot be archived.
    public static var notEncodable: Self { Self("notEncodable") }
    /// Values are nested deeper than the stack allows.
    public static var nestedTooDeep: Self { Self("nestedTooDeep") }
    /// The archive would be larger than 4 GiB.
    public static var tooLarge: Self { Self("tooLarge") }
}

extension ArchivingError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What was found, where, and what to do.
    public var description: String { debugDescription }
}

extension ArchivingError {
    static func duplicateKey(_ key: String, in type: (any Any.Type)?, path: [any CodingKey]) -> ArchivingError {
        let writer = type.map { "\($0)" } ?? "The archive"
        return ArchivingError(
            .duplicateKey, path: path,
            "\(writer) has two values under the key \"\(key)\" at \(path.pathDescription). An object has one value for"
                + " each key: let a subclass choose names that its superclasses do not use")
    }

    static func notSecure(_ type: any Any.Type, path: [any CodingKey]) -> ArchivingError {
        ArchivingError(
            .notSecure, path: path,
            "Found an instance of \(type) at \(path.pathDescription), which does not support secure coding. Make the"
                + " archiver with requiringSecureCoding: false if the archive will only be read where it is trusted")
    }

    static func notEncodable(_ value: Any, path: [any CodingKey]) -> ArchivingError {
        ArchivingError(
            .notEncodable, path: path,
            "Found a value of \(Swift.type(of: value)) at \(path.pathDescription), which is neither Coding nor Encodable"
        )
    }

    static func notWritable(_ error: PropertyListError) -> ArchivingError {
        ArchivingError(.tooLarge, path: [], error.description, underlying: error)
    }
}
