/// What is known of keys, by the strings that they are given as.
///
/// A class gives the same literals for each of its instances. Those of 15 bytes or less are in the string itself, longer
/// ones always at the same address, so that equal bits mean an equal key, without a look at the text. The strings that
/// were entered are kept, also for the next archive: no other one can have the address of one that is there.
struct KeyCache<Value: BitwiseCopyable>: ~Copyable {
    private typealias Bits = (UInt64, UInt64)

    private struct Entry {
        /// The bits of `name`; no string has bits of zero only.
        var bits: Bits
        var name: String
        var value: Value
        /// The archive that the value is of.
        var archive: UInt64
    }

    private static var capacity: Int { 64 }
    /// Places that a key may have, its own and those behind it.
    private static var probeCount: Int { 4 }
    /// Bytes of the longest key that is kept.
    private static var nameLimit: Int { 64 }

    /// A number for each archive that the keys were of.
    private var archive: UInt64 = 0
    private let entries: UnsafeMutablePointer<Entry>

    /// - Parameter value: What stands where nothing is known. It is never given out.
    init(filledWith value: Value) {
        entries = .allocate(capacity: Self.capacity)
        entries.initialize(repeating: Entry(bits: (0, 0), name: "", value: value, archive: 0), count: Self.capacity)
    }

    deinit {
        entries.deinitialize(count: Self.capacity)
        entries.deallocate()
    }

    /// Forgets what is known of the keys of one archive.
    mutating func reset() {
        archive &+= 1
    }

    @inline(__always)
    private static func home(_ bits: Bits) -> Int {
        Int(truncatingIfNeeded: ((bits.0 ^ bits.1) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }

    /// What is known of the key `name`; nil for nothing.
    @inline(__always)
    func value(of name: String) -> Value? {
        guard RuntimeLayout.stringIsTwoWords else { return nil }
        let bits = Reinterpretation.words(of: name)
        let entry = entries + Self.home(bits)
        guard entry.pointee.bits == bits else { return displacedValue(bits) }
        return entry.pointee.archive == archive ? entry.pointee.value : nil
    }

    /// What is known of a key that is not in its own place.
    @inline(never)
    private func displacedValue(_ bits: Bits) -> Value? {
        let home = Self.home(bits)
        for probe in 1..<Self.probeCount {
            let entry = entries + ((home &+ probe) & (Self.capacity &- 1))
            if entry.pointee.bits == bits { return entry.pointee.archive == archive ? entry.pointee.value : nil }
        }
        return nil
    }

    /// Takes note of what is known of the key `name`. Where there is no room for it, another one is forgotten.
    @inline(never)
    func set(_ value: Value, for name: String) {
        guard RuntimeLayout.stringIsTwoWords, name.utf8.count <= Self.nameLimit else { return }
        let bits = Reinterpretation.words(of: name)
        let home = Self.home(bits)
        var place = home
        for probe in 0..<Self.probeCount {
            let candidate = (home &+ probe) & (Self.capacity &- 1)
            if entries[candidate].bits == bits || entries[candidate].bits == (0, 0) {
                place = candidate
                break
            }
        }
        if entries[place].bits == bits {
            entries[place].value = value
            entries[place].archive = archive
        } else {
            entries[place] = Entry(bits: bits, name: name, value: value, archive: archive)
        }
    }
}
