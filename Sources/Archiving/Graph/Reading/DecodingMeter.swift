// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The remaining budget of a decoding.
///
/// The meter counts accesses to the archive, not decoded values. Every search through keys, elements or names counts, whatever
/// its purpose. Inspection without decoding does not count.
package final class DecodingMeter {
    /// The steps until the next check for cancellation; negative if the limit is exceeded.
    private var span: Int
    /// The steps that remain after `span`.
    private var reserve: Int
    /// Whether the task of the decoding was cancelled. The check runs once every few thousand steps.
    private(set) var isCancelled = false
    /// Whether the meter checks for cancellation.
    var noticesCancellation = false
    /// Receives the progress at each check; `nil` if progress is not reported.
    var progress: ReadingProgress? {
        didSet {
            let rest = max(0, span - Self.toldSpanLimit)
            span -= rest
            reserve += rest
        }
    }
    /// The bytes of strings and data that may still be read; negative if the limit is exceeded.
    fileprivate(set) var bytes: Int
    private(set) var limits: Limits

    /// The limits for this archive.
    struct Limits {
        var work = Int.max
        var bytes = Int.max
        var stringLength = Int.max
        var dataLength = Int.max
    }

    init(_ limits: Limits) {
        self.limits = limits
        span = min(limits.work, Self.spanLimit)
        reserve = limits.work - span
        bytes = limits.bytes
    }

    /// Begins again with `limits`, without a receiver of progress.
    func begin(_ limits: Limits) {
        self.limits = limits
        span = min(limits.work, Self.spanLimit)
        reserve = limits.work - span
        bytes = limits.bytes
        isCancelled = false
        progress = nil
    }

    /// The steps between checks for cancellation: a fraction of a millisecond.
    private static var spanLimit: Int { 1 << 14 }
    /// The steps between checks if progress is reported.
    private static var toldSpanLimit: Int { 1 << 11 }

    /// The steps that remain; negative if the limit is exceeded.
    package var work: Int { span + reserve }

    /// Whether a limit was exceeded.
    @inline(__always)
    var isExceeded: Bool { span | bytes < 0 }

    /// The error of the exceeded limit, even if the program has caught it; `nil` if no limit was exceeded.
    @inline(never)
    package var excess: KeyedArchiveError? {
        if span < 0 { return KeyedArchiveError(.limit(.init("work"), limits.work)) }
        if bytes < 0 { return KeyedArchiveError(.limit(.init("decodedBytes"), limits.bytes)) }
        return nil
    }

    /// The steps that an entry of a dictionary or a set counts. It costs more than an element of an array.
    package static let stepsPerEntry = 4

    /// Counts `count` steps.
    @inline(__always)
    package func count(_ count: Int) throws(KeyedArchiveError) {
        span &-= count
        if span < 0, !extend() { try fail() }
    }

    /// Counts `count` steps.
    ///
    /// - Returns: Whether the budget allows them. If not, `count(_:)` throws the error.
    @inline(__always)
    package func take(_ count: Int) -> Bool {
        span &-= count
        return span >= 0 || extend()
    }

    /// Moves steps from the reserve to the span, unless the task is cancelled.
    ///
    /// - Returns: Whether the budget suffices.
    @inline(never)
    private func extend() -> Bool {
        if reserve > 0 { progress?.report() }
        if noticesCancellation, reserve > 0, Task.isCancelled {
            isCancelled = true
            reserve = 0
        }
        let steps = min(reserve, max(progress == nil ? Self.spanLimit : Self.toldSpanLimit, 0 &- span))
        span += steps
        reserve -= steps
        return span >= 0
    }

    /// Counts what `other` has counted since so many steps and bytes remained.
    func takeUse(of other: DecodingMeter, since work: Int, _ bytes: Int) {
        self.bytes -= max(0, bytes - other.bytes)
        _ = take(max(0, work - other.work))
    }

    /// Counts a string of `byteCount` bytes.
    @inline(__always)
    package func countString(_ byteCount: Int) throws(KeyedArchiveError) {
        if !takeString(byteCount) { try fail(string: byteCount) }
    }

    /// Counts a string of `byteCount` bytes.
    ///
    /// - Returns: Whether the budget allows it. If not, `fail(string:data:)` throws the error.
    @inline(__always)
    fileprivate func takeString(_ byteCount: Int) -> Bool {
        bytes &-= byteCount
        return bytes >= 0 && byteCount <= limits.stringLength
    }

    /// Restores the remaining bytes to `bytes`, because the bytes counted since then will be read again.
    func takeBack(to bytes: Int) { self.bytes = bytes }

    /// Counts data of `byteCount` bytes.
    @inline(__always)
    package func countData(_ byteCount: Int) throws(KeyedArchiveError) {
        bytes &-= byteCount
        if bytes < 0 || byteCount > limits.dataLength { try fail(data: byteCount) }
    }

    // Throws the error itself, because the counting code is inlined in many places, and throwing needs more code than counting.
    @inline(never)
    fileprivate func fail(string: Int = 0, data: Int = 0) throws(KeyedArchiveError) -> Never {
        // After an exceeded limit, every later attempt fails as well.
        if span < 0 { span = -1 }
        if bytes < 0 { bytes = -1 }
        if string > limits.stringLength { throw KeyedArchiveError(.limit(.init("stringLength"), limits.stringLength)) }
        if data > limits.dataLength { throw KeyedArchiveError(.limit(.init("dataLength"), limits.dataLength)) }
        throw excess ?? KeyedArchiveError(.limit(.init("work"), limits.work))
    }
}

// MARK: - Metered reading

extension ArchiveContents {
    /// Counts `count` keys, elements or names that were read, if there is a meter.
    @inline(__always)
    func countWork(_ count: Int) throws(KeyedArchiveError) {
        if let meter { try meter.count(count) }
    }

    /// Returns the string `node`.
    @inline(__always)
    func string(_ node: Node) throws(KeyedArchiveError) -> String {
        try countString(node.byteCount)
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
    private func countString(_ byteCount: Int) throws(KeyedArchiveError) {
        if let meter, !meter.takeString(byteCount) { try failString(byteCount) }
    }

    @inline(never)
    private func failString(_ byteCount: Int) throws(KeyedArchiveError) { try meter?.fail(string: byteCount) }

    /// Returns the short ASCII string of `count` bytes at `offset`.
    @inline(__always)
    func shortString(at offset: Int, _ count: Int) throws(KeyedArchiveError) -> String {
        try countString(count)
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

    /// Returns the error of a string that cannot be hashed in time.
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
        if let meter { try meter.countData(bytes.count) }
        return bytes
    }

    /// Returns a bound for allocations that an archive controls: `floor` plus `perByte` for each byte of the archive.
    func proportional(_ floor: Int, perByte: Int = 16) -> Int {
        PropertyListLimits.proportional(floor, perByte: perByte, ofByteCount: byteCount)
    }
}
