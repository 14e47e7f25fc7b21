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
