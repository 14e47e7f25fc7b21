// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A three-way merge of archives: two versions that were changed independently, and the archive that both were changed from.
///
/// ```swift
/// let merge = try ArchiveMerge(base: base, mine: mine, theirs: theirs)
/// for conflict in merge.conflicts { print(conflict) }
/// let data = try merge.data { conflict in .mine }
/// ```
///
/// Instances are merged by their uids, and values by the places that hold them: the changes of only one version are taken from it. Both
/// versions must descend from the base, as files of an ``ArchiveDocument`` do, in which objects keep their uids. <doc:Merging> has the
/// rules.
public struct ArchiveMerge: Sendable {
    private let graph: MergeGraph
    private let places: MergePlaces
    /// The conflicts, if mine wins them: first those of values, in the order of the objects from the top, then those of removed
    /// objects. If theirs wins some, others can follow.
    public let conflicts: [Conflict]

    /// Compares three archives.
    ///
    /// - Parameters:
    ///   - base: The archive that both others were changed from.
    ///   - mine: The first version.
    ///   - theirs: The second version.
    /// - Throws: ``ArchiveMergeError`` with the code `unrelated` if a version does not descend from the base.
    ///   `KeyedArchiveError` as `KeyedArchive.propertyList()`, since all archives are read whole.
    /// - Complexity: O(*n* log *n*), where *n* is the number of values in the archives.
    public init(base: KeyedArchive, mine: KeyedArchive, theirs: KeyedArchive) throws {
        try self.init(base: base, mine: mine, theirs: theirs, classKinds: [:])
    }

    /// - Parameter classKinds: Whether the objects of a class are instances, by the names of the classes of which this is known.
    init(base: KeyedArchive, mine: KeyedArchive, theirs: KeyedArchive, classKinds: [String: Bool]) throws {
        graph = try MergeGraph(base, mine, theirs, classKinds)
        places = MergePlaces(graph)
        let found = Found<Conflict>()
        _ = try MergeRun(graph, places) { conflict in
            found.all.append(conflict)
            return .mine
        }
        conflicts = found.all
    }

    private final class Found<Element> {
        var all: [Element] = []
    }

    /// The changes of mine since the base, in the order of the objects from the top.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values in the archives.
    public var changesOfMine: [Change] { changes(of: .mine) }

    /// The changes of theirs since the base, in the order of the objects from the top.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values in the archives.
    public var changesOfTheirs: [Change] { changes(of: .theirs) }

    /// The changes of one archive are the conflicts of a merge in which both versions are this archive, and every change is one.
    private func changes(of origin: MergeOrigin) -> [Change] {
        let graph = graph.comparison(with: origin)
        let places = MergePlaces(graph)
        let found = Found<Change>()
        // No decision throws, and no object is kept.
        _ = try? MergeRun(graph, places, isComparison: true) { conflict in
            found.all.append(
                Change(
                    className: conflict.className, key: conflict.key, old: conflict.base, new: conflict.mine,
                    places: places, place: conflict.place))
            return .mine
        }
        return found.all
    }

    /// Returns the merged archive in the binary format. Objects that it does not reach are not in it.
    ///
    /// - Parameter resolution: A closure that decides about each conflict; `nil` if there must be none.
    /// - Throws: ``ArchiveMergeError`` with the code `conflicts` if there are conflicts and no closure, and the errors of the
    ///   closure. `PropertyListError` if the archive would be too large.
    /// - Complexity: O(*n* log *n*), where *n* is the number of values in the archives.
    public func data(resolving resolution: ((Conflict) throws -> Resolution)? = nil) throws -> Data {
        try merged(resolving: resolution).data
    }

    /// Returns the merged archive, the uids in it of the objects of mine by their own, which are 0 for those that are not in it, and
    /// the number of its objects.
    func merged(
        resolving resolution: ((Conflict) throws -> Resolution)?
    ) throws -> (data: Data, uids: [UInt32], objectCount: Int) {
        guard resolution != nil || conflicts.isEmpty else {
            throw ArchiveMergeError(.conflicts, conflicts, isMine: false)
        }
        // The closure is called only before this method returns.
        return try withoutActuallyEscaping(resolution ?? { _ in .mine }) { decide in
            var output = MergeOutput(try MergeRun(graph, places, decide))
            let list = output.propertyList()
            return (try list.data(), output.mineUIDs, output.objectCount)
        }
    }
}

// MARK: - Conflicts

extension ArchiveMerge {
    /// A value that both versions have changed to different ones, or an object that one has changed and the other one removed.
    public struct Conflict: Sendable {
        /// The kind of a conflict.
        public enum Kind: Sendable {
            /// The value under a key of an object or a dictionary.
            case value
            /// The elements of a list, in places that touch each other.
            case list
            /// An object that one version has changed, and that can no longer be reached since the other one removed the
            /// references to it.
            case removal
        }

        /// The kind of the conflict.
        public let kind: Kind
        /// The class name of the object; `nil` for the top.
        public let className: String?
        /// The key of the value in the object; `nil` for a removal, and for an object that is one value, such as a case of an enumeration.
        public let key: String?
        /// The value in the base; `nil` if it has none.
        public let base: KeyedArchive.Value?
        /// The value in mine; `nil` if it has none.
        public let mine: KeyedArchive.Value?
        /// The value in theirs; `nil` if it has none.
        public let theirs: KeyedArchive.Value?
        let places: MergePlaces
        let place: Int

        /// The path of the object in the base.
        ///
        /// - Complexity: O(*n*), where *n* is the number of steps.
        public var path: KeyedArchive.Path { places.path(to: place) }
    }

    /// A value that one version has changed.
    public struct Change: Sendable {
        /// The class name of the object; `nil` for the top.
        public let className: String?
        /// The key of the value in the object; "NS.objects" for the elements of a list or a set.
        public let key: String?
        /// The value in the base; `nil` if it has none.
        public let old: KeyedArchive.Value?
        /// The value in the changed version; `nil` if it has none.
        public let new: KeyedArchive.Value?
        let places: MergePlaces
        let place: Int

        /// The path of the object in the base.
        ///
        /// - Complexity: O(*n*), where *n* is the number of steps.
        public var path: KeyedArchive.Path { places.path(to: place) }
    }

    /// A decision about a conflict.
    public enum Resolution: Sendable {
        /// The value in the base. A removed object stays, with its changes.
        case base
        /// The value in mine. An object that mine has removed is removed.
        case mine
        /// The value in theirs. An object that theirs has removed is removed.
        case theirs
        /// For a list, mine with the elements that theirs has added. Other conflicts have no such value: it is that of mine.
        case both

        var origin: MergeOrigin {
            switch self {
            case .base: .base
            case .mine, .both: .mine
            case .theirs: .theirs
            }
        }
    }
}

// MARK: - Text

extension ArchiveMerge.Conflict: CustomStringConvertible {
    /// The place, and the three values, on one line.
    public var description: String {
        func text(_ value: KeyedArchive.Value?) -> String { value?.description ?? "none" }
        let place = MergeText.place(path, key)
        switch kind {
        case .removal:
            let owner = mine == nil ? "mine" : theirs == nil ? "theirs" : "both in different places"
            let changed = mine == nil ? "theirs" : theirs == nil ? "mine" : "one of them"
            return "\(place): \(text(base)) is removed by \(owner), and changed by \(changed)"
        case .value, .list: return "\(place): base \(text(base)), mine \(text(mine)), theirs \(text(theirs))"
        }
    }
}

extension ArchiveMerge.Change: CustomStringConvertible {
    /// The place, and the old and the new value, on one line.
    public var description: String {
        func text(_ value: KeyedArchive.Value?) -> String { value?.description ?? "none" }
        return "\(MergeText.place(path, key)): \(text(old)) → \(text(new))"
    }
}

private enum MergeText {
    static func place(_ path: KeyedArchive.Path, _ key: String?) -> String {
        guard let key, key != "NS.objects" else { return path.description }
        return KeyedArchive.Path(path.steps + [.key(key)]).description
    }
}

extension ArchiveMerge: CustomStringConvertible {
    /// The number of conflicts.
    public var description: String {
        conflicts.count == 1 ? "Merge with 1 conflict" : "Merge with \(conflicts.count) conflicts"
    }
}
