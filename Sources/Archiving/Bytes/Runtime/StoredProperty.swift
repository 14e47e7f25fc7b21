// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A stored property of a class, which the decoder sets after the instance was created.
///
/// Without `RuntimeLayout.Assumption.storedProperties`, no class has such properties: a cycle through a plain property is
/// then an error that names the alternatives, `@Reference` and `publish`.
///
/// It is an object, so that a property of a list is not copied to be used.
final class StoredProperty: Sendable {
    enum Ownership: Sendable {
        case strong, weak, unowned, unmanaged
    }

    let name: String
    let type: any Any.Type
    let ownership: Ownership
    /// The offset from the instance's address in bytes.
    private let offset: Int
    /// The class that declares the property.
    private let owner: AnyClass
    /// The class of the object, if the type is an optional class.
    private let objectClass: AnyClass?

    private init(_ field: Reflection.Field, _ index: Int, of owner: AnyClass) {
        name = field.name
        type = field.type
        ownership = field.isStrong ? .strong : OwnershipRecord(owner, index).ownership
        offset = field.offset
        self.owner = owner
        objectClass = (field.type as? any OptionalType.Type)?.wrappedType as? AnyClass
    }

    /// The name without the leading underscore of a property wrapper.
    var shownName: Substring { name.hasPrefix("_") ? name.dropFirst() : name[...] }

    /// The stored properties of `type` and its superclasses. Those of a superclass come first.
    static func all(of type: AnyClass) -> [StoredProperty] {
        RuntimeLayout.holds(.storedProperties) ? described(type) : []
    }

    /// The stored properties without a check of the assumption.
    static func described(_ type: AnyClass) -> [StoredProperty] {
        let inherited = _getSuperclass(type).map(described) ?? []
        let own = Reflection.fields(of: type).dropFirst(inherited.count)
        return inherited + zip(0..., own).map { StoredProperty($1, $0, of: type) }
    }
}

/// The type of an optional.
private protocol OptionalType {
    static var wrappedType: any Any.Type { get }
}

extension Optional: OptionalType {
    static var wrappedType: any Any.Type { Wrapped.self }
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

    /// Calls `body` with the address of the property in `instance`.
    @inline(__always)
    private func withAddress<Result>(
        in instance: AnyObject, _ body: (UnsafeMutableRawPointer) -> Result
    ) -> Result {
        require(Self.isClass(Swift.type(of: instance), subclassOf: owner), "\(instance) has no property \(name)")
        defer { extendLifetime(instance) }
        // Safe because the instance lives until the end of the function, and the runtime has given the offset for its
        // class.
        return unsafe body(Unmanaged.passUnretained(instance).toOpaque() + offset)
    }

    @inline(__always)
    private static func isClass(_ type: AnyClass, subclassOf other: AnyClass) -> Bool {
        var type: AnyClass = type
        while type != other {
            guard let superclass = _getSuperclass(type) else { return false }
            type = superclass
        }
        return true
    }

    /// The value of the property in `instance`, an instance of the class. The property has the type `Value`.
    func value<Value>(in instance: AnyObject, as type: Value.Type = Value.self) -> Value {
        require(type == self.type, "\(name) has the type \(self.type), not \(type)")
        if ownership != .strong { return Reinterpretation.same(optional: object(in: instance)) }
        // Safe because the memory of the property contains a value of this type.
        return unsafe withAddress(in: instance) { unsafe $0.assumingMemoryBound(to: Value.self).pointee }
    }

    /// Sets the property in `instance`, an instance of the class, to `value`, which has the type of the property.
    func set<Value>(_ value: Value, in instance: AnyObject) {
        require(Value.self == type, "\(name) has the type \(type), not \(Value.self)")
        if ownership != .strong { return setObject(Reinterpretation.object(inOptional: value), in: instance) }
        // Safe because the memory of the property contains a value of this type.
        unsafe withAddress(in: instance) { unsafe $0.assumingMemoryBound(to: Value.self).pointee = value }
    }

    /// The object in the property of `instance`. The property has an optional class type.
    func object(in instance: AnyObject) -> AnyObject? {
        require(objectClass != nil, "\(name) has the type \(type), which is no optional class")
        // Safe because the memory contains an optional object, in the form that the ownership requires.
        return unsafe withAddress(in: instance) { address in
            switch ownership {
            case .strong, .unmanaged: unsafe address.assumingMemoryBound(to: AnyObject?.self).pointee
            case .weak: unsafe address.assumingMemoryBound(to: Weak.self).pointee.object
            case .unowned: unsafe address.assumingMemoryBound(to: Unowned.self).pointee.object
            }
        }
    }

    /// Whether the property of `instance`, which has an optional class type, is nil.
    func isEmpty(in instance: AnyObject) -> Bool { object(in: instance) == nil }

    /// Sets the property in `instance`, which has an optional class type, to `object`.
    func setObject(_ object: AnyObject?, in instance: AnyObject) {
        guard let objectClass, object.map({ Self.isClass(Swift.type(of: $0), subclassOf: objectClass) }) ?? true else {
            misuse("\(name) has the type \(type), and cannot have \(String(describing: object))")
        }
        // Safe because the memory contains an optional object of this class, in the form that the ownership requires.
        unsafe withAddress(in: instance) { address in
            switch ownership {
            case .strong, .unmanaged: unsafe address.assumingMemoryBound(to: AnyObject?.self).pointee = object
            case .weak: unsafe address.assumingMemoryBound(to: Weak.self).pointee.object = object
            case .unowned: unsafe address.assumingMemoryBound(to: Unowned.self).pointee.object = object
            }
        }
    }

    /// Returns whether the property of `instance` is a single strong reference to `object`, such as the storage of a
    /// collection.
    func holds(_ object: AnyObject, in instance: AnyObject) -> Bool {
        guard ownership == .strong, Reflection.byteCount(of: type) == MemoryLayout<Int>.size else { return false }
        // Safe because the property has the size of the word, which is only compared.
        return unsafe withAddress(in: instance) { unsafe $0.loadUnaligned(as: UInt.self) }
            == UInt(bitPattern: ObjectIdentifier(object))
    }
}

// MARK: - Ownership

/// The compiler's record of a field that is not strong, which says whether it is weak. The functions of `Reflection` do
/// not.
///
/// The layout of metadata is described in `docs/ABI/TypeMetadata.rst` of the Swift project. Pointers in it are signed on
/// arm64e, so `LayoutProbe` does not confirm the assumption there.
struct OwnershipRecord {
    let ownership: StoredProperty.Ownership

    /// Behind as many words, and 24 bytes that are the same everywhere.
    private static var descriptorOffset: Int { wordCount * MemoryLayout<Int>.size + 24 }
    #if canImport(ObjectiveC)
        private static var wordCount: Int { 5 }
    #else
        private static var wordCount: Int { 2 }
    #endif
    private static var fieldsOffset: Int { 16 }
    private static var recordsOffset: Int { 16 }
    private static var recordSize: Int { 12 }

    /// Returns whether the metadata of `type`, a class of this module, has the address of a descriptor where it is
    /// expected: the compiler refers from one to the other by 32 bits.
    static func hasDescriptor(_ type: AnyClass) -> Bool {
        // Safe because the metadata of a class is larger, and the word is only compared.
        let descriptor = unsafe TypeAddress.of(type).load(fromByteOffset: descriptorOffset, as: Int.self)
        let metadata = Int(bitPattern: ObjectIdentifier(type))
        return descriptor % 4 == 0 && Int(Int32.min)...Int(Int32.max) ~= descriptor &- metadata
    }

    /// Reads the field `index` of those that `type` itself declares.
    init(_ type: AnyClass, _ index: Int) {
        // Safe because a class that declares a field has a descriptor, and the compiler's record of the field in it. The
        // probe has confirmed where.
        let descriptor = unsafe TypeAddress.of(type).load(
            fromByteOffset: Self.descriptorOffset, as: UnsafeRawPointer.self)
        let fields = unsafe Self.target(of: descriptor + Self.fieldsOffset)
        let typeName = unsafe Self.target(of: fields + Self.recordsOffset + index * Self.recordSize + 4)
        switch unsafe Self.suffix(ofTypeName: typeName) {
        case [UInt8(ascii: "X"), UInt8(ascii: "w")]: ownership = .weak
        case [UInt8(ascii: "X"), UInt8(ascii: "o")]: ownership = .unowned
        default: ownership = .unmanaged
        }
    }

    /// The target of the relative pointer at `address`.
    private static func target(of address: UnsafeRawPointer) -> UnsafeRawPointer {
        // Safe because the caller's address is that of a relative pointer.
        unsafe address + Int(address.load(as: Int32.self))
    }

    /// The last two characters of a mangled name. It may contain references: a control character and a pointer, four
    /// bytes of a relative one or eight of an absolute one.
    private static func suffix(ofTypeName name: UnsafeRawPointer) -> [UInt8] {
        var offset = 0
        var suffix: [UInt8] = []
        while true {
            // Safe because a mangled name ends with a zero, and no reference crosses its end.
            let byte = unsafe name.load(fromByteOffset: offset, as: UInt8.self)
            switch byte {
            case 0: return Array(suffix.suffix(2))
            case 0x01...0x17: offset += 5
            case 0x18...0x1F: offset += 1 + MemoryLayout<Int>.size
            default:
                suffix.append(byte)
                offset += 1
            }
        }
    }
}
