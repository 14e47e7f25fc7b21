/// The uids of the collections without elements in one archive: one for all arrays, one for all sets, one for all
/// dictionaries. 0 until the first of each.
///
/// Nothing can tell one empty array from another: they are values. In Cocoa `@[]` is the same instance wherever it
/// stands, so that archives made there have one object for all as well.
struct EmptyCollections: BitwiseCopyable {
    fileprivate var array: ArchiveGraph.Reference = 0
    fileprivate var set: ArchiveGraph.Reference = 0
    fileprivate var dictionary: ArchiveGraph.Reference = 0
}

extension ArchiveGraph {
    /// The uid of the array without elements.
    @inline(__always)
    mutating func emptyArray() -> Reference {
        if emptyCollections.array == 0 { writeEmptyArray() }
        return emptyCollections.array
    }

    /// The uid of the set without elements.
    @inline(__always)
    mutating func emptySet() -> Reference {
        if emptyCollections.set == 0 { writeEmptySet() }
        return emptyCollections.set
    }

    /// The uid of the dictionary without entries.
    @inline(__always)
    mutating func emptyDictionary() -> Reference {
        if emptyCollections.dictionary == 0 { writeEmptyDictionary() }
        return emptyCollections.dictionary
    }

    /// Whether `uid` is that of a collection without elements, which all values share.
    func isEmptyCollection(_ uid: Reference) -> Bool {
        uid == emptyCollections.array || uid == emptyCollections.set || uid == emptyCollections.dictionary
    }

    @inline(never)
    private mutating func writeEmptyArray() {
        let slot = reserveSlot()
        fill(slot, array: UnsafeBufferPointer(start: nil, count: 0))
        emptyCollections.array = slot.uid
    }

    @inline(never)
    private mutating func writeEmptySet() {
        let slot = reserveSlot()
        let classUID = classUID(.set)
        fill(slot, elements: UnsafeBufferPointer(start: nil, count: 0), classUID: classUID)
        emptyCollections.set = slot.uid
    }

    @inline(never)
    private mutating func writeEmptyDictionary() {
        let slot = reserveSlot()
        fill(slot, dictionary: UnsafeBufferPointer(start: nil, count: 0))
        emptyCollections.dictionary = slot.uid
    }
}
