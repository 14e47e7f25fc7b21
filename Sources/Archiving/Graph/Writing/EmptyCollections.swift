// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The uids of the empty collections in one archive: one for all arrays, one for all sets, one for all dictionaries; 0 until
/// the first of each.
///
/// Empty collections are values, so sharing them is not observable. Cocoa archives share them as well, because `@[]` is always
/// the same instance.
struct EmptyCollections: BitwiseCopyable {
    fileprivate var array: ArchiveGraph.Reference = 0
    fileprivate var set: ArchiveGraph.Reference = 0
    fileprivate var dictionary: ArchiveGraph.Reference = 0
}

extension ArchiveGraph {
    /// Returns the uid of the empty array.
    @inline(__always)
    func emptyArray() -> Reference {
        if emptyCollections.array == 0 { writeEmptyArray() }
        return emptyCollections.array
    }

    /// Returns the uid of the empty set.
    @inline(__always)
    func emptySet() -> Reference {
        if emptyCollections.set == 0 { writeEmptySet() }
        return emptyCollections.set
    }

    /// Returns the uid of the empty dictionary.
    @inline(__always)
    func emptyDictionary() -> Reference {
        if emptyCollections.dictionary == 0 { writeEmptyDictionary() }
        return emptyCollections.dictionary
    }

    /// Returns whether `uid` is the uid of an empty collection, which all equal values share.
    func isEmptyCollection(_ uid: Reference) -> Bool {
        uid == emptyCollections.array || uid == emptyCollections.set || uid == emptyCollections.dictionary
    }

    @inline(never)
    private func writeEmptyArray() {
        let slot = reserveSlot()
        fill(slot, array: [])
        emptyCollections.array = slot.uid
    }

    @inline(never)
    private func writeEmptySet() {
        let slot = reserveSlot()
        let classUID = classUID(.set)
        fill(slot, elements: [], classUID: classUID)
        emptyCollections.set = slot.uid
    }

    @inline(never)
    private func writeEmptyDictionary() {
        let slot = reserveSlot()
        fill(slot, dictionary: [])
        emptyCollections.dictionary = slot.uid
    }
}
