// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error that says why archives were not merged.
public struct ArchiveMergeError: Error, CustomStringConvertible {
    /// The kind of the error.
    public let code: Code
    /// The conflicts, if they are the reason.
    public let conflicts: [ArchiveMerge.Conflict]
    private let isMine: Bool

    init(_ code: Code, _ conflicts: [ArchiveMerge.Conflict], isMine: Bool) {
        self.code = code
        self.conflicts = conflicts
        self.isMine = isMine
    }

    /// A sentence that says what was found and what to do.
    public var description: String {
        switch code {
        case .conflicts:
            "Both versions have changed the same values, so that a merge needs decisions; conflicts: \(conflicts.count)"
        default:
            "\(isMine ? "Mine" : "Theirs") does not descend from the base: most objects have other classes or values under their"
                + " uids. Only archives whose objects keep their uids can be merged, as those that a document saves"
        }
    }

    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: ErrorName

        private init(_ name: StaticString) { self.name = ErrorName(name) }

        /// The name of the static member, such as "conflicts".
        public var description: String { name.description }

        /// Both versions have changed the same values, and no closure decides.
        public static var conflicts: Self { Self("conflicts") }
        /// A version does not descend from the base.
        public static var unrelated: Self { Self("unrelated") }
    }
}

// MARK: - For people

extension ArchiveMergeError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        code == .conflicts ? "Both versions have changed the same values." : "The versions are not those of one file."
    }

    /// The finding, and a remedy for the program: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? {
        code == .conflicts ? "Choose which of the changes to keep." : "Keep both files."
    }
}
