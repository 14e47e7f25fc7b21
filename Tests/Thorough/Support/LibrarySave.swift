// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport

/// A way by which a library of some notes with indexes gets into a file.
package enum LibrarySave: CaseIterable, Sendable {
    case first, firstSnapshot, save, saveElsewhere, snapshot, compaction, journal, merge

    /// Writes a library of `count` notes, of which `yearCount` have a year of their own, to a new file at `url`.
    package func write(_ count: Int, years yearCount: Int = 0, to url: URL) throws {
        let library = IndexedLibrary()
        func append(_ numbers: Range<Int>, to library: IndexedLibrary) {
            for number in numbers {
                library.notes.append(IndexedNote("tag \(number)", number < yearCount ? 1000 + number : 2000))
            }
        }
        append(0..<count - 2, to: library)
        if self == .first || self == .firstSnapshot {
            append(count - 2..<count, to: library)
            let document = ArchiveDocument(root: library)
            if self == .first { try document.save(to: url) } else { try document.snapshot().write(to: url) }
            return
        }
        try ArchiveDocument(root: library).save(to: self == .saveElsewhere ? url.appendingPathExtension("old") : url)
        let document = try ArchiveDocument<IndexedLibrary>(
            contentsOf: self == .saveElsewhere ? url.appendingPathExtension("old") : url,
            journal: self == .journal ? .enabled : .disabled)
        if self == .merge {
            let other = try ArchiveDocument<IndexedLibrary>(contentsOf: url)
            other.root.name = "Town"
            try other.save()
        }
        append(count - 2..<(self == .merge ? count - 1 : count), to: document.root)
        switch self {
        case .saveElsewhere: try document.save(to: url)
        case .snapshot: try document.snapshot().write()
        case .compaction: try document.compact()
        case .merge:
            try document.merge()
            // A merged file has no indexes until a note is saved.
            append(count - 1..<count, to: document.root)
            try document.save()
        default: try document.save()
        }
        if self == .journal { document.close() }
    }
}

/// The file of a library.
package enum WrittenLibrary {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the file with this library, with Foundation, and by its indexes.
    ///
    /// - Parameter count: The number of notes that it has to have.
    /// - Returns: The number of objects of the property list.
    /// - Throws: `Fault` if one of them reads something else.
    @discardableResult
    package static func check(_ url: URL, _ count: Int) throws -> Int {
        let data = try Data(contentsOf: url)
        let archive = try KeyedArchive(data)
        try archive.validate()
        func require(_ condition: Bool, _ text: String) throws {
            if !condition { throw Fault(description: "\(count) notes: \(text)") }
        }
        let keys = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let expected: Set = ["$archiver", "$version", "$objects", "$top", "$indexes"]
        try require(keys.map { Set($0.keys) } == expected, "Foundation reads \(keys.map { $0.keys.sorted() } ?? [])")
        let notes = try ArchiveDecoder().decode(IndexedLibrary.self, from: data).notes
        try require(notes.map(\.tag) == (0..<count).map { "tag \($0)" }, "the decoder reads others")
        let className = ClassRegistry().name(for: IndexedNote.self)
        let entries = IndexedFile.entries(of: archive)
        try require(
            entries == IndexedFile.expectedEntries(of: archive, className: className), "the indexes have others")
        // The trailer: the width is its seventh byte from the left, behind that of offsets, and the count follows.
        let trailer = data.suffix(32)
        let objectCount = trailer.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | Int($1) }
        let width = Int(trailer[trailer.startIndex + 7])
        try require(objectCount < 1 << (8 * width), "\(objectCount) objects have references of \(width) bytes")
        return objectCount
    }
}
