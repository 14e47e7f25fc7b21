// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// An array of an archive whose elements are decoded one by one.
final class ListPart<Element: Decodable & Emptiable>: ArchivedPart, @unchecked Sendable {
    private var places: PartElements?
    /// All elements, if they cannot be decoded one by one.
    private var others: [Element]?
    /// The elements that the program may change, if no document keeps their instances.
    private var kept: [Int: Element] = [:]

    func count() throws -> Int {
        if let count = locked({ others?.count ?? places?.count }) { return count }
        return try reading { try open()?.count ?? others?.count ?? 0 }
    }

    /// Returns the element at `position`, which is less than the count.
    func element(at position: Int) throws -> Element {
        if let known = known(position) { return known }
        guard let element = try elements(at: position..<position + 1).first else {
            throw ArchiveDocumentError(.fileChanged)
        }
        return element
    }

    /// Returns the elements at `positions`, which are less than the count.
    func elements(at positions: Range<Int>) throws -> [Element] {
        try reading {
            guard let places = try open() else {
                let others: [Element] = locked { self.others } ?? []
                guard positions.upperBound <= others.count else { throw ArchiveDocumentError(.fileChanged) }
                return Array(others[positions])
            }
            let unknown = positions.filter { known($0) == nil }
            let decoded = try origin.archive.decode(
                Element.self, unknown.map { try Self.uid($0, of: places) })
            if !origin.archive.keepsInstances {
                locked { kept.merge(zip(unknown, decoded)) { _, new in new } }
            }
            if unknown.count == positions.count { return decoded }
            let made = Dictionary(uniqueKeysWithValues: zip(unknown, decoded))
            return positions.map { made[$0] ?? known($0) ?? Element() }
        }
    }

    /// Returns the parts of the archive with the elements at `positions`; nil if the elements are in memory.
    func parts(at positions: Range<Int>) throws -> [OpenArchive.Part]? {
        try reading {
            try open().map { places in
                try positions.map { OpenArchive.Part(archive: origin.archive, uid: try Self.uid($0, of: places)) }
            }
        }
    }

    /// Returns the places of the elements in the archive as it is; nil if all elements are decoded.
    private func open() throws -> PartElements? {
        if locked({ others != nil }) { return nil }
        let source = origin.archive.source
        if let known = locked({ places }), known.areFrom(source) { return known }
        // Unknown objects that the decoder skips are no elements.
        let skipsElements = origin.archive.classes.unknownClasses == .skip
        if !skipsElements, let found = try Self.undamaged({ try PartElements.array(origin.uid, in: source) }) {
            locked { places = found }
            return found
        }
        let elements = try origin.archive.decode([Element].self, origin.uid, ifSkipped: [])
        locked { others = elements }
        return nil
    }

    private func known(_ position: Int) -> Element? { locked { kept[position] } }
}
