// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Unordered collections

extension ArchiveComparison {
    enum Order {
        case fixed, keyed, none

        init(_ className: String?) {
            switch className {
            case "NSDictionary", "NSMutableDictionary": self = .keyed
            case "NSSet", "NSMutableSet": self = .none
            default: self = .fixed
            }
        }
    }

    /// Returns the order of two objects of the same class; `fixed` for other objects.
    mutating func order(of left: Node, _ right: Node) -> Order {
        // A collection has its class, its elements and possibly keys.
        guard left.count == 2 || left.count == 3 else { return .fixed }
        let order = Self.order(of: left, in: new, &orders)
        return order != .fixed && order == Self.order(of: right, in: old, &oldOrders) ? order : .fixed
    }

    static func order(of node: Node, in contents: ArchiveContents, _ orders: inout [UInt32: Order]) -> Order {
        guard let uid = try? contents.classUID(of: node) else { return .fixed }
        if let known = orders[uid] { return known }
        let order = Order(try? contents.className(uid))
        orders[uid] = order
        return order
    }

    mutating func hasEqualElements(_ left: Node, _ right: Node, _ order: Order, depth: Int) -> Bool {
        guard let elements = list("NS.objects", of: left, in: new),
            let oldElements = list("NS.objects", of: right, in: old),
            elements.count == oldElements.count
        else { return false }
        var keys = elements
        var oldKeys = oldElements
        if order == .keyed {
            guard let list = list("NS.keys", of: left, in: new), let oldList = self.list("NS.keys", of: right, in: old),
                list.count == elements.count, oldList.count == elements.count
            else { return false }
            (keys, oldKeys) = (list, oldList)
        }
        guard meter.take(DecodingMeter.stepsPerEntry * oldKeys.count) else { return false }
        var elementKeys: [Element] = []
        var needsDigests = false
        for position in 0..<keys.count {
            guard let key = element(new.list.reference(position, in: keys.payload)) else { return false }
            if case .digest = key { needsDigests = true }
            elementKeys.append(key)
        }
        var positions: [Element: Int] = [:]
        for position in 0..<oldKeys.count {
            let reference = old.list.reference(position, in: oldKeys.payload)
            for key in candidates(reference, withDigests: needsDigests) {
                guard positions.updateValue(position, forKey: key) == nil else { return false }
            }
        }
        var result = true
        for (position, key) in elementKeys.enumerated() {
            guard let oldPosition = positions[key] else { return false }
            // Compares all of them, so that equal values are kept.
            if !isEqual(listElement: position, keys, oldPosition, oldKeys, depth: depth) { result = false }
            if order == .keyed, !isEqual(listElement: position, elements, oldPosition, oldElements, depth: depth) {
                result = false
            }
        }
        return result
    }

    enum Element: Hashable {
        case object(UInt32)
        /// The digest of a value that is not an instance.
        case digest(Int)
        case text(Text)
        case integer(Int128)
        case bits(UInt8, UInt64)
        /// nil or the NSNull.
        case null
    }

    /// Returns what distinguishes an element of the new archive; nil if it is equal to no element of the old one.
    mutating func element(_ reference: Int) -> Element? {
        guard var node = try? new.node(reference) else { return nil }
        var reference = reference
        if node.kind == .uid {
            guard let uid = try? new.uid(node) else { return nil }
            if counterparts[uid] != 0 { return .object(counterparts[uid]) }
            guard let value = try? new.object(uid) else { return nil }
            if new.isNil(value) { return .null }
            node = value.node
            reference = new.object(inSlot: Int(uid))
        }
        return simpleElement(node, in: new) ?? digest(reference, isNew: true, depth: 0).map { .digest($0) }
    }

    /// Returns what may distinguish an element of the old archive: the object, if it may be an instance, and its value.
    mutating func candidates(_ reference: Int, withDigests: Bool) -> [Element] {
        if isNil(reference, in: old) { return [.null] }
        guard var node = try? old.node(reference) else { return [] }
        var elements: [Element] = []
        var reference = reference
        var names: Set<Text> = []
        if node.kind == .uid {
            guard let uid = try? old.uid(node), let value = try? old.object(uid) else { return [] }
            names = unknownNames(uid)
            node = value.node
            reference = old.object(inSlot: Int(uid))
            if simpleElement(node, in: old) == nil {
                elements.append(.object(uid))
                if oldInstances.contains(uid) { return elements }
            }
        }
        if let simple = simpleElement(node, in: old) {
            elements.append(simple)
        } else if withDigests, let digest = digest(reference, isNew: false, besides: names, depth: 0) {
            elements.append(.digest(digest))
        }
        return elements
    }

    private mutating func simpleElement(_ node: Node, in contents: ArchiveContents) -> Element? {
        let objects = contents.list.objects
        switch node.kind {
        case .ascii, .utf16: return text(node, in: contents).map { .text($0) }
        case .integer: return .integer(objects.integer(node))
        case .real64, .date: return .bits(node.kind.rawValue, objects.real64(node).bitPattern)
        case .real32: return .bits(node.kind.rawValue, UInt64(objects.real32(node).bitPattern))
        case .true, .false: return .bits(node.kind.rawValue, 0)
        default: return nil
        }
    }

    func list(_ key: StaticString, of node: Node, in contents: ArchiveContents) -> Node? {
        guard let value = try? contents.value(of: key, in: node), value.node.kind == .array else { return nil }
        return value.node
    }
}

// MARK: - Digests

extension ArchiveComparison {
    private static let digestDepthLimit = 32

    /// Returns a hash of the object `reference` of a property list with all values inside it, up to instances, which only
    /// their uids in the old archive represent. Equal values have equal digests.
    ///
    /// - Returns: The digest; nil if the value has a new instance, is damaged, or is nested too deeply.
    ///
    /// - Parameter names: Keys of the value that the program does not know, and that are not part of the digest.
    mutating func digest(_ reference: Int, isNew: Bool, besides names: Set<Text> = [], depth: Int) -> Int? {
        if let known = isNew ? digests[reference] : oldDigests[reference] { return known }
        let contents = isNew ? new : old
        guard depth < Self.digestDepthLimit, meter.take(1), let node = try? contents.node(reference) else { return nil }
        guard let digest = digest(node, isNew: isNew, besides: names, depth: depth) else { return nil }
        if isNew { digests[reference] = digest } else { oldDigests[reference] = digest }
        return digest
    }

    private mutating func digest(_ node: Node, isNew: Bool, besides names: Set<Text>, depth: Int) -> Int? {
        let contents = isNew ? new : old
        if let simple = simpleElement(node, in: contents) { return simple.hashValue }
        switch node.kind {
        case .uid:
            guard let uid = try? contents.uid(node), let value = try? contents.object(uid) else { return nil }
            if isNew, [.added, .temporary].contains(counterparts.kind(uid)) { return nil }
            let instance = isNew ? counterparts[uid] : oldInstances.contains(uid) ? uid : 0
            if instance != 0 { return Element.object(instance).hashValue }
            if contents.isNil(value) { return 0 }
            let names = isNew ? [] : unknownNames(uid)
            return digest(contents.object(inSlot: Int(uid)), isNew: isNew, besides: names, depth: depth + 1)
        case .data:
            guard takeBytes(contents.byteCount(node)) else { return nil }
            var hasher = Hasher()
            contents.hash(node, into: &hasher)
            return hasher.finalize()
        case .array, .set:
            var hasher = Hasher()
            for position in 0..<node.count {
                let element = contents.list.reference(position, in: node.payload)
                guard let digest = digest(element, isNew: isNew, depth: depth + 1) else { return nil }
                hasher.combine(digest)
            }
            return hasher.finalize()
        case .dictionary: return digest(dictionary: node, isNew: isNew, besides: names, depth: depth)
        default: return Int(node.kind.rawValue)
        }
    }

    private func unknownNames(_ uid: UInt32) -> Set<Text> { kept?.unknown[uid]?.names ?? [] }

    /// Returns the digest of a dictionary, which does not depend on the order of its keys. That of a collection without an
    /// order does not depend on the order of its elements.
    private mutating func digest(dictionary node: Node, isNew: Bool, besides names: Set<Text>, depth: Int) -> Int? {
        let contents = isNew ? new : old
        let order = isNew ? Self.order(of: node, in: new, &orders) : Self.order(of: node, in: old, &oldOrders)
        var sum = node.count
        func add(_ key: Int, _ value: Int) {
            var hasher = Hasher()
            hasher.combine(key)
            hasher.combine(value)
            sum &+= hasher.finalize()
        }
        let isCollection = order != .fixed && list("NS.objects", of: node, in: contents) != nil
        for position in 0..<node.count {
            let key = contents.list.reference(position, in: node.payload)
            if isCollection, isListKey(key, in: contents) { continue }
            if !names.isEmpty, let node = try? contents.node(key), let name = text(node, in: contents),
                names.contains(name)
            {
                sum &-= 1
                continue
            }
            let value = contents.list.reference(node.count + position, in: node.payload)
            guard let keyDigest = digest(key, isNew: isNew, depth: depth + 1),
                let valueDigest = digest(value, isNew: isNew, depth: depth + 1)
            else { return nil }
            add(keyDigest, valueDigest)
        }
        guard isCollection, let values = list("NS.objects", of: node, in: contents) else { return sum }
        let keys = order == .keyed ? list("NS.keys", of: node, in: contents) : values
        guard let keys, keys.count == values.count else { return nil }
        for position in 0..<values.count {
            let key = contents.list.reference(position, in: keys.payload)
            let value = contents.list.reference(position, in: values.payload)
            guard let keyDigest = digest(key, isNew: isNew, depth: depth + 1),
                let valueDigest = digest(value, isNew: isNew, depth: depth + 1)
            else { return nil }
            add(keyDigest, valueDigest)
        }
        return sum
    }
}
