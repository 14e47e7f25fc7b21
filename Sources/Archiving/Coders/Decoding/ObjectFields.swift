// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The fields of an object, or the entries of a dictionary, for a keyed container.
///
/// Every decoded object has its own, so these are plain bytes. `FieldIndex` has the positions of the fields of large
/// objects.
package struct ObjectFields: BitwiseCopyable {
    /// The number of fields. -1 until they are requested, or -2 if the program has requested the value in another way.
    package var count = -1
    package var keys = 0
    var values = 0
    /// The position at which the next field is expected: fields are usually requested in the order in which they were
    /// written.
    var next = 0
    /// A bit for the group of each key; a key is certainly absent if its bit is not set. 0 until they are needed.
    private var bits: UInt64 = 0
    /// Whether these are the entries of an NSDictionary, whose keys are objects behind uids and are not mangled.
    package var isDictionary = false
    /// The start of the run of fields before `next` that were requested one after the other, if requests are recorded.
    private var runStart: Int32 = 0
    /// The number of the record of earlier requests in `RequestedKeys`; 0 for none.
    package var record = 0
    var unkeyedCount: Int32 = 0
    /// `next` after the last request that has failed, unless another run has begun since; -1 for none.
    private var failedAt: Int32 = -1

    private static var linearSearchLimit: Int { 64 }

    mutating func restart() { next = 0 }

    init() {}

    init(keys: Int, values: Int, count: Int, isDictionary: Bool) {
        self.keys = keys
        self.values = values
        self.count = count
        self.isDictionary = isDictionary
    }

    func next(ifNamed name: String, in archive: ArchiveContents) throws(KeyedArchiveError) -> Int? {
        guard next < count else { return nil }
        return try archive.isASCII(archive.list.reference(next, in: keys), name) ? next : nil
    }

    /// The position of the key `name`, as the archive has it, which is not that of the next field; nil if it is absent.
    ///
    /// - Parameter number: The number of the key, or 0 if it is not known yet.
    mutating func position(
        of name: String, _ number: inout KeyNames.Number, in session: DecodingSession
    ) throws(KeyedArchiveError) -> Int? {
        if number == 0 { number = session.keys.names.number(of: name) }
        return try position(of: number, in: session)
    }

    /// The position of the key with `number`, or else of one that is equal by Unicode's rules; nil if both are absent.
    mutating func position(
        of number: KeyNames.Number, in session: DecodingSession
    ) throws(KeyedArchiveError) -> Int? {
        if bits == 0 { try findBits(session) }
        let group = session.keys.names.group(of: number)
        guard bits & 1 &<< UInt64(group & 63) != 0 else { return nil }
        if count > Self.linearSearchLimit { return try session.keys.large.position(of: number, self, in: session) }
        let hasEqualKeys = session.keys.names.hasEqualKeys
        var equal: Int?
        for offset in 0..<count {
            let position = next &+ offset < count ? next &+ offset : next &+ offset &- count
            let found = try self.number(at: position, session)
            if found == number { return position }
            if hasEqualKeys, session.keys.names.group(of: found) == group { equal = min(position, equal ?? position) }
        }
        return equal
    }

    /// Returns whether the key at `position` is `name`, as the archive has it, not only equal to it by Unicode's rules, if keys are.
    func isExact(_ name: String, at position: Int, in session: DecodingSession) -> Bool {
        (try? number(at: position, session)) == session.keys.names.number(of: name)
    }

    private mutating func findBits(_ session: DecodingSession) throws(KeyedArchiveError) {
        try session.countWork(count)
        for position in 0..<count {
            bits |= 1 &<< UInt64(session.keys.names.group(of: try number(at: position, session)) & 63)
        }
    }

    @inline(__always)
    fileprivate func number(
        at position: Int, _ session: DecodingSession
    ) throws(KeyedArchiveError) -> KeyNames.Number {
        let reference = session.archive.list.reference(position, in: keys)
        return try session.keys.names.number(of: reference, in: session.archive)
    }
}

// MARK: - Requested fields

/// The last run of fields that the program has requested, if requests are recorded. `RequestedKeys` has the earlier ones.
extension ObjectFields {
    /// Begins a run with the field at `position`, and returns the run that ends.
    mutating func beginRun(at position: Int) -> Range<Int> {
        let run = run
        runStart = Int32(truncatingIfNeeded: position)
        failedAt = -1
        return run
    }

    mutating func noteFailure() { failedAt = Int32(truncatingIfNeeded: next) }

    /// Forgets the field that was requested last: the request has failed. Returns the run that ends before it.
    mutating func forgetLast() -> Range<Int> {
        let run = hasFailed ? run : run.dropLast()
        runStart = Int32(truncatingIfNeeded: next)
        noteFailure()
        return run
    }

    package var hasFailed: Bool { Int(failedAt) == next }

    mutating func forgetAttempt() {
        runStart = Int32(truncatingIfNeeded: next)
        failedAt = -1
    }

    package var run: Range<Int> {
        let start = Int(runStart)
        return start < next ? start..<next : start..<start
    }
}

// MARK: - The record of requests

/// Records the fields that a program requests, for a document that keeps the others.
extension DecodingFrame {
    @inline(never)
    func beginRun(at position: Int) {
        guard let requests = session.requests else { return }
        changeFields {
            let run = $0.beginRun(at: position)
            requests.note(run, of: &$0)
        }
    }

    /// Changes the fields outside of the property, so that accesses to it need no exclusivity check.
    @inline(__always)
    private func changeFields(_ change: (inout ObjectFields) -> Void) {
        var changed = fields
        change(&changed)
        fields = changed
    }

    @inline(__always)
    func noteRequested(_ position: Int) { if session.requests != nil { noteRequestedAlone(position) } }

    @inline(never)
    private func noteRequestedAlone(_ position: Int) {
        changeFields { session.requests?.note(position..<position + 1, of: &$0) }
    }

    @inline(never)
    func leaveNothing(at step: CodingPathStep, since mark: DecodingMeter.Mark, after error: any Error) {
        if session.leaveNothing(since: mark, after: error) { forgetRequest(at: step) }
    }

    func forgetRequest(at step: CodingPathStep) { if step.isKey { forgetLastRequest() } }

    func forgetLastRequest() {
        guard let requests = session.requests, fields.count >= 0 else { return }
        changeFields {
            let run = $0.forgetLast()
            requests.note(run, of: &$0)
        }
    }

    func noteFailedRequest() {
        if session.requests != nil, fields.count >= 0 { changeFields { $0.noteFailure() } }
    }

    func noteOtherContainer() {
        guard let requests = session.requests else { return }
        changeFields {
            requests.noteContainer(of: &$0)
            $0.forgetAttempt()
        }
    }

    func noteOtherContent() {
        noteOtherRequest()
        guard let requests = session.requests, fields.count >= 0, fields.hasFailed else { return }
        requests.forgetAttempt(of: fields)
        changeFields { $0.forgetAttempt() }
    }

    /// Records that a migration step changes the field `name`.
    func noteRequested(_ name: String) {
        if session.requests != nil { _ = try? field(ArchiveKey(stringValue: name), nil) }
    }

    /// Records that the value was requested, but not as a keyed container.
    @inline(__always)
    func noteOtherRequest() { if fields.count == -1 { fields.count = -2 } }

    /// Records what was requested of the value, which is complete, if a document needs it.
    ///
    /// - Parameter type: The type of the value; nil for a value whose decoder the program has held, or a nested container.
    @inline(__always)
    func recordRequestsIfNeeded(_ type: (any Any.Type)?) throws {
        if session.requests != nil { try recordRequests(of: type) }
    }

    @inline(never)
    private func recordRequests(of type: (any Any.Type)?) throws {
        guard let requests = session.requests, value.node.kind == .dictionary else { return }
        var fields = fields
        if fields.count == -1 {
            // Nothing was requested.
            fields = ObjectFields(keys: value.node.payload, values: 0, count: value.node.count, isDictionary: false)
        }
        let isCoding = ownType?.kind == .coding
        // An instance that represents an object of an unknown class keeps all of its contents.
        if isCoding, type == UnknownObject.self { return }
        try undamaged(
            requests.record(value.uid, fields, of: type, hasUnkeyedValues: isCoding, in: archive), at: .root)
    }
}

extension DecodingFields {
    /// Records the keys of the value of `decoding` that are those of no field.
    ///
    /// - Parameters:
    ///   - seen: A bit for each field whose key the value has, or 0 if it is not known.
    ///   - mark: The state of the budget before the fields were read.
    @inline(never)
    func recordRequests(_ seen: UInt64, _ decoding: DecodingFrame, since mark: DecodingMeter.Mark) throws {
        guard let requests = decoding.session.requests else { return }
        defer { if plan.type is AnyClass { requests.keep(since: mark) } }
        let (fields, list, uid) = (decoding.fields, decoding.archive.list, decoding.value.uid)
        // The end of the decoding, if the program has held its decoder, adds nothing.
        decoding.fields.count = -2
        guard fields.count > 0, !fields.isDictionary else { return }
        let last = list.reference(fields.count - 1, in: fields.keys)
        let hasClass = last == decoding.archive.notes?.classKey
        if seen.nonzeroBitCount + (hasClass ? 1 : 0) == fields.count { return requests.noteComplete(uid) }
        var keys: [Int] = []
        for position in 0..<fields.count {
            let key = list.reference(position, in: fields.keys)
            if try !isRequested(key, decoding) { keys.append(key) }
        }
        try decoding.undamaged(requests.record(uid, keys: keys, of: plan.type, in: decoding.archive), at: .root)
    }
}

// MARK: - Keys

extension ObjectFields {
    func keyNames(in archive: ArchiveContents) -> [String] {
        // If this exceeds the limit, the whole decoding fails in the end.
        guard count > 0, (try? archive.countWork(DecodingMeter.stepsPerEntry * count)) != nil else { return [] }
        return keyNames(in: archive, limit: .max) { try? archive.keyDescription($0) }
    }

    func firstKeyNames(in archive: ArchiveContents) -> [String] {
        var first = self
        first.count = min(count, Self.linearSearchLimit)
        archive.meter?.countFailure(DecodingMeter.stepsPerEntry * max(0, first.count))
        return first.keyNames(in: archive, limit: ArchivingError.shownKeyCount + 1) { archive.keyExcerpt($0) }
    }

    private func keyNames(in archive: ArchiveContents, limit: Int, _ text: (ArchivedValue) -> String?) -> [String] {
        guard count > 0 else { return [] }
        var names: [String] = []
        names.reserveCapacity(min(count, limit))
        for position in 0..<count where names.count < limit {
            guard let key = try? archive.value(archive.list.reference(position, in: keys)),
                let name = text(key).flatMap({ isDictionary ? $0 : KeyMangling.userKey($0) })
            else { continue }
            names.append(name)
        }
        return names
    }
}

final class FieldIndex {
    private struct Place: Hashable {
        let start: Int
        let count: Int
    }

    /// The positions by the numbers of the keys, and by those of their groups if no key has that number.
    private let objects = ValueTable<Place, [KeyNames.Number: Int]>()

    /// The number of objects from which all are forgotten. An object of which more fields are requested is indexed again.
    private static var objectLimit: Int { 16 }

    fileprivate func position(
        of number: KeyNames.Number, _ fields: ObjectFields, in session: DecodingSession
    ) throws(KeyedArchiveError) -> Int? {
        let place = Place(start: fields.keys, count: fields.count)
        if let known = objects[place] { return position(number, known, session) }
        try session.countWork((DecodingMeter.stepsPerEntry - 1) * fields.count)
        var positions = [KeyNames.Number: Int](minimumCapacity: fields.count)
        // The first of several fields with one key counts.
        for position in (0..<fields.count).reversed() { positions[try fields.number(at: position, session)] = position }
        if session.keys.names.hasEqualKeys {
            for (number, position) in positions.sorted(by: { $0.value < $1.value }) {
                let group = session.keys.names.group(of: number)
                if positions[group] == nil { positions[group] = position }
            }
        }
        if objects.count == Self.objectLimit { objects.removeAll() }
        objects[place] = positions
        return position(number, positions, session)
    }

    private func position(
        _ number: KeyNames.Number, _ positions: [KeyNames.Number: Int], _ session: DecodingSession
    ) -> Int? {
        positions[number] ?? positions[session.keys.names.group(of: number)]
    }

    func removeAll() { objects.removeAll() }
}
