// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

struct KeyTables {
    let paths = CodingPathTable()
    let names = KeyNames()
    let large = FieldIndex()
    let requested = DecodingKeys()
    let strings = KeyCache<RequestedKey>(filledWith: RequestedKey())

    var hasGrown: Bool { requested.hasGrown || paths.hasGrown }

    func reset() {
        names.restart(objectCount: 0)
        large.removeAll()
        strings.reset()
        requested.reset()
        paths.removeAll()
    }
}

struct RequestedKey: BitwiseCopyable, Equatable {
    /// The number of the key's name, with `$` mangled as in objects. 0 until it is needed.
    var number: KeyNames.Number = 0
    /// The last reference that represented the key, plus 1. 0 for none.
    var referencePlusOne = 0
}

/// The keys that a program requests from one archive, so that the name of a key is requested and searched once.
///
/// Nearly every key type is an enum without payloads. Its value is one byte, which identifies the key among those of its
/// type. Keys of other types are looked up by name each time.
final class DecodingKeys {
    struct KeyType: BitwiseCopyable {
        fileprivate let number: UInt32
        private let pathNumber: UInt32
        let isIndexed: Bool
        let isObserved: Bool

        fileprivate init<Key: CodingKey>(_ type: Key.Type, number: Int, pathNumber: UInt32) {
            self.number = UInt32(truncatingIfNeeded: number)
            self.pathNumber = pathNumber
            isIndexed = Reinterpretation.isByte(type)
            isObserved = ObservedKeys.areObserved(type)
        }

        /// Returns the step to the part for `key`, or nil if the keys are not indexed.
        @inline(__always)
        func step<Key: CodingKey>(_ key: Key) -> CodingPathStep? {
            isIndexed ? .givenKey(pathNumber, byte: Reinterpretation.byte(of: key)) : nil
        }
    }

    /// The entries of keys, in blocks for keys whose bytes differ in the lowest bits only.
    private let entries = PlainTable<RequestedKey>()
    /// The place of each block in `entries`, plus 1, for each key type and each value of the highest bits; 0 for none.
    private let blocks = PlainTable<UInt32>()
    private let types = MetatypeTable<TypeRecord>()

    private static var blockSize: Int { 16 }
    private static var blocksPerType: Int { 256 / blockSize }
    var hasGrown: Bool { entries.count > 1024 }

    func type<Key: CodingKey>(_ type: Key.Type, in paths: CodingPathTable) -> KeyType {
        if let known = types.record(of: type) { return known.type }
        let made = KeyType(type, number: types.records.count, pathNumber: paths.number(of: type))
        blocks.append(0, count: Self.blocksPerType)
        types.enter(TypeRecord(made), for: type)
        return made
    }

    private final class TypeRecord {
        let type: KeyType

        init(_ type: KeyType) { self.type = type }
    }

    @inline(__always)
    func place<Key: CodingKey>(of key: Key, _ type: KeyType) -> Int {
        let byte = Reinterpretation.byte(of: key)
        let block = Int(type.number) &* Self.blocksPerType &+ byte / Self.blockSize
        var start = blocks[block]
        if start == 0 { start = makeBlock(block) }
        return Int(start) &- 1 &+ byte % Self.blockSize
    }

    @inline(never)
    private func makeBlock(_ block: Int) -> UInt32 {
        let start = UInt32(truncatingIfNeeded: entries.count + 1)
        entries.append(RequestedKey(), count: Self.blockSize)
        blocks[block] = start
        return start
    }

    @inline(__always)
    subscript(place: Int) -> RequestedKey {
        get { entries[place] }
        set { entries[place] = newValue }
    }

    func reset() { entries.fill(RequestedKey()) }
}

/// The coding keys that the compiler synthesises for a class with the macro `@Observable`.
///
/// The macro turns a stored property `title` into a computed one, stores the value in `_title`, and adds a property for
/// the observation registrar. The keys are therefore `_title` and `_$observationRegistrar`. Archives store the first as
/// `title`, as without the macro, and omit the second. Hand-written keys have no registrar case and stay unchanged.
enum ObservedKeys {
    private static let registrar = "_$observationRegistrar"
    private static let mark = UInt8(ascii: "_")

    /// Returns whether the compiler synthesised the keys of `type` for an observable class. The test is slow; few
    /// callers need it.
    static func areObserved<Key: CodingKey>(_ type: Key.Type) -> Bool {
        Reinterpretation.isByte(type) && Key(stringValue: registrar) != nil
    }

    /// Returns the name of `key` in a written archive, or nil for the registrar.
    static func name<Key: CodingKey>(of key: Key) -> String? {
        let name = key.stringValue
        if let plain = plainName(of: key, name) { return plain }
        return name == registrar && areObserved(Key.self) ? nil : name
    }

    /// Returns the property name of `key`, whose string is `name`, if it is the storage of an observed property.
    /// Returns nil for other keys, and if another key has the property name.
    static func plainName<Key: CodingKey>(of key: Key, _ name: String) -> String? {
        guard name.utf8.first == mark, name != registrar, areObserved(Key.self) else { return nil }
        let plain = String(name.dropFirst())
        return plain.isEmpty || Key(stringValue: plain) != nil ? nil : plain
    }

    static func key<Key: CodingKey>(_ name: String) -> Key? {
        areObserved(Key.self) ? Key(stringValue: "_" + name) : nil
    }
}

/// Numbers for the keys of an archive and of the program that reads it, so that a key is compared as text only once.
///
/// A file may store the same key several times; all copies have one number. Keys of other bytes have other numbers, also if they are
/// equal by Unicode's rules.
final class KeyNames {
    typealias Number = UInt32

    private var numbers: [ExactText: Number] = [:]
    /// The first of the keys that are equal by Unicode's rules. Empty as long as all keys are ASCII.
    private var firstEqual: [String: Number] = [:]
    /// The number of the first equal key, for each key that is not the first.
    private var groups: [Number: Number] = [:]
    /// Numbers by the reference of the key in the file; 0 for those that were not met.
    private let byReference = UnsetNumbers()

    func restart(objectCount: Int) {
        if !numbers.isEmpty { forgetNumbers() }
        byReference.restart(limit: objectCount)
    }

    /// The old numbers are released outside of the access to the property, which then needs no exclusivity check.
    private func forgetNumbers() {
        let old = (numbers, firstEqual, groups)
        numbers = [:]
        if !firstEqual.isEmpty { (firstEqual, groups) = ([:], [:]) }
        withExtendedLifetime(old) {}
    }

    /// The number of the key `name`, from 1 up.
    func number(of name: String) -> Number {
        let text = ExactText(name)
        if let known = numbers[text] { return known }
        let number = Number(truncatingIfNeeded: numbers.count + 1)
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var known = numbers
        numbers = [:]
        known[text] = number
        numbers = known
        if !firstEqual.isEmpty || !name.isASCII { group(number, name) }
        return number
    }

    @inline(never)
    private func group(_ number: Number, _ name: String) {
        var known = firstEqual
        firstEqual = [:]
        if known.isEmpty {
            // All others are ASCII. A sign such as that of Kelvin is equal to a letter.
            for (key, number) in numbers where key.text.isASCII { known[key.text] = number }
        }
        if let first = known[name] { groups[number] = first } else { known[name] = number }
        firstEqual = known
    }

    var hasEqualKeys: Bool { !groups.isEmpty }
    /// The same number for all keys that are equal by Unicode's rules: that of the first one.
    func group(of number: Number) -> Number { groups.isEmpty ? number : groups[number] ?? number }
    func name(of number: Number) -> String? { numbers.first { $0.value == number }?.key.text }

    /// The number of the key that `reference` refers to in `archive`: a string, or a string or number behind a uid.
    @inline(__always)
    func number(of reference: Int, in archive: ArchiveContents) throws(KeyedArchiveError) -> Number {
        let known = byReference[reference]
        return known != 0 ? known : try enter(reference, archive)
    }

    @inline(never)
    private func enter(_ reference: Int, _ archive: ArchiveContents) throws(KeyedArchiveError) -> Number {
        let number = self.number(of: try archive.keyDescription(try archive.value(reference)))
        byReference[reference] = number
        return number
    }
}

extension ArchiveContents {
    /// Returns a key as text: a string unchanged, a number in digits. Other values, which cannot be keys of a keyed
    /// container, have a text that no key has.
    func keyDescription(_ value: ArchivedValue) throws(KeyedArchiveError) -> String {
        switch value.node.kind {
        case .ascii, .utf16: try hashedString(value.node)
        case .integer: String(list.integer(value.node))
        default: "\u{0}\(value.node.payload)"
        }
    }
}
