/// A text of 8 to 32 bytes, as most strings are, in four words. The words overlap for texts of less than 32 bytes. Reading,
/// hashing, storing and comparing therefore need no branch on the length, which is hard to predict for strings in a row.
struct ShortText: BitwiseCopyable {
    /// The first two words; for a text of less than 16 bytes, the first word and the last word.
    private let first: UInt64
    private let second: UInt64
    /// The last two words; for a text of at most 16 bytes, the same as the first two.
    private let third: UInt64
    private let fourth: UInt64
    let count: Int

    /// The space that a string object of such a text needs while it is being stored: at most 32 units.
    static var storedSize: Int { 3 + 64 + UTF16Transcoder.slack }

    /// Creates the text of `utf8`. If `utf8` is shorter or longer, the text has a count of 0.
    @inline(__always)
    init(_ utf8: UnsafeBufferPointer<UInt8>) {
        guard let base = UnsafeRawPointer(utf8.baseAddress), UInt(bitPattern: utf8.count &- 8) <= 24 else {
            (first, second, third, fourth, count) = (0, 0, 0, 0, 0)
            return
        }
        count = utf8.count
        first = base.loadUnaligned(as: UInt64.self)
        if count < 16 {
            second = ShortText.last(base, first, count)
            third = first
            fourth = second
        } else {
            second = base.loadUnaligned(fromByteOffset: ShortText.second(count), as: UInt64.self)
            third = base.loadUnaligned(fromByteOffset: ShortText.third(count), as: UInt64.self)
            fourth = base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        }
    }

    /// Returns the last eight of the 8 to 15 bytes at `base`, of which `first` are the first eight.
    ///
    /// Such a short string was usually just stored as two words. One load that spans both would wait until they reach memory (a
    /// store-forwarding stall). None of these loads spans both. Each one reads additional bytes if the corresponding bit of the
    /// count is set; otherwise it reads bytes that are already present.
    @inline(__always)
    private static func last(_ base: UnsafeRawPointer, _ first: UInt64, _ count: Int) -> UInt64 {
        let four = UInt32(littleEndian: (base + (4 &+ count & 4)).loadUnaligned(as: UInt32.self))
        let two = UInt16(littleEndian: (base + (6 &+ count & 6)).loadUnaligned(as: UInt16.self))
        let one = (base + (count &- 1)).load(as: UInt8.self)
        let bits = UInt64(truncatingIfNeeded: count)
        var last = UInt64(littleEndian: first)
        last = last &>> ((bits & 4) &<< 3) | UInt64(four) &<< 32
        last = last &>> ((bits & 2) &<< 3) | UInt64(two) &<< 48
        last = last &>> ((bits & 1) &<< 3) | UInt64(one) &<< 56
        return last.littleEndian
    }

    /// Returns the offsets of the second and the third word.
    @inline(__always)
    private static func second(_ count: Int) -> Int { min(8, count &- 8) }
    @inline(__always)
    private static func third(_ count: Int) -> Int { max(0, count &- 16) }

    @inline(__always)
    var isASCII: Bool { (first | second | third | fourth) & 0x8080_8080_8080_8080 == 0 }

    /// Returns the hash that `ByteHash` computes for the same bytes.
    @inline(__always)
    func hash(seed: UInt64) -> UInt32 {
        let start = ByteHash.start(seed: seed, count: count)
        let long = ByteHash.next(start, first, second)
        return ByteHash.end(count > 16 ? long : start, third, fourth)
    }

    /// Stores the text as a string object. The object may write more bytes than it keeps.
    ///
    /// - Returns: The number of bytes of the object.
    @inline(__always)
    func store(at target: UnsafeMutableRawPointer) -> Int {
        let head = target.store(shortASCII: count)
        let text = target + head
        text.storeBytes(of: first, as: UInt64.self)
        text.storeBytes(of: second, toByteOffset: ShortText.second(count), as: UInt64.self)
        text.storeBytes(of: third, toByteOffset: ShortText.third(count), as: UInt64.self)
        text.storeBytes(of: fourth, toByteOffset: count &- 8, as: UInt64.self)
        return head &+ count
    }

    /// Returns whether the string object `object` is ASCII and equals the text.
    @inline(__always)
    func isEqual(to object: UnsafeRawPointer) -> Bool {
        guard object.hasHead(shortASCII: count) else { return false }
        let text = object + BinaryFormat.headSize(count: count)
        let differences =
            (text.loadUnaligned(as: UInt64.self) ^ first)
            | (text.loadUnaligned(fromByteOffset: ShortText.second(count), as: UInt64.self) ^ second)
            | (text.loadUnaligned(fromByteOffset: ShortText.third(count), as: UInt64.self) ^ third)
            | (text.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) ^ fourth)
        return differences == 0
    }
}
