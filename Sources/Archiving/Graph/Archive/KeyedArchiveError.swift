// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error that explains why bytes are not a readable keyed archive, or why a part of an archive is not the requested value.
public struct KeyedArchiveError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case propertyList(PropertyListError)
        case notAnArchive
        case missing(ErrorName)
        case wrongKind(ErrorName, expected: ErrorName)
        case version(Int)
        case uidOutOfRange(uid: UInt32, count: Int)
        case uidBehindUID(uid: UInt32)
        case badClass(uid: UInt32)
        case unequalCounts(keys: Int, objects: Int, uid: UInt32)
        case badEntry(ErrorName, uid: UInt32, wanted: String)
        case limit(ErrorName, Int)
        case nested(uid: UInt32?, levels: Int)
        case nonStringKey(uid: UInt32?)
        case missingClass(uid: UInt32, classUID: UInt32)
        case noData(uid: UInt32?)
        case checksum(stored: UInt64, computed: UInt64)
        case noChecksum
        /// The requested value does not exist or has another type.
        case other(Code, uid: UInt32?, sentence: String)
    }

    var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    package init(_ error: PropertyListError) { reason = .propertyList(error) }
}

// MARK: - Codes

extension KeyedArchiveError {
    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: ErrorName

        private init(_ name: StaticString) { self.name = ErrorName(name) }

        /// The name of the static member, such as "notAnArchive".
        public var description: String { name.description }

        /// The bytes are not a property list, or not a keyed archive of a known version.
        public static var notAnArchive: Self { Self("notAnArchive") }
        /// The archive is damaged.
        public static var damaged: Self { Self("damaged") }
        /// The archive exceeds a limit.
        public static var limit: Self { Self("limit") }
        /// The requested value does not exist.
        public static var notFound: Self { Self("notFound") }
        /// The value has another type than requested.
        public static var wrongKind: Self { Self("wrongKind") }
    }
}

extension KeyedArchiveError {
    /// The kind of this error.
    public var code: Code {
        switch reason {
        case .propertyList(let error):
            switch error.defect {
            case .notAPropertyList: .notAnArchive
            case .tooLarge: .limit
            default: .damaged
            }
        case .notAnArchive, .missing, .wrongKind, .version: .notAnArchive
        case .limit: .limit
        case .noData: .wrongKind
        case .noChecksum: .notFound
        case .other(let code, _, _): code
        default: .damaged
        }
    }

    /// The uid of the damaged object, or the invalid uid; `nil` if the error does not concern an object.
    public var uid: UInt32? {
        switch reason {
        case .uidOutOfRange(let uid, _), .uidBehindUID(let uid), .badClass(let uid), .badEntry(_, let uid, _),
            .missingClass(let uid, _):
            uid
        case .unequalCounts(_, _, let uid): uid == 0 ? nil : uid
        case .nested(let uid, _), .nonStringKey(let uid), .noData(let uid), .other(_, let uid, _): uid
        default: nil
        }
    }
}

extension KeyedArchiveError: CustomStringConvertible {
    /// A sentence that describes the problem and its place.
    public var description: String {
        switch reason {
        case .propertyList(let error): error.description
        case .notAnArchive:
            "The property list is not a keyed archive: its top is not a dictionary with $version, $archiver, $objects and $top"
        case .missing(let key):
            "The property list is not a keyed archive: \(key) is missing"
        case .wrongKind(let key, let expected):
            "The property list is not a keyed archive: \(key) is not \(expected)"
        case .version(let version):
            "The keyed archive has version \(version); only version 100000 is supported"
        case .uidOutOfRange(let uid, let count):
            "The keyed archive is damaged: uid \(uid) is referenced, but there are only \(count) objects"
        case .uidBehindUID(let uid):
            "The keyed archive is damaged: object \(uid) is itself a uid"
        case .badClass(let uid):
            "The keyed archive is damaged: the class entry at uid \(uid) is not a dictionary with a $classname"
        case .unequalCounts(let keys, let objects, let uid):
            "The keyed archive is damaged: the dictionary at uid \(uid) has \(keys) keys and \(objects) values"
        case .badEntry(let key, let uid, let wanted):
            "The keyed archive is damaged: \(key) of the object at uid \(uid) is not \(wanted)"
        case .limit(let name, let limit):
            "The keyed archive exceeds the limit \(name) of \(limit); raise it in `limits` if you trust the archive"
        case .nested(let uid, let levels):
            "The keyed archive is damaged: a container\(place(uid)) contains itself, or is nested deeper than \(levels) levels"
        case .nonStringKey(let uid):
            "The keyed archive is damaged: a dictionary\(place(uid)) has a key that is not a string"
        case .missingClass(let uid, let classUID):
            "The keyed archive is damaged: the object at uid \(uid) has the class entry at uid \(classUID), which"
                + " describes no class"
        case .noData(let uid):
            "The value\(place(uid)) is not data, so it contains no archive; open a value of the kind data"
        case .checksum(let stored, let computed):
            "The keyed archive is damaged: its checksum is 0x\(Self.digits(stored)), and that of its bytes is"
                + " 0x\(Self.digits(computed)). Restore it from a copy, or set `checksum` of the decoder to `.ignored` to read"
                + " what can be read"
        case .noChecksum:
            "The archive has no checksum, and the decoder requires one. Set `checksum` of the encoder to `.crc64`, or that of"
                + " the decoder to `.ifPresent`"
        case .other(_, _, let sentence): sentence
        }
    }

    private static func digits(_ sum: UInt64) -> String { ReadableText.padded(String(sum, radix: 16), to: 16) }

    private func place(_ uid: UInt32?) -> String { uid.map { " in the object at uid \($0)" } ?? "" }
}

extension KeyedArchiveError {
    /// Returns the result of `read`, whose error is that of the property list.
    static func converting<Result>(
        _ read: @autoclosure () throws(PropertyListError) -> Result
    ) throws(KeyedArchiveError) -> Result {
        do throws(PropertyListError) { return try read() } catch { throw KeyedArchiveError(error) }
    }
}

// MARK: - For people

extension KeyedArchiveError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        switch code {
        case .notAnArchive: "The file is \(foreignFormat.map { "\($0.name), " } ?? "")not a keyed archive."
        case .notFound where reason == .noChecksum: "The archive has no checksum."
        case .limit: "The archive exceeds a limit."
        case .notFound: "The archive does not have the value."
        case .wrongKind: "The archive has a value of another kind."
        default: "The archive is damaged."
        }
    }

    private var foreignFormat: ForeignFormat? {
        if case .propertyList(let error) = reason { error.foreignFormat } else { nil }
    }

    /// The finding and its place: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch code {
        case .notAnArchive: "Choose a file that a keyed archiver wrote."
        case .limit: "Open the file with higher limits if you trust it."
        case .notFound where reason == .noChecksum: "Choose a file that was saved with a checksum."
        case .notFound, .wrongKind: "Look into the archive for the values that it has."
        default: "Restore the file from a backup."
        }
    }
}
