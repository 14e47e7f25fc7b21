// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Converts the compact steps of a coding path, a few bytes each, to the keys that a user sees.
extension GraphReading {
    func keys(_ steps: [CodingPathStep]) -> [any CodingKey] {
        // Errors that the program catches take time too: a little for each, more for a long path.
        countFailure(4 + max(0, steps.count - 16))
        return steps.compactMap { step in
            switch step.kind {
            case .none: nil
            case .index: ArchiveKey(intValue: Int(step.value))
            case .field: paths.fieldKey(step)
            case .key: ArchiveKey(stringValue: keyName(step.value, isMangled: true))
            case .givenKey: paths.givenKey(step)
            case .dictionaryKey: ArchiveKey(stringValue: keyName(step.value, isMangled: false))
            case .missingKey: ArchiveKey(stringValue: missingKeys[Int(step.value)])
            }
        }
    }

    private func keyName(_ reference: UInt32, isMangled: Bool) -> String {
        guard let value = try? archive.value(Int(reference)) else { return "" }
        switch value.node.kind {
        case .ascii, .utf16, .integer: break
        default: return archive.describe(value)
        }
        guard let name = (try? archive.keyDescription(value)) ?? archive.keyExcerpt(value) else { return "" }
        return isMangled ? KeyMangling.userKey(name) ?? name : name
    }
}

extension GraphReading {
    /// The step to the part under `key`, which the archive does not contain.
    func step(toMissing key: String) -> CodingPathStep {
        keep(1)
        return .missingKey(missingKeys.append(key) - 1)
    }
}
