// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The references of an archive that a decoder follows after the object that has them, instead of inside it. They are recorded only
/// for a limit of the nesting.
final class LaterReferences {
    /// The number of encodings that record references, in all threads. Wrappers then encode themselves instead of their instances.
    private static let recordingCount = Atomic<Int>(0)

    /// Whether wrappers have to encode themselves.
    @inline(__always)
    static var areRecorded: Bool { recordingCount.load(ordering: .relaxed) > 0 }

    /// The depth of the archive, and the path to a value that is deeper than `limit`.
    struct Excess {
        let depth: Int
        let limit: Int
        let path: [any CodingKey]
    }

    private let limit: Int
    /// The owners and the objects.
    private var pairs: Set<UInt64> = []
    /// The names of the classes whose instances a decoder creates before it decodes their contents.
    var laterClasses: Set<String> = []
    /// The excess of the archive, once it is complete; nil if there is none.
    private(set) var excess: Excess?

    init(limit: Int) {
        self.limit = limit
        Self.recordingCount.add(1, ordering: .relaxed)
    }

    deinit { Self.recordingCount.subtract(1, ordering: .relaxed) }

    private static func pair(_ owner: UInt32, _ object: UInt32) -> UInt64 { UInt64(owner) << 32 | UInt64(object) }

    /// Records that the object `owner` refers to `object` by a wrapper.
    func insert(_ object: UInt32, of owner: UInt32) { pairs.insert(Self.pair(owner, object)) }

    /// Finds the excess of `archive`, whose uids are those of the recorded references.
    func check(_ archive: KeyedArchive) {
        let contents = archive.source.contents
        var known: [UInt32: Bool] = [:]
        func isOfLaterClass(_ object: UInt32) -> Bool {
            guard let node = try? contents.object(object).node, node.kind == .dictionary,
                let uid = (try? contents.classUID(of: node)) ?? nil
            else { return false }
            if let known = known[uid] { return known }
            let isLater = !laterClasses.isDisjoint(with: (try? contents.classChain(uid)) ?? [])
            known[uid] = isLater
            return isLater
        }
        let nesting = ArchiveNesting(of: archive, above: limit) { owner, object in
            pairs.contains(Self.pair(owner, object)) || !laterClasses.isEmpty && isOfLaterClass(object)
        }
        guard nesting.depth > limit else { return }
        let steps = archive.path(through: nesting.excess).steps.dropFirst()
        excess = Excess(depth: nesting.depth, limit: limit, path: steps.map { ArchiveKey($0) })
    }
}
