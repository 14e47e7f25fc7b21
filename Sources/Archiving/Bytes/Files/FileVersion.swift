// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Contents of a file after edits, which are in memory: the file itself is unchanged.
///
/// Edits are composed in groups of similar size. An additional edit therefore takes O(*m* log *n*), for its *m* steps and the
/// *n* steps of all edits, and a read looks into O(log *n*) groups.
package struct FileVersion: Sendable {
    private enum Base {
        case pages(PagedFile)
        case bytes(StoredBytes)
    }

    private let base: Base
    private let baseCount: Int
    private var chunks: [StoredBytes] = []
    /// The groups of edits, the oldest one first.
    private var layers: [Layer] = []
    private var stepCount = 0
    private var newCount = 0

    private struct Piece {
        let position: Int
        /// The number of the chunk that has them; -1 if the version before has them.
        let chunk: Int32
        let start: Int
    }

    private struct Layer {
        /// In the order of their positions. None is empty.
        var pieces: [Piece] = []
        private(set) var byteCount = 0

        mutating func append(_ chunk: Int32, _ start: Int, _ count: Int) {
            guard count > 0 else { return }
            pieces.append(Piece(position: byteCount, chunk: chunk, start: start))
            byteCount += count
        }

        /// Calls `body` with each piece of `range`: its chunk, and its range there.
        func visit<Failure>(
            _ range: Range<Int>, _ body: (Int32, Range<Int>) throws(Failure) -> Void
        ) throws(Failure) {
            // The last piece that begins at the range or before it.
            var index = max(0, firstIndex(below: pieces.count) { pieces[$0].position > range.lowerBound } - 1)
            var position = range.lowerBound
            while position < range.upperBound, index < pieces.count {
                let piece = pieces[index]
                index += 1
                let end = min(range.upperBound, index < pieces.count ? pieces[index].position : byteCount)
                let start = piece.start + position - piece.position
                try body(piece.chunk, start..<start + end - position)
                position = end
            }
        }
    }

    init(_ pages: PagedFile) {
        base = .pages(pages)
        baseCount = pages.bytes.count
    }

    package init(_ bytes: StoredBytes) {
        base = .bytes(bytes)
        baseCount = bytes.count
    }

    package var byteCount: Int { layers.last?.byteCount ?? baseCount }

    var file: OpenedFile? { pages?.file }

    private var pages: PagedFile? {
        if case .pages(let pages) = base { pages } else { nil }
    }

    /// Adds `edit`.
    ///
    /// - Returns: Whether the edit is possible. No edit of an archive is impossible: the size is at most twice that of the
    ///   unchanged contents, without new bytes, and ranges are copied twice only if they have no earlier edit.
    package mutating func append(_ edit: FileEdit) -> Bool {
        let chunk = Int32(clamping: chunks.count)
        var layer = Layer()
        var start = 0
        for step in edit.steps {
            guard step.copied.upperBound <= byteCount else { return false }
            layer.append(-1, step.copied.lowerBound, step.copied.count)
            layer.append(chunk, start, step.newCount)
            start += step.newCount
        }
        guard chunk < Int32.max, start == edit.newBytes.count,
            layer.byteCount <= 2 * baseCount + newCount + start
        else { return false }
        var all = layers
        let stepCount = stepCount + edit.steps.count
        // Otherwise a file could unfold to much more memory than it has bytes.
        let pieceLimit = 4 * stepCount + 16
        while let older = all.last, layer.pieces.count * 2 >= older.pieces.count {
            guard let composed = Self.compose(older, layer, limit: pieceLimit) else { return false }
            layer = composed
            all.removeLast()
        }
        all.append(layer)
        layers = all
        chunks.append(edit.newBytes)
        newCount += start
        self.stepCount = stepCount
        return true
    }

    private static func compose(_ older: Layer, _ newer: Layer, limit: Int) -> Layer? {
        var composed = Layer()
        composed.pieces.reserveCapacity(min(limit, older.pieces.count + newer.pieces.count))
        for index in newer.pieces.indices {
            let piece = newer.pieces[index]
            let end = index + 1 < newer.pieces.count ? newer.pieces[index + 1].position : newer.byteCount
            let count = end - piece.position
            if piece.chunk >= 0 {
                composed.append(piece.chunk, piece.start, count)
            } else {
                older.visit(piece.start..<piece.start + count) { chunk, range in
                    if composed.pieces.count <= limit { composed.append(chunk, range.lowerBound, range.count) }
                }
            }
            if composed.pieces.count > limit { return nil }
        }
        return composed
    }
}

// MARK: - Reading

extension FileVersion {
    var isUnchanged: Bool { file?.isUnchanged ?? true }

    package var contents: StoredBytes? {
        let memory = OwnedMemory(byteCount: byteCount)
        return read(0..<memory.count, into: memory) ? StoredBytes(memory) : nil
    }

    /// Reads the bytes in `range` to the same place in `memory`, and returns whether all could be read.
    func read(_ range: Range<Int>, into memory: OwnedMemory) -> Bool {
        var position = range.lowerBound
        var isRead = true
        visit(range, below: layers.count) { chunk, range in
            guard isRead else { return }
            if chunk < 0, let pages { isRead = pages.load(range.lowerBound, range.upperBound) }
            guard isRead else { return }
            bytes(chunk).withBytes(range) { memory.store($0, at: position) }
            position += range.count
        }
        return isRead && position == range.upperBound
    }

    func copy(_ range: Range<Int>, to output: FileReplacement.Output) throws(FileReplacement.Failure) {
        try visit(range, below: layers.count) { chunk, range throws(FileReplacement.Failure) in
            if chunk < 0, let file { return try output.copy(range, of: file.file) }
            try bytes(chunk).withBytes(range) { bytes throws(FileReplacement.Failure) in try output.write(bytes) }
        }
    }

    /// Returns the bytes of the chunk `chunk`, or the unchanged contents for -1, as far as they are loaded.
    private func bytes(_ chunk: Int32) -> StoredBytes {
        if chunk >= 0 { return chunks[Int(chunk)] }
        return switch base {
        case .pages(let pages): pages.bytes
        case .bytes(let bytes): bytes
        }
    }

    /// Calls `body` with each piece of `range` of the version after the first `count` layers: its chunk, -1 for the
    /// unchanged contents, and its range there.
    private func visit<Failure>(
        _ range: Range<Int>, below count: Int, _ body: (Int32, Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        guard count > 0 else { return try body(-1, range) }
        try layers[count - 1].visit(range) { chunk, range throws(Failure) in
            if chunk < 0 { try visit(range, below: count - 1, body) } else { try body(chunk, range) }
        }
    }
}
