/// The facts that the library relies on and Swift does not guarantee, with a check for each.
///
/// A check is evaluated at compile time, at no cost, or once at run time. If one fails, on another platform or with
/// another version of Swift, callers take the ordinary path, which is slower and gives the same results.
/// `-D ARCHIVING_PORTABLE` lets all checks fail, so that tests take the ordinary path too (`scripts/check-portable`).
enum RuntimeLayout {
    @inline(__always)
    private static var isRelied: Bool {
        #if ARCHIVING_PORTABLE
            false
        #else
            true
        #endif
    }

    /// Whether a keyed container of the standard library is one reference to an object. The reference count then shows
    /// that a container, which is lent to one value after another, was returned (`ReusableContainer`).
    ///
    /// Source: `KeyedEncodingContainer` and `KeyedDecodingContainer` in the standard library's `Codable.swift` have one
    /// stored property, a class. They are not frozen, so the size is checked at run time.
    @inline(__always)
    static func containerIsReference<Container>(_ type: Container.Type) -> Bool { isRelied && isWord(type) }

    /// Whether an array is one reference to an object, and can be stored as that (`Reinterpretation.initialize`).
    ///
    /// Source: `Array` has one stored property, its buffer, which is a reference. It is frozen.
    @inline(__always)
    static func arrayIsReference<Element>(of type: Element.Type) -> Bool { isRelied && isWord([Element].self) }

    @inline(__always)
    private static func isWord<Value>(_ type: Value.Type) -> Bool {
        MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size
    }

    /// Whether one byte identifies a key: values of `type` have at most one byte, and no reference (`KeyTable`).
    ///
    /// Source: an enumeration without payloads and with at most 256 cases has one byte, or none if it has one case.
    @inline(__always)
    static func isByte<Key>(_ type: Key.Type) -> Bool {
        isRelied && MemoryLayout<Key>.size <= 1 && _isPOD(type)
    }

    /// Whether equal bits of two strings mean equal text: a string is two words, which contain a short text or refer to
    /// a longer one (`KeyCache`). The caller retains one of the strings.
    ///
    /// Source: `StringObject.swift` of the standard library; frozen on Apple's platforms.
    @inline(__always)
    static var stringIsTwoWords: Bool { isRelied && MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size }
}
