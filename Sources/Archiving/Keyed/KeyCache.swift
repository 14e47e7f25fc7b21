/// Key objects by the strings that keys are given as.
///
/// A class gives the same literals for each of its instances. Those of 15 bytes or less are in the string itself, longer
/// ones always at the same address, so that equal bits mean an equal key, without a look at the text. The strings that
/// were entered are kept: no other one can have the address of one that is there.
struct KeyCache: ~Copyable {
    private typealias Bits = (UInt64, UInt64)

    private struct Entry {
        /// The bits of `name`; no string has bits of zero only.
        var bits: Bits = (0, 0)
        var name = ""
        var reference: ArchiveGraph.Reference = 0
    }

    private static var capacity: Int { 64 }

    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.capacity)
        entries.initialize(repeating: Entry(), count: Self.capacity)
    }

    deinit {
        entries.deinitialize(count: Self.capacity)
        entries.deallocate()
    }

    /// The key object of `name`, which `make` makes where it is not known.
    @inline(__always)
    func reference(
        of name: String, else make: (String) -> ArchiveGraph.Reference
    ) -> ArchiveGraph.Reference {
        // Strings are of another size where addresses are.
        guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return make(name) }
        let bits = unsafeBitCast(name, to: Bits.self)
        let hash = (bits.0 ^ bits.1) &* 0x9E37_79B9_7F4A_7C15
        let entry = entries + Int(truncatingIfNeeded: hash >> 58)
        if entry.pointee.bits == bits { return entry.pointee.reference }
        let reference = make(name)
        entry.pointee = Entry(bits: bits, name: name, reference: reference)
        return reference
    }
}
