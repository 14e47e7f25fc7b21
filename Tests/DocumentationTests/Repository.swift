import Foundation

/// The files of the checkout that these tests belong to.
enum Repository {
    /// The folder with `Package.swift`.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().standardizedFileURL

    /// The text of a file, by its path from the root.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Whether there is a file or folder.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The paths of all files with an ending, sorted. Hidden folders are left out, and so what the compiler has built.
    static func files(withExtension ending: String, in folder: String = "") -> [String] {
        let start = folder.isEmpty ? root : root.appending(path: folder)
        guard
            let walk = FileManager.default.enumerator(
                at: start, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        else { return [] }
        var paths: [String] = []
        for case let url as URL in walk where url.pathExtension == ending {
            paths.append(String(url.standardizedFileURL.path.dropFirst(root.path.count + 1)))
        }
        return paths.sorted()
    }
}
