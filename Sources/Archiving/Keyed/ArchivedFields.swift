/// The fields of an object, or the entries of a dictionary, as a keyed container sees them.
struct ArchivedFields {
    /// The number of fields. -1 for those nobody has asked for.
    var count = -1
    /// Where the references of the keys start, and those of the values.
    var keys = 0
    var values = 0
    /// Whether these are the entries of an NSDictionary: keys are behind uids, and stand for themselves.
    var isDictionary = false
    /// Where the next field is expected: fields are mostly asked for in the order they were written in.
    var next = 0
    /// A bit for each key number that is there; the key is surely absent where its bit is not set.
    private var bits: UInt64 = 0
    private var hasBits = false
    /// Positions by key number, where there are many fields.
    private var positions: [KeyNames.Number: Int]?

    /// Fields up to which a key is searched one by one.
    private static let linearSearchLimit = 64

    init() {}

    init(keys: Int, values: Int, count: Int, isDictionary: Bool) {
        self.keys = keys
        self.values = values
        self.count = count
        self.isDictionary = isDictionary
    }

    /// The position of the next field, if its key is `name`.
    func next(ifNamed name: String, in archive: ArchiveContents) throws(KeyedArchiveError) -> Int? {
        guard next < count else { return nil }
        let key = try archive.value(archive.list.reference(next, in: keys)).node
        guard key.kind == .ascii, archive.list.objects.isString(key, name) else { return nil }
        return next
    }

    /// The position of the key with `number`; nil where it is not there.
    mutating func position(
        of number: KeyNames.Number, in state: UnsafeMutablePointer<UnarchivingState>
    ) throws(KeyedArchiveError) -> Int? {
        if !hasBits { try findBits(state) }
        guard bits & 1 &<< UInt64(number & 63) != 0 else { return nil }
        if let positions { return positions[number] }
        for offset in 0..<count {
            let position = next &+ offset < count ? next &+ offset : next &+ offset &- count
            if try self.number(at: position, state) == number { return position }
        }
        return nil
    }

    private mutating func findBits(_ state: UnsafeMutablePointer<UnarchivingState>) throws(KeyedArchiveError) {
        try state.pointee.archive.countWork(count)
        for position in 0..<count { bits |= 1 &<< UInt64(try number(at: position, state) & 63) }
        hasBits = true
        guard count > Self.linearSearchLimit else { return }
        try state.pointee.archive.countWork((DecodingMeter.stepsPerEntry - 1) * count)
        var positions = [KeyNames.Number: Int](minimumCapacity: count)
        for position in (0..<count).reversed() { positions[try number(at: position, state)] = position }
        self.positions = positions
    }

    @inline(__always)
    private func number(at position: Int, _ state: UnsafeMutablePointer<UnarchivingState>) throws(KeyedArchiveError)
        -> KeyNames.Number
    {
        let archive = state.pointee.archive
        return try state.pointee.keyNames.number(of: archive.list.reference(position, in: keys), in: archive)
    }
}
