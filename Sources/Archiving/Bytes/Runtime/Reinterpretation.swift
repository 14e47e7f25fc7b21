/// Values as values of another type that lies the same in memory. All the library's reinterpretation is here.
///
/// What a function relies on is said with it. Functions that rely on what Swift does not promise are only called where
/// `RuntimeLayout` says that it holds.
enum Reinterpretation {
    /// `value`, whose type is known to be `Result` although the compiler cannot tell: `Value.self == Result.self`.
    ///
    /// A cast looks both types up each time.
    @inline(__always)
    static func same<Value, Result>(_ value: Value, as type: Result.Type = Result.self) -> Result {
        unsafeBitCast(value, to: type)
    }

    /// `instances` as an array of any objects. Arrays of class instances are the same in memory, whatever their class: that is
    /// how `as` converts an array to one of a superclass on Apple's platforms.
    @inline(__always)
    static func objects<Instance: AnyObject>(_ instances: [Instance]) -> [AnyObject] {
        unsafeBitCast(instances, to: [AnyObject].self)
    }

    /// `objects`, all of which are of the class `Instance`, as an array of those.
    @inline(__always)
    static func instances<Instance: AnyObject>(_ objects: [AnyObject], of type: Instance.Type) -> [Instance] {
        unsafeBitCast(objects, to: [Instance].self)
    }

    /// Initialises the memory at `address` with `array`. Where an array is one reference, it is stored as that: to store it as an
    /// array of a type that is not known here would look that type up.
    @inline(__always)
    static func initialize<Element>(_ address: UnsafeMutableRawPointer, to array: [Element]) {
        guard RuntimeLayout.arrayIsReference(of: Element.self) else {
            address.initializeMemory(as: [Element].self, to: array)
            return
        }
        let elements = Unmanaged.passRetained(unsafeBitCast(array, to: AnyObject.self))
        address.assumingMemoryBound(to: Unmanaged<AnyObject>.self).initialize(to: elements)
    }

    /// The only byte of `key`, whose type `RuntimeLayout.isByte`.
    @inline(__always)
    static func byte<Key>(of key: Key) -> Int {
        MemoryLayout<Key>.size == 0 ? 0 : Int(unsafeBitCast(key, to: UInt8.self))
    }

    /// The two words of `string`, where `RuntimeLayout.stringIsTwoWords`.
    @inline(__always)
    static func words(of string: String) -> (UInt64, UInt64) {
        unsafeBitCast(string, to: (UInt64, UInt64).self)
    }
}

/// A type by its address: types are the same if their metadata is at the same address, which `ObjectIdentifier` promises.
enum TypeAddress {
    @inline(__always)
    static func of(_ type: any Any.Type) -> UnsafeRawPointer {
        unsafeBitCast(type, to: UnsafeRawPointer.self)
    }

    /// The type that `of` gave `address` for.
    @inline(__always)
    static func type(at address: UnsafeRawPointer) -> any Any.Type {
        unsafeBitCast(address, to: Any.Type.self)
    }
}
