// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Data {
    /// Reads the file at `url` as a whole.
    ///
    /// - Throws: The error of the file system. That of Foundation for a folder has no sentence.
    package init(contentsOfFile url: URL) throws {
        if url.isFileURL, let info = try? Platform.info(url.path), info.kind == .folder {
            // The keys of NSError, for which FoundationEssentials has no constants.
            throw CocoaError(
                .fileReadUnknown,
                userInfo: [
                    "NSURL": url, "NSFilePath": url.path,
                    "NSLocalizedDescription": "The folder “\(url.lastPathComponent)” is not an archive.",
                    "NSLocalizedFailureReason": "Found a folder at \(url.path), where a file is expected.",
                    "NSLocalizedRecoverySuggestion": "Choose a file, perhaps one in the folder.",
                    "NSUnderlyingError": POSIXError(.EISDIR),
                ])
        }
        try self.init(contentsOf: url)
    }
}
