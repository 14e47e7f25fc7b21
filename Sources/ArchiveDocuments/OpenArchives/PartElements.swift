// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The elements of an array of an archive, or the keys or values of a dictionary, which are read one by one.
package struct PartElements: Sendable {
    package let count: Int
    /// The archive whose bytes have the elements. Another archive with the same uids has them in other places.
    private let source: ArchiveSource
    private let list: Int

    private init?(_ reference: Int, in source: ArchiveSource) throws(KeyedArchiveError) {
        let array: Node
        do throws(PropertyListError) { array = try source.contents.list.nodeWithoutContents(reference) } catch {
            throw KeyedArchiveError(error)
        }
        guard array.kind == .array else { return nil }
        count = array.count
        list = array.payload
        self.source = source
    }

    /// Finds the elements of the object `uid` of `source`. Only the beginning of the object is read.
    ///
    /// - Returns: The elements; nil if the object is no array in the form that archivers write.
    package static func array(_ uid: UInt32, in source: ArchiveSource) throws(KeyedArchiveError) -> PartElements? {
        try lists(["NS.objects"], of: ["NSArray", "NSMutableArray"], uid, in: source)?.first
    }

    /// Finds the keys and the values of the object `uid` of `source`. Only the beginning of the object is read.
    ///
    /// - Returns: The keys and values; nil if the object is no dictionary in the form that archivers write.
    package static func dictionary(
        _ uid: UInt32, in source: ArchiveSource
    ) throws(KeyedArchiveError) -> (keys: PartElements, values: PartElements)? {
        let classNames = ["NSDictionary", "NSMutableDictionary"]
        guard let lists = try lists(["NS.keys", "NS.objects"], of: classNames, uid, in: source) else { return nil }
        guard lists[0].count == lists[1].count else {
            throw KeyedArchiveError(.unequalCounts(keys: lists[0].count, objects: lists[1].count, uid: uid))
        }
        return (lists[0], lists[1])
    }

    private static func lists(
        _ keys: [StaticString], of classNames: [String], _ uid: UInt32, in source: ArchiveSource
    ) throws(KeyedArchiveError) -> [PartElements]? {
        let contents = source.contents
        let object = try contents.object(uid)
        let node = object.node
        guard !object.isNull, node.kind == .dictionary, node.count == keys.count + 1,
            let classUID = try contents.classUID(of: node)
        else { return nil }
        var isCollection = false
        for name in classNames where try contents.isClass(classUID, named: name) { isCollection = true }
        guard isCollection else { return nil }
        var lists: [PartElements] = []
        for key in keys {
            guard let position = try contents.index(of: key, in: node) else { return nil }
            let reference = contents.list.reference(node.count + position, in: node.payload)
            guard let list = try PartElements(reference, in: source) else { return nil }
            lists.append(list)
        }
        return lists
    }

    package func areFrom(_ source: ArchiveSource) -> Bool { self.source === source }

    package func uid(at position: Int) throws(KeyedArchiveError) -> UInt32 {
        precondition(position >= 0 && position < count, "Element \(position) is out of range: count is \(count)")
        let contents = source.contents
        let node = try contents.node(contents.list.loadedReference(position, in: list))
        return try contents.uid(node)
    }
}
