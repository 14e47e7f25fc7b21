// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The record of the fields that a program requests, for a document that keeps the others.

extension DecodingFrame {
    /// Records that the field at `position`, which is not the next one, is requested.
    @inline(never)
    func beginRun(at position: Int) {
        guard let requests = session.requests else { return }
        let run = changeFields { $0.beginRun(at: position) }
        requests.note(run, of: fields)
    }

    /// Returns the result of `change`. The fields are changed outside of the property, so that accesses to it need no exclusivity check.
    @inline(__always)
    private func changeFields<Result>(_ change: (inout ObjectFields) -> Result) -> Result {
        var changed = fields
        defer { fields = changed }
        return change(&changed)
    }

    /// Records that the field at `position` was requested, and may be requested again.
    @inline(__always)
    func noteRequested(_ position: Int) {
        if session.requests != nil { noteRequestedAlone(position) }
    }

    @inline(never)
    private func noteRequestedAlone(_ position: Int) {
        changeFields { $0.noteRequested(position) }
        session.requests?.note(position..<position + 1, of: fields)
    }

    /// Leaves nothing of the request for `value`, the part at `step`, which began at `mark` and has thrown `error`.
    @inline(never)
    func leaveNothing(
        of value: ArchivedValue, at step: CodingPathStep, since mark: DecodingMeter.Mark, after error: any Error
    ) {
        guard session.leaveNothing(since: mark, after: error), let requests = session.requests else { return }
        requests.forgetRuns(of: value)
        forgetRequest(at: step)
    }

    /// Forgets that the field at `step` was requested: it cannot be read as requested.
    func forgetRequest(at step: CodingPathStep) {
        if step.isKey { forgetLastRequest() }
    }

    /// Forgets that the field that was found last was requested.
    func forgetLastRequest() {
        guard let requests = session.requests, fields.count >= 0 else { return }
        let run = changeFields { $0.forgetLast() }
        requests.note(run, of: fields)
    }

    /// Records that a key was requested that is absent, and must not be.
    func noteFailedRequest() {
        if session.requests != nil, fields.count >= 0 { changeFields { $0.noteFailure() } }
    }

    /// Records that the program gets another keyed container of the value.
    func noteOtherContainer() {
        guard let requests = session.requests else { return }
        requests.noteContainer(fields.run, of: fields)
        changeFields { $0.beginContainer() }
    }

    /// Records that the program requests the value, but not as a keyed container.
    func noteOtherContent() {
        noteOtherRequest()
        guard let requests = session.requests, fields.count >= 0, fields.hasFailed else { return }
        requests.forgetRuns(of: value)
        changeFields { $0.forgetAttempt() }
    }

    /// Records that a migration step changes the field `name`.
    func noteRequested(_ name: String) {
        if session.requests != nil { _ = try? field(ArchiveKey(stringValue: name), nil) }
    }

    /// Records that the value was requested, but not as a keyed container.
    @inline(__always)
    func noteOtherRequest() {
        if fields.count == -1 { fields.count = -2 }
    }

    /// Records what was requested of the value, which is complete, if a document needs it.
    @inline(__always)
    func recordRequestsIfNeeded(_ type: any Any.Type) throws {
        if session.requests != nil { try recordRequests(type) }
    }

    /// Records what was requested of the value, which is complete.
    @inline(never)
    func recordRequests(_ type: any Any.Type) throws {
        try undamaged(recordRequests(of: type), at: .root)
    }

    /// Records what was requested of a value whose decoder the program has held, or of a nested container.
    @inline(never)
    func recordLastRequests() {
        guard session.requests != nil else { return }
        // A damaged key is not one that could be kept.
        try? recordRequests(of: nil)
    }

    private func recordRequests(of type: (any Any.Type)?) throws(KeyedArchiveError) {
        guard let requests = session.requests, value.node.kind == .dictionary else { return }
        var fields = fields
        if fields.count == -1 {
            // Nothing was requested.
            fields = ObjectFields(keys: value.node.payload, values: 0, count: value.node.count, isDictionary: false)
        }
        let isCoding = ownType?.kind == .coding
        // An instance that represents an object of an unknown class keeps all of its contents.
        if isCoding, type == UnknownObject.self { return }
        try requests.record(value.uid, fields, of: type, hasUnkeyedValues: isCoding, in: archive)
    }
}

extension ReadFields {
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
