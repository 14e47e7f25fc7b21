// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Converts a binary property list to a `PropertyList`, without recursion.
struct PropertyListUnfolding: ~Copyable {
    private struct Frame {
        let node: Node
        let offset: Int
        let firstValue: Int
        let firstKey: Int
        var position = 0
    }

    private let list: BinaryPropertyListReader
    private var frames: [Frame] = []
    private var values: [PropertyList] = []
    private var keys: [String] = []
    /// Strings and data with their own storage, which all references to them share. `sharedPositions` has the position
    /// of each object of the list in it, counted from one.
    private var shared: [PropertyList] = []
    private var sharedPositions: SparseNumbers<UInt32>
    private var budget: Int
    private let limit: Int

    /// The cost of a value without its contents: its size in memory.
    private static let costOfValue = MemoryLayout<PropertyList>.stride
    /// The number of bytes of the longest string without its own storage.
    private static let inlineStringLimit = 15

    private init(_ list: BinaryPropertyListReader, limit: Int) {
        self.list = list
        sharedPositions = SparseNumbers(limit: list.objectCount)
        self.limit = limit
        budget = limit
    }

    static func value(of list: BinaryPropertyListReader, byteCount: Int) throws(PropertyListError) -> PropertyList {
        try value(at: list.top, of: list, byteCount: byteCount)
    }

    static func value(
        at reference: Int, of list: BinaryPropertyListReader, byteCount: Int
    ) throws(PropertyListError) -> PropertyList {
        var unfolding = PropertyListUnfolding(list, limit: PropertyListLimits.expansion(ofByteCount: byteCount))
        try unfolding.read(reference)
        return try unfolding.value()
    }

    static func value(
        of node: Node, in list: BinaryPropertyListReader, byteCount: Int
    ) throws(PropertyListError) -> PropertyList {
        var unfolding = PropertyListUnfolding(list, limit: PropertyListLimits.expansion(ofByteCount: byteCount))
        unfolding.frames.append(Frame(node: node, offset: node.payload, firstValue: 0, firstKey: 0))
        return try unfolding.value()
    }

    private mutating func value() throws(PropertyListError) -> PropertyList {
        while let frame = frames.last {
            guard frame.position < frame.node.count else {
                finish(frame)
                continue
            }
            frames[frames.count - 1].position += 1
            if frame.node.kind == .dictionary {
                let key = try leaf(list.reference(frame.position, in: frame.node.payload))
                guard case .string(let key) = key else { throw PropertyListError(.nonStringKey, at: frame.offset) }
                guard HashedText.isSafe(key) else { throw PropertyListError(.unsafeKey, at: frame.offset) }
                keys.append(key)
                try read(list.reference(frame.node.count + frame.position, in: frame.node.payload))
            } else {
                try read(list.reference(frame.position, in: frame.node.payload))
            }
        }
        return values[0]
    }

    /// Adds the object `reference` to the values, or opens it if it is a container with contents.
    private mutating func read(_ reference: Int) throws(PropertyListError) {
        if let leaf = try leaf(reference) { return values.append(leaf) }
        let offset = try list.offset(of: reference)
        guard frames.count < PropertyListLimits.nesting else {
            throw PropertyListError(.nestedTooDeep, at: offset, found: PropertyListLimits.nesting)
        }
        let node = try list.objects.node(at: offset)
        frames.append(Frame(node: node, offset: offset, firstValue: values.count, firstKey: keys.count))
    }

    private mutating func finish(_ frame: Frame) {
        let container = container(frame)
        frames.removeLast()
        values.removeLast(frame.node.count)
        if frame.node.kind == .dictionary { keys.removeLast(frame.node.count) }
        values.append(container)
    }

    private func container(_ frame: Frame) -> PropertyList {
        let contents = values[frame.firstValue...]
        switch frame.node.kind {
        case .dictionary:
            let entries = zip(keys[frame.firstKey...], contents)
            return .dictionary(PropertyList.Dictionary(entries.map { (key: $0, value: $1) }))
        case .set: return .set(Array(contents))
        default: return .array(Array(contents))
        }
    }

    /// The value of the object `reference`; nil if it is a container with contents.
    private mutating func leaf(_ reference: Int) throws(PropertyListError) -> PropertyList? {
        let offset = try list.offset(of: reference)
        let node = try list.objects.node(at: offset)
        try spend(Self.costOfValue, at: offset)
        switch node.kind {
        case .null: return .null
        case .false: return .boolean(false)
        case .true: return .boolean(true)
        case .integer: return .integer(list.objects.integer(node))
        case .real64: return .real(list.objects.real64(node))
        case .real32: return .real32(list.objects.real32(node))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: list.objects.real64(node)))
        case .uid: return .uid(try list.objects.uid(node))
        case .ascii, .utf16, .data:
            let byteCount = node.byteCount
            try spend(byteCount, at: offset)
            if byteCount <= Self.inlineStringLimit { return stored(node) }
            if sharedPositions[reference] == 0 {
                shared.append(stored(node))
                sharedPositions[reference] = UInt32(truncatingIfNeeded: shared.count)
            }
            return shared[Int(sharedPositions[reference]) - 1]
        case .array where node.count == 0: return .array([])
        case .set where node.count == 0: return .set([])
        case .dictionary where node.count == 0: return .dictionary([:])
        case .array, .set, .dictionary: return nil
        }
    }

    private func stored(_ node: Node) -> PropertyList {
        node.kind == .data ? .data(Data(list.objects.bytes(node))) : .string(list.objects.string(node))
    }

    private mutating func spend(_ byteCount: Int, at offset: Int) throws(PropertyListError) {
        budget -= byteCount
        guard budget >= 0 else { throw PropertyListError(.tooLarge, at: offset, found: limit) }
    }
}

/// Converts a `PropertyList` to a binary property list, without recursion.
struct PropertyListFolding: ~Copyable {
    private struct Frame {
        let list: PropertyList
        let count: Int
        let firstReference: Int
        var position = 0

        var container: PropertyListBuilder.Container {
            switch list {
            case .dictionary: .dictionary
            case .set: .set
            default: .array
            }
        }
    }

    private var builder: PropertyListBuilder
    private var frames: [Frame] = []

    /// The bytes of `list`.
    ///
    /// - Parameter sharesLeaves: Whether equal leaves become one object.
    static func binary(
        of list: PropertyList, sharesLeaves: Bool
    ) throws(PropertyListError) -> StoredBytes {
        let builder = PropertyListBuilder(byteCapacity: 1024, sharesLeaves: sharesLeaves)
        var folding = PropertyListFolding(builder: builder)
        return try folding.builder.finish(top: folding.write(list))
    }

    private init(builder: consuming PropertyListBuilder) { self.builder = builder }

    private mutating func write(_ list: PropertyList) throws(PropertyListError) -> PropertyListBuilder.Reference {
        try push(list)
        while let frame = frames.last {
            guard !builder.isTooLarge else { throw PropertyListError(.tooLarge, at: 0) }
            guard frame.position < frame.count else {
                frames.removeLast()
                builder.push(builder.append(frame.container, from: frame.firstReference))
                continue
            }
            frames[frames.count - 1].position += 1
            if case .dictionary(let entries) = frame.list { builder.push(builder.append(entries[frame.position].key)) }
            try push(frame.list.child(frame.position))
        }
        return builder.popLast()
    }

    private mutating func push(_ list: PropertyList) throws(PropertyListError) {
        switch list {
        case .null: builder.push(builder.appendNull())
        case .boolean(let value): builder.push(builder.append(value))
        case .integer(let value): builder.push(builder.append(value))
        case .real(let value): builder.push(builder.append(value))
        case .real32(let value): builder.push(builder.append(value))
        case .string(let value): builder.push(builder.append(value))
        case .date(let value): builder.push(builder.append(date: value.timeIntervalSinceReferenceDate))
        case .data(let value): builder.push(value.withBytes { builder.append(data: $0) })
        case .uid(let value): builder.push(builder.append(uid: value))
        case .array, .set, .dictionary: try open(list)
        }
    }

    private mutating func open(_ list: PropertyList) throws(PropertyListError) {
        let frame = Frame(list: list, count: list.childCount ?? 0, firstReference: builder.pendingCount)
        if frame.count == 0 { return builder.push(builder.append(frame.container, from: frame.firstReference)) }
        guard frames.count < PropertyListLimits.nesting else {
            throw PropertyListError(.nestedTooDeep, at: 0, found: PropertyListLimits.nesting)
        }
        frames.append(frame)
    }
}

extension PropertyList {
    /// The binary form, with the checksum of these bytes if the list is an archive that has one.
    ///
    /// - Throws: `PropertyListError` if the list is nested too deeply, or too large.
    func sealedBytes() throws(PropertyListError) -> StoredBytes {
        // Another value is not the data of the checksum, although leaves are shared.
        let placeholder = StoredChecksum.bytes(of: .random(in: 0...UInt64.max)).data
        guard let list = changingChecksum(to: .data(placeholder)) else {
            return try PropertyListFolding.binary(of: self, sharesLeaves: true)
        }
        let bytes = try PropertyListFolding.binary(of: list, sharesLeaves: true)
        return try StoredChecksum.sealed(bytes) ?? bytes
    }

    /// The list without the checksum of an archive, which would be that of other bytes.
    var withoutChecksum: PropertyList { changingChecksum(to: nil) ?? self }

    private func changingChecksum(to value: PropertyList?) -> PropertyList? {
        let key = StoredChecksum.key.description
        guard case .dictionary(var root) = self, case .dictionary(var top)? = root["$top"],
            case .data(let old)? = top[key], old.count == 8
        else { return nil }
        top[key] = value
        root["$top"] = .dictionary(top)
        return .dictionary(root)
    }
}
