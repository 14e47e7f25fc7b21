/// The place of elements in memory. Values with the same place are equal as long as one of them exists, so a long one has
/// to be inspected only once.
package struct MemoryPlace: Hashable {
    private let address: UInt
    private let count: Int

    /// The place of the elements; nil if there are none.
    package init?<Element>(of elements: [Element]) {
        guard !elements.isEmpty else { return nil }
        // Safe because the address is only compared.
        address = unsafe elements.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        count = elements.count
    }

    /// The place of the text; nil for a short text, which may have no place in memory.
    package init?(of text: String) {
        guard text.utf8.count > 64 else { return nil }
        // Safe because the address is only compared.
        let address = unsafe text.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) }
        guard let address else { return nil }
        self.address = address
        count = text.utf8.count
    }
}
