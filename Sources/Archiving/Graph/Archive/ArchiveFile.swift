// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package enum ArchiveFile {
    /// Atomically replaces or creates the file at `url` with `data`. A reader finds either the old or the new contents, even if
    /// the process or the machine stops at any moment.
    ///
    /// - Throws: `CocoaError`, with the underlying system error. The old file is unchanged.
    package static func write(_ data: Data, to url: URL) throws {
        try write(to: url) { output throws(FileReplacement.Failure) in
            try StoredBytes(data).withBytes { bytes throws(FileReplacement.Failure) in try output.write(bytes) }
        }
    }

    /// Atomically replaces or creates the file at `url` with the output of `contents`.
    ///
    /// - Throws: The errors of `write(_:to:)`, and `CancellationError` if `contents` is cancelled.
    static func write(
        to url: URL, _ contents: (FileReplacement.Output) throws(FileReplacement.Failure) -> Void
    ) throws {
        try withErrors(url) { path throws(FileReplacement.Failure) in
            try FileReplacement.replace(path, with: contents)
        }
    }

    package static func withErrors<Result>(
        _ url: URL, _ body: (_ path: String) throws(Platform.Failure) -> Result
    ) throws -> Result {
        guard url.isFileURL else { throw error(.fileWriteUnsupportedScheme, url) }
        do throws(FileReplacement.Failure) {
            // For the system, a path ends at a NUL, so it would name another file.
            guard !url.path.utf8.contains(0) else { throw .badPath }
            return try body(url.path)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw Self.error(code(of: error), url, error)
        }
    }

    private static func code(of failure: FileReplacement.Failure) -> CocoaError.Code {
        switch failure.reason {
        case .missing: .fileNoSuchFile
        case .forbidden: .fileWriteNoPermission
        case .full: .fileWriteOutOfSpace
        case .readOnly: .fileWriteVolumeReadOnly
        case .badName: .fileWriteInvalidFileName
        case .other: .fileWriteUnknown
        }
    }

    private static func error(
        _ code: CocoaError.Code, _ url: URL, _ failure: FileReplacement.Failure? = nil
    ) -> CocoaError {
        // The keys of NSError, for which FoundationEssentials has no constants.
        if let failure, let number = POSIXError.Code(rawValue: failure.number) {
            return CocoaError(
                code, userInfo: ["NSURL": url, "NSFilePath": url.path, "NSUnderlyingError": POSIXError(number)])
        }
        return CocoaError(code, userInfo: ["NSURL": url, "NSFilePath": url.path])
    }
}
