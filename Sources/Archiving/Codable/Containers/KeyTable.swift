/// The objects for the keys of one `CodingKey` type in one archive, so that the name of a key is requested once.
///
/// Nearly every key type is an enum without payloads. Its value is one byte, which is the index in this table. Keys of
/// other types are looked up by name each time.
struct KeyTable<Entry: BitwiseCopyable>: ~Copyable {
    private var entries: TableMemory<Entry>

    private static var initialCount: Int { 16 }

    init(in arena: inout Arena) {
        entries = TableMemory(capacity: Self.initialCount, in: &arena)
    }

    /// Returns whether a key of this type is identified by its byte: it has at most one byte, and no reference.
    static func canIndex<Key>(_ type: Key.Type) -> Bool {
        Reinterpretation.isByte(type)
    }

    /// Returns the byte of a key of a type that `canIndex` accepts.
    @inline(__always)
    static func byte<Key>(of key: Key) -> Int {
        Reinterpretation.byte(of: key)
    }

    mutating func removeAll() {
        entries.clear()
    }

    /// Returns the entry for `byte`, for reading and writing. It is initially zero, and valid until the next call.
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
