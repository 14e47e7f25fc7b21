/// What decoding an archive may still cost.
///
/// It counts where the archive is read, not where values are made of it: whoever looks through keys, elements or names has
/// counted them, whatever it is for. Looking into an archive without decoding it is not counted.
package struct DecodingMeter {
    /// Steps that may be taken before it is looked whether the task is cancelled; below 0 where there were too many.
    private var span: Int
    /// Steps that may be taken after these.
    private var reserve: Int
    /// Whether the task that decodes was cancelled. It is noticed after some steps, if it is noticed at all.
    private(set) var isCancelled = false
    /// Whether that is noticed.
    var noticesCancellation = false
    /// What is told of the progress, as often; nil if nobody wants to know.
    var progress: ReadingProgress? {
        didSet {
            let rest = max(0, span - Self.toldSpanLimit)
            span -= rest
            reserve += rest
        }
    }
    /// Bytes of strings and data that may still be read: below 0 where there were too many.
    fileprivate(set) var bytes: Int
    let limits: Limits

    /// The limits as they are for the archive.
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

    /// Steps after which it is looked whether the task is cancelled: a part of a millisecond.
    private static var spanLimit: Int { 1 << 14 }
    /// Steps after which the progress is told as well.
    private static var toldSpanLimit: Int { 1 << 11 }

    /// Steps that may still be taken: below 0 where there were too many.
    package var work: Int { span + reserve }

    /// Whether a limit was exceeded.
    @inline(__always)
    var isExceeded: Bool { span | bytes < 0 }

    /// What was exceeded, whoever may have caught the error; nil as long as nothing was.
    @inline(never)
    package var excess: KeyedArchiveError? {
        if span < 0 { return KeyedArchiveError(.limit(.init("work"), limits.work)) }
        if bytes < 0 { return KeyedArchiveError(.limit(.init("decodedBytes"), limits.bytes)) }
        return nil
    }

    /// Steps that an entry of a dictionary or a set counts, which costs more than an element of an array.
    static let stepsPerEntry = 4

    /// Counts `count` steps.
    @inline(__always)
    package mutating func count(_ count: Int) throws(KeyedArchiveError) {
        span &-= count
        if span < 0, !extend() { try fail() }
    }

    /// Counts `count` steps.
    ///
    /// - Returns: Whether they may be taken. If not, `count(_:)` says why.
    @inline(__always)
    mutating func take(_ count: Int) -> Bool {
        span &-= count
        return span >= 0 || extend()
    }

    /// Takes more steps from the reserve, unless the task is cancelled.
    ///
    /// - Returns: Whether that is enough.
    @inline(never)
    private mutating func extend() -> Bool {
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

    /// Counts a string of `byteCount` bytes.
    @inline(__always)
    package mutating func countString(_ byteCount: Int) throws(KeyedArchiveError) {
        bytes &-= byteCount
        if bytes < 0 || byteCount > limits.stringLength { try fail(string: byteCount) }
    }

    /// Takes back all bytes that were counted since `bytes` were left: what they were read for is going to be read anew.
    mutating func takeBack(to bytes: Int) { self.bytes = bytes }

    /// Counts data of `byteCount` bytes.
    @inline(__always)
    package mutating func countData(_ byteCount: Int) throws(KeyedArchiveError) {
        bytes &-= byteCount
        if bytes < 0 || byteCount > limits.dataLength { try fail(data: byteCount) }
    }

    // It throws itself: what counts is in line in many places, and throwing takes more code than counting.
    @inline(never)
    private mutating func fail(string: Int = 0, data: Int = 0) throws(KeyedArchiveError) -> Never {
        // So that what fails once never succeeds again, however often it is tried.
        if span < 0 { span = -1 }
        if bytes < 0 { bytes = -1 }
        if string > limits.stringLength { throw KeyedArchiveError(.limit(.init("stringLength"), limits.stringLength)) }
        if data > limits.dataLength { throw KeyedArchiveError(.limit(.init("dataLength"), limits.dataLength)) }
        throw excess ?? KeyedArchiveError(.limit(.init("work"), limits.work))
    }
}

// MARK: - Reading that counts

extension ArchiveContents {
    /// Counts `count` keys, elements or names that were looked at, if anything is counted.
    @inline(__always)
    func countWork(_ count: Int) throws(KeyedArchiveError) {
        if let meter { try meter.pointee.count(count) }
    }

    /// The string `node`.
    @inline(__always)
    func string(_ node: Node) throws(KeyedArchiveError) -> String {
        if let meter { try meter.pointee.countString(list.objects.bytes(node).count) }
        // A short one lies in the place that it is stored in: there is nothing to share.
        guard let notes, node.count > (node.kind == .ascii ? 15 : 5) else { return list.objects.string(node) }
        return notes.pointee.strings.string(at: node.payload) { list.objects.string(node) }
    }

    /// The ASCII string whose contents are `text`, which is short.
    @inline(__always)
    func string(_ text: UnsafeRawBufferPointer) throws(KeyedArchiveError) -> String {
        if let meter { try meter.pointee.countString(text.count) }
        // This looks at the bytes eight at a time where `String(decoding:as:)` looks at each of them.
        return String(unsafeUninitializedCapacity: text.count) { buffer in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: text)
            return text.count
        }
    }

    /// The string `node`, which is going to be hashed or compared with others.
    func hashedString(_ node: Node) throws(KeyedArchiveError) -> String {
        let text = try string(node)
        guard HashedText.isSafe(text) else { throw Self.unsafeText(text) }
        return text
    }

    /// The error of a string that cannot be hashed in time.
    @inline(never)
    static func unsafeText(_ text: String) -> KeyedArchiveError {
        KeyedArchiveError(
            .other(
                .limit, uid: nil,
                sentence: "The keyed archive has a key or a name of \(text.utf8.count) bytes with more than"
                    + " \(HashedText.markLimit) combining marks in a row, which would take too long to compare with others"
            ))
    }

    /// The bytes of the data `node`, of which a copy is going to be made.
    @inline(__always)
    func countedBytes(_ node: Node) throws(KeyedArchiveError) -> UnsafeRawBufferPointer {
        let bytes = list.objects.bytes(node)
        if let meter { try meter.pointee.countData(bytes.count) }
        return bytes
    }

    /// Numbers that are allowed where an archive could ask for more than it has room for: `perByte` for each byte of it,
    /// and `floor`.
    func proportional(_ floor: Int, perByte: Int = 16) -> Int { floor + perByte * byteCount }
}
