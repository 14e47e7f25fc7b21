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
    /// The edit as bytes: the number of steps, the numbers of each step, as `PackedIntegers`, and the new bytes.
    ///
    /// The start of a range is its distance from the end of the range before, with the sign in the lowest bit.
    package func encoded() -> StoredBytes {
        var numbers = PackedIntegers()
        numbers.append(UInt64(steps.count))
        var end = 0
        for step in steps {
            let distance = step.copied.lowerBound - end
            for number in [distance << 1 ^ distance >> (Int.bitWidth - 1), step.copied.count, step.newCount] {
                numbers.append(UInt64(UInt(bitPattern: number)))
            }
            end = step.copied.upperBound
        }
        let writer = ByteWriter(capacity: newBytes.count + numbers.bytes.count)
        numbers.bytes.withBytes { writer.append(contentsOf: $0) }
        writer.append(contentsOf: newBytes)
        return writer.takeBytes()
    }

    /// Reads an edit of contents of `oldCount` bytes; nil if `bytes` are none.
    package init?(decoding bytes: StoredBytes, oldCount: Int) {
        var offset = 0
        /// The next number, less than 2⁶²; nil if there is none.
        func next() -> Int? {
            PackedIntegers.integer(in: bytes, at: &offset).flatMap { $0 < 1 << 62 ? Int(exactly: $0) : nil }
        }
        // Each step has at least three bytes.
        guard let count = next(), count <= bytes.count / 3 else { return nil }
        var steps: [Step] = []
        steps.reserveCapacity(count)
        var end = 0
        var newCount = 0
        var size = 0
        for _ in 0..<count {
            guard let folded = next(), let copied = next(), let new = next() else { return nil }
            let start = end + (folded >> 1 ^ -(folded & 1))
            guard start >= 0, start <= oldCount, copied <= oldCount - start, new <= bytes.count - newCount,
                copied <= Int.max / 4 - size
            else { return nil }
            end = start + copied
            newCount += new
            size += copied + new
            steps.append(Step(copied: start..<end, newCount: new))
        }
        guard newCount == bytes.count - offset else { return nil }
        self.init(steps, bytes.part(offset..<bytes.count))
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
