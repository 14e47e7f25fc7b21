#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How archives are read from files.
enum ArchiveFile {
    /// Files up to this many bytes are read at once. Mapping pays for larger ones only.
    private static let mappingFloor = 1 << 20

    /// What is in the file at `url`: read where it is small, otherwise mapped, so that only what is looked at is read.
    ///
    /// A file that another program makes shorter while it is mapped ends this one as soon as what is gone is read. Programs
    /// that replace files, as this library does, never do that.
    ///
    /// - Throws: What the file system reports.
    static func data(at url: URL) throws -> Data {
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size] as? any BinaryInteger
        guard url.isFileURL, let size, Int(clamping: size) > mappingFloor else { return try Data(contentsOf: url) }
        #if canImport(Darwin)
            // Not from volumes that may go away.
            return try Data(contentsOf: url, options: .mappedIfSafe)
        #else
            // Elsewhere Foundation takes "if safe" for "never".
            return try Data(contentsOf: url, options: .alwaysMapped)
        #endif
    }
}
