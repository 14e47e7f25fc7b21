/// The objects that stand for the keys of one `CodingKey` type in one archive, so that a key's name is asked for once.
///
/// Nearly every key type is an enumeration without payload: its value is one byte, and that byte is the whole value. The
/// byte is the index here. Keys of other types are looked up by name each time.
struct KeyTable<Entry: BitwiseCopyable>: ~Copyable {
    private var entries: TableMemory<Entry>

    private static var initialCount: Int { 16 }

    init(in arena: inout Arena) {
        entries = TableMemory(capacity: Self.initialCount, in: &arena)
    }

    /// Whether a key of this type can be told by its byte: it has no more than one, and no reference inside.
    static func canIndex<Key>(_ type: Key.Type) -> Bool {
        RuntimeLayout.isByte(type)
    }

    /// The byte of a key whose type `canIndex`.
    @inline(__always)
    static func byte<Key>(of key: Key) -> Int {
        Reinterpretation.byte(of: key)
    }

    mutating func removeAll() {
        entries.clear()
    }

    /// The entry for `byte`, for reading and writing; all its bytes are zero at first. Valid until the next call.
    @inline(__always)
    mutating func entry(_ byte: Int) -> UnsafeMutablePointer<Entry> {
        if byte >= entries.capacity { grow(toHold: byte) }
        return entries.base + byte
    }

    @inline(never)
    private mutating func grow(toHold byte: Int) {
        var grown = TableMemory<Entry>(capacity: max(byte + 1, entries.capacity * 4))
        grown.base.update(from: entries.base, count: entries.capacity)
        swap(&grown, &entries)
    }
}
