// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files of the checkout that the tests belong to, and the folders beside it.
package enum Repository {
    /// The folder with `Package.swift`.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().standardizedFileURL

    /// The text of a file, by its path from the root.
    package static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Whether there is a file or folder.
    package static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The paths of all files with an ending, sorted. Hidden folders are left out, and so what the compiler has built.
    package static func files(withExtension ending: String, in folder: String = "") -> [String] {
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

    /// The names of the libraries that the package has, which are those of their folders in `Sources`.
    package static func libraries() throws -> [String] {
        try text(of: "Package.swift").matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) }
    }

    /// The folder that a variable of the environment names; without it the folder at `path` from the root, where there is
    /// one.
    package static func folder(_ variable: String, or path: String? = nil) -> URL? {
        let named = ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0) }
        guard let url = named ?? path.map({ root.appending(path: $0) }) else { return nil }
        return FileManager.default.fileExists(atPath: url.path) ? url.standardizedFileURL : nil
    }
}
