// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A file in memory, each page of which is read when it is first needed.
///
/// It replaces mapping the file, without its two dangers. If another program truncates the file, a page cannot be read,
/// but the process continues. And a page is read once, so that checked bytes do not change, even if other programs
/// write to the file.
///
/// All pages are of one version of the file: after another program has changed the file, no more pages can be read.
final class PagedFile: Sendable {
    /// The bytes of all pages. Pages that are not loaded are zero.
    let bytes: StoredBytes
    private let memory: OwnedMemory
    let file: OpenedFile
    /// The edited contents, if the pages are not those of the file itself.
    private let version: FileVersion?
    private let loaded: SharedBits
    private let pageCount: Int
    private let loading = Mutex(ReadAhead())
    private let missing: Atomic<Int>
    private let isAllLoaded = Atomic(false)

    /// The number of bits of an offset within a page. Pages are small, since the objects of a graph are scattered over
    /// the file.
    private static let pageBits = 12
    private static let pageSize = 1 << pageBits
    /// The number of pages that contain the reference lists of most objects.
    private static let fewPages = 256

    convenience init?(_ file: OpenedFile) {
        guard file.identity.byteCount <= Int.max - Self.pageSize else { return nil }
        self.init(file, nil, Int(file.identity.byteCount))
    }

    convenience init?(_ version: FileVersion) {
        guard let file = version.file, version.byteCount <= Int.max - Self.pageSize else { return nil }
        self.init(file, version, version.byteCount)
    }

    private init?(_ file: OpenedFile, _ version: FileVersion?, _ count: Int) {
        guard count > 0, let memory = OwnedMemory(reserving: count) else { return nil }
        self.file = file
        self.version = version
        self.memory = memory
        bytes = StoredBytes(memory)
        pageCount = (count + Self.pageSize - 1) >> Self.pageBits
        missing = Atomic(pageCount)
        loaded = SharedBits(count: pageCount)
    }

    /// Loads the bytes from `start` up to `end`.
    ///
    /// - Returns: Whether they are loaded: false if they are outside the file, or another program has changed the file
    ///   before they were read.
    func load(_ start: Int, _ end: Int) -> Bool {
        guard start < end else { return true }
        guard start >= 0, end <= bytes.count else { return false }
        if isComplete { return true }
        let first = start >> Self.pageBits
        let last = (end - 1) >> Self.pageBits
        if first == last, isLoaded(first) { return true }
        return load(first...last)
    }

    var isEdited: Bool { version != nil }

    var isUnchanged: Bool { file.isUnchanged }

    func copy(_ range: Range<Int>, to output: FileReplacement.Output) throws(FileReplacement.Failure) {
        if let version { try version.copy(range, to: output) } else { try output.copy(range, of: file.file) }
        // Loaded pages do not change, and the copied bytes must match them.
        guard isUnchanged else { throw .unreadable }
    }

    @inline(__always)
    var isComplete: Bool { isAllLoaded.load(ordering: .acquiring) }

    private func load(_ pages: ClosedRange<Int>) -> Bool {
        loading.withLock { readAhead in
            guard load(pages, &readAhead) else { return false }
            // A program that has read so many small parts will probably read all.
            guard var largeCount = readAhead.largeCount else { return true }
            if pages.count > Self.fewPages { largeCount += pages.count }
            let isAlmostRead = missing.load(ordering: .relaxed) + largeCount < pageCount / 4 * 3
            readAhead.largeCount = isAlmostRead ? nil : largeCount
            if isAlmostRead { _ = load(0...pageCount - 1, &readAhead) }
            return true
        }
    }

    private func load(_ pages: ClosedRange<Int>, _ readAhead: inout ReadAhead) -> Bool {
        var next = pages.lowerBound
        while next <= pages.upperBound {
            if isLoaded(next) {
                next += 1
                continue
            }
            let end = min(max(pages.upperBound, readAhead.last(after: next)), pageCount - 1)
            var last = next
            while last < end, !isLoaded(last + 1) { last += 1 }
            if !read(next...last) {
                // A part of the file may be unreadable, but not the requested pages.
                guard last > pages.upperBound, read(next...pages.upperBound) else { return false }
                last = pages.upperBound
            }
            let rest = missing.subtract(last - next + 1, ordering: .acquiringAndReleasing).newValue
            if rest == 0 { isAllLoaded.store(true, ordering: .releasing) }
            next = last + 1
        }
        return true
    }

    /// Loads the remaining pages, as far as they can be read, and returns whether all are loaded.
    @discardableResult
    func loadAll() -> Bool { load(0, bytes.count) }

    @inline(__always)
    private func isLoaded(_ page: Int) -> Bool { loaded.contains(page) }

    private func read(_ pages: ClosedRange<Int>) -> Bool {
        let range = pages.lowerBound * Self.pageSize..<min((pages.upperBound + 1) * Self.pageSize, bytes.count)
        // A partly read page does not count as loaded, and is never used. After the read: a change during it is noticed.
        Platform.preferLargePages(at: bytes.place + UInt(range.lowerBound), byteCount: range.count)
        let isRead = version?.read(range, into: memory) ?? file.read(range, into: memory)
        guard isRead, file.isUnchanged else { return false }
        for page in pages { loaded.insert(page) }
        return true
    }
}

/// The number of pages that are read at once: it grows while pages are read sequentially, as when a whole archive is
/// decoded. Otherwise a single page is read.
///
/// A decoder reads the objects, their offsets and the list of objects at the same time.
private struct ReadAhead {
    private struct Run {
        var next = -1
        var count = 0
    }

    /// The number of pages of large objects; nil once the read of the whole file was attempted.
    var largeCount: Int? = 0
    private var runs = [Run](repeating: Run(), count: 4)
    private var oldest = 0

    private static var limit: Int { 256 }

    mutating func last(after first: Int) -> Int {
        let known = runs.firstIndex { first >= $0.next && first < $0.next + $0.count }
        let place = known ?? oldest
        if known == nil { oldest = (oldest + 1) % runs.count }
        let count = known == nil ? 1 : min(2 * runs[place].count, Self.limit)
        runs[place] = Run(next: first + count, count: count)
        return first + count - 1
    }
}
