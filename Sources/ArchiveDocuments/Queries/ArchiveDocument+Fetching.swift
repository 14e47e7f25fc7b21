// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Archives

extension KeyedArchive {
    /// Returns the instances of `type` in the archive that satisfy `predicate`.
    ///
    /// The objects that the top of the archive reaches are found by the names of their classes. The predicate is evaluated in
    /// place, by the declared fields of the class, as if `didFinishDecoding()` did nothing. Only matches are decoded, and objects for
    /// which the predicate cannot be evaluated so; <doc:Queries> has a table.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition; `nil` for all instances.
    ///   - orders: The order. Of instances that are equal by the first one, the second decides, and so on. Equal instances are in the
    ///     order of their uids.
    ///   - offset: The number of first instances that are left out.
    ///   - limit: The maximum number of instances after them; `nil` for all.
    ///   - decoder: The settings of the decoder.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the archive is damaged, and
    ///   the errors of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public func fetch<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>? = nil, sortedBy orders: [FetchOrder<Element>],
        offset: Int = 0, limit: Int? = nil, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> [Element] {
        let query = try FetchQuery(predicate, orders, offset: offset, limit: limit)
        return try search(query, decoder) { try $0.instances(from: $1) }
    }

    /// Returns the instances of `type` that satisfy `predicate`: `fetch(_:where:sortedBy:offset:limit:using:)` with a list of orders.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition; `nil` for all instances.
    ///   - orders: The order; none for the order of the uids.
    ///   - offset: The number of first instances that are left out.
    ///   - limit: The maximum number of instances after them; `nil` for all.
    ///   - decoder: The settings of the decoder.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the archive is damaged, and
    ///   the errors of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public func fetch<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>? = nil, sortedBy orders: FetchOrder<Element>...,
        offset: Int = 0, limit: Int? = nil, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> [Element] {
        try fetch(type, where: predicate, sortedBy: orders, offset: offset, limit: limit, using: decoder)
    }

    /// Returns the values of a property of the instances that a fetch with the same arguments returns, in the same order. No instance is
    /// decoded if the predicate, the order and the property are read in place.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - keyPath: The property.
    ///   - predicate: The condition; `nil` for all instances.
    ///   - orders: The order; none for the order of the uids.
    ///   - offset: The number of first instances that are left out.
    ///   - limit: The maximum number of instances after them; `nil` for all.
    ///   - decoder: The settings of the decoder.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the archive is damaged, and
    ///   the errors of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public func fetch<Element: Decodable & AnyObject, Value>(
        _ type: Element.Type, _ keyPath: KeyPath<Element, Value>, where predicate: Predicate<Element>? = nil,
        sortedBy orders: FetchOrder<Element>..., offset: Int = 0, limit: Int? = nil,
        using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> [Value] {
        var query = try FetchQuery(predicate, orders, offset: offset, limit: limit)
        let values = query.read(keyPath)
        return try search(query, decoder) { results, _ in
            results.finish()
            return values.values
        }
    }

    /// Returns the number of instances of `type` that satisfy `predicate`. Only those are decoded for which the predicate cannot be
    /// evaluated in place.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition; `nil` for all instances.
    ///   - decoder: The settings of the decoder.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the archive is damaged, and
    ///   the errors of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public func count<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>? = nil,
        using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> Int {
        try search(FetchQuery(predicate), decoder) { results, _ in results.count }
    }

    /// Returns what a fetch with the same arguments does, without doing it.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition; `nil` for all instances.
    ///   - orders: The order.
    ///   - offset: The number of first instances that are left out.
    ///   - limit: The maximum number of instances after them; `nil` for all.
    ///   - decoder: The settings of the decoder.
    /// - Throws: The errors of the fetch, except those of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public func explain<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>? = nil, sortedBy orders: FetchOrder<Element>...,
        offset: Int = 0, limit: Int? = nil, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> ArchiveFetchPlan {
        let query = try FetchQuery(predicate, orders, offset: offset, limit: limit)
        var plan = ArchiveFetchPlan(query)
        try Fetch(OpenArchive(source, decoder), FetchScope(source), query).explain(&plan)
        return plan
    }

    private func search<Element, Result>(
        _ query: FetchQuery<Element>, _ decoder: ArchiveDecoder,
        _ body: (FetchResults<Element>, OpenArchive) throws -> Result
    ) throws -> Result {
        let (open, results) = (OpenArchive(source, decoder), FetchResults(query))
        // An object that is decoded for the predicate and for a match is one instance.
        open.keepInstances()
        defer { open.stopKeepingInstances() }
        try Fetch(open, FetchScope(source), query).search(results)
        return try body(results, open)
    }
}

// MARK: - Documents

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
        guard let instance = try file.open.fetched(type, [uid]).first?.instance else {
            throw ArchiveFetchError(.otherArchive, "\(type)")
        }
        let archive = file.contents.archive
        if StoredIndexes.number(in: archive.contents) != nil, (try? archive.reachableObjects().contains(uid)) != true {
            file.hasUnreachedInstances = true
        }
        return instance
    }

    /// Returns the instances of `type` in the document that satisfy `predicate`.
    ///
    /// The result is that of a filter of all instances which ``root`` reaches, as a save would write them: those in the file that
    /// are not loaded, loaded ones with their current values, and new ones. The predicate is evaluated in place, by the declared
    /// fields of the class, as if `didFinishDecoding()` did nothing, and for changed and new instances as they are. Only matches are
    /// decoded, and objects for which the predicate cannot be evaluated so; <doc:Queries> has a table.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition; `nil` for all instances.
    ///   - orders: The order. Of instances that are equal by the first one, the second decides, and so on. Equal instances are in the
    ///     order of their uids, and new ones follow.
    ///   - offset: The number of first instances that are left out.
    ///   - limit: The maximum number of instances after them; `nil` for all.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the file is damaged, the
    ///   errors of ``hasChanges()``, and those of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects in the file and of loaded instances.
    public func fetch<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>? = nil, sortedBy orders: [FetchOrder<Element>],
        offset: Int = 0, limit: Int? = nil
    ) throws -> [Element] {
        let query = try FetchQuery(predicate, orders, offset: offset, limit: limit)
        return try search(query) { try $0.instances(from: $1) }
    }

    /// Returns the instances of `type` that satisfy `predicate`: `fetch(_:where:sortedBy:offset:limit:)` with a list of orders.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition; `nil` for all instances.
    ///   - orders: The order; none for the order of the uids, and new instances last.
    ///   - offset: The number of first instances that are left out.
    ///   - limit: The maximum number of instances after them; `nil` for all.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the file is damaged, the
    ///   errors of ``hasChanges()``, and those of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects in the file and of loaded instances.
    public func fetch<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>? = nil, sortedBy orders: FetchOrder<Element>...,
        offset: Int = 0, limit: Int? = nil
    ) throws -> [Element] {
        try fetch(type, where: predicate, sortedBy: orders, offset: offset, limit: limit)
    }

    /// Returns the values of a property of the instances that a fetch with the same arguments returns, in the same order. No instance is
    /// decoded if the predicate, the order and the property are read in place.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - keyPath: The property.
    ///   - predicate: The condition; `nil` for all instances.
    ///   - orders: The order; none for the order of the uids, and new instances last.
    ///   - offset: The number of first instances that are left out.
    ///   - limit: The maximum number of instances after them; `nil` for all.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the file is damaged, the
    ///   errors of ``hasChanges()``, and those of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects in the file and of loaded instances.
    public func fetch<Element: Decodable & AnyObject, Value>(
        _ type: Element.Type, _ keyPath: KeyPath<Element, Value>, where predicate: Predicate<Element>? = nil,
        sortedBy orders: FetchOrder<Element>..., offset: Int = 0, limit: Int? = nil
    ) throws -> [Value] {
        var query = try FetchQuery(predicate, orders, offset: offset, limit: limit)
        let values = query.read(keyPath)
        return try search(query) { results, _ in
            results.finish()
            return values.values
        }
    }

    /// Returns the number of instances of `type` that satisfy `predicate`. Only those are decoded for which the predicate cannot be
    /// evaluated in place.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition; `nil` for all instances.
    /// - Throws: ``ArchiveFetchError`` if the class does not declare its fields. `DecodingError` if the file is damaged, the
    ///   errors of ``hasChanges()``, and those of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects in the file and of loaded instances.
    public func count<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>? = nil
    ) throws -> Int {
        try search(FetchQuery(predicate)) { results, _ in results.count }
    }

    /// Returns what a fetch with the same arguments does, without doing it.
    ///
    /// - Parameters:
    ///   - type: The class, which declares its fields (`ArchivedFields`).
    ///   - predicate: The condition; `nil` for all instances.
    ///   - orders: The order.
    ///   - offset: The number of first instances that are left out.
    ///   - limit: The maximum number of instances after them; `nil` for all.
    /// - Throws: The errors of the fetch, except those of the predicate.
    /// - Complexity: O(*n*), where *n* is the number of objects in the file and of loaded instances.
    public func explain<Element: Decodable & AnyObject>(
        _ type: Element.Type, where predicate: Predicate<Element>? = nil, sortedBy orders: FetchOrder<Element>...,
        offset: Int = 0, limit: Int? = nil
    ) throws -> ArchiveFetchPlan {
        let query = try FetchQuery(predicate, orders, offset: offset, limit: limit)
        var plan = ArchiveFetchPlan(query)
        let (file, scope) = try fetchScope()
        if let file { try Fetch(file.open, scope, query).explain(&plan) }
        plan.changedCount += try scope.newInstances().count { $0.object is Element }
        return plan
    }

    private func search<Element, Result>(
        _ query: FetchQuery<Element>, _ body: (FetchResults<Element>, OpenArchive?) throws -> Result
    ) throws -> Result {
        let results = FetchResults(query)
        fetchedTypes.insert(Element.self)
        let (file, scope) = try fetchScope()
        if let file { try Fetch(file.open, scope, query).search(results) }
        if !results.isFull {
            for new in try scope.newInstances() {
                guard let instance = new.object as? Element else { continue }
                if try query.accepts(instance) { results.add(instance, FetchResults<Element>.place(ofNew: new.uid)) }
            }
        }
        return try body(results, file?.open)
    }

    private func fetchScope() throws -> (file: DocumentFile?, scope: FetchScope) {
        let continued = continuedFile
        if file != nil, continued == nil { throw ArchiveDocumentError(.fileChanged) }
        return (continued, try FetchScope(try graph(updating: continued, keepsAdded: true), continued))
    }
}
