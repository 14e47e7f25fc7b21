// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The system's way to replace a file whose folder the process may not use.
///
/// A sandboxed process on Apple's systems has access to the file that the user chose, but to nothing else in its folder.
/// The system creates a folder elsewhere on the same volume for the new version, and permits to rename that to the chosen
/// file. Foundation writes files in the same way (`Data+Writing.swift` of swift-foundation).
package struct ReplacementFolders: Sendable {
    /// Creates a folder for a new version of the file at a path, and returns its path.
    private let makeFolder: @Sendable (_ path: String) throws -> String
    /// Replaces the file at a path by the one at another, which the system refuses to rename.
    private let replaceFile: @Sendable (_ path: String, _ new: String) throws -> Void
    /// Whether the folder of the file is not even tried. In a test it may be one that the process may use.
    let isOwnFolderRefused: Bool

    package init(
        isOwnFolderRefused: Bool = false, makeFolder: @escaping @Sendable (_ path: String) throws -> String,
        replaceFile: @escaping @Sendable (_ path: String, _ new: String) throws -> Void
    ) {
        self.isOwnFolderRefused = isOwnFolderRefused
        self.makeFolder = makeFolder
        self.replaceFile = replaceFile
    }

    /// Those of the system; nil if it has none.
    private static var ofSystem: ReplacementFolders? {
        #if canImport(Darwin)
            ReplacementFolders { path in
                try FileManager.default.url(
                    for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: URL(fileURLWithPath: path),
                    create: true
                ).path
            } replaceFile: { path, new in
                _ = try FileManager.default.replaceItemAt(
                    URL(fileURLWithPath: path), withItemAt: URL(fileURLWithPath: new))
            }
        #else
            nil
        #endif
    }

    // MARK: - For tests

    private static let substitute = TaskLocal<ReplacementFolders?>(wrappedValue: nil)

    static var current: ReplacementFolders? { substitute.get() ?? ofSystem }

    /// Calls `body`, in which these are used instead of the system's.
    package func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.substitute.withValue(self, operation: body)
    }

    /// The same for what has to wait.
    package func use<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.substitute.withValue(self, operation: body)
    }
}

// MARK: - Steps

extension ReplacementFolders {
    /// Creates a folder for a new version of the file at `path`, and returns its path; nil if the system refuses it.
    func makeFolder(forFileAt path: String) -> String? { try? makeFolder(path) }

    func replaceFile(at path: String, with new: String) throws(Platform.Failure) {
        do { try replaceFile(path, new) } catch { throw Platform.Failure(error) }
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

// MARK: - Errors of Foundation

extension Platform.Failure {
    /// The failure that Foundation reports as `error`.
    init(_ error: any Error) {
        var innermost = error
        while let underlying = (innermost as? CocoaError)?.underlying { innermost = underlying }
        if let system = innermost as? POSIXError {
            self.init(system.code.rawValue)
            return
        }
        self =
            switch (innermost as? CocoaError)?.code {
            case .fileNoSuchFile?, .fileReadNoSuchFile?: .missing
            case .fileWriteNoPermission?, .fileReadNoPermission?: .forbidden
            case .fileWriteOutOfSpace?: .full
            case .fileWriteVolumeReadOnly?: .readOnly
            default: .unreadable
            }
    }
}
