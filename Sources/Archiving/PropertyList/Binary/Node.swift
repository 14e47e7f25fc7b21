/// One object of a binary property list: its kind, and where its contents are.
struct Node: BitwiseCopyable {
    enum Kind: UInt8 {
        case null, `false`, `true`, integer, real32, real64, date, data, ascii, utf16, uid, array, set, dictionary
    }

    var kind: Kind
    /// Bytes of an integer, uid, data or ASCII string; units of a UTF-16 string; elements of an array or set; pairs of a
    /// dictionary.
    var count: Int
    /// The offset of the contents.
    var payload: Int

    /// The number of references in the contents.
    var referenceCount: Int {
        switch kind {
        case .array, .set: count
        case .dictionary: count &* 2
        default: 0
        }
    }
}

extension Node {
    /// Where the contents end.
    func end(referenceSize: Int) -> Int {
        switch kind {
        case .null, .false, .true: payload
        case .utf16: payload + 2 * count
        case .array, .set, .dictionary: payload + referenceCount * referenceSize
        default: payload + count
        }
    }
}
