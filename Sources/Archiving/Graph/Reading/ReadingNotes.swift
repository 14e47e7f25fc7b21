/// What a decoding has met in an archive and is likely to meet again.
struct ReadingNotes: ~Copyable {
    /// The references that keys of the format had where they were met last: writers write each key once, so that the next
    /// object is mostly known to have it without a look at its text. -1 while nobody has met it.
    ///
    /// This is `$class`.
    var classKey = -1
    /// `NS.objects`.
    var elementsKey = -1
    var strings = RecentStrings()

    /// Forgets everything.
    mutating func removeAll() {
        classKey = -1
        elementsKey = -1
        strings.removeAll()
    }
}

/// Strings that were made lately, and will be wanted again where many values have the same one: an archive has it once. The
/// copy takes no memory, and a fraction of the time.
///
/// A string that lies behind all that were made before is met for the first time, in an archive that was written in the order
/// in which it is read, and only passes. The others are remembered, each in one of a few places, where the next one of the
/// same place takes over.
struct RecentStrings: ~Copyable {
    private struct Entry {
        /// Where the string lies in the archive. 0 marks a free place.
        var offset: Int
        var text: String
    }

    private var entries: UnsafeMutablePointer<Entry>?
    private var mask = 0
    /// Strings that were remembered since there are so many places.
    private var count = 0
    /// The last place in the archive from which a string was made.
    private var end = 0

    private static var initialCapacity: Int { 64 }
    private static var capacity: Int { 4096 }

    deinit { release() }

    mutating func removeAll() {
        release()
        entries = nil
        mask = 0
        count = 0
        end = 0
    }

    /// The string that lies at `offset`, which `make` makes.
    @inline(__always)
    mutating func string(at offset: Int, _ make: () -> String) -> String {
        if offset > end {
            end = offset
            return make()
        }
        if let entries {
            let entry = entries + Self.place(offset, mask)
            if entry.pointee.offset == offset { return entry.pointee.text }
        }
        let text = make()
        remember(text, at: offset)
        return text
    }

    private static func place(_ offset: Int, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: offset) &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
    }

    @inline(never)
    private mutating func remember(_ text: String, at offset: Int) {
        if entries == nil || (count == Self.initialCapacity && mask < Self.capacity - 1) { grow() }
        count &+= 1
        guard let entries else { return }
        entries[Self.place(offset, mask)] = Entry(offset: offset, text: text)
    }

    private mutating func grow() {
        let capacity = entries == nil ? Self.initialCapacity : Self.capacity
        let grown = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
        grown.initialize(repeating: Entry(offset: 0, text: ""), count: capacity)
        if let entries {
            for index in 0...mask where entries[index].offset != 0 {
                grown[Self.place(entries[index].offset, capacity - 1)] = entries[index]
            }
        }
        release()
        entries = grown
        mask = capacity - 1
    }

    private func release() {
        entries?.deinitialize(count: mask + 1)
        entries?.deallocate()
    }
}
