// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A change of the contents of a file: the new contents are ranges of the old ones and new bytes between them.
package struct FileEdit: Sendable {
    /// A range of the old contents, and the number of new bytes behind it.
    struct Step: Equatable {
        let copied: Range<Int>
        let newCount: Int
    }

    let steps: [Step]
    let newBytes: StoredBytes
    package let byteCount: Int

    init(_ steps: [Step], _ newBytes: StoredBytes) {
        self.steps = steps
        self.newBytes = newBytes
        byteCount = steps.reduce(0) { $0 + $1.copied.count + $1.newCount }
    }
}

// MARK: - Encoding

extension FileEdit {
    /// The edit as bytes: the number of steps, the numbers of each step, and the new bytes.
    ///
    /// A number has seven bits in each byte, the lowest first; the highest bit is set in all bytes but the last. The start
    /// of a range is its distance from the end of the range before.
    package func encoded() -> StoredBytes {
        let writer = ByteWriter(capacity: newBytes.count + 8 * steps.count + 16)
        writer.append(compact: steps.count)
        var end = 0
        for step in steps {
            let distance = step.copied.lowerBound - end
            writer.append(compact: distance << 1 ^ distance >> (Int.bitWidth - 1))
            writer.append(compact: step.copied.count)
            writer.append(compact: step.newCount)
            end = step.copied.upperBound
        }
        writer.append(contentsOf: newBytes)
        return writer.takeBytes()
    }

    /// Reads an edit of contents of `oldCount` bytes; nil if `bytes` are none.
    package init?(decoding bytes: StoredBytes, oldCount: Int) {
        var reader = CompactNumbers(bytes)
        // Each step has at least three bytes.
        guard let count = reader.next(), count <= bytes.count / 3 else { return nil }
        var steps: [Step] = []
        steps.reserveCapacity(count)
        var end = 0
        var newCount = 0
        var size = 0
        for _ in 0..<count {
            guard let folded = reader.next(), let copied = reader.next(), let new = reader.next() else { return nil }
            let start = end + (folded >> 1 ^ -(folded & 1))
            guard start >= 0, start <= oldCount, copied <= oldCount - start, new <= bytes.count - newCount,
                copied <= Int.max / 4 - size
            else { return nil }
            end = start + copied
            newCount += new
            size += copied + new
            steps.append(Step(copied: start..<end, newCount: new))
        }
        guard newCount == bytes.count - reader.offset else { return nil }
        self.init(steps, bytes.part(reader.offset..<bytes.count))
    }
}

/// Numbers with seven bits in each byte.
private struct CompactNumbers {
    private let bytes: StoredBytes
    private(set) var offset = 0

    init(_ bytes: StoredBytes) { self.bytes = bytes }

    /// The next number, less than 2⁶²; nil if there is none.
    mutating func next() -> Int? {
        var number = 0
        var shift = 0
        while offset < bytes.count, shift < 62 {
            let byte = bytes.byte(at: offset)
            offset += 1
            number |= Int(byte & 0x7F) << shift
            guard number >= 0, number < 1 << 62 else { return nil }
            if byte & 0x80 == 0 { return number }
            shift += 7
        }
        return nil
    }
}

extension ByteWriter {
    fileprivate func append(compact number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

// MARK: - Recording

struct FileEditRecorder {
    private var steps: [FileEdit.Step] = []
    private var copied = 0..<0
    private var newStart = 0

    /// Records that the bytes in `range` of the old contents follow, after `newCount` new bytes in all.
    mutating func copy(_ range: Range<Int>, after newCount: Int) {
        guard !range.isEmpty else { return }
        if newCount == newStart, range.lowerBound == copied.upperBound, !copied.isEmpty {
            copied = copied.lowerBound..<range.upperBound
            return
        }
        endStep(newCount)
        copied = range
    }

    private mutating func endStep(_ newCount: Int) {
        if !copied.isEmpty || newCount > newStart {
            steps.append(FileEdit.Step(copied: copied, newCount: newCount - newStart))
        }
        newStart = newCount
    }

    mutating func finish(_ newBytes: StoredBytes) -> FileEdit {
        endStep(newBytes.count)
        return FileEdit(steps, newBytes)
    }
}
