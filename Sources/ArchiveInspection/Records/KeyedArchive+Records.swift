// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FoundationObject {
    /// The largest number of entries of an object that is read as a record, and the largest length of a key.
    private static var entryLimit: Int { 256 }
    private static var keyLimit: Int { 128 }

    /// The record of an object of a class with the form `form`; nil for an object of another form.
    ///
    /// The entries are read once, in the order of the archive.
    ///
    /// - Throws: `KeyedArchiveError` if the form is certain, and the object has another one.
    mutating func record(_ form: RecordForm) throws(KeyedArchiveError) -> FoundationValue.Record? {
        var object = archived
        if let inner = try inner(of: form) { object = inner }
        guard object.node.count <= Self.entryLimit else { return nil }
        var fields: [FoundationValue.Record.Field?] = Array(repeating: nil, count: form.fields.count)
        var others: [FoundationValue.Record.Field] = []
        var isOther = false
        for position in 0..<object.node.count {
            guard let key = try key(at: position, of: object.node) else { return nil }
            guard key != "$class" else { continue }
            let reference = contents.list.reference(object.node.count + position, in: object.node.payload)
            let place = source.value(reference)
            guard !place.isNull else { continue }
            guard let index = form.positions[key] else {
                let name = key.hasPrefix("$$") ? String(key.dropFirst()) : key
                others.append(.init(name: name, key: name, value: nil, archived: place))
                continue
            }
            let field = form.fields[index]
            if case .object = field.kind {
                // The referenced value may be damaged. That is reported when it is read.
                fields[index] = .init(name: field.name, key: key, value: nil, archived: place)
                continue
            }
            let found = try contents.value(reference)
            let value = try FoundationObject(found, isItself: false, in: source).value(of: field.kind)
            if value == nil {
                isOther = true
                if form.isCertain { throw entries.damaged(key, field.kind.wanted) }
            }
            fields[index] = .init(name: field.name, key: key, value: value, archived: place)
        }
        for (field, found) in zip(form.fields, fields) where field.isRequired && found?.hasKind(field.kind) != true {
            guard form.isCertain, isItself else { return nil }
            throw entries.damaged(field.keys.first ?? "", field.kind.wanted)
        }
        let known = fields.compactMap(\.self)
        // Only keys that are not known: a form of another writer.
        guard !known.isEmpty || others.isEmpty && !isOther else { return nil }
        return FoundationValue.Record(className: form.name, fields: known + others)
    }

    /// The object inside the object that has the fields; nil if there is none.
    private mutating func inner(of form: RecordForm) throws(KeyedArchiveError) -> ArchivedValue? {
        guard let key = form.innerKey, let found = try entries[key], found.node.kind == .dictionary else { return nil }
        return found
    }

    /// The key at `position`; nil for one that is too long, or no string.
    private func key(at position: Int, of node: Node) throws(KeyedArchiveError) -> String? {
        let key = try contents.node(contents.list.reference(position, in: node.payload))
        guard key.kind == .ascii || key.kind == .utf16, key.count <= Self.keyLimit else { return nil }
        return contents.list.objects.string(key)
    }
}

extension FoundationValue.Record.Field {
    fileprivate func hasKind(_ kind: RecordForm.Kind) -> Bool {
        if case .object = kind { return true }
        return value != nil
    }
}

// MARK: - Kinds

extension RecordForm.Kind {
    /// The name of `number`, or the names of its bits; nil if it, or one of the bits, has none.
    func meaning(of number: Int128) -> FoundationValue? {
        guard let number = Int(exactly: number) else { return nil }
        switch self {
        case .choice(let names): return names[number].map { .choice($0, number: number) }
        case .flags(let names):
            guard number >= 0 else { return nil }
            var found: [String] = []
            var rest = number
            for (bit, name) in names.enumerated() where number & 1 << bit != 0 && !name.isEmpty {
                found.append(name)
                rest -= 1 << bit
            }
            return rest == 0 ? .flags(found, number: number) : nil
        default: return nil
        }
    }
}

extension FoundationObject {
    func value(of kind: RecordForm.Kind) throws(KeyedArchiveError) -> FoundationValue? {
        switch kind {
        case .text: return try contents.text(archived).map { .string($0) }
        case .integer:
            guard let number = try integer() else { return nil }
            return .integer(number)
        case .real:
            switch try contents.numberValue(archived) {
            case .real(let real)?: return .real(real)
            case .integer(let integer)?: return Double(exactly: integer).map { .real($0) }
            default: return nil
            }
        case .boolean:
            switch try contents.numberValue(archived) {
            case .boolean(let boolean)?: return .boolean(boolean)
            // Some writers have no Bool and write 0 and 1.
            case .integer(let integer)? where integer == 0 || integer == 1: return .boolean(integer == 1)
            default: return nil
            }
        case .data: return try data().map { .data($0) }
        case .date:
            var object = self
            return try object.date().map { .date($0) }
        case .url: return try url().map { .url($0) }
        case .geometry(let kind): return try contents.text(archived).flatMap { FoundationValue($0, kind) }
        case .choice, .flags:
            guard let number = try integer() else { return nil }
            return kind.meaning(of: number) ?? .integer(number)
        case .list:
            return try contents.elements(of: archived).map {
                .array(source.elements($0))
            }
        case .dictionary:
            guard archived.node.kind == .dictionary, let (keys, values) = try dictionaryReferences() else { return nil }
            return .dictionary(source.entries(keys, values))
        case .object: return nil
        }
    }
}

extension FoundationObject {
    private func integer() throws(KeyedArchiveError) -> Int128? {
        guard case .integer(let number)? = try contents.numberValue(archived) else { return nil }
        return number
    }
}
