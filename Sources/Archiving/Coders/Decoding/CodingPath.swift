// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Coding paths while an archive is read: entries in a table, a few bytes each, until a user sees one.

extension DecodingSession {
    /// Returns the entry in the table of paths for the part at `step` of the value with the entry `parent`.
    ///
    /// It is a function of the session, since callers of the table's own would retain the table.
    @inline(never)
    func path(_ step: CodingPathStep, in parent: CodingPathTable.Index) -> CodingPathTable.Index {
        step.kind == .none ? parent : keys.paths.append(step, to: parent)
    }

    /// Returns the coding path with the entry `index`, as a user sees it.
    func codingPath(_ index: CodingPathTable.Index) -> [any CodingKey] {
        let path = keys.paths.path(to: index) { key($0) }
        // Errors that the program catches take time too: a little for each, more for a long path.
        countFailure(4 + max(0, path.count - 16))
        return path
    }

    private func key(_ step: CodingPathStep) -> (any CodingKey)? {
        switch step.kind {
        case .none: nil
        case .index: ArchiveKey(intValue: Int(step.value))
        case .field: keys.paths.fieldKey(step)
        case .key: ArchiveKey(stringValue: keyName(step.value, isMangled: true))
        case .givenKey: keys.paths.givenKey(step)
        case .dictionaryKey: ArchiveKey(stringValue: keyName(step.value, isMangled: false))
        case .missingKey: ArchiveKey(stringValue: keys.missing[Int(step.value)])
        }
    }

    private func keyName(_ reference: UInt32, isMangled: Bool) -> String {
        guard let value = try? archive.value(Int(reference)) else { return "" }
        switch value.node.kind {
        case .ascii, .utf16, .integer: break
        default: return archive.describe(value).description
        }
        guard let name = (try? archive.keyDescription(value)) ?? archive.keyExcerpt(value) else { return "" }
        return isMangled ? KeyMangling.userKey(name) ?? name : name
    }

    /// The step to the part under `key`, which the archive does not contain.
    func step(toMissing key: String) -> CodingPathStep {
        keep(1)
        return .missingKey(keys.missing.append(key) - 1)
    }
}
