import Synchronization

/// The cases of an enum by their raw values, for the whole process. Raw values are integers, or ASCII texts of at most
/// 15 bytes.
///
/// A coder uses them only if the enum encodes or decodes itself as the standard library does for types with raw values
/// (`StandardRawValueCoding`). A custom `init(from:)` or `encode(to:)` is called for each archive. A case is known if
/// its raw value creates the case and the case returns the raw value.
///
/// Sendable, because the closures capture only a type, and the known cases are written once.
final class RawValueCases: @unchecked Sendable {
    /// A raw value: the bits of an integer, or the bytes of a text with their number in the highest byte.
    struct Key: BitwiseCopyable, Equatable {
        var low: UInt64
        var high: UInt64
    }

    private struct Entry: BitwiseCopyable {
        var key: Key
        var byte: UInt8
    }

    /// Whether the raw values are texts.
    let areTexts: Bool
    let decoding: StandardRawValueCoding
    let encoding: StandardRawValueCoding
    private let makeCase: (Key) -> UInt8?
    private let makeKey: (UInt8) -> Key?
    /// The known cases. An entry is written under the lock before it is counted.
    private let entries: UInt
    private let count = Atomic<Int>(0)
    private let lock = Mutex(())

    private static var capacity: Int { 32 }

    private init(
        areTexts: Bool, _ makeCase: @escaping (Key) -> UInt8?, _ makeKey: @escaping (UInt8) -> Key?
    ) {
        self.areTexts = areTexts
        self.makeCase = makeCase
        self.makeKey = makeKey
        decoding = StandardRawValueCoding(ofTexts: areTexts, .decode)
        encoding = StandardRawValueCoding(ofTexts: areTexts, .encode)
        // Never deallocated, like all facts about types.
        entries = UInt(bitPattern: UnsafeMutablePointer<Entry>.allocate(capacity: Self.capacity))
    }

    /// Returns `nil` if the raw values of `type`, whose values are one byte, have another type.
    private convenience init?<Value: RawRepresentable>(_ type: Value.Type) {
        if Value.RawValue.self == Int.self {
            self.init(areTexts: false) { key in
                let raw: Value.RawValue = Reinterpretation.same(Int(truncatingIfNeeded: key.low))
                return Value(rawValue: raw).map { UInt8(truncatingIfNeeded: Reinterpretation.byte(of: $0)) }
            } _: { byte in
                let value: Value = Reinterpretation.same(byte)
                return Key(Reinterpretation.same(value.rawValue, as: Int.self))
            }
        } else if Value.RawValue.self == String.self {
            self.init(areTexts: true) { key in
                let raw: Value.RawValue = Reinterpretation.same(key.text)
                return Value(rawValue: raw).map { UInt8(truncatingIfNeeded: Reinterpretation.byte(of: $0)) }
            } _: { byte in
                let value: Value = Reinterpretation.same(byte)
                return Key(Reinterpretation.same(value.rawValue, as: String.self))
            }
        } else {
            return nil
        }
    }

    private static let known = MetatypeCache<RawValueCases>()

    /// Returns the cases of `type`, whose values are one byte, or nil if its raw values have another type. They live as
    /// long as the process.
    static func cases(of type: any RawRepresentable.Type) -> Unmanaged<RawValueCases>? {
        let key = TypeAddress.of(type)
        if let cases = known.object(for: key) { return cases }
        return make(type).map { known.enter($0, for: key) }
    }

    private static func make<Value: RawRepresentable>(_ type: Value.Type) -> RawValueCases? { RawValueCases(type) }

    // MARK: - Lookup

    /// Returns the byte of the case with the raw value `key`, or nil if there is none or its raw value differs.
    func byte(of key: Key) -> UInt8? {
        if let entry = entry(where: { $0.key == key }) { return entry.byte }
        guard let byte = makeCase(key), makeKey(byte) == key else { return nil }
        enter(Entry(key: key, byte: byte))
        return byte
    }

    /// Returns the raw value of the case `byte`, or nil if it cannot be a key or belongs to another case.
    func key(of byte: UInt8) -> Key? {
        if let entry = entry(where: { $0.byte == byte }) { return entry.key }
        guard let key = makeKey(byte), makeCase(key) == byte else { return nil }
        enter(Entry(key: key, byte: byte))
        return key
    }

    @inline(__always)
    private func entry(where isMatch: (Entry) -> Bool) -> Entry? {
        guard let entries = UnsafePointer<Entry>(bitPattern: entries) else { return nil }
        for index in 0..<count.load(ordering: .acquiring) where isMatch(entries[index]) { return entries[index] }
        return nil
    }

    private func enter(_ entry: Entry) {
        lock.withLock { _ in
            let position = count.load(ordering: .relaxed)
            guard position < Self.capacity, let entries = UnsafeMutablePointer<Entry>(bitPattern: entries) else {
                return
            }
            (entries + position).initialize(to: entry)
            count.store(position + 1, ordering: .releasing)
        }
    }
}

extension RawValueCases.Key {
    /// The number of bytes of the longest text.
    static var textLimit: Int { 15 }

    init(_ integer: Int) {
        (low, high) = (UInt64(bitPattern: Int64(integer)), 0)
    }

    /// Returns nil if the text is too long or not ASCII.
    init?(_ text: String) {
        var bytes: InlineBytes = (0, 0)
        let count = text.utf8.count
        guard count <= Self.textLimit, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: text.utf8) }
        self.init(bytes, count)
    }

    /// Creates a key for a text of at most 15 ASCII bytes.
    init(ascii text: UnsafeRawBufferPointer) {
        var bytes: InlineBytes = (0, 0)
        withUnsafeMutableBytes(of: &bytes) { $0.copyMemory(from: text) }
        self.init(bytes, text.count)
    }

    /// Creates a key for the raw value `value`. Returns nil for another form.
    init?(_ value: ArchivedValue, isText: Bool, in archive: UnsafePointer<ArchiveContents>) {
        if value.isNull { return nil }
        self.init(value.node, isText: isText, in: archive.pointee.list.objects)
    }

    /// Creates a key for the raw value of the leaf `node`. Returns nil for another form.
    init?(_ node: Node, isText: Bool, in objects: NodeScanner) {
        if isText {
            guard node.kind == .ascii, node.count <= Self.textLimit else { return nil }
            self.init(ascii: objects.bytes(node))
        } else {
            guard node.kind == .integer, node.count <= 8, let integer = Int(exactly: objects.shortInteger(node)) else {
                return nil
            }
            self.init(integer)
        }
    }

    private typealias InlineBytes = (UInt64, UInt64)

    private init(_ bytes: InlineBytes, _ count: Int) {
        (low, high) = (UInt64(littleEndian: bytes.0), UInt64(littleEndian: bytes.1))
        high |= UInt64(truncatingIfNeeded: count) << 56
    }

    /// Calls `body` with the bytes of the text.
    func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let bytes: InlineBytes = (low.littleEndian, (high & ~(0xFF << 56)).littleEndian)
        return withUnsafeBytes(of: bytes) {
            body(UnsafeBufferPointer(rebasing: $0.assumingMemoryBound(to: UInt8.self).prefix(Int(high >> 56))))
        }
    }

    var text: String { withText { String(decoding: $0, as: UTF8.self) } }
}
