// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Several properties can have the value: the initializer may have chosen one of them by what else is in the archive, such
// as a version. So everything else must be encoded as the archive has it.

extension GraphReading {
    /// Returns whether the archive has what the instance encodes, except under the key.
    ///
    /// Values that are not set yet count as equal, and so do collections without an order that have as many elements.
    func isArchived(_ entries: [ArchiveGraph.Reference], _ proof: PropertyProof, _ reencoding: Reencoding) -> Bool {
        guard let object = try? archive.object(proof.uid) else { return false }
        let isMigrating = proof.reader.isMigrating
        var comparison = ReencodingComparison(reencoding, self, allowsOtherKeys: isMigrating)
        guard
            comparison.add(entries, object.node, except: proof.field.encodedName, in: proof.container[...])
        else { return false }
        return comparison.isEqual()
    }
}

/// Compares an encoded instance with its object in the archive.
private struct ReencodingComparison {
    typealias Reference = ArchiveGraph.Reference

    private let reencoding: Reencoding
    private let reading: GraphReading
    /// Whether either side may have keys that the other one lacks: migrations rename them.
    private let allowsOtherKeys: Bool
    private var remaining: [(encoded: Reference, archived: ArchivedValue)] = []

    init(
        _ reencoding: Reencoding, _ reading: GraphReading, allowsOtherKeys: Bool
    ) {
        self.reencoding = reencoding
        self.allowsOtherKeys = allowsOtherKeys
        self.reading = reading
    }

    private var archive: ArchiveContents { reading.archive }
    private var graph: ArchiveGraph { reencoding.graph }

    /// Returns whether the object `archived` has the keys of `entries`. Adds their values to the remaining ones.
    mutating func add(
        _ entries: [Reference], _ archived: Node, except key: String?, in container: ArraySlice<String>
    ) -> Bool {
        guard var fields = fields(of: archived) else { return false }
        let exception = (container.first ?? key).map { reencoding.key($0) }
        for index in stride(from: 0, to: entries.count - 1, by: 2) {
            guard let name = text(entries[index]) else { return false }
            let (encoded, field) = (entries[index + 1], fields.removeValue(forKey: name))
            if entries[index] == exception {
                if container.isEmpty { continue }
                guard let field, case .fields(let inner, _)? = graph.parts(of: encoded),
                    add(inner, field.node, except: key, in: container.dropFirst())
                else { return false }
            } else if let field {
                remaining.append((encoded, field))
            } else if encoded != ArchiveGraph.null, !allowsOtherKeys {
                return false
            }
        }
        return allowsOtherKeys || fields.values.allSatisfy(mayBeUnset)
    }

    /// Returns the values of `object` by key, without its class; nil if it is damaged or has too many.
    private func fields(of object: Node) -> [String: ArchivedValue]? {
        guard object.kind == .dictionary, (try? reading.countWork(object.count)) != nil else { return nil }
        var fields: [String: ArchivedValue] = [:]
        for index in 0..<object.count {
            guard let key = try? archive.value(archive.list.reference(index, in: object.payload)),
                let name = try? archive.keyDescription(key),
                let value = try? archive.value(archive.list.reference(object.count + index, in: object.payload))
            else { return nil }
            if name != "$class" { fields[name] = value }
        }
        return fields
    }

    private func text(_ string: Reference) -> String? {
        graph.list.object(string).map { $0.objects.string($0.node) }
    }

    /// Returns whether `value` is nil, or an object that a property may get later.
    private func mayBeUnset(_ value: ArchivedValue) -> Bool { value.isNull || value.node.kind == .dictionary }

    /// Returns whether all remaining values are equal.
    mutating func isEqual() -> Bool {
        while let (encoded, archived) = remaining.popLast() {
            guard (try? reading.countWork(1)) != nil, isEqual(encoded, archived) else { return false }
        }
        return true
    }

    private mutating func isEqual(_ encoded: Reference, _ archived: ArchivedValue) -> Bool {
        if graph.isNil(encoded) { return mayBeUnset(archived) }
        if let object = reencoding.writing.instances.object(encoded) {
            // A published instance is not complete yet.
            guard let known = reading.instances.instance(archived.uid) else { return mayBeUnset(archived) }
            return known === object
        }
        if archived.isNull { return false }
        var contents = encoded
        if graph.uid(encoded) != nil {
            guard let object = graph.contents(of: encoded) else { return mayBeUnset(archived) }
            contents = object
        }
        guard let (node, objects) = graph.list.object(contents) else { return false }
        if node.kind == .dictionary, archived.node.kind == .dictionary {
            return isEqual(object: encoded, archived.node)
        }
        return isEqual(leaf: node, objects, archived.node)
    }

    private mutating func isEqual(object: Reference, _ archived: Node) -> Bool {
        switch graph.parts(of: object) {
        case .fields(let fields, _)?: return add(fields, archived, except: nil, in: [])
        // An empty collection may get its elements later.
        case .elements(let elements, _)? where elements.isEmpty: return true
        case .entries(let entries)? where entries.isEmpty: return true
        case .elements(let elements, _)?:
            guard let list = list("NS.objects", of: archived), list.count == elements.count else { return false }
            for (index, element) in elements.enumerated() {
                guard let value = try? archive.value(archive.list.reference(index, in: list.payload)) else {
                    return false
                }
                remaining.append((element, value))
            }
            return true
        case .entries(let entries)?: return list("NS.keys", of: archived)?.count == entries.count / 2
        // A value of Foundation, which no initializer takes apart.
        case nil: return true
        }
    }

    private func list(_ key: StaticString, of object: Node) -> Node? {
        guard let value = try? archive.value(of: key, in: object), value.node.kind == .array else { return nil }
        return value.node
    }

    /// Compares numbers, text, data and dates. Foundation has several forms of each.
    private func isEqual(leaf node: Node, _ objects: NodeScanner, _ archived: Node) -> Bool {
        let other = archive.list.objects
        switch (node.kind, archived.kind) {
        case (.dictionary, _), (_, .dictionary): return true
        case (.integer, .integer): return objects.integer(node) == other.integer(archived)
        case (.ascii, _), (.utf16, _):
            guard archived.kind == .ascii || archived.kind == .utf16 else { return false }
            return objects.string(node).utf8.elementsEqual(other.string(archived).utf8)
        case (.data, .data), (.date, .date): return objects.bytes(node) == other.bytes(archived)
        default:
            guard let one = number(node, objects), let number = number(archived, other) else { return false }
            return one == number || node.kind == .real32 && Float(one) == Float(number)
        }
    }

    private func number(_ node: Node, _ objects: NodeScanner) -> Double? {
        switch node.kind {
        case .false: 0
        case .true: 1
        case .integer: Double(objects.integer(node))
        case .real32: Double(objects.real32(node))
        case .real64: objects.real64(node)
        default: nil
        }
    }
}
