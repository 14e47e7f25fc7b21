// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension AnyDecoding {
    /// Returns the decoded elements of `value`.
    func elements(_ value: ArchivedValue, of type: any Any.Type) throws -> [Any] {
        let elements = try undamaged(archive.elements(of: value))
        guard let elements else {
            throw unarchiver.unread(.mismatch(type, value), path)
        }
        try unarchiver.visit(elements.count, at: path)
        return try (0..<elements.count).map { index in
            try at(.index(index)).element(elements.reference(index, in: archive))
        }
    }

    func set(_ value: ArchivedValue) throws -> Any {
        let found = try undamaged(archive.elements(of: value))
        guard let found else {
            throw unarchiver.unread(.mismatch(Set<AnyHashable>.self, value), path)
        }
        try unarchiver.visit(DecodingMeter.stepsPerEntry * found.count, at: path)
        // Everything that the hashes of the elements depend on is decoded before the set is created.
        let elements: [AnyHashable] = try unarchiver.decoding(at: path) { decoder in
            try decoder.resolved(value, at: .root) {
                try (0..<found.count).compactMap { index in
                    try at(.index(index)).hashableElement(found.reference(index, in: archive))
                }
            }
        }
        return Set(elements)
    }

    /// Returns the entries of the dictionary `value`. `keyDecoding` has the types of its keys.
    func dictionary(_ value: ArchivedValue, keys keyDecoding: AnyDecoding) throws -> [AnyHashable: Any] {
        let entries = try undamaged(archive.dictionary(value))
        guard let (keys, values) = entries else {
            throw unarchiver.unread(.mismatch([AnyHashable: Any].self, value), path)
        }
        try unarchiver.visit(DecodingMeter.stepsPerEntry * keys.count, at: path)
        var result: [AnyHashable: Any] = [:]
        for index in 0..<keys.count {
            let reference = keys.reference(index, in: archive)
            let step = CodingPathStep.dictionaryKey(UInt32(truncatingIfNeeded: reference))
            guard let key = try keyDecoding.at(step).hashableElement(reference) else { continue }
            result[key] = try at(step).element(values.reference(index, in: archive))
        }
        return result
    }

    /// Returns the decoded object for `reference`; nil is `Optional<Any>.none`.
    private func element(_ reference: Int) throws -> Any {
        let value = try undamaged(archive.value(reference))
        if isNil(value) { return Any?.none as Any }
        do {
            return try self.value(value)
        } catch is SkippedObject {
            return Any?.none as Any
        }
    }

    /// Returns the decoded object for `reference`, to be hashed, or nil if it is skipped.
    private func hashableElement(_ reference: Int) throws -> AnyHashable? {
        let value = try undamaged(archive.value(reference))
        if isNil(value) { return try hashable(Any?.none as Any) }
        do {
            return try hashable(self.value(value))
        } catch is SkippedObject {
            return nil
        }
    }

    private func hashable(_ value: Any) throws -> AnyHashable {
        if let text = value as? String, !HashedText.isSafe(text) {
            throw unarchiver.unread(.damaged(ArchiveContents.unsafeText(text)), path)
        }
        if HashedSets.areTooDeep(value) {
            throw ArchivingError(.limit, path: unarchiver.keys(path)) { "Found \(HashedSets.sentence), at \($0)" }
        }
        guard let hashable = value as? AnyHashable else {
            let type = Swift.type(of: value)
            throw ArchivingError(.typeMismatch, path: unarchiver.keys(path)) {
                "Found a \(type) at \($0), which is not Hashable, as an element of a set or a key of a dictionary"
            }
        }
        return hashable
    }
}
