// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import SequentialArchiving

/// What came of reading bytes at one entry point.
public enum Outcome: Hashable, Sendable {
    /// Something was read. Equal numbers are equal contents, as far as the entry point looks.
    case value(UInt64)
    /// The bytes were refused.
    case failure(Failure)
    /// The library contradicts itself or a promise, which the sentence describes.
    case violation(String)

    /// Why bytes were refused.
    public enum Failure: String, Hashable, Sendable {
        /// They are no property list, or no archive.
        case notAnArchive
        /// They contradict themselves.
        case damaged
        /// An object of one of Foundation's classes does not have what its class writes.
        case badContents
        /// The input requires more than a limit.
        case limit
        /// Something is not there.
        case notFound
        /// Something else is there.
        case mismatch
        /// There is an object that was not requested.
        case notAllowed
        /// An object needs itself to be made.
        case cycle
        /// What was read cannot be written in a format.
        case notWritable
        /// Whatever else an initializer objects to.
        case invalid
        /// An error that this library does not throw.
        case other
    }

    /// The sentence of a violation; nil where there is none.
    public var violation: String? {
        if case .violation(let sentence) = self { sentence } else { nil }
    }
}

// MARK: - Errors

extension Outcome.Failure {
    /// The kind of error that `error` is.
    public init(_ error: any Error) {
        switch error {
        case let error as PropertyListError: self.init(error)
        case let error as KeyedArchiveError: self.init(error)
        case let error as ArchivingError: self.init(error)
        case let error as DecodingError: self.init(error)
        case let error as TypedStreamError: self.init(error)
        case is Refusal: self = .invalid
        case let error as ArchiveDocumentError:
            self = error.code == .partChanged || error.code == .unreadablePartModified ? .invalid : .other
        case EncodingError.invalidValue(_, let context):
            self = context.underlyingError.map { Self($0) } ?? .notWritable
        default: self = .other
        }
    }

    private init(_ error: TypedStreamError) {
        switch error.defect {
        case .notATypedStream, .unknownVersion: self = .notAnArchive
        default: self = .damaged
        }
    }

    private init(_ error: PropertyListError) {
        switch error.defect {
        case .notAPropertyList: self = .notAnArchive
        case .tooLarge: self = .limit
        case .unrepresentableInXML: self = .notWritable
        default: self = .damaged
        }
    }

    private init(_ error: KeyedArchiveError) {
        switch error.code {
        case .notAnArchive: self = .notAnArchive
        case .limit: self = .limit
        case .notFound: self = .notFound
        case .wrongKind: self = .mismatch
        default: self = Self(sentence: error.description) == .badContents ? .badContents : .damaged
        }
    }

    /// The kind of an error without a code, by what it says: only structures are what `KeyedArchive.validate()` checks.
    private init(sentence: String) {
        if sentence.hasPrefix("The property list is not a keyed archive")
            || sentence.hasPrefix("The keyed archive has version")
        {
            self = .notAnArchive
        } else if sentence.hasPrefix("The keyed archive is damaged") {
            self =
                sentence.contains(" of the object at uid ") && sentence.contains(" is not ") ? .badContents : .damaged
        } else {
            self = .invalid
        }
    }

    private init(_ error: ArchivingError) {
        switch error.code {
        case .damaged:
            self = error.underlyingError.map { Self($0) } ?? Self(sentence: error.debugDescription)
        case .valueNotFound: self = .notFound
        case .typeMismatch: self = .mismatch
        case .classNotAllowed, .notSecure: self = .notAllowed
        case .cycle: self = .cycle
        case .limit: self = .limit
        // An unknown object that is damaged is read, as far as it goes, and not written.
        case .notEncodable: self = .notWritable
        case .duplicateKey, .unrepresentableInXML: self = .other
        default: self = .invalid
        }
    }

    private init(_ error: DecodingError) {
        switch error {
        case .valueNotFound, .keyNotFound: self = .notFound
        case .typeMismatch(_, let context):
            self = (context.underlyingError as? ArchivingError).map { Self($0) } ?? .mismatch
        case .dataCorrupted(let context):
            self = context.underlyingError.map { Self($0) } ?? Self(sentence: context.debugDescription)
        @unknown default: self = .other
        }
    }
}

/// Runs `body` and says what came of it.
func outcome(_ body: () throws -> UInt64) -> Outcome {
    do {
        return .value(try body())
    } catch let violation as Violation {
        return .violation(violation.sentence)
    } catch {
        return .failure(Outcome.Failure(error))
    }
}

/// A promise that was broken.
struct Violation: Error {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}
