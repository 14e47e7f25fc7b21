/// A stored property of a class, as the Swift runtime describes it to mirrors and debuggers.
///
/// The runtime functions are those that `Mirror` uses. They are a part of the runtime's stable binary interface on
/// Apple's platforms. Before the first use, they are tested with a known class (`StoredPropertyProbe`). If the
/// description is wrong, no class has properties that can be set later: a cycle through a plain property is then an
/// error that names the alternatives, `@Reference` and `publish`.
struct StoredProperty: Sendable {
    enum Ownership: Sendable {
        case strong, weak, unowned, unmanaged
    }

    let name: String
    /// The offset from the instance's address in bytes.
    let offset: Int
    let type: any Any.Type
    let ownership: Ownership
    /// Whether its value has the size of a reference.
    let isWord: Bool

    /// The name without the leading underscore of a property wrapper.
    var shownName: Substring { name.hasPrefix("_") ? name.dropFirst() : name[...] }

    /// The stored properties of `type` and its superclasses. Those of a superclass come first.
    static func all(of type: AnyClass) -> [StoredProperty] {
        guard StoredPropertyProbe.isDescribed else { return [] }
        var classes: [AnyClass] = []
        var next: AnyClass? = type
        while let current = next {
            classes.append(current)
            next = _getSuperclass(current)
        }
        return classes.reversed().flatMap(properties(of:))
    }

    /// The stored properties that `type` itself declares, without those of its superclasses.
    fileprivate static func properties(of type: AnyClass) -> [StoredProperty] {
        func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
        let inherited = _getSuperclass(type).map { fieldCount($0) } ?? 0
        return (inherited..<max(inherited, fieldCount(type))).map { index in
            var field = Field()
            let fieldType = fieldType(type, index: index, fieldMetadata: &field)
            let name = field.name.map { String(cString: $0) } ?? ""
            field.release?(field.name)
            let ownership = field.isStrong ? Ownership.strong : FieldRecord(type, index - inherited).ownership
            return StoredProperty(
                name: name, offset: fieldOffset(type, index: index), type: fieldType, ownership: ownership,
                isWord: _openExistential(fieldType, do: size) == MemoryLayout<UnsafeRawPointer>.size)
        }
    }

    /// The name of the case `key`, if its type is an enumeration: the name of the property for a synthesised key, whose
    /// string may differ.
    static func caseName(of key: some CodingKey) -> String? {
        guard Mirror(reflecting: key).displayStyle == .enum else { return nil }
        return enumCaseName(key).map { String(cString: $0) }
    }
}

// MARK: - Access

extension StoredProperty {
    /// Weak and unowned properties of any class have the same layout in memory as these.
    private struct Weak {
        weak var object: AnyObject?
    }

    private struct Unowned {
        unowned var object: AnyObject?
    }

    /// The value of the property in `instance`, an instance of the class. The property has the type `Value`.
    func value<Value>(in instance: UnsafeRawPointer, as type: Value.Type = Value.self) -> Value {
        let address = instance + offset
        switch ownership {
        case .strong, .unmanaged: return address.assumingMemoryBound(to: Value.self).pointee
        case .weak: return Self.reference(address.assumingMemoryBound(to: Weak.self).pointee.object)
        case .unowned: return Self.reference(address.assumingMemoryBound(to: Unowned.self).pointee.object)
        }
    }

    /// Sets the property in `instance`, an instance of the class, to `value`, which has the type of the property.
    func set<Value>(_ value: Value, in instance: UnsafeRawPointer) {
        let address = UnsafeMutableRawPointer(mutating: instance) + offset
        switch ownership {
        case .strong, .unmanaged: address.assumingMemoryBound(to: Value.self).pointee = value
        case .weak: address.assumingMemoryBound(to: Weak.self).pointee.object = Self.object(value)
        case .unowned: address.assumingMemoryBound(to: Unowned.self).pointee.object = Self.object(value)
        }
    }

    /// The object in the property of `instance`. The property has an optional class type.
    func object(in instance: UnsafeRawPointer) -> AnyObject? {
        let address = instance + offset
        switch ownership {
        case .strong, .unmanaged: return address.assumingMemoryBound(to: AnyObject?.self).pointee
        case .weak: return address.assumingMemoryBound(to: Weak.self).pointee.object
        case .unowned: return address.assumingMemoryBound(to: Unowned.self).pointee.object
        }
    }

    /// Sets the property in `instance`, which has an optional class type, to the object at `object`.
    func set(_ object: UnsafeRawPointer, in instance: UnsafeRawPointer) {
        let object = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
        let address = UnsafeMutableRawPointer(mutating: instance) + offset
        switch ownership {
        case .strong, .unmanaged: address.assumingMemoryBound(to: AnyObject?.self).pointee = object
        case .weak: address.assumingMemoryBound(to: Weak.self).pointee.object = object
        case .unowned: address.assumingMemoryBound(to: Unowned.self).pointee.object = object
        }
    }

    /// Sets the property in `instance`, which has an optional class type, to nil.
    func setNil(in instance: UnsafeRawPointer) {
        let address = UnsafeMutableRawPointer(mutating: instance) + offset
        switch ownership {
        case .strong, .unmanaged: address.assumingMemoryBound(to: AnyObject?.self).pointee = nil
        case .weak: address.assumingMemoryBound(to: Weak.self).pointee.object = nil
        case .unowned: address.assumingMemoryBound(to: Unowned.self).pointee.object = nil
        }
    }

    /// Returns whether the property of `instance` is a single strong reference to the object at `object`, such as the
    /// storage of a collection.
    func holds(_ object: AnyObject, in instance: UnsafeRawPointer) -> Bool {
        guard ownership == .strong, isWord else { return false }
        let word = (instance + offset).loadUnaligned(as: UInt.self)
        return word == UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    /// Returns `object` as the optional class `Value`.
    private static func reference<Value>(_ object: AnyObject?) -> Value {
        withUnsafePointer(to: object) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
    }

    /// Returns `value`, an optional class, as an object.
    private static func object<Value>(_ value: Value) -> AnyObject? {
        withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: AnyObject?.self).pointee }
    }
}

// MARK: - The runtime

/// The description of a field, which the runtime fills in.
private struct Field {
    var name: UnsafePointer<CChar>?
    var release: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_: any Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(_: any Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<Field>) -> any Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_: any Any.Type, index: Int) -> Int

@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// The compiler's record of a field, which has the ownership of a field that is not strong. The functions above omit
/// it.
///
/// The layout of metadata is described in `docs/ABI/TypeMetadata.rst` of the Swift project.
private struct FieldRecord {
    let ownership: StoredProperty.Ownership

    /// Behind as many words, and 24 bytes that are the same everywhere.
    private static var descriptorOffset: Int { wordCount * MemoryLayout<UnsafeRawPointer>.size + 24 }
    #if canImport(ObjectiveC)
        private static var wordCount: Int { 5 }
    #else
        private static var wordCount: Int { 2 }
    #endif
    private static var fieldsOffset: Int { 16 }
    private static var recordsOffset: Int { 16 }
    private static var recordSize: Int { 12 }

    /// Reads the field `index` of those that `type` itself declares.
    init(_ type: AnyClass, _ index: Int) {
        let metadata = TypeAddress.of(type)
        let descriptor = metadata.load(fromByteOffset: Self.descriptorOffset, as: UnsafeRawPointer.self)
        let fields = Self.target(of: descriptor + Self.fieldsOffset)
        let typeName = Self.target(of: fields + Self.recordsOffset + index * Self.recordSize + 4)
        switch Self.suffix(ofTypeName: typeName) {
        case [UInt8(ascii: "X"), UInt8(ascii: "w")]: ownership = .weak
        case [UInt8(ascii: "X"), UInt8(ascii: "o")]: ownership = .unowned
        default: ownership = .unmanaged
        }
    }

    /// The target of the relative pointer at `address`.
    private static func target(of address: UnsafeRawPointer) -> UnsafeRawPointer {
        address + Int(address.load(as: Int32.self))
    }

    /// The last two characters of a mangled name. It may contain references: a control character and a pointer, four
    /// bytes of a relative one or eight of an absolute one.
    private static func suffix(ofTypeName name: UnsafeRawPointer) -> [UInt8] {
        var name = name
        var suffix: [UInt8] = []
        while true {
            let byte = name.load(as: UInt8.self)
            switch byte {
            case 0: return Array(suffix.suffix(2))
            case 0x01...0x17: name += 5
            case 0x18...0x1F: name += 1 + MemoryLayout<UnsafeRawPointer>.size
            default:
                suffix.append(byte)
                name += 1
            }
        }
    }
}

// MARK: - The check

/// A class with known properties, in each of the forms that are set later.
private final class StoredPropertyProbe {
    private let byte: UInt8 = 1
    private var strong: StoredPropertyProbe?
    private weak var weakly: StoredPropertyProbe?
    private unowned var unowned: StoredPropertyProbe?
    private var list: [StoredPropertyProbe] = []

    /// Whether the runtime describes the class correctly: names, ownership, types and offsets of its properties.
    static let isDescribed: Bool = {
        let (owner, strong, weakly, unowned) = (
            StoredPropertyProbe(), StoredPropertyProbe(), StoredPropertyProbe(), StoredPropertyProbe()
        )
        (owner.strong, owner.weakly, owner.unowned) = (strong, weakly, unowned)
        let properties = StoredProperty.properties(of: StoredPropertyProbe.self)
        guard properties.map(\.name) == ["byte", "strong", "weakly", "unowned", "list"],
            properties.map(\.ownership) == [.strong, .strong, .weak, .unowned, .strong],
            properties[0].type == UInt8.self, properties[1].type == StoredPropertyProbe?.self,
            properties[4].type == [StoredPropertyProbe].self,
            zip(properties, properties.dropFirst()).allSatisfy({ $0.offset < $1.offset })
        else { return false }
        return withExtendedLifetime((owner, strong, weakly, unowned)) {
            let address = UnsafeRawPointer(Unmanaged.passUnretained(owner).toOpaque())
            return properties[1].object(in: address) === strong && properties[2].object(in: address) === weakly
                && properties[3].object(in: address) === unowned
        }
    }()
}
