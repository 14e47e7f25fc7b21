/// Calls `body` with the bytes of `value` in memory.
@inline(__always)
func withBytes<Value: BitwiseCopyable, Result>(of value: Value, _ body: (RawSpan) throws -> Result) rethrows -> Result {
    // Safe because a span cannot leave `body`, during which the value stays in place.
    try withUnsafeBytes(of: value) { try body(RawSpan(_unsafeBytes: $0)) }
}

extension String {
    /// Calls `body` with the UTF-8 of the string in place. `withUTF8(_:)` would need a copy of the string, and its reference
    /// counting.
    @inline(__always)
    func withUTF8Span<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
        // Safe because a span cannot leave `body`, during which the bytes stay in place.
        if let result = try utf8.withContiguousStorageIfAvailable({
            try body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer($0)))
        }) {
            return result
        }
        var copy = self
        return try copy.withUTF8 { try body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer($0))) }
    }
}
