import Archiving

// MARK: - What the objects take

extension KeyedArchive {
    /// How many bytes each object of an archive takes by itself, in the binary form: found out once, asked often.
    ///
    /// ```swift
    /// let sizes = try archive.sizes()
    /// for object in archive.objects { print(object.className ?? "", sizes.byteCount(of: object)) }
    /// ```
    ///
    /// An object takes what is written of it, and of what stands inside it and in no other object. What several objects
    /// have inside, as their keys, counts as shared. All bytes of a file are in one of the four parts: objects, what they
    /// share, `$top` and the head, and the frame. Only in a damaged file, or where the objects of a property list lie in each
    /// other, is the sum another.
    public struct Sizes: Sendable {
        private let source: ArchiveSource
        private let byteCounts: [Int]
        /// The bytes of what several objects have inside: keys, and values that are equal.
        public let sharedByteCount: Int
        /// The bytes of `$top` and of what else is not in `$objects`, and of the list of references that `$objects` is.
        public let headByteCount: Int
        /// The bytes of the file that are no object of the property list: its header, the table of offsets, the trailer.
        public let frameByteCount: Int

        fileprivate init(_ source: ArchiveSource) throws(KeyedArchiveError) {
            var count = SizeCount(source.contents)
            try count.run()
            self.source = source
            byteCounts = count.byteCounts
            sharedByteCount = count.sharedByteCount
            headByteCount = count.headByteCount
            let counted = count.byteCounts.reduce(0, +) + count.sharedByteCount + count.headByteCount
            frameByteCount = max(0, source.contents.byteCount - counted)
        }

        /// The bytes of the object `value`; of a value that stands inside an object those of its own, without what is in it.
        /// 0 for `top`, for what is not in this archive, and for an object that another uid, a lower one, leads to as well.
        public func byteCount(of value: Value) -> Int {
            guard value.source === source else { return 0 }
            switch value.place {
            case .top: return 0
            case .slot(let uid): return Int(uid) < byteCounts.count ? byteCounts[Int(uid)] : 0
            case .inline(let reference): return source.contents.byteCount(of: reference)
            }
        }
    }

    /// Finds out how many bytes each object takes.
    ///
    /// - Throws: `KeyedArchiveError.Code.limit` where objects share containers in so many ways that the references are more
    ///   than 16 for each byte.
    /// - Complexity: O(*n*), where *n* is the number of references, in time and memory.
    public func sizes() throws(KeyedArchiveError) -> Sizes {
        source.expectWalk()
        return try Sizes(source)
    }
}

extension KeyedArchive.Sizes: CustomStringConvertible {
    /// The bytes of the four parts.
    public var description: String {
        "objects \(byteCounts.reduce(0, +)), shared \(sharedByteCount), head \(headByteCount), frame \(frameByteCount) bytes"
    }
}

/// A walk through all objects, each with what stands inside it.
private struct SizeCount: ~Copyable {
    private let contents: ArchiveContents
    /// Whose each object of the property list is.
    private var owners: [UInt32]
    private var referenceCount = 0

    private(set) var byteCounts: [Int]
    private(set) var sharedByteCount = 0
    private(set) var headByteCount = 0

    private static let nobody = UInt32.max
    private static let several = UInt32.max - 1
    private static let head = UInt32.max - 2

    init(_ contents: ArchiveContents) {
        self.contents = contents
        owners = Array(repeating: Self.nobody, count: contents.list.objectCount)
        byteCounts = Array(repeating: 0, count: contents.slotCount)
    }

    mutating func run() throws(KeyedArchiveError) {
        // The objects first, so that what stands inside others and is one is its own.
        for slot in 0..<contents.slotCount {
            let reference = contents.object(inSlot: slot)
            if reference < owners.count, owners[reference] == Self.nobody {
                owners[reference] = UInt32(truncatingIfNeeded: slot)
            }
        }
        for slot in 0..<contents.slotCount {
            let reference = contents.object(inSlot: slot)
            let owner = UInt32(truncatingIfNeeded: slot)
            guard reference < owners.count, owners[reference] == owner else { continue }
            try claimContents(of: reference, for: owner)
        }
        let top = contents.list.top
        if top < owners.count, owners[top] == Self.nobody {
            owners[top] = Self.head
            try claimContents(of: top, for: Self.head)
        }
        addUp()
    }

    /// Takes what stands inside the object `reference`, and has no owner yet, for `owner`.
    private mutating func claimContents(of reference: Int, for owner: UInt32) throws(KeyedArchiveError) {
        guard let node = try? contents.node(reference) else { return }
        let limit = contents.referenceLimit
        let count = contents.visitContents(of: node, limit: limit - referenceCount) { claim($0, for: owner) }
        referenceCount += count
        if referenceCount > limit { throw KeyedArchiveError(.limit(.init("references"), limit)) }
    }

    /// Takes the object `inner` of the property list for `owner`.
    ///
    /// - Returns: The same, if what stands inside it goes with it.
    private mutating func claim(_ inner: Int, for owner: UInt32) -> Int? {
        guard inner < owners.count else { return nil }
        if owners[inner] == Self.nobody {
            owners[inner] = owner
        } else if owners[inner] != owner, owners[inner] != Self.several, !isObject(inner) {
            // With what is in it.
            owners[inner] = Self.several
        } else {
            return nil
        }
        // What it lists are the objects.
        if let node = try? contents.node(inner), node.kind == .array, node.payload == contents.slots { return nil }
        return inner
    }

    private func isObject(_ reference: Int) -> Bool {
        let owner = owners[reference]
        return Int(owner) < contents.slotCount && contents.object(inSlot: Int(owner)) == reference
    }

    private mutating func addUp() {
        for reference in owners.indices {
            let byteCount = contents.byteCount(of: reference)
            switch owners[reference] {
            case Self.several: sharedByteCount += byteCount
            case Self.head: headByteCount += byteCount
            case Self.nobody: break
            case let owner: byteCounts[Int(owner)] += byteCount
            }
        }
    }
}
