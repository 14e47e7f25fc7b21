/// Reinterprets values as values of another type with the same layout in memory. All the library's reinterpretation is
/// here.
///
/// Each function documents the fact that it relies on. Functions that rely on facts that Swift does not guarantee are
/// called only if `RuntimeLayout` confirms them.
enum Reinterpretation {
    /// Returns `value`, whose type is known to be `Result` although the compiler cannot prove it:
    /// `Value.self == Result.self`.
    ///
    /// A cast would look both types up each time.
    @inline(__always)
    static func same<Value, Result>(_ value: Value, as type: Result.Type = Result.self) -> Result {
        unsafeBitCast(value, to: type)
    }

    /// Returns `instances` as an array of any objects. Arrays of class instances have the same layout for every class:
    /// `as` converts an array to one of a superclass in the same way on Apple's platforms.
    @inline(__always)
    static func objects<Instance: AnyObject>(_ instances: [Instance]) -> [AnyObject] {
        unsafeBitCast(instances, to: [AnyObject].self)
    }

    /// Returns `objects`, all of which are of the class `Instance`, as an array of those.
    @inline(__always)
    static func instances<Instance: AnyObject>(_ objects: [AnyObject], of type: Instance.Type) -> [Instance] {
        unsafeBitCast(objects, to: [Instance].self)
    }

    /// Initialises the memory at `address` with `array`. If an array is one reference, it is stored as a reference:
    /// storing it as an array of a type that is unknown here would look that type up.
    @inline(__always)
    static func initialize<Element>(_ address: UnsafeMutableRawPointer, to array: [Element]) {
        guard RuntimeLayout.arrayIsReference(of: Element.self) else {
            address.initializeMemory(as: [Element].self, to: array)
            return
        }
        let elements = Unmanaged.passRetained(unsafeBitCast(array, to: AnyObject.self))
        address.assumingMemoryBound(to: Unmanaged<AnyObject>.self).initialize(to: elements)
    }

    /// The only byte of `key`, whose type satisfies `RuntimeLayout.isByte`.
    @inline(__always)
    static func byte<Key>(of key: Key) -> Int {
        MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
    }

    /// The key of the type `type` whose only byte is `byte`, as `byte(of:)` returned it for a key of the type.
    static func key<Key: CodingKey>(_ type: Key.Type, ofByte byte: UInt8) -> any CodingKey {
        require(MemoryLayout<Key>.size <= 1 && _isPOD(type), "A key of \(type) is not one byte")
        // Safe because a key of the type had this byte, and is nothing else.
        return withUnsafePointer(to: byte) { UnsafeRawPointer($0).assumingMemoryBound(to: Key.self).pointee }
    }

    /// The two words of `string`, if `RuntimeLayout.stringIsTwoWords`.
    @inline(__always)
    static func words(of string: String) -> (UInt64, UInt64) {
        unsafeBitCast(string, to: (UInt64, UInt64).self)
    }
}

/// Converts types to addresses: types are equal if their metadata is at the same address, as `ObjectIdentifier`
/// guarantees.
enum TypeAddress {
    @inline(__always)
    static func of(_ type: any Any.Type) -> UnsafeRawPointer {
        unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// The type for which `of` returned `address`.
    @inline(__always)
    static func type(at address: UnsafeRawPointer) -> any Any.Type {
        unsafeBitCast(address, to: Any.Type.self)
    }
}
