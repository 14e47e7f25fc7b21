import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension KeyedArchive {
    /// Returns the instances of `type` in the archive that satisfy `predicate`.
    ///
    /// The objects that the top of the archive reaches are found by the names of their classes. The predicate is evaluated in
    /// place, by the declared fields of the class; only matches are decoded, and elements for which it cannot be evaluated so.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition.
    ///   - order: The order. Equal instances are in the order of their uids.
    ///   - limit: The maximum number of instances; `nil` for all.
    ///   - decoder: The settings of the decoder.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the archive is damaged, and
    ///   the errors of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public func fetch<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>, sortedBy order: FetchOrder<Element>...,
        limit: Int? = nil, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> [Element] {
        let limit = max(limit ?? .max, 0)
        let reached = FetchedReach { [source] () throws(KeyedArchiveError) -> (UInt32) -> Bool in
            let all = ReachableObjects(of: source.contents)
            try all.insertTop()
            try all.walk { _ throws(KeyedArchiveError) in false }
            return all.contains
        }
        let fetch = try Fetch(OpenArchive(source, decoder), predicate) { try reached.contains($0) }
        return try fetch.matches(limit: order.isEmpty ? limit : .max).inOrder(of: order, limit: limit)
    }
}

extension ArchiveDocument {
    /// The archive in the document's file, as it was last read or saved; `nil` if the document has none.
    public var archive: KeyedArchive? { file.map { KeyedArchive($0.contents.archive) } }

    /// Returns the document's instance of an object of its file. It is decoded if it is not loaded.
    ///
    /// - Parameters:
    ///   - type: The class of the instance.
    ///   - value: An object of ``archive``.
    /// - Throws: ``ArchiveFetchError`` if the value is no object of the document's current file. `DecodingError` if it cannot be
    ///   decoded.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    public func instance<Object: Decodable & AnyObject>(_ type: Object.Type, for value: KeyedArchive.Value) throws
        -> Object
    {
        guard let file, let uid = value.uid, value.archive[uid: uid] == archive?[uid: uid] else {
            throw ArchiveFetchError(.otherArchive, "\(type)")
        }
        if let known = file.open.instance(uid) as? Object { return known }
        if file.open.isDecodingHere { throw ArchiveDocumentError(.tooEarly) }
        var result: Object?
        try file.open.withDecodingLock { result = try file.open.decode(type, [uid]).first }
        guard let result else { throw ArchiveFetchError(.otherArchive, "\(type)") }
        return result
    }

    /// Returns the instances of `type` in the document that satisfy `predicate`.
    ///
    /// The result is that of a filter of all instances which ``root`` reaches, as a save would write them: those in the file that
    /// are not loaded, loaded ones with their current values, and new ones. The predicate is evaluated in place for objects
    /// that are not loaded.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition.
    ///   - order: The order. Equal instances are in the order of their uids, and new ones follow.
    ///   - limit: The maximum number of instances; `nil` for all.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the file is damaged, the
    ///   errors of ``hasChanges()``, and those of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects in the file and of loaded instances.
    public func fetch<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>, sortedBy order: FetchOrder<Element>...,
        limit: Int? = nil
    ) throws -> [Element] {
        try Fetch<Element>.requireFields()
        let limit = max(limit ?? .max, 0)
        let continued = continuedFile
        if file != nil, continued == nil { throw ArchiveDocumentError(.fileChanged) }
        let graph = try graph(updating: continued)
        var found: [Element] = []
        let reach = FetchedGraph(graph, of: continued?.contents.archive)
        if let continued {
            let fetch = try Fetch(continued.open, live: reach.live, predicate) { try reach.containsOld($0) }
            found = try fetch.matches(limit: order.isEmpty ? limit : .max)
        }
        for new in graph.objects.added.sorted(by: { $0.uid < $1.uid }) {
            guard let instance = new.object as? Element, try reach.containsNew(new.uid) else { continue }
            if try predicate.evaluate(instance) { found.append(instance) }
        }
        return found.inOrder(of: order, limit: limit)
    }
}

/// The objects that are reached, computed when the first is asked for.
private final class FetchedReach {
    private let find: () throws(KeyedArchiveError) -> (UInt32) -> Bool
    private var found: ((UInt32) -> Bool)?

    init(_ find: @escaping () throws(KeyedArchiveError) -> (UInt32) -> Bool) { self.find = find }

    func contains(_ uid: UInt32) throws -> Bool {
        if let found { return found(uid) }
        do throws(KeyedArchiveError) {
            let found = try find()
            self.found = found
            return found(uid)
        } catch {
            throw DecodingError(damaged: error)
        }
    }
}

/// The objects that the root of a document reaches: in the file, and in the archive of its loaded instances.
private final class FetchedGraph {
    private let graph: DocumentGraph
    /// The objects of loaded instances in the archive of these, by their uids in the file.
    private let loaded: [UInt32: UInt32]
    private let old: ReachableObjects?
    private let new: ReachableObjects
    private var isComplete = false

    init(_ graph: DocumentGraph, of file: ArchiveSource?) {
        self.graph = graph
        loaded = Dictionary(graph.objects.instances.map { ($0.old, $0.uid) }, uniquingKeysWith: { first, _ in first })
        old = file.map { ReachableObjects(of: $0.contents) }
        new = ReachableObjects(of: graph.objects.archive.contents)
    }

    var live: Set<UInt32> { Set(loaded.keys) }

    func containsOld(_ uid: UInt32) throws -> Bool {
        try complete()
        if let counterpart = loaded[uid] { return new.contains(counterpart) }
        return old?.contains(uid) ?? false
    }

    func containsNew(_ uid: UInt32) throws -> Bool {
        try complete()
        return new.contains(uid)
    }

    private func complete() throws {
        guard !isComplete else { return }
        do throws(KeyedArchiveError) { try walk() } catch { throw DecodingError(damaged: error) }
        isComplete = true
    }

    private func walk() throws(KeyedArchiveError) {
        let (old, counterparts, loaded) = (old, graph.counterparts, loaded)
        try new.insertTop()
        while new.hasPending || old?.hasPending ?? false {
            try new.walk { uid throws(KeyedArchiveError) in
                guard counterparts.kind(uid) == .reference else { return false }
                try old?.insert(counterparts[uid])
                return true
            }
            try old?.walk { uid throws(KeyedArchiveError) in
                guard let counterpart = loaded[uid] else { return false }
                try new.insert(counterpart)
                return true
            }
        }
    }
}
