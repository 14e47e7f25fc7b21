#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file that an archive is written to.
package enum ArchiveFile {
    /// Replaces the file at `url` by one that holds `data`, or makes it: whoever reads it, also after the process or the
    /// machine has stopped at any moment, finds the old contents or the new ones.
    ///
    /// - Throws: `CocoaError`, with the error of the system below it. Then the old file is still there.
    package static func write(_ data: Data, to url: URL) throws {
        try write(to: url) { output throws(FileReplacement.Failure) in
            let result = data.withUnsafeBytes { bytes in
                Result { () throws(FileReplacement.Failure) in try output.write(bytes) }
            }
            try result.get()
        }
    }

    /// Replaces the file at `url` by one with what `contents` writes, or makes it.
    ///
    /// - Returns: The identity of the new file; nil if what is there is no ordinary file.
    /// - Throws: As `write(_:to:)`, and `CancellationError` if `contents` is cancelled.
    @discardableResult
    static func write(
        to url: URL, _ contents: (FileReplacement.Output) throws(FileReplacement.Failure) -> Void
    ) throws -> FileIdentity? {
        guard url.isFileURL else { throw error(.fileWriteUnsupportedScheme, url) }
        do throws(FileReplacement.Failure) {
            // A path with a NUL in it is the path of another file for the system.
            guard !url.path.utf8.contains(0) else { throw .badPath }
            return try FileReplacement.replace(url.path, with: contents)
        } catch {
            if error.number == FileReplacement.Failure.cancelled.number { throw CancellationError() }
            throw Self.error(code(of: error), url, error)
        }
    }

    private static func code(of failure: FileReplacement.Failure) -> CocoaError.Code {
        switch POSIXError.Code(rawValue: failure.number) {
        case .ENOENT, .ENOTDIR: .fileNoSuchFile
        case .EACCES, .EPERM: .fileWriteNoPermission
        case .ENOSPC, .EDQUOT, .EFBIG: .fileWriteOutOfSpace
        case .EROFS: .fileWriteVolumeReadOnly
        case .ENAMETOOLONG, .EINVAL: .fileWriteInvalidFileName
        default: .fileWriteUnknown
        }
    }

    private static func error(
        _ code: CocoaError.Code, _ url: URL, _ failure: FileReplacement.Failure? = nil
    ) -> CocoaError {
        // The keys of NSError, which FoundationEssentials has no names for.
        if let failure, let number = POSIXError.Code(rawValue: failure.number) {
            return CocoaError(
                code, userInfo: ["NSURL": url, "NSFilePath": url.path, "NSUnderlyingError": POSIXError(number)])
        }
        return CocoaError(code, userInfo: ["NSURL": url, "NSFilePath": url.path])
    }
}
