// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import TestSupport
import Testing

/// Everything that can be asked of an archive, asked of every value in it.
struct ArchiveSurvey {
    /// All values that were met.
    private(set) var values: [KeyedArchive.Value] = []
    /// What is wrong with those that are damaged.
    private(set) var damage: [KeyedArchiveError] = []
    /// Values of which one accessor says something else than another.
    private(set) var contradictions: [KeyedArchive.Value] = []

    init(_ archive: KeyedArchive) {
        var known: Set<KeyedArchive.Value> = []
        var remaining = [archive.top, archive.root] + archive.objects
        while let value = remaining.popLast() {
            guard known.insert(value).inserted else { continue }
            values.append(value)
            remaining += Self.parts(of: value)
            askForLeaves(value)
            if let error = value.damage { damage.append(error) }
            if !Self.isConsistent(value) { contradictions.append(value) }
        }
        askAbout(archive)
    }

    /// The contents of `value`, by every way to reach them.
    private static func parts(of value: KeyedArchive.Value) -> [KeyedArchive.Value] {
        var parts = value.fields.map(\.value) + value.elements
        for (position, entry) in value.entries.enumerated() {
            parts += [entry.key, entry.value, value.entries[position].value]
        }
        for key in value.keys { parts += value[key].map { [$0] } ?? [] }
        return parts
    }

    private static func isConsistent(_ value: KeyedArchive.Value) -> Bool {
        let counts = Set([value.elements.count, value.entries.count, value.fields.count].filter { $0 > 0 })
        return (value.damage != nil) == (value.kind == .damaged) && (value.isNull == (value.kind == .null))
            && (value.elements.isEmpty || value.entries.isEmpty && value.count == value.elements.count)
            && (value.entries.isEmpty || value.count == value.entries.count)
            && (value.count == 0 || counts.contains(value.count))
            && (value.className == nil) == (value.class == nil)
            && value.keys.allSatisfy { value[$0] != nil || $0.contains("\u{FFFD}") }
            && (value.kind == .object || value.className == nil)
    }

    private func askForLeaves(_ value: KeyedArchive.Value) {
        _ = (value.boolean, value.integer, value.int128, value.double, value.float, value.string, value.date)
        _ = (value.isNull, value.uid, value.class, value.className, value.describedClass)
        _ = (value.data, value.looksLikeArchive, try? value.openArchive(), value.reachableByteCount)
    }

    private func askAbout(_ archive: KeyedArchive) {
        _ = (archive.format, archive.archiver, archive.classes, archive.unreachableObjects, archive.problems())
        _ = (try? archive.data(format: .xml), try? archive.data(format: .binary))
        guard let references = try? archive.references() else { return }
        for object in archive.objects {
            #expect(references.owners(of: object).count <= references.count(of: object))
        }
        if let last = values.last { _ = archive.path(to: last) }
    }
}
