/// Numbers for the keys of an archive and of the program that reads it, so that a key is compared as text only once.
///
/// A file may store the same key several times; all copies have one number.
struct KeyNames: ~Copyable {
    typealias Number = UInt32

    private var numbers: [String: Number] = [:]
    /// Numbers by the reference of the key in the file: open addressing, 0 marks a free place.
    private var byReference: TableMemory<Entry>
    private var mask: Int
    private var count = 0

    struct Entry: BitwiseCopyable {
        var reference: Int
        var number: Number
    }

    init(in arena: inout Arena) {
        byReference = TableMemory(capacity: 64, in: &arena)
        mask = 63
    }

    /// Whether the table has outgrown its initial arena.
    var hasGrown: Bool { byReference.isOwned }

    mutating func removeAll() {
        if !numbers.isEmpty { numbers = [:] }
        if count > 0 { byReference.clear() }
        count = 0
    }

    /// The number of the key `name`, from 1 up.
    mutating func number(of name: String) -> Number {
        if let known = numbers[name] { return known }
        let number = Number(truncatingIfNeeded: numbers.count + 1)
        numbers[name] = number
        return number
    }

    /// Returns the key with `number`, for errors.
    func name(of number: Number) -> String? { numbers.first { $0.value == number }?.key }

    /// The number of the key that `reference` refers to in `archive`: a string, or a string or number behind a uid.
    @inline(__always)
    mutating func number(
        of reference: Int, in archive: ArchiveContents
    ) throws(KeyedArchiveError) -> Number {
        let place = place(of: reference)
        if byReference[place].number != 0 { return byReference[place].number }
        return try enter(reference, archive)
    }

    @inline(__always)
    private func place(of reference: Int) -> Int {
        var place = Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: reference)) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while byReference[place].number != 0, byReference[place].reference != reference { place = (place &+ 1) & mask }
        return place
    }

    @inline(never)
    private mutating func enter(
        _ reference: Int, _ archive: ArchiveContents
    ) throws(KeyedArchiveError) -> Number {
        let key = try archive.value(reference)
        let number = number(of: try archive.keyDescription(key))
        count += 1
        if count * 2 > mask { grow() }
        byReference[place(of: reference)] = Entry(reference: reference, number: number)
        return number
    }

    private mutating func grow() {
        let oldCapacity = mask + 1
        var old = TableMemory<Entry>(capacity: oldCapacity * 2)
        swap(&old, &byReference)
        mask = oldCapacity * 2 - 1
        for index in 0..<oldCapacity where old[index].number != 0 {
            byReference[place(of: old[index].reference)] = old[index]
        }
    }
}

extension ArchiveContents {
    /// Returns a key as text: a string unchanged, a number in digits. Other values, which cannot be keys of a keyed
    /// container, have a text that no key has.
    func keyDescription(_ value: ArchivedValue) throws(KeyedArchiveError) -> String {
        switch value.node.kind {
        case .ascii, .utf16: try hashedString(value.node)
        case .integer: String(list.objects.integer(value.node))
        default: "\u{0}\(value.node.payload)"
        }
    }
}
