/// Buffered output to a file, written in large chunks.
struct ChunkedOutput: ~Copyable {
    private let output: FileReplacement.Output
    private var buffer = ByteWriter(capacity: Self.capacity)
    /// The number of bytes written so far.
    private(set) var count = 0

    private static var capacity: Int { 1 << 18 }

    init(_ output: FileReplacement.Output) { self.output = output }

    mutating func write(_ bytes: RawSpan) throws(FileReplacement.Failure) {
        count += bytes.byteCount
        if !buffer.hasRoom(for: bytes.byteCount) { try finish() }
        if bytes.byteCount <= Self.capacity {
            buffer.append(contentsOf: bytes)
        } else {
            try output.write(bytes)
        }
    }

    /// Writes the bytes in `range`.
    mutating func write(_ bytes: StoredBytes, _ range: Range<Int>) throws(FileReplacement.Failure) {
        try bytes.withBytes(range) { bytes throws(FileReplacement.Failure) in try write(bytes) }
    }

    /// Writes the bytes of `writer`.
    mutating func write(_ writer: borrowing ByteWriter) throws(FileReplacement.Failure) {
        try writer.withBytes { bytes throws(FileReplacement.Failure) in try write(bytes) }
    }

    /// Writes `count` bytes with `body`.
    mutating func write(
        _ count: Int, _ body: (FileReplacement.Output) throws(FileReplacement.Failure) -> Void
    ) throws(FileReplacement.Failure) {
        try finish()
        try body(output)
        self.count += count
    }

    /// Writes the last `size` bytes of a number, big-endian.
    mutating func write(number: UInt64, size: Int) throws(FileReplacement.Failure) {
        if !buffer.hasRoom(for: size) { try finish() }
        buffer.append(number: number, size: size)
        count += size
    }

    /// Writes the buffered bytes.
    mutating func finish() throws(FileReplacement.Failure) {
        guard buffer.count > 0 else { return }
        try buffer.withBytes { bytes throws(FileReplacement.Failure) in try output.write(bytes) }
        buffer.truncate(to: 0)
    }
}
