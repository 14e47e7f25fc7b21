import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#endif

/// A file in memory, page by page: a page is read when somebody needs it, and only then.
///
/// This is what mapping a file does, without its two dangers. Here a file that another program makes shorter is a page
/// that cannot be read, and not the end of the process; and a page is read once, so that what was checked stays as it was
/// checked, whatever others write to the file.
final class PagedFile: @unchecked Sendable {
    /// The memory of all pages. What is not loaded is zero.
    let bytes: UnsafeRawBufferPointer
    private let memory: UnsafeMutableRawPointer
    private let file: CInt
    /// What tells that others write into the file.
    private let identity: FileIdentity?
    /// A bit for each page that is loaded.
    private let loaded: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordCount: Int
    private let pageCount: Int
    /// Held by those who load.
    private let loading = Mutex(ReadAhead())
    /// The number of pages that are not loaded.
    private let missing: Atomic<Int>
    private let isAllLoaded = Atomic(false)

    /// Bits of an offset within a page. Pages are small, since the objects of a graph lie all over the file.
    private static let pageBits = 12
    private static let pageSize = 1 << pageBits
    /// Pages that the reference lists of most objects are in.
    private static let fewPages = 256

    /// The file at `path`; nil where it is no ordinary file of more than `floor` bytes, or cannot be opened.
    init?(_ path: String, ifLargerThan floor: Int) {
        var info = stat()
        // A pipe is opened once, by whoever reads it.
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size > floor else { return nil }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG, let count = Int(exactly: info.st_size),
            count > max(floor, 0), let memory = Platform.reserve(byteCount: count)
        else {
            Platform.close(file)
            return nil
        }
        self.file = file
        identity = FileIdentity(of: file)
        self.memory = memory
        bytes = UnsafeRawBufferPointer(start: memory, count: count)
        pageCount = (count + Self.pageSize - 1) >> Self.pageBits
        missing = Atomic(pageCount)
        wordCount = pageCount / 64 + 1
        loaded = .allocate(capacity: wordCount)
        for index in 0..<wordCount { (loaded + index).initialize(to: Atomic(0)) }
    }

    deinit {
        loaded.deinitialize(count: wordCount)
        loaded.deallocate()
        Platform.unreserve(memory, byteCount: bytes.count)
        Platform.close(file)
    }

    /// Makes sure that the bytes from `start` up to `end` are loaded.
    ///
    /// - Returns: Whether they are: not where they lie outside of the file, or it has become shorter.
    func load(_ start: Int, _ end: Int) -> Bool {
        guard start < end else { return true }
        guard start >= 0, end <= bytes.count else { return false }
        if isComplete { return true }
        let first = start >> Self.pageBits
        let last = (end - 1) >> Self.pageBits
        if first == last, isLoaded(first) { return true }
        return load(first...last)
    }

    /// Whether the file is as it was when it was opened. It may have another name, or none, since.
    var isUnchanged: Bool { FileIdentity(of: file) == identity }

    /// Copies the bytes in `range` of the file to `output`.
    func copy(_ range: Range<Int>, to output: FileReplacement.Output) throws(FileReplacement.Failure) {
        try output.copy(range, of: file)
        // Pages that are loaded stay as they are, and what is copied must belong to them.
        guard isUnchanged else { throw .unreadable }
    }

    /// Whether all is loaded.
    @inline(__always)
    var isComplete: Bool { isAllLoaded.load(ordering: .acquiring) }

    private func load(_ pages: ClosedRange<Int>) -> Bool {
        loading.withLock { readAhead in
            guard load(pages, &readAhead) else { return false }
            // What has read so many small parts most likely reads all.
            if pages.count > Self.fewPages { readAhead.largeCount += pages.count }
            let rest = missing.load(ordering: .relaxed) + readAhead.largeCount
            if rest < pageCount / 4 * 3, !readAhead.hasReadAll {
                readAhead.hasReadAll = true
                _ = load(0...pageCount - 1, &readAhead)
            }
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
                // Of a file that has become shorter, what is wanted may still be there.
                guard last > pages.upperBound, read(next...pages.upperBound) else { return false }
                last = pages.upperBound
            }
            let rest = missing.subtract(last - next + 1, ordering: .acquiringAndReleasing).newValue
            if rest == 0 { isAllLoaded.store(true, ordering: .releasing) }
            next = last + 1
        }
        return true
    }

    /// Loads what is not loaded yet, as far as it can be read.
    ///
    /// - Returns: Whether all is loaded.
    @discardableResult
    func loadAll() -> Bool { load(0, bytes.count) }

    @inline(__always)
    private func isLoaded(_ page: Int) -> Bool {
        loaded[page >> 6].load(ordering: .acquiring) & 1 << UInt64(page & 63) != 0
    }

    /// Reads pages none of which is loaded.
    private func read(_ pages: ClosedRange<Int>) -> Bool {
        var position = pages.lowerBound * Self.pageSize
        let end = min((pages.upperBound + 1) * Self.pageSize, bytes.count)
        while position < end {
            let count = pread(file, memory + position, min(end - position, 1 << 30), off_t(position))
            if count > 0 {
                position += count
            } else if count == 0 || errno != EINTR {
                // A page of which a part is there is not loaded. Nobody looks at it.
                return false
            }
        }
        for page in pages {
            loaded[page >> 6].bitwiseOr(1 << UInt64(page & 63), ordering: .releasing)
        }
        return true
    }
}

/// How much is read at a time: more and more if pages are read one after the other, as when a whole archive is decoded, and one
/// page otherwise.
///
/// A decoder goes through the objects, their offsets and the list of objects at the same time.
private struct ReadAhead {
    private struct Run {
        /// The page behind those that were read.
        var next = -1
        /// The pages that were read last.
        var count = 0
    }

    /// Whether all of the file was to be read.
    var hasReadAll = false
    /// The pages that large objects lie in.
    var largeCount = 0
    private var runs = [Run](repeating: Run(), count: 4)
    /// The run that another one replaces.
    private var oldest = 0

    private static var limit: Int { 256 }

    /// The last page that is to be read together with the page `first`.
    mutating func last(after first: Int) -> Int {
        let known = runs.firstIndex { first >= $0.next && first < $0.next + $0.count }
        let place = known ?? oldest
        if known == nil { oldest = (oldest + 1) % runs.count }
        let count = known == nil ? 1 : min(2 * runs[place].count, Self.limit)
        runs[place] = Run(next: first + count, count: count)
        return first + count - 1
    }
}
