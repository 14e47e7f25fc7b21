// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport

/// A merge of two documents that have added texts to a list, at its beginning and at its end.
package struct WideMerge {
    private let textCount: Int
    private let addedCount: Int

    package init(textCount: Int, addedCount: Int) {
        self.textCount = textCount
        self.addedCount = addedCount
    }

    /// Checks that references are `width` bytes wide in both versions, and `merged` bytes in the merged file, which has all texts.
    package func check(width: Int, merged: Int) throws {
        try TemporaryFolder.with { folder in
            let url = folder["file"]
            func texts(_ name: String, _ count: Int) -> [String] { (0..<count).map { "\(name) \($0)" } }
            try ArchiveEncoder().encode(texts("text", textCount), to: url)
            let mine = try ArchiveDocument<[String]>(contentsOf: url)
            let theirs = try ArchiveDocument<[String]>(contentsOf: url)
            theirs.root += texts("theirs", addedCount)
            try theirs.save()
            try require(Self.width(of: Data(contentsOf: url)) == width, "theirs")
            mine.root.insert(contentsOf: texts("mine", addedCount), at: 0)
            try require(Self.width(of: ArchiveEncoder().encode(mine.root)) == width, "mine")
            try mine.merge()
            try require(Self.width(of: Data(contentsOf: url)) == merged, "the merged file")
            let expected = texts("mine", addedCount) + texts("text", textCount) + texts("theirs", addedCount)
            try require(mine.root == expected, "the document")
            try require(ArchiveDecoder().decode([String].self, from: url) == expected, "the texts of the file")
            mine.root[0] = "new"
            try mine.save()
            let saved = try ArchiveDecoder().decode([String].self, from: url)
            try require(saved == ["new"] + expected.dropFirst(), "the saved file")
        }
    }

    /// The number of bytes of a reference, from the trailer of a binary property list.
    private static func width(of data: Data) -> Int { Int(data[data.endIndex - 32 + 7]) }

    private func require(_ condition: Bool, _ what: String) throws {
        if !condition { throw MergeModel.Defect(description: "\(what) is not as expected") }
    }
}
