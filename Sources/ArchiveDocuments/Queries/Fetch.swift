// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A search for the instances of a class in an archive, and among the instances of the program.
struct Fetch<Element: Decodable & AnyObject> {
    private let open: OpenArchive
    private let contents: ArchiveContents
    private let scope: FetchScope
    private let query: FetchQuery<Element>
    /// The index that the fetch uses; nil for all objects.
    private let plan: IndexPlan?

    init(_ open: OpenArchive, _ scope: FetchScope, _ query: FetchQuery<Element>) {
        self.open = open
        var contents = open.contentsForReading()
        self.scope = scope
        self.query = query
        plan = IndexPlan.best(for: query, Element.self, open, contents)
        if plan == nil {
            open.source.expectWalk()
            // These know that the whole file is loaded.
            contents = open.contentsForReading()
        }
        self.contents = contents
    }

    func search(_ results: FetchResults<Element>) throws {
        if let plan {
            do { return try search(plan, results) } catch is IndexPlan.Inconsistency {
                // Another program has changed objects in place.
                results.removeAll()
            }
        }
        var pass = Pass(reader: FetchReader(open, contents, scope, query.translation.properties), isIndexed: false)
        try visitCandidates { uid, node, candidate in
            if results.isFull(besides: pass.doubtful.count) {
                try decode(&pass, results)
                if results.isFull { return false }
            }
            _ = try examine(uid, node, candidate, &pass, results)
            return true
        }
        try decode(&pass, results)
    }

    private func search(_ plan: IndexPlan, _ results: FetchResults<Element>) throws {
        var pass = Pass(reader: FetchReader(open, contents, scope, query.translation.properties), isIndexed: true)
        var classes = CandidateClasses()
        for uid in scope.changed {
            guard let (node, candidate) = try candidate(at: uid, isChanged: true, isIndexed: true, &classes) else {
                continue
            }
            _ = try examine(uid, node, candidate, &pass, results)
        }
        func examineEntry(_ uid: UInt32) throws -> Bool {
            if scope.isChanged(uid) { return false }
            guard let (node, candidate) = try candidate(at: uid, isChanged: false, isIndexed: true, &classes) else {
                throw IndexPlan.Inconsistency()
            }
            return try examine(uid, node, candidate, &pass, results)
        }
        for uid in plan.index.others { _ = try examineEntry(uid) }
        var count = 0
        try plan.visit { uid, isTie in
            // The following entries are behind these matches.
            if plan.isOrdered, count >= query.limit, !isTie { return false }
            if try examineEntry(uid) { count += 1 }
            return true
        }
        try decode(&pass, results)
    }

    private struct Pass {
        let reader: FetchReader
        let isIndexed: Bool
        var doubtful: [UInt32] = []
    }

    /// Adds an object to `results` if it is a match.
    ///
    /// - Returns: Whether it is; false also if only a decoded instance shows it.
    @inline(__always)
    private func examine(
        _ uid: UInt32, _ node: Node, _ candidate: Candidate, _ pass: inout Pass, _ results: FetchResults<Element>
    ) throws -> Bool {
        switch candidate {
        case .changed(let instance):
            guard try query.accepts(instance) else { return false }
            results.add(instance, UInt64(uid))
            return true
        case .stored(let layout):
            if query.translation.mayTrap, try !scope.isReached(uid, isIndexed: pass.isIndexed) { return false }
            pass.reader.move(to: node, layout)
            do {
                guard try query.condition?.value(pass.reader) ?? true,
                    try scope.isReached(uid, isIndexed: pass.isIndexed)
                else { return false }
                try results.add(pass.reader, UInt64(uid))
                return true
            } catch is FetchDoubt {
                if let excess = contents.excess { throw DecodingError(damaged: excess) }
            }
        case .decoded: break
        }
        pass.doubtful.append(uid)
        if pass.doubtful.count >= Self.batchSize { try decode(&pass, results) }
        return false
    }

    private static var batchSize: Int { 256 }

    private func decode(_ pass: inout Pass, _ results: FetchResults<Element>) throws {
        let reached = try pass.doubtful.filter { try scope.isReached($0, isIndexed: pass.isIndexed) }
        pass.doubtful = []
        let instances = try open.fetched(Element.self, reached, for: contents)
        if let excess = contents.excess { throw DecodingError(damaged: excess) }
        for (uid, instance) in instances {
            if try query.accepts(instance) { results.add(instance, UInt64(uid)) }
        }
    }
}

// MARK: - Explanation

extension Fetch {
    func explain(_ plan: inout ArchiveFetchPlan) throws {
        plan.objectCount = contents.slotCount
        if let index = self.plan {
            plan.index = index.text
            plan.decodedCount = index.index.others.count
            for uid in scope.changed where open.instance(uid) is Element { plan.changedCount += 1 }
            try index.visit { uid, _ in
                plan.storedCount += scope.isChanged(uid) ? 0 : 1
                return true
            }
            return
        }
        try visitCandidates { uid, _, candidate in
            guard try scope.isReached(uid) else { return true }
            switch candidate {
            case .changed: plan.changedCount += 1
            case .stored: plan.storedCount += 1
            case .decoded: plan.decodedCount += 1
            }
            return true
        }
    }
}

// MARK: - Candidates

extension Fetch {
    enum Candidate {
        /// For the instance of the program, which is not as the archive has it.
        case changed(Element)
        /// In place.
        case stored(FetchClass)
        /// For an instance that is decoded.
        case decoded
    }

    /// Calls `body` with each object that may be an instance of the class, in the order of the uids, until it returns false. Whether an
    /// object is reached is not known before, except for changed ones.
    func visitCandidates(_ body: (UInt32, Node, Candidate) throws -> Bool) throws {
        var classes = CandidateClasses()
        var changed = scope.changed[...]
        for uid in 1..<UInt32(clamping: max(contents.slotCount, 1)) {
            let isChanged = uid == changed.first
            if isChanged { changed.removeFirst() }
            guard let (node, candidate) = try candidate(at: uid, isChanged: isChanged, &classes) else { continue }
            if try !body(uid, node, candidate) { return }
        }
    }

    private struct CandidateClasses {
        var known: [UInt32: Candidate?] = [:]
        var lastUID: UInt32 = 0
        var last: Candidate?
    }

    @inline(__always)
    private func candidate(
        at uid: UInt32, isChanged: Bool, isIndexed: Bool = false, _ classes: inout CandidateClasses
    ) throws -> (Node, Candidate)? {
        if isChanged, let instance = open.instance(uid) as? Element {
            return try scope.isReached(uid, isIndexed: isIndexed) ? (contents.top, .changed(instance)) : nil
        }
        let object: ArchivedValue
        let classUID: UInt32?
        do throws(KeyedArchiveError) {
            object = try contents.object(uid)
            guard object.node.kind == .dictionary else { return nil }
            classUID = try contents.classUID(of: object.node)
        } catch {
            if try scope.isReached(uid) { throw DecodingError(damaged: error) }
            return nil
        }
        guard let classUID else { return nil }
        if classUID != classes.lastUID {
            let candidate = classes.known[classUID] ?? candidate(ofClass: classUID)
            classes.known[classUID] = candidate
            (classes.lastUID, classes.last) = (classUID, candidate)
        }
        guard let candidate = classes.last else { return nil }
        return (object.node, candidate)
    }

    /// Returns how the predicate is evaluated for objects of the class entry `uid`; nil if they are no instances of the class.
    private func candidate(ofClass uid: UInt32) -> Candidate? {
        do throws(KeyedArchiveError) {
            switch try open.match(ofClass: uid, as: Element.self, in: contents) {
            case .none: return nil
            case .fields(let stored): return .stored(FetchClass(stored, query.translation.properties))
            case .decoded: return .decoded
            }
        } catch {
            // The decoder has the error.
            return .decoded
        }
    }
}
