// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Files that programs on Apple's systems and on others wrote, and what readers in Python found in them. They belong to
/// other people, and are no part of this repository: see CONTRIBUTING.md.
package enum Corpus {
    /// Nil if there is none. What readers found belongs to it: a test that compares with nothing would pass.
    package static let folder = Repository.folder("ARCHIVING_CORPUS", or: "../shared/corpus").flatMap { folder in
        let parts = ["archives", "golden"].map { folder.appending(path: $0).path }
        return parts.allSatisfy(FileManager.default.fileExists) ? folder : nil
    }

    /// The names of the files, sorted; none where there is no corpus.
    package static let names: [String] = {
        guard let archives = folder?.appending(path: "archives").path else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: archives)) ?? []).sorted()
    }()

    /// The names without that of an XML archive with a character that XML does not have, which cannot be written as XML.
    package static let rewritableNames = names.filter { !$0.hasPrefix(unrepresentableInXML) }
    /// The start of the name of that archive.
    package static let unrepresentableInXML = "ff2f725579"

    /// The name that starts with `prefix`.
    package static func name(_ prefix: String) throws -> String {
        try #require(names.first { $0.hasPrefix(prefix) }, "The corpus has no \(prefix)")
    }

    /// Where the file is.
    package static func url(_ name: String) throws -> URL { try #require(folder).appending(path: "archives/\(name)") }

    package static func data(_ name: String) throws -> Data { try Data(contentsOf: url(name)) }

    /// The file beside the archive that has what a reader found in it: `json` by plistlib, `read.txt` and `decode.txt` by
    /// pytypedstream. Nil where there is none.
    package static func finding(_ name: String, _ ending: String) throws -> Data? {
        let url = try #require(folder).appending(path: "golden/\(name).\(ending)")
        return FileManager.default.fileExists(atPath: url.path) ? try Data(contentsOf: url) : nil
    }
}

extension Need {
    /// Archives of other programs, and what readers in Python found in them.
    package static let corpus = Need("corpus", "set ARCHIVING_CORPUS to its folder") { Corpus.folder != nil }
}
