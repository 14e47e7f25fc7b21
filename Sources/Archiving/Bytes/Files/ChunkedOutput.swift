// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Buffered output to a file, written in large chunks, or an edit of a file.
struct ChunkedOutput: ~Copyable {
    /// The file; nil if an edit is recorded.
    private let output: FileReplacement.Output?
    private var recorder = FileEditRecorder()
    private var buffer = ByteWriter(capacity: Self.capacity)
    /// The number of bytes written so far.
    private(set) var count = 0

    private static var capacity: Int { 1 << 18 }

    /// - Parameter output: The file; nil to record an edit.
    init(_ output: FileReplacement.Output?) { self.output = output }

    /// Whether an edit is recorded, so that nothing is written to a file.
    var isRecording: Bool { output == nil }

    /// Writes the bytes in `range` of the old contents, while an edit is recorded.
    mutating func recordCopy(_ range: Range<Int>) {
        recorder.copy(range, after: buffer.count)
        count += range.count
    }

    mutating func takeEdit() -> FileEdit { recorder.finish(buffer.takeBytes()) }

    mutating func write(_ bytes: RawSpan) throws(FileReplacement.Failure) {
        count += bytes.byteCount
        guard let output else { return buffer.append(contentsOf: bytes) }
        if !buffer.hasRoom(for: bytes.byteCount) { try finish() }
        if bytes.byteCount <= Self.capacity {
            buffer.append(contentsOf: bytes)
        } else {
            try output.write(bytes)
        }
    }

    mutating func write(_ bytes: StoredBytes, _ range: Range<Int>) throws(FileReplacement.Failure) {
        try bytes.withBytes(range) { bytes throws(FileReplacement.Failure) in try write(bytes) }
    }

    mutating func write(_ writer: borrowing ByteWriter) throws(FileReplacement.Failure) {
        try writer.withBytes { bytes throws(FileReplacement.Failure) in try write(bytes) }
    }

    mutating func write(
        _ count: Int, _ body: (FileReplacement.Output) throws(FileReplacement.Failure) -> Void
    ) throws(FileReplacement.Failure) {
        try finish()
        if let output { try body(output) }
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
        guard let output, buffer.count > 0 else { return }
        try buffer.withBytes { bytes throws(FileReplacement.Failure) in try output.write(bytes) }
        buffer.truncate(to: 0)
    }
}
