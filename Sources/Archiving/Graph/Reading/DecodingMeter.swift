// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The remaining budget of a decoding.
///
/// The meter counts accesses to the archive, not decoded values. Every search through keys, elements or names counts, whatever
/// its purpose. Inspection without decoding does not count.
///
/// It counts in units: the reading of one byte of a string or data. A request that throws gives back what it has charged.
package final class DecodingMeter {
    /// The units until the next check for cancellation; negative if the limit is exceeded.
    private var span = 0
    private var reserve = 0
    private var refundable = 0
    /// The charged units that no request gives back, since their results stay.
    private var kept = 0
    private var cancellation = Cancellation.ignored
    var progress: ReadingProgress? {
        didSet {
            let rest = max(0, span - Self.toldSpanLimit)
            span -= rest
            reserve += rest
        }
    }
    private var limit = 0

    private enum Cancellation {
        case ignored
        /// It is checked once every few thousand steps.
        case awaited
        case noticed
    }

    init(_ limit: Int) { begin(limit) }

    func noticeCancellation() { cancellation = .awaited }

    var isCancelled: Bool { cancellation == .noticed }

    /// Begins again, for at most `limit` steps, without a receiver of progress.
    func begin(_ limit: Int) {
        self.limit = limit
        let units = Self.product(limit, Self.unitsPerStep)
        span = min(units, Self.spanLimit)
        reserve = units - span
        refundable = Self.product(units, Self.totalFactor - 1)
        kept = 0
        if isCancelled { cancellation = .awaited }
        progress = nil
    }

    private static func product(_ count: Int, _ factor: Int) -> Int {
        let (product, isTooLarge) = count.multipliedReportingOverflow(by: factor)
        return isTooLarge ? .max : product
    }

    /// The units of one step: the bytes of a small value.
    private static var unitsPerStep: Int { 16 }
    /// The units between checks for cancellation: a fraction of a millisecond.
    private static var spanLimit: Int { unitsPerStep << 14 }
    /// The units between checks if progress is reported.
    private static var toldSpanLimit: Int { unitsPerStep << 11 }
    /// The limit of all steps, with those that were given back, in multiples of the limit. Decision 61 has the reason.
    package static var totalFactor: Int { 16 }

    private var remaining: Int { span &+ reserve }

    /// The steps that remain; negative if the limit is exceeded.
    package var work: Int { remaining >> Self.unitsPerStep.trailingZeroBitCount }

    var isExceeded: Bool { span < 0 }

    /// The error of the exceeded limit, even if the program has caught it; `nil` if the limit was not exceeded.
    @inline(never)
    package var excess: KeyedArchiveError? {
        span < 0 ? KeyedArchiveError(.limit(.init("work"), limit)) : nil
    }

    /// The steps that an entry of a dictionary or a set counts. It costs more than an element of an array.
    package static let stepsPerEntry = 4

    @inline(__always)
    package func count(_ count: Int) throws(KeyedArchiveError) {
        if !take(count) { try fail() }
    }

    /// Counts `count` steps, and returns whether the budget allows them. If not, `count(_:)` throws the error.
    @inline(__always)
    package func take(_ count: Int) -> Bool { take(units: count &* Self.unitsPerStep) }

    @inline(__always)
    package func countBytes(_ byteCount: Int) throws(KeyedArchiveError) {
        if !takeBytes(byteCount) { try fail() }
    }

    /// As `take(_:)`, for a string or data of `byteCount` bytes.
    @inline(__always)
    fileprivate func takeBytes(_ byteCount: Int) -> Bool { take(units: byteCount) }

    @inline(__always)
    private func take(units: Int) -> Bool {
        span &-= units
        return span >= 0 || extend()
    }

    /// Moves units from the reserve to the span, unless the task is cancelled. Returns whether the budget suffices.
    @inline(never)
    private func extend() -> Bool {
        if reserve > 0 { progress?.report() }
        if cancellation == .awaited, reserve > 0, Task.isCancelled {
            cancellation = .noticed
            reserve = 0
        }
        let units = min(reserve, max(progress == nil ? Self.spanLimit : Self.toldSpanLimit, 0 &- span))
        span += units
        reserve -= units
        return span >= 0
    }

    // Throws the error itself, because the counting code is inlined in many places, and throwing needs more code than counting.
    @inline(never)
    fileprivate func fail() throws(KeyedArchiveError) -> Never {
        // After an exceeded limit, every later attempt fails as well.
        if span < 0 { span = -1 }
        throw KeyedArchiveError(.limit(.init("work"), limit))
    }
}

// MARK: - Requests that fail

extension DecodingMeter {
    package struct Mark: BitwiseCopyable {
        fileprivate let remaining: Int
        fileprivate let kept: Int

        /// Returns whether a step was counted between this state and `other`, and not given back.
        package func isBefore(_ other: Mark) -> Bool { remaining > other.remaining }
    }

    @inline(__always)
    package var mark: Mark { Mark(remaining: remaining, kept: kept) }

    /// Gives back the charge of a request since `mark`, because it has thrown, except the kept units.
    ///
    /// If the total is used up, nothing is given back. After an exceeded limit, it stays exceeded.
    @inline(never)
    func giveBack(since mark: Mark) {
        guard span >= 0, !isCancelled else { return }
        let units = min(mark.remaining - remaining - (kept - mark.kept), refundable)
        guard units > 0 else { return }
        refundable -= units
        reserve += units
    }

    /// Keeps the charge since `mark` for a result that stays, also if the requests around it fail.
    @inline(__always)
    func keep(since mark: Mark) { kept = mark.kept &+ (mark.remaining &- remaining) }

    /// Keeps `count` of the charged steps for entries that stay in tables.
    func keep(_ count: Int) { kept += count * Self.unitsPerStep }

    /// Counts `count` steps for a request that has failed, and gives them back.
    func countFailure(_ count: Int) {
        let mark = mark
        if take(count) { giveBack(since: mark) }
    }

    /// Restores the state at `mark`, because the bytes that were read since then will be read, and counted, again.
    func takeBack(to mark: Mark) { span += mark.remaining - remaining }
}

// MARK: - Readers that read for another one

extension DecodingMeter {
    package struct Rest {
        fileprivate let units: Int
        fileprivate let refundable: Int
    }

    package var rest: Rest { Rest(units: remaining, refundable: refundable) }

    /// Counts the units that `other` has counted since `rest` remained, and those that it has given back.
    package func takeUse(of other: DecodingMeter, since rest: Rest) {
        let given = rest.refundable - other.refundable
        let refunded = min(given, refundable)
        refundable -= refunded
        _ = take(units: max(0, rest.units - other.remaining) + given - refunded)
    }
}

// MARK: - Metered reading

extension ArchiveContents {
    @inline(__always)
    package func countWork(_ count: Int) throws(KeyedArchiveError) {
        if let meter { try meter.count(count) }
    }

    @inline(__always)
    func string(_ node: Node) throws(KeyedArchiveError) -> String {
        try countBytes(node.byteCount)
        // A short string is stored inline in `String`, so there is nothing to share.
        if node.count > (node.kind == .ascii ? 15 : 5), let known = notes?.strings.known(at: node.payload) {
            return known
        }
        return newString(node)
    }

    @inline(never)
    private func newString(_ node: Node) -> String {
        // Without a call for the usual kind.
        let text = node.kind == .ascii ? list.text(at: node.payload, length: node.count) : list.string(node)
        if node.count > (node.kind == .ascii ? 15 : 5) { notes?.strings.note(text, at: node.payload) }
        return text
    }

    // The meter counts without throwing, so that it needs no reference of its own unless it throws.
    @inline(__always)
    private func countBytes(_ byteCount: Int) throws(KeyedArchiveError) {
        if let meter, !meter.takeBytes(byteCount) { try failBytes() }
    }

    @inline(never)
    private func failBytes() throws(KeyedArchiveError) { try meter?.fail() }

    @inline(__always)
    func shortString(at offset: Int, _ count: Int) throws(KeyedArchiveError) -> String {
        try countBytes(count)
        guard let text = list.bytes.shortText(at: offset, length: count) else {
            return list.text(at: offset, length: count)
        }
        return text.string
    }

    /// Returns the string `node`, which the caller will hash or compare with others.
    func hashedString(_ node: Node) throws(KeyedArchiveError) -> String {
        let text = try string(node)
        guard HashedText.isSafe(text) else { throw Self.unsafeText(text) }
        return text
    }

    @inline(never)
    package static func unsafeText(_ text: String) -> KeyedArchiveError {
        KeyedArchiveError(
            .other(
                .limit, uid: nil,
                sentence: "The keyed archive has a key or a name of \(text.utf8.count) bytes with more than"
                    + " \(HashedText.markLimit) combining marks in a row, which would take too long to compare with others"
            ))
    }

    /// Returns the bytes of the data `node`, which the caller will copy.
    @inline(__always)
    func countedBytes(_ node: Node) throws(KeyedArchiveError) -> StoredBytes {
        let bytes = list.bytes(node)
        try countBytes(bytes.count)
        return bytes
    }

    /// Returns a bound for allocations that an archive controls: `floor` plus `perByte` for each byte of the archive.
    func proportional(_ floor: Int, perByte: Int = 16) -> Int {
        PropertyListLimits.proportional(floor, perByte: perByte, ofByteCount: byteCount)
    }
}
