import Archiving

// MARK: - What a value leads to

extension KeyedArchive.Value {
    /// The objects but nil that the value leads to, itself included, in the order of their uids: those that refer to each other
    /// in a circle as well, each once. Class entries are among them.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values it leads to.
    public var reachableObjects: [KeyedArchive.Value] {
        walk().slots.elements.filter { $0 > 0 }.map { source.object(UInt32(truncatingIfNeeded: $0)) }
    }

    /// The bytes in the binary form of all that the value leads to, itself included: what a copy of this part has to hold. What
    /// is shared counts once.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values it leads to.
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
    /// The objects that nothing leads to which was encoded by key: those a program has left behind. They are never decoded.
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

// MARK: - What leads to a value

extension KeyedArchive {
    /// Who refers to what in an archive: found out once, asked often.
    public struct References: Sendable {
        let source: ArchiveSource
        /// The uids of all objects that refer to object 0, then those that refer to object 1, and so on. An object that
        /// refers to another twice is there twice.
        private let owners: [UInt32]
        /// Where the owners of each object start, and where the last ones end.
        private let starts: [Int]

        /// What stands for `top` among the owners.
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

        /// How many references lead to the object `value`: one that has it under two keys counts twice. 0 for what is no
        /// object of this archive.
        public func count(of value: Value) -> Int { ownerUIDs(of: value).count }

        /// The objects that refer to the object `value`, each once, in the order of their uids; `top` is the last of them.
        ///
        /// - Complexity: O(*n* log *n*), where *n* is the number of references that lead to it.
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

    /// Finds out who refers to what.
    ///
    /// - Throws: `KeyedArchiveError.Code.limit` where objects share containers in so many ways that the references are more
    ///   than 16 for each byte.
    /// - Complexity: O(*n*), where *n* is the number of references, in time and memory.
    public func references() throws(KeyedArchiveError) -> References {
        source.expectWalk()
        return try References(source)
    }
}

// MARK: - Text

extension KeyedArchive.References: CustomStringConvertible {
    /// How many references there are.
    public var description: String { DumpOutput.count(owners.count, "reference", "references") }
}
