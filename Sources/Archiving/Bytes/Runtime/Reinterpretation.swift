// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Reinterprets values as values of another type with the same layout in memory. All the library's reinterpretation is
/// here.
@usableFromInline
enum Reinterpretation {
    /// Returns `value`, which a decoder has created, or which has no instances: it shares nothing with the caller.
    static func unshared<Value>(_ value: Value) -> sending Value {
        // Safe because nothing else refers to the instances of the value.
        nonisolated(unsafe) let value = value
        return unsafe value
    }

    /// Returns `value`, whose type is `Result` although the compiler cannot prove it. A cast would look both types up each
    /// time.
    @inlinable
    @inline(__always)
    static func same<Value, Result>(_ value: Value, as type: Result.Type = Result.self) -> Result {
        precondition(Value.self == type)
        // Safe because both types are the same.
        return unsafe unsafeBitCast(value, to: type)
    }

    /// Returns `object` as an instance of the class `type`, which it is, or a subclass of it. Traps if it is not.
    ///
    /// A cast to a type that the compiler does not know takes longer.
    @inline(__always)
    static func instance<Instance>(_ object: AnyObject, as type: Instance.Type) -> Instance {
        require(isInstance(object, of: type), "A \(Swift.type(of: object)) is no \(type)")
        // Safe because the object is an instance of the class, and an instance is one reference.
        return unsafe unsafeBitCast(object, to: type)
    }

    /// The same for a type that is known to be a class, whose layout needs no lookup.
    @inline(__always)
    static func instance<Instance: AnyObject>(_ object: AnyObject, as type: Instance.Type) -> Instance {
        require(isInstance(object, of: type), "A \(Swift.type(of: object)) is no \(type)")
        // Safe because the object is an instance of the class.
        return unsafe unsafeDowncast(object, to: type)
    }

    @inline(__always)
    private static func isInstance(_ object: AnyObject, of type: any Any.Type) -> Bool {
        let own: any Any.Type = Swift.type(of: object)
        return own == type || inherits(own, from: type)
    }

    /// Returns whether `encoder` is the only reference to its encoder, an instance of the class `type`. Traps if it is not one.
    @inline(__always)
    static func isOnlyReference<Object: AnyObject>(_ encoder: inout any Encoder, to type: Object.Type) -> Bool {
        @inline(__always)
        func isOnly<Value>(_ value: inout Value) -> Bool {
            precondition(Value.self == type)
            // Safe because the value is a reference of that type, and its address is used only during the call.
            return unsafe isOnlyReference(at: &value, to: type)
        }
        return isOnly(&encoder)
    }

    @unsafe
    @inline(__always)
    private static func isOnlyReference<Value, Object: AnyObject>(
        at address: UnsafeMutablePointer<Value>, to type: Object.Type
    ) -> Bool {
        // Safe because the caller has a reference of that type at the address.
        unsafe isKnownUniquelyReferenced(
            &UnsafeMutableRawPointer(address).assumingMemoryBound(to: type).pointee)
    }

    /// Returns `instances` as an array of any objects. Arrays of class instances have the same layout for every class:
    /// `as` converts an array to one of a superclass in the same way on Apple's platforms.
    @inline(__always)
    static func objects<Instance: AnyObject>(_ instances: [Instance]) -> [AnyObject] {
        // Safe because the elements are references, and the storage of an array releases them as that.
        unsafe unsafeBitCast(instances, to: [AnyObject].self)
    }

    /// Returns `objects`, all of which are instances of the class `Instance`, as an array of those. Traps if one is not.
    static func instances<Instance>(_ objects: consuming [AnyObject], of type: Instance.Type) -> [Instance] {
        require(type is AnyClass, "\(type) is no class")
        for index in objects.indices {
            require(isInstance(objects[index], of: type), "A \(Swift.type(of: objects[index])) is no \(type)")
        }
        // Safe because all objects are instances of the class, and arrays of any class have the same layout.
        return unsafe unsafeBitCast(consume objects, to: [Instance].self)
    }

    /// Returns the storage of `collection`, one of the standard library's; nil if that is unknown.
    static func storage<Elements: Collection>(of collection: Elements) -> AnyObject? {
        guard RuntimeLayout.holds(.collections), MemoryLayout<Elements>.size == MemoryLayout<AnyObject>.size else {
            return nil
        }
        // Safe because the collection is one reference to its storage.
        return unsafe unsafeBitCast(collection, to: AnyObject.self)
    }

    @inline(__always)
    static func isStructure<Number: BitwiseCopyable, Value>(of count: Int, _: Number.Type, _ type: Value.Type) -> Bool {
        MemoryLayout<Value>.size == count * MemoryLayout<Number>.stride
            && MemoryLayout<Value>.alignment == MemoryLayout<Number>.alignment && _isPOD(type)
    }

    /// Returns the result of `read` for the bytes of `value`, a struct without references.
    @inline(__always)
    private static func withBytes<Value, Result>(of value: Value, _ read: (RawSpan) -> Result) -> Result {
        require(_isPOD(Value.self), "A \(Value.self) has references")
        // Safe because the value has no references, and the span cannot leave the closure.
        return unsafe withUnsafeBytes(of: value) { read(unsafe RawSpan(_unsafeBytes: $0)) }
    }

    /// Returns the two integers of `value`, a struct that consists of them. Traps if it does not.
    static func integers<Value>(in value: Value) -> (Int, Int) {
        require(isStructure(of: 2, Int.self, Value.self), "A \(Value.self) does not consist of two integers")
        return withBytes(of: value) { ($0.value(Int.self, at: 0), $0.value(Int.self, at: MemoryLayout<Int>.stride)) }
    }

    /// Returns the value of `type`, a struct that consists of `numbers`. Traps if it has another size, or consists of more than
    /// numbers.
    @inline(__always)
    static func structure<Number: BitwiseCopyable, Value>(of numbers: [Number], as type: Value.Type = Value.self)
        -> Value
    {
        require(
            isStructure(of: numbers.count, Number.self, type), "A \(type) does not consist of \(numbers.count) numbers")
        // Safe because the numbers have the size and the alignment of the value, which is plain data.
        return unsafe numbers.withUnsafeBufferPointer { numbers in
            unsafe numbers.withMemoryRebound(to: type) { unsafe $0[0] }
        }
    }

    /// Returns whether values of `type` are structs of `count` real numbers: Doubles, or on 32-bit platforms Floats, as the
    /// CGFloats of geometry are.
    static func isStructure<Value>(ofReals count: Int, _ type: Value.Type) -> Bool {
        isStructure(of: count, Double.self, type) || isStructure(of: count, Float.self, type)
    }

    /// Returns the `count` real numbers of `value`, a struct that consists of them. Traps if it does not.
    static func reals<Value>(_ count: Int, in value: Value) -> [Double] {
        require(isStructure(ofReals: count, Value.self), "A \(Value.self) does not consist of \(count) numbers")
        return withBytes(of: value) { reals(count, in: $0) }
    }

    private static func reals(_ count: Int, in bytes: RawSpan) -> [Double] {
        let size = bytes.byteCount / count
        var numbers: [Double] = []
        numbers.reserveCapacity(count)
        for offset in stride(from: 0, to: bytes.byteCount, by: size) {
            let isWide = size == MemoryLayout<Double>.size
            numbers.append(isWide ? bytes.value(Double.self, at: offset) : Double(bytes.value(Float.self, at: offset)))
        }
        return numbers
    }

    /// Returns the value of `type`, a struct that consists of as many real numbers, rounded to its precision; nil if one is
    /// too large for it. Traps if the struct has another size.
    static func structure<Value>(ofReals numbers: [Double], as type: Value.Type = Value.self) -> Value? {
        guard isStructure(of: numbers.count, Float.self, type) else {
            return structure(of: numbers, as: type)
        }
        let rounded = numbers.map { Float($0) }
        // A result without `as` would be inferred to be an optional struct.
        guard zip(numbers, rounded).allSatisfy({ $0.isInfinite || !$1.isInfinite }) else { return nil }
        return structure(of: rounded, as: type)
    }

    /// Whether one byte identifies a value of `type`: it has at most one byte, and no reference.
    ///
    /// An enumeration without payloads and with at most 256 cases has one byte, or none if it has one case.
    @inline(__always)
    static func isByte<Key>(_ type: Key.Type) -> Bool { MemoryLayout<Key>.size <= 1 && _isPOD(type) }

    /// The only byte of `key`, whose type satisfies `isByte`.
    @inline(__always)
    static func byte<Key>(of key: Key) -> Int {
        // Safe because the value is one byte; the function traps if it is not.
        MemoryLayout<Key>.size == 0 ? 0 : unsafe Int(unsafeBitCast(key, to: UInt8.self))
    }

    static func key<Key: CodingKey>(_ type: Key.Type, ofByte byte: UInt8) -> any CodingKey {
        require(isByte(type), "A key of \(type) is not one byte")
        // Safe because a key of the type had this byte, and is nothing else.
        return unsafe withUnsafePointer(to: byte) {
            unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Key.self).pointee
        }
    }

    /// The two words of `string`, if `RuntimeLayout.Assumption.strings` holds.
    @inline(__always)
    static func words(of string: String) -> (UInt64, UInt64) {
        // Safe because the size is checked, and the words are only compared.
        unsafe unsafeBitCast(string, to: (UInt64, UInt64).self)
    }
}

@inline(never)
func inherits(_ type: any Any.Type, from superclass: any Any.Type) -> Bool {
    var next: AnyClass? = type as? AnyClass
    while let candidate = next {
        if candidate == superclass { return true }
        next = _getSuperclass(candidate)
    }
    return false
}
