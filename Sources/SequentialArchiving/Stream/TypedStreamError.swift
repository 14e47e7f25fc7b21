// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error in the bytes of a typedstream, or in values that cannot be written as one. It describes the finding and its position.
public struct TypedStreamError: Error, Equatable, Sendable {
    /// The offset in the input in bytes; nil if the error is not about input.
    public let byteOffset: Int?
    package let defect: Defect
    let sentence: String

    init(_ defect: Defect, at byteOffset: Int? = nil, _ sentence: String) {
        self.defect = defect
        self.byteOffset = byteOffset
        self.sentence = sentence
    }

    func at(_ byteOffset: Int) -> TypedStreamError { TypedStreamError(defect, at: byteOffset, sentence) }
}

extension TypedStreamError {
    package enum Defect: Sendable {
        case notATypedStream, unknownVersion
        /// The bytes end early.
        case truncated
        /// A type encoding is invalid, or not possible in a typedstream.
        case badType
        /// A reference is invalid, or refers to a value of another kind.
        case badReference
        /// A value does not match its type.
        case badValue
        /// A count is too large for the file.
        case badCount
        /// The class of an object is missing or invalid, or its superclasses form a cycle or are too many.
        case badClass
    }
}

extension TypedStreamError: CustomStringConvertible {
    /// The finding and its position.
    public var description: String {
        guard let byteOffset else { return sentence }
        return "\(sentence) (byte \(byteOffset) of the typedstream)"
    }
}

// MARK: - For people

extension TypedStreamError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        switch defect {
        case .notATypedStream: "The file is not a typedstream."
        case .unknownVersion: "The typedstream has an unknown version."
        default: byteOffset == nil ? "The values cannot be written as a typedstream." : "The typedstream is damaged."
        }
    }

    /// The finding and its place: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch defect {
        case .notATypedStream, .unknownVersion: "Choose a file that a sequential archiver wrote."
        default:
            byteOffset == nil ? "Report the error to the author of the program." : "Restore the file from a backup."
        }
    }
}
