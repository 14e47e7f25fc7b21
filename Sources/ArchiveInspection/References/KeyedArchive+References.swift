// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Reachable objects

extension KeyedArchive.Value {
    /// The objects that the value reaches, itself included, each once and in the order of their uids. Objects in cycles and class
    /// entries are included; nil is not.
    ///
    /// - Complexity: O(*n*), where *n* is the number of reachable values.
    public var reachableObjects: [KeyedArchive.Value] {
        walk().slots.elements.filter { $0 > 0 }.map { source.object(UInt32(truncatingIfNeeded: $0)) }
    }

    /// The number of bytes of all reachable values, the value included, in the binary form. It is the content of a copy of this
    /// part. Shared values count once.
    ///
    /// - Complexity: O(*n*), where *n* is the number of reachable values.
    public var reachableByteCount: Int { walk().byteCount }

    private func walk() -> ArchiveWalk {
        var walk = ArchiveWalk(source.contents)
        switch place {
        case .top: walk.visitContents(of: source.contents.top)
        case .slot(let uid): walk.visit(uid: uid)
        case .inline(let reference): walk.visit(reference: reference)
        }
        return walk
    }
}

extension KeyedArchive {
    /// The objects that cannot be reached from any value encoded by key. Programs leave them behind, and decoders never read
    /// them.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values in the archive.
    public var unreachableObjects: [Value] {
        source.expectWalk()
        var walk = ArchiveWalk(source.contents)
        walk.visitContents(of: source.contents.top)
        return objects.dropFirst().filter { value in
            guard case .slot(let uid) = value.place else { return false }
            return !walk.slots.contains(Int(uid))
        }
    }
}

// MARK: - Owners of a value

extension KeyedArchive {
    /// The references of an archive by the object that they refer to. They are collected once for any number of queries.
    public struct References: Sendable {
        let source: ArchiveSource
        /// The uids of all objects that refer to object 0, then of those that refer to object 1, and so on. An object with two
        /// references to the same object is listed twice.
        private let owners: [UInt32]
        /// The start of the owners of each object, and the end of the last ones.
        private let starts: [Int]

        private static var top: UInt32 { .max }

        fileprivate init(_ source: ArchiveSource) throws(KeyedArchiveError) {
            self.source = source
            let contents = source.contents
            var pairs: [(target: UInt32, owner: UInt32)] = []
            let limit = contents.referenceLimit
            var scan = ObjectScan(contents)
            scan.visitReferences(of: contents.top) { pairs.append(($0, Self.top)) }
            for slot in 0..<contents.slotCount {
                let owner = UInt32(truncatingIfNeeded: slot)
                scan.visitReferences(of: owner) { pairs.append(($0, owner)) }
                if scan.isExceeded { throw KeyedArchiveError(.limit(.init("references"), limit)) }
            }
            var starts = Array(repeating: 0, count: contents.slotCount + 1)
            for pair in pairs { starts[Int(pair.target) + 1] += 1 }
            for slot in 0..<contents.slotCount { starts[slot + 1] += starts[slot] }
            var next = starts
            var owners = Array(repeating: UInt32(0), count: pairs.count)
            for pair in pairs {
                owners[next[Int(pair.target)]] = pair.owner
                next[Int(pair.target)] += 1
            }
            self.starts = starts
            self.owners = owners
        }

        private func ownerUIDs(of value: Value) -> ArraySlice<UInt32> {
            guard value.source === source, case .slot(let uid) = value.place, Int(uid) < starts.count - 1 else {
                return []
            }
            return owners[starts[Int(uid)]..<starts[Int(uid) + 1]]
        }

        /// Returns the number of references to the object `value`. An object that has it under two keys counts twice. The result
        /// is 0 if `value` is not an object of this archive.
        public func count(of value: Value) -> Int { ownerUIDs(of: value).count }

        /// Returns the objects that refer to the object `value`, each once, in the order of their uids. `top` comes last.
        ///
        /// - Complexity: O(*n* log *n*), where *n* is the number of references to it.
        public func owners(of value: Value) -> [Value] {
            var result: [Value] = []
            var last: UInt32?
            for uid in ownerUIDs(of: value).sorted() where uid != last {
                last = uid
                result.append(uid == Self.top ? KeyedArchive(source).top : source.object(uid))
            }
            return result
        }
    }

    /// Collects all references of the archive.
    ///
    /// - Throws: `KeyedArchiveError.Code.limit` if the archive has more than 16 references per byte, because objects share
    ///   containers.
    /// - Complexity: O(*n*) time and memory, where *n* is the number of references.
    public func references() throws(KeyedArchiveError) -> References {
        source.expectWalk()
        return try References(source)
    }
}

// MARK: - Text

extension KeyedArchive.References: CustomStringConvertible {
    /// The number of references.
    public var description: String { LineText.count(owners.count, "reference", "references") }
}

/// A walk through an archive, from some of its objects to all objects that they reach. It visits each once, and does not recurse.
struct ArchiveWalk: ~Copyable {
    private let contents: ArchiveContents
    /// Whether an object that is itself a uid, in a damaged archive, is followed. No decoder does that.
    private let followsDamage: Bool
    private var met: BitSet
    private(set) var slots: BitSet
    /// The slots that several visited places refer to.
    private(set) var sharedSlots: BitSet
    /// The containers of the property list that several visited places refer to: slots and other containers.
    private(set) var shared: BitSet
    private(set) var byteCount = 0
    private var referenceCount = 0

    init(_ contents: ArchiveContents, followsDamage: Bool = true) {
        self.contents = contents
        self.followsDamage = followsDamage
        met = BitSet(count: contents.list.objectCount)
        slots = BitSet(count: contents.slotCount)
        sharedSlots = BitSet(count: contents.slotCount)
        shared = BitSet(count: contents.list.objectCount)
    }

    mutating func visitContents(of node: Node) {
        let count = contents.visitContents(of: node, limit: contents.referenceLimit - referenceCount) { meet($0) }
        referenceCount += count
    }

    mutating func visit(reference: Int) {
        if let object = meet(reference), let node = try? contents.node(object) { visitContents(of: node) }
    }

    mutating func visit(uid: UInt32) {
        guard Int(uid) < contents.slotCount, let object = meet(uid: uid) else { return }
        if let node = try? contents.node(object) { visitContents(of: node) }
    }

    /// Visits the place of a reference, and the object there.
    ///
    /// - Returns: The object, if it was not visited before.
    private mutating func meet(_ reference: Int) -> Int? {
        guard let uid = contents.uid(at: reference) else { return meet(object: reference) }
        _ = meet(object: reference)
        return meet(uid: uid)
    }

    private mutating func meet(uid: UInt32) -> Int? {
        var uid = uid
        while true {
            guard slots.insert(Int(uid)) else {
                _ = sharedSlots.insert(Int(uid))
                return nil
            }
            let object = contents.object(inSlot: Int(uid))
            guard followsDamage, let next = contents.uid(at: object) else { return meet(object: object) }
            _ = meet(object: object)
            uid = next
        }
    }

    private mutating func meet(object reference: Int) -> Int? {
        guard reference < contents.list.objectCount else { return nil }
        guard met.insert(reference) else {
            if let node = try? contents.node(reference), node.referenceCount > 0 { _ = shared.insert(reference) }
            return nil
        }
        byteCount += contents.byteCount(of: reference)
        return reference
    }
}

extension ArchiveContents {
    /// The bytes of the object `reference` of the property list without its contents; 0 if it is damaged.
    func byteCount(of reference: Int) -> Int {
        guard reference < list.objectCount, let offset = try? list.offset(of: reference),
            let node = try? list.objects.node(at: offset)
        else { return 0 }
        return node.end(referenceSize: list.referenceSize) - offset
    }
}
