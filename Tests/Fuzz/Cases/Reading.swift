// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads everything that an open archive provides, up to a number of values.
struct ArchiveReading {
    private let archive: KeyedArchive
    private var digest = Digest()
    private var known: Set<KeyedArchive.Value> = []
    private var remaining: [KeyedArchive.Value] = []
    /// Values that may still be looked at.
    private var budget: Int

    init(_ archive: KeyedArchive, budget: Int = 400) {
        self.archive = archive
        self.budget = budget
    }

    /// A number for all that was seen.
    mutating func run() throws -> UInt64 {
        digest.combine(archive.archiver ?? "")
        for described in archive.classes.prefix(50) {
            digest.combine(described.name)
            digest.combine(described.chain.count + described.fallbacks.count + described.versions.count)
        }
        remaining = [archive.root, archive.top] + archive.objects.prefix(100)
        remaining.append(archive[uid: .max])
        while let value = remaining.popLast(), budget > 0 {
            guard known.insert(value).inserted else { continue }
            budget -= 1
            try look(at: value)
        }
        return digest.value
    }

    private mutating func look(at value: KeyedArchive.Value) throws {
        let kind = value.kind
        guard (kind == .damaged) == (value.damage != nil) else {
            throw Violation("A value of the kind \(kind) says of its damage: \(String(describing: value.damage))")
        }
        lookAtLeaf(value)
        digest.combine(value.className ?? "")
        digest.combine(value.class?.chain.count ?? 0)
        digest.combine(value.describedClass?.name ?? "")
        for key in value.keys.prefix(20) {
            digest.combine(key)
            guard let part = value[key] else {
                throw Violation("A value lists the key \"\(key)\" and does not have it")
            }
            remaining.append(part)
        }
        for element in value.elements.prefix(20) { remaining.append(element) }
        for entry in value.entries.prefix(20) {
            remaining.append(entry.key)
            remaining.append(entry.value)
        }
        for field in value.fields.prefix(20) {
            digest.combine(field.key)
            remaining.append(field.value)
        }
        digest.combine(value.elements.count)
        digest.combine(value.entries.count)
        do {
            if let known = try value.foundationValue() { digest.combine(known.name) }
        } catch {
            digest.combine(error.code.description)
        }
    }

    private mutating func lookAtLeaf(_ value: KeyedArchive.Value) {
        digest.combine(value.uid ?? .max)
        digest.combine(value.isNull ? 1 : 0)
        digest.combine(value.boolean.map { $0 ? 1 : 2 } ?? 3)
        digest.combine(value.int128 ?? 4)
        digest.combine(value.double)
        digest.combine(Double(value.float ?? 0))
        digest.combine(value.string ?? "none")
        digest.combine(value.data?.prefix(64) ?? Data())
        digest.combine(value.date?.timeIntervalSinceReferenceDate)
        digest.combine(value.integer ?? 5)
        if value.looksLikeArchive, let inner = try? value.openArchive() { digest.combine(inner.objects.count) }
    }
}

extension FoundationValue {
    /// The case, and what it holds where that is quickly said.
    fileprivate var name: String {
        switch self {
        case .string(let text): "string \(text)"
        case .data(let data): "data \(data.count)"
        case .array(let elements): "array \(elements.count)"
        case .set(let elements): "set \(elements.count)"
        case .dictionary(let entries): "dictionary \(entries.count)"
        case .attributedString(let text, let runs): "attributed \(runs.map { text[$0.range].utf8.count })"
        case .indexSet(let ranges): "indexes \(ranges.count)"
        case .indexPath(let indexes): "path \(indexes)"
        case .decimal: "decimal"
        case .characterSet(_, _, _, _, let isInverted): "characters \(isInverted)"
        case .null: "null"
        default: "another"
        }
    }
}
