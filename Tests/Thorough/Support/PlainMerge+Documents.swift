// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport

/// A merge of two random edits of a document, compared with that of plain values.
package struct RandomDocumentMerge {
    private final class Page: Codable {
        var number: Int
        var title = ""
        var tags: Set<String> = []
        var readers: Set<String> = []
        var notes: [String] = []
        var nested: [[Int]] = []
        var groups: [String: Set<String>] = [:]
        var counts: [String: [Int]] = [:]
        var count: Int?
        var names: [String]?
        var size = PlainAlbum.Size(width: 1, height: 1)
        var sizes: [PlainAlbum.Size] = []
        var sizeSet: Set<PlainAlbum.Size> = []
        var pair = PlainAlbum.Pair()
        var shape = PlainAlbum.Shape.empty
        var bits: [Int] = []

        init(_ number: Int) { self.number = number }

        var plain: PlainAlbum.Page {
            get {
                PlainAlbum.Page(
                    title: title, tags: tags, readers: readers, notes: notes, nested: nested, groups: groups,
                    counts: counts, count: count, names: names, size: size, sizes: sizes, sizeSet: sizeSet, pair: pair,
                    shape: shape, bits: bits)
            }
            set {
                (title, tags, readers, notes) = (newValue.title, newValue.tags, newValue.readers, newValue.notes)
                (nested, groups, counts, count) = (newValue.nested, newValue.groups, newValue.counts, newValue.count)
                (names, size, sizes, sizeSet) = (newValue.names, newValue.size, newValue.sizes, newValue.sizeSet)
                (pair, shape, bits) = (newValue.pair, newValue.shape, newValue.bits)
            }
        }
    }

    private final class Album: Codable {
        var pages: [Page] = []
        var favorite: Page?

        init() {}

        /// Makes the album that of `plain`, with the pages that it has.
        func become(_ plain: PlainAlbum) {
            var known: [Int: Page] = [:]
            for page in pages + (favorite.map { [$0] } ?? []) { known[page.number] = page }
            func page(_ number: Int) -> Page {
                let page = known[number] ?? Page(number)
                known[number] = page
                if let contents = plain.pages[number] { page.plain = contents }
                return page
            }
            pages = plain.order.map(page)
            favorite = plain.favorite.map(page)
        }

        var plain: PlainAlbum {
            var plain = PlainAlbum()
            for page in pages + (favorite.map { [$0] } ?? []) { plain.pages[page.number] = page.plain }
            (plain.order, plain.favorite) = (pages.map(\.number), favorite?.number)
            return plain
        }
    }

    /// The conflicts that the document has reported.
    package private(set) var conflicts: Set<String> = []

    /// Merges the edits of `seed` in a file in `folder`.
    ///
    /// - Throws: `MergeModel.Defect` if the document has other values than the merge by hand, or other conflicts.
    package init(seed: UInt64, in folder: TemporaryFolder) throws {
        var generator = SeededGenerator(state: seed)
        let base = PlainAlbum(using: &generator)
        var (left, right) = (base, base)
        let count = 1 + Int(seed % 30)
        left.edit(Int.random(in: 0...count, using: &generator), newNumbers: 1000, using: &generator)
        right.edit(Int.random(in: 0...count, using: &generator), newNumbers: 2000, using: &generator)
        let url = folder["album"]
        let album = Album()
        album.become(base)
        try ArchiveEncoder().encode(album, to: url)
        let mine = try ArchiveDocument<Album>(contentsOf: url)
        let theirs = try ArchiveDocument<Album>(contentsOf: url)
        theirs.root.become(right)
        try theirs.save()
        mine.root.become(left)
        var reported: Set<String> = []
        try mine.merge { conflict in
            reported.insert(Self.name(of: conflict, base))
            return conflict.kind == .removal && conflict.theirs == nil ? .theirs : .mine
        }
        conflicts = reported
        let merged = mine.root.plain
        try check(merged, PlainMerge(base, left, right), base, left, right)
        guard try ArchiveDecoder().decode(Album.self, from: url).plain == merged else {
            throw MergeModel.Defect(description: "The file is not that of the document")
        }
        guard try !mine.hasChanges() else { throw MergeModel.Defect(description: "The merged document has changes") }
    }

    private static func name(of conflict: ArchiveMerge.Conflict, _ base: PlainAlbum) -> String {
        var steps = conflict.path.steps.dropFirst()[...]
        var owner = "album"
        if steps.first == .key("pages"), case .index(let place)? = steps.dropFirst().first {
            owner = "\(base.order[place])"
            steps = steps.dropFirst(2)
        } else if steps.first == .key("favorite"), let number = base.favorite {
            owner = "\(number)"
            steps = steps.dropFirst()
        }
        guard case .key(let property)? = steps.first else { return owner + "." + (conflict.key ?? "removal") }
        return owner + "." + property
    }

    private func check(
        _ merged: PlainAlbum, _ expected: PlainMerge, _ base: PlainAlbum, _ mine: PlainAlbum, _ theirs: PlainAlbum
    ) throws {
        if expected.restores || expected.openProperties.contains("album.pages") { return }
        let open = expected.openProperties
        try require(
            conflicts.subtracting(open) == expected.conflicts.subtracting(open),
            "Instead of \(expected.conflicts.subtracting(open)) are reported \(conflicts)")
        try require(merged.order == expected.merged.order, "The pages are \(merged.order)")
        try require(merged.favorite == expected.merged.favorite, "The favorite is another one")
        try require(Set(merged.pages.keys) == Set(expected.merged.pages.keys), "There are other pages")
        for (number, page) in expected.merged.pages {
            guard var found = merged.pages[number] else { continue }
            /// A list of which several merges are right has the elements that both changes say, or is a conflict.
            func replaceOpen<Element: Hashable>(
                _ name: String, _ path: WritableKeyPath<PlainAlbum.Page, [Element]>, hasParts: Bool = false
            ) throws {
                guard open.contains("\(number).\(name)") else { return }
                if !hasParts, !conflicts.contains("\(number).\(name)") {
                    let lists = [found, base.pages[number], mine.pages[number], theirs.pages[number]].map {
                        Dictionary($0?[keyPath: path].map { ($0, 1) } ?? [], uniquingKeysWith: +)
                    }
                    for element in Set(lists.flatMap(\.keys)) {
                        let counts = lists.map { $0[element] ?? 0 }
                        try require(
                            counts[0] == counts[2] + counts[3] - counts[1],
                            "\(name) of \(number) is \(found[keyPath: path])")
                    }
                }
                found[keyPath: path] = page[keyPath: path]
            }
            try replaceOpen("notes", \.notes)
            try replaceOpen("bits", \.bits)
            try replaceOpen("nested", \.nested, hasParts: true)
            try replaceOpen("sizes", \.sizes, hasParts: true)
            if open.contains("\(number).counts") { found.counts = page.counts }
            if open.contains("\(number).names") { found.names = page.names }
            if open.contains("\(number).shape") { found.shape = page.shape }
            try require(found == page, "Page \(number) is \(found) instead of \(page)")
        }
    }

    private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        if !condition { throw MergeModel.Defect(description: message()) }
    }
}
