/// What the library relies on and Swift does not promise, with a check for each.
///
/// Each check is known when the code is compiled, and costs nothing. If one fails, on another platform or with another
/// version of Swift, callers take the ordinary way: they are slower and give the same results. `-D ARCHIVING_PORTABLE` lets all
/// of them fail, so that tests take the ordinary way too (`scripts/check-portable`).
enum RuntimeLayout {
    @inline(__always)
    private static var isRelied: Bool {
        #if ARCHIVING_PORTABLE
            false
        #else
            true
        #endif
    }

    /// Whether a value of the standard library's type `type`, a keyed container or an array, is one reference to an object. A
    /// container that is lent to one value after the other is known to be returned by the count of that reference
    /// (`ReusableContainer`); an array is stored as a reference (`Reinterpretation.initialize`).
    ///
    /// Source: `KeyedEncodingContainer` and `KeyedDecodingContainer` in the standard library's `Codable.swift` have one stored
    /// property, a class, and are frozen nowhere. `Array` has one, its buffer, which is a reference, and is frozen.
    @inline(__always)
    static func isReference<Value>(_ type: Value.Type) -> Bool {
        isRelied && MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size
    }

    /// Whether a key is told by one byte: values of `type` have at most one byte, and no reference (`KeyTable`).
    ///
    /// Source: an enumeration without payloads and with at most 256 cases has one byte, or none if it has one case.
    @inline(__always)
    static func isByte<Key>(_ type: Key.Type) -> Bool {
        isRelied && MemoryLayout<Key>.size <= 1 && _isPOD(type)
    }

    /// Whether equal bits of two strings mean equal text: a string is two words, in which a short text lies itself, and which
    /// refer to a longer one (`KeyCache`). The caller keeps one of the strings.
    ///
    /// Source: `StringObject.swift` of the standard library; frozen on Apple's platforms.
    @inline(__always)
    static var stringIsTwoWords: Bool { isRelied && MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size }
}
