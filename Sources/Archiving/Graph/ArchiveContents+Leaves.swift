// Numbers and strings where they lie, in their usual form: most values of most archives. They are read without a `Node`.
//
// Each function takes what `leafOffset(_:)` gave, and gives nil where something else lies there, or the same in another
// form, which takes a closer look.

extension ArchiveContents {
    /// The boolean at `offset`.
    @inline(__always)
    func booleanLeaf(at offset: Int) -> Bool? { list.objects.boolean(at: offset) }

    /// The integer of at most 8 bytes at `offset`, if it is one of the type.
    @inline(__always)
    func integerLeaf<Integer: FixedWidthInteger>(at offset: Int) -> Integer? {
        list.objects.shortInteger(at: offset).flatMap { Integer(exactly: $0) }
    }

    /// The 64-bit real at `offset`.
    @inline(__always)
    func doubleLeaf(at offset: Int) -> Double? { list.objects.real64(at: offset) }

    /// The 32-bit real at `offset`.
    @inline(__always)
    func floatLeaf(at offset: Int) -> Float? { list.objects.real32(at: offset) }

    /// The real of either width at `offset`, rounded to that of the type, if it is none that is too large for it.
    @inline(__always)
    func roundedLeaf<Real: BinaryFloatingPoint>(at offset: Int) -> Real? {
        guard let wide = doubleLeaf(at: offset) ?? floatLeaf(at: offset).map({ Double($0) }) else { return nil }
        let result = Real(wide)
        return result.isFinite || !wide.isFinite ? result : nil
    }

    /// The ASCII string of at most 14 bytes at `offset`.
    @inline(__always)
    func stringLeaf(at offset: Int) -> String? {
        // "$null", which is nil, has five bytes.
        guard let text = list.objects.shortText(at: offset), text.count != 5 else { return nil }
        return try? string(text)
    }
}
