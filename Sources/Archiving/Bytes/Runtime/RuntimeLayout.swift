/// What the library relies on and Swift does not promise, with a check for each.
///
/// A check is known when the code is compiled, and costs nothing, or is made once. If one fails, on another platform or with
/// another version of Swift, callers take the ordinary way: they are slower and give the same results. `-D ARCHIVING_PORTABLE`
/// lets all of them fail, so that tests take the ordinary way too (`scripts/check-portable`).
enum RuntimeLayout {
    @inline(__always)
    private static var isRelied: Bool {
        #if ARCHIVING_PORTABLE
            false
        #else
            true
        #endif
    }

    /// Whether a keyed container of the standard library is one reference to an object. A container that is lent to one value
    /// after the other is known to be returned by the count of that reference (`ReusableContainer`).
    ///
    /// Source: `KeyedEncodingContainer` and `KeyedDecodingContainer` in the standard library's `Codable.swift` have one stored
    /// property, a class. They are frozen nowhere, so the size is asked for when the program runs.
    @inline(__always)
    static func containerIsReference<Container>(_ type: Container.Type) -> Bool { isRelied && isWord(type) }

    /// Whether an array is one reference to an object, as which it is stored (`Reinterpretation.initialize`).
    ///
    /// Source: `Array` has one stored property, its buffer, which is a reference. It is frozen.
    @inline(__always)
    static func arrayIsReference<Element>(of type: Element.Type) -> Bool { isRelied && isWord([Element].self) }

    @inline(__always)
    private static func isWord<Value>(_ type: Value.Type) -> Bool {
        MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size
    }

    /// Whether a key is told by one byte: values of `type` have at most one byte, and no reference (`KeyTable`).
    ///
    /// Source: an enumeration without payloads and with at most 256 cases has one byte, or none if it has one case.
    @inline(__always)
    static func isByte<Key>(_ type: Key.Type) -> Bool {
        isRelied && MemoryLayout<Key>.size <= 1 && _isPOD(type)
    }

    /// Whether references that do not keep an object are counted (`SoleReference`).
    @inline(__always)
    static var countsReferences: Bool { isRelied }

    /// Whether the callers of a function are told by the C library (`CallerTrace`).
    @inline(__always)
    static var tracesCallers: Bool { isRelied }

    /// Whether equal bits of two strings mean equal text: a string is two words, in which a short text lies itself, and which
    /// refer to a longer one (`KeyCache`). The caller keeps one of the strings.
    ///
    /// Source: `StringObject.swift` of the standard library; frozen on Apple's platforms.
    @inline(__always)
    static var stringIsTwoWords: Bool { isRelied && MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size }
}
