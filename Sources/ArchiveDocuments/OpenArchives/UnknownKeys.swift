// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The keys of decoded objects that the program does not know: their decoding has not requested them.
///
/// The objects of a class usually lack the same keys, so that each object has only the number of a list.
package struct UnknownKeys: Sendable {
    /// Keys, and the type that was decoded without them.
    package struct List: Hashable, Sendable {
        /// The names of the keys in the archive, as UTF-8.
        package let names: Set<[UInt8]>
        /// The type that was decoded; nil for a nested container.
        package let type: (any Any.Type)?

        package static func == (left: List, right: List) -> Bool {
            left.type == right.type && left.names == right.names
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(type.map { ObjectIdentifier($0) })
            hasher.combine(names)
        }
    }

    private var lists: [List] = []
    private var numbers: [List: Int] = [:]
    /// The number of the list of each object, by its uid.
    private var objects: [UInt32: Int] = [:]

    package init() {}

    /// Whether no object has unknown keys.
    package var isEmpty: Bool { objects.isEmpty }

    /// The unknown keys of the object `uid`; nil if it has none.
    package subscript(uid: UInt32) -> List? { objects[uid].map { lists[$0] } }

    mutating func number(of list: List) -> Int {
        if let known = numbers[list] { return known }
        numbers[list] = lists.count
        lists.append(list)
        return lists.count - 1
    }

    /// Records that the object `uid` has the unknown keys of the list `number`. If it was decoded before, those that neither decoding
    /// has requested are unknown.
    mutating func insert(_ uid: UInt32, _ number: Int) {
        guard let known = objects.updateValue(number, forKey: uid), known != number else { return }
        let names = lists[known].names.intersection(lists[number].names)
        if names.isEmpty {
            objects[uid] = nil
        } else {
            objects[uid] = self.number(of: List(names: names, type: lists[number].type ?? lists[known].type))
        }
    }

    /// Records the unknown keys of an object that was written.
    package mutating func insert(_ uid: UInt32, _ list: List) { objects[uid] = number(of: list) }

    /// Records that the object `uid` has no unknown keys.
    mutating func remove(_ uid: UInt32) { objects[uid] = nil }

    /// Adds those of a later decoding.
    mutating func merge(_ others: UnknownKeys) {
        let numbers = others.lists.map { number(of: $0) }
        for (uid, number) in others.objects { insert(uid, numbers[number]) }
    }

    /// Forgets objects.
    package mutating func remove(where isGone: (UInt32) -> Bool) {
        for uid in objects.keys.filter(isGone) { objects[uid] = nil }
    }
}

/// The requests of one decoding, for the keys that it does not request.
///
/// Only what was not requested is stored, and a bit for each object of which everything was. The requests of values, which a later
/// failure discards, are pending until the class instance around them is complete.
final class RequestedKeys: RequestObserver {
    private let archive: OpenArchive
    private let meter: DecodingMeter
    private var pending: [Pending] = []
    private var unknown = UnknownKeys()
    /// The objects of which some decoding has requested all keys.
    private var complete: BitSet
    /// The fields that were requested before the last runs of values in progress, by the numbers of their records.
    private var runs: [Int: RequestedRuns] = [:]
    /// The number of records of such fields so far.
    private var recordCount = 0
    /// The numbers of lists, by the references of their keys.
    private var known: [References: Int] = [:]
    /// Whether the decoding is complete. An initializer may have kept a container with which the program goes on.
    private var isFinished = false

    private struct References: Hashable {
        let keys: [Int]
        let type: ObjectIdentifier?
    }

    /// The requests of the decoding of an object.
    private struct Pending {
        let uid: UInt32
        /// The number of the list of its unknown keys; -1 if there are none.
        let list: Int32
        let mark: DecodingMeter.Mark
    }

    init(_ archive: OpenArchive, _ meter: DecodingMeter, slotCount: Int) {
        self.archive = archive
        self.meter = meter
        complete = BitSet(count: slotCount)
    }

    /// Records the requested fields `run`.
    package func note(_ run: Range<Int>, of fields: inout ObjectFields) {
        guard !run.isEmpty, !fields.isDictionary else { return }
        if fields.record == 0 {
            recordCount += 1
            fields.record = recordCount
        }
        runs[fields.record, default: RequestedRuns()].append(run)
    }

    /// Records that the program gets another keyed container of an object.
    package func noteContainer(of fields: inout ObjectFields) {
        note(fields.run, of: &fields)
        runs[fields.record]?.beginContainer(hasFailed: fields.hasFailed)
    }

    /// Forgets the fields that were requested from the present container of an object.
    package func forgetAttempt(of fields: ObjectFields) { runs[fields.record]?.forgetAttempt() }

    /// Records the requests of the decoding of the object `uid`, which is complete.
    ///
    /// - Parameters:
    ///   - type: The decoded type; nil for a nested container.
    ///   - hasUnkeyedValues: Whether `$0` and the like are values of the program.
    package func record(
        _ uid: UInt32, _ fields: ObjectFields, of type: (any Any.Type)?, hasUnkeyedValues: Bool,
        in contents: ArchiveContents
    ) throws(KeyedArchiveError) {
        // The keys of a dictionary are entries of it.
        guard uid != 0, fields.count >= 0, !fields.isDictionary else { return }
        let earlier = fields.record == 0 ? nil : runs.removeValue(forKey: fields.record)
        if earlier == nil, fields.run.lowerBound == 0 {
            // Usually only the class is left, which is the last.
            let left = fields.run.upperBound
            if left == fields.count { return noteComplete(uid) }
            let reference = contents.list.reference(left, in: fields.keys)
            if left == fields.count - 1, contents.isClassKey(reference) { return noteComplete(uid) }
        }
        try contents.countWork(fields.count)
        var all = earlier ?? RequestedRuns()
        all.append(fields.run)
        let keys = all.unrequested(fields.count).map { contents.list.reference($0, in: fields.keys) }
        try record(uid, keys: keys, of: type, hasUnkeyedValues: hasUnkeyedValues, in: contents)
    }

    /// Records that the decoding of the object `uid`, which is complete, has not requested the keys at the references `keys`. Those
    /// of the format may be among them.
    package func record(
        _ uid: UInt32, keys: [Int], of type: (any Any.Type)?, in contents: ArchiveContents
    ) throws(KeyedArchiveError) {
        try record(uid, keys: keys, of: type, hasUnkeyedValues: false, in: contents)
    }

    private func record(
        _ uid: UInt32, keys: [Int], of type: (any Any.Type)?, hasUnkeyedValues: Bool, in contents: ArchiveContents
    ) throws(KeyedArchiveError) {
        guard uid != 0, Int(uid) < complete.limit else { return }
        try contents.countWork(keys.count)
        var names: [Int] = []
        for key in keys where try contents.isUnknownKey(key, hasUnkeyedValues: hasUnkeyedValues) { names.append(key) }
        guard !names.isEmpty else { return noteComplete(uid) }
        guard !complete.contains(Int(uid)) else { return }
        let references = References(keys: names, type: type.map { ObjectIdentifier($0) })
        let number: Int
        if let list = known[references] {
            number = list
        } else {
            var texts: Set<[UInt8]> = []
            for name in names { texts.insert(contents.text(try contents.node(name))) }
            number = unknown.number(of: UnknownKeys.List(names: texts, type: type))
            known[references] = number
        }
        append(Pending(uid: uid, list: Int32(clamping: number), mark: meter.mark))
    }

    /// Records that a decoding of the object `uid` has requested all of its keys.
    package func noteComplete(_ uid: UInt32) {
        guard Int(uid) < complete.limit, !complete.contains(Int(uid)) else { return }
        append(Pending(uid: uid, list: -1, mark: meter.mark))
    }

    private func append(_ requests: Pending) {
        guard isFinished else { return pending.append(requests) }
        enter(requests)
        if requests.list >= 0 { flush() } else { archive.changeUnknownKeys { $0.remove(requests.uid) } }
    }

    private func enter(_ requests: Pending) {
        if requests.list >= 0 {
            if !complete.contains(Int(requests.uid)) { unknown.insert(requests.uid, Int(requests.list)) }
        } else if complete.insert(Int(requests.uid)), !unknown.isEmpty {
            unknown.remove(requests.uid)
        }
    }

    /// Keeps the requests since `mark`: they belong to an instance, which is complete.
    package func keep(since mark: DecodingMeter.Mark) {
        let start = start(of: mark)
        for place in start..<pending.count { enter(pending[place]) }
        pending.removeSubrange(start...)
    }

    /// Forgets the requests since `mark`, except those of complete instances: the request around them has failed.
    package func forget(since mark: DecodingMeter.Mark) { pending.removeSubrange(start(of: mark)...) }

    /// The place of the first pending requests since `mark`.
    private func start(of mark: DecodingMeter.Mark) -> Int {
        var start = pending.count
        while start > 0, mark.isBefore(pending[start - 1].mark) { start -= 1 }
        return start
    }

    /// Ends the decoding: its requests count if it is complete.
    package func finish(isComplete: Bool) {
        isFinished = true
        if isComplete { for requests in pending { enter(requests) } }
        pending = []
        if isComplete, !unknown.isEmpty { flush() }
    }

    private func flush() {
        let unknown = unknown
        archive.changeUnknownKeys { $0.merge(unknown) }
        self.unknown = UnknownKeys()
        known = [:]
    }
}

extension ArchiveContents {
    /// Returns whether the key at `reference` can be one of a program, which the decoder of an object may not know.
    fileprivate func isUnknownKey(_ reference: Int, hasUnkeyedValues: Bool) throws(KeyedArchiveError) -> Bool {
        let key = try node(reference)
        guard key.kind == .ascii else { return key.kind == .utf16 }
        let bytes = list.bytes
        if key.count >= 3, bytes.has("NS.", at: key.payload) { return false }
        guard key.count >= 1, bytes.has("$", at: key.payload) else { return true }
        if key.count >= 2, bytes.has("$$", at: key.payload) { return true }
        return hasUnkeyedValues && UInt32(list.string(key).dropFirst()) != nil
    }
}

/// The requested fields of an object. Most are requested in the order of the file, so that only the others are recorded.
///
/// A request that fails has requested nothing. If the last request from a container has failed, and the program then gets another
/// container of the object, the first one may belong to an attempt that has failed. It does if both have requested the same field:
/// the fields of the failed attempt are forgotten.
private struct RequestedRuns {
    /// Those from the present container.
    private var requested: [Range<Int>] = []
    /// Those from earlier containers.
    private var requestedBefore: [Range<Int>] = []
    /// Those from earlier containers whose last request has failed.
    private var abandoned: [Range<Int>] = []

    mutating func append(_ run: Range<Int>) { requested.append(run) }

    mutating func beginContainer(hasFailed: Bool) {
        if hasFailed { abandoned += requested } else { requestedBefore += requested }
        requested = []
    }

    mutating func forgetAttempt() { requested = [] }

    /// The positions of the fields, of which there are `count`, that were not requested.
    func unrequested(_ count: Int) -> [Int] {
        var all = Self.flags(requestedBefore + requested, count)
        let attempt = Self.flags(abandoned, count)
        let isAbandoned = all.indices.contains { all[$0] && attempt[$0] }
        if !isAbandoned { for position in all.indices where attempt[position] { all[position] = true } }
        return all.indices.filter { !all[$0] }
    }

    private static func flags(_ runs: [Range<Int>], _ count: Int) -> [Bool] {
        var flags = [Bool](repeating: false, count: count)
        for run in runs { for position in run.clamped(to: 0..<count) { flags[position] = true } }
        return flags
    }
}
