// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Sizes of objects

extension KeyedArchive {
    /// The number of bytes of each object of an archive in the binary form. It is computed once for any number of queries.
    ///
    /// ```swift
    /// let sizes = try archive.sizes()
    /// for object in archive.objects { print(object.className ?? "", sizes.byteCount(of: object)) }
    /// ```
    ///
    /// The size of an object includes the inline values that only this object has. Values that several objects have inline, such
    /// as their keys, count as shared. Every byte of a file belongs to one of four parts: objects, shared values, head, and
    /// frame. The sum differs only for damaged files and for property lists with overlapping objects.
    public struct Sizes: Sendable {
        private let source: ArchiveSource
        private let byteCounts: [Int]
        /// The bytes of inline values of several objects: keys, and equal values.
        package let sharedByteCount: Int
        /// The bytes of `$top` and other values outside `$objects`, and of the list of references in `$objects`.
        package let headByteCount: Int
        /// The bytes of the file outside all objects of the property list: the header, the offset table, and the trailer.
        package let frameByteCount: Int

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

        /// Returns the bytes of the object `value`, or of an inline value without its contents. The result is 0 for `top`, for
        /// values of other archives, and for an object that a lower uid refers to as well.
        public func byteCount(of value: Value) -> Int {
            guard value.source === source else { return 0 }
            switch value.place {
            case .top: return 0
            case .slot(let uid): return Int(uid) < byteCounts.count ? byteCounts[Int(uid)] : 0
            case .inline(let reference): return source.contents.byteCount(of: reference)
            }
        }
    }

    /// Computes the number of bytes of each object.
    ///
    /// - Throws: `KeyedArchiveError.Code.limit` if the archive has more than 16 references per byte, because objects share
    ///   containers.
    /// - Complexity: O(*n*) time and memory, where *n* is the number of references.
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

/// A walk through all objects and their inline values.
private struct SizeCount: ~Copyable {
    private let contents: ArchiveContents
    private var owners: [UInt32]
    private var referenceCount = 0

    private(set) var byteCounts: [Int]
    private(set) var sharedByteCount = 0
    private(set) var headByteCount = 0

    private static let noOwner = UInt32.max
    private static let several = UInt32.max - 1
    private static let head = UInt32.max - 2

    init(_ contents: ArchiveContents) {
        self.contents = contents
        owners = Array(repeating: Self.noOwner, count: contents.list.objectCount)
        byteCounts = Array(repeating: 0, count: contents.slotCount)
    }

    mutating func run() throws(KeyedArchiveError) {
        // Objects come first: an object that is also inline in another belongs to itself.
        for slot in 0..<contents.slotCount {
            let reference = contents.object(inSlot: slot)
            if reference < owners.count, owners[reference] == Self.noOwner {
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
        if top < owners.count, owners[top] == Self.noOwner {
            owners[top] = Self.head
            try claimContents(of: top, for: Self.head)
        }
        addUp()
    }

    /// Assigns to `owner` the inline values of the object `reference` that have no owner yet.
    private mutating func claimContents(of reference: Int, for owner: UInt32) throws(KeyedArchiveError) {
        guard let node = try? contents.node(reference) else { return }
        let limit = contents.referenceLimit
        let count = contents.visitContents(of: node, limit: limit - referenceCount) { claim($0, for: owner) }
        referenceCount += count
        if referenceCount > limit { throw KeyedArchiveError(.limit(.init("references"), limit)) }
    }

    /// Assigns the object `inner` of the property list to `owner`.
    ///
    /// - Returns: `inner`, if its contents must be assigned with it.
    private mutating func claim(_ inner: Int, for owner: UInt32) -> Int? {
        guard inner < owners.count else { return nil }
        if owners[inner] == Self.noOwner {
            owners[inner] = owner
        } else if owners[inner] != owner, owners[inner] != Self.several, !isObject(inner) {
            // Its contents become shared with it.
            owners[inner] = Self.several
        } else {
            return nil
        }
        // The elements of `$objects` belong to themselves.
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
            case Self.noOwner: break
            case let owner: byteCounts[Int(owner)] += byteCount
            }
        }
    }
}
