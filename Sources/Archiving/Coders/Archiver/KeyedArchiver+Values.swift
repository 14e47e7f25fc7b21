// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Entries

extension KeyedArchiver {
    /// Adds `value` under the key `name` to the object in progress, or as its next value without a key if `name` is nil.
    @inline(__always)
    func set(_ name: String?, to value: @autoclosure () -> ArchiveGraph.Reference) {
        // The object of a key precedes that of its value.
        if let name { set(key(name), to: value()) } else { setNext(to: value()) }
    }

    /// The same for the leaf that `leaf` writes. It receives the archiver, which it therefore need not capture.
    @inline(__always)
    func setLeaf(_ name: String?, _ leaf: (KeyedArchiver) -> ArchiveGraph.Reference) {
        if let name { set(key(name), to: leaf(self)) } else { setNext(to: leaf(self)) }
    }

    /// Adds the result of `reference` under the key `name`, or as the next value without a key if `name` is nil, and
    /// writes the pending instances unless an object is in progress.
    @inline(__always)
    func set(
        _ name: String?, to reference: (ArchiveGraph.Reference) throws -> ArchiveGraph.Reference
    ) throws {
        let key = nextKey(name)
        try set(name, key, to: try reference(key))
    }

    /// The object of the key `name`, or of the key of the next value without a key if `name` is nil.
    @inline(__always)
    func nextKey(_ name: String?) -> ArchiveGraph.Reference {
        if let name { key(name) } else { nextKey() }
    }

    /// Adds `value` under `key`, the object of the key `name`, or as the next value without a key if `name` is nil. Writes the
    /// pending instances unless an object is in progress.
    @inline(__always)
    func set(_ name: String?, _ key: ArchiveGraph.Reference, to value: ArchiveGraph.Reference) throws {
        // Other values without a key may have been encoded since the key was the next one.
        if name != nil { set(key, to: value) } else { setNext(to: value) }
        if !isInObject { try writePendingInstancesAtTop() }
    }
}

// MARK: - Nil and bytes

extension KeyedArchiver {
    /// Encodes nil for a key: the key exists, and an object under it is nil.
    public func encodeNil(forKey name: String) { set(name, to: ArchiveGraph.null) }

    /// Encodes bytes for a key, in the object's own entry. `Data` has a separate entry.
    public func encodeBytes(_ bytes: some ContiguousBytes, forKey name: String) { setBytes(name, bytes) }

    /// Encodes bytes as the object's next value without a key, in its own entry.
    public func encodeNextBytes(_ bytes: some ContiguousBytes) { setBytes(nil, bytes) }

    private func setBytes(_ name: String?, _ bytes: some ContiguousBytes) {
        bytes.withBytes { bytes in set(name, to: graph.list.append(data: bytes)) }
    }
}

// MARK: - Points, sizes and rectangles

/// Encodes geometry in Cocoa's form: under a key as a string such as "{3, 4}" or "{{0, 0}, {640, 480}}", without a key
/// as its numbers in order.
extension KeyedArchiver {
    /// Encodes a point for a key.
    public func encodePoint(x: Double, y: Double, forKey name: String) { encode(text: [x, y], name) }

    /// Encodes a point as the object's next two values without a key.
    public func encodeNextPoint(x: Double, y: Double) { encodeNext(numbers: [x, y]) }

    /// Encodes a size for a key.
    public func encodeSize(width: Double, height: Double, forKey name: String) { encode(text: [width, height], name) }

    /// Encodes a size as the object's next two values without a key.
    public func encodeNextSize(width: Double, height: Double) { encodeNext(numbers: [width, height]) }

    /// Encodes a rectangle for a key.
    public func encodeRect(x: Double, y: Double, width: Double, height: Double, forKey name: String) {
        encode(text: [x, y, width, height], name)
    }

    /// Encodes a rectangle as the object's next four values without a key.
    public func encodeNextRect(x: Double, y: Double, width: Double, height: Double) {
        encodeNext(numbers: [x, y, width, height])
    }

    private func encode(text numbers: [Double], _ name: String) { encode(Geometry.text(of: numbers), forKey: name) }

    private func encodeNext(numbers: [Double]) {
        for number in numbers { encodeNext(number) }
    }
}

// MARK: - Numbers in the graph

extension KeyedArchiver {
    @inline(__always)
    func inline(_ value: Bool) -> ArchiveGraph.Reference { graph.boolean(value, inline: true) }

    @inline(__always)
    func inline(_ value: Int) -> ArchiveGraph.Reference { graph.integerWithoutCall(Int64(value), inline: true) }

    func inline<Integer: FixedWidthInteger>(_ value: Integer) -> ArchiveGraph.Reference {
        if let narrow = Int64(exactly: value) { return graph.integer(narrow, inline: true) }
        if let narrow = UInt64(exactly: value) { return graph.integer(narrow, inline: true) }
        if let wide = Int128(exactly: value) { return graph.integer(wide, inline: true) }
        return graph.string(String(value))
    }

    @inline(__always)
    func inline(_ value: Float) -> ArchiveGraph.Reference { graph.real(value, inline: true) }

    @inline(__always)
    func inline(_ value: Double) -> ArchiveGraph.Reference { graph.real(value, inline: true) }
}

// MARK: - Strings, data and dates in the graph

extension KeyedArchiver {
    @inline(__always)
    func leaf(_ value: String) -> ArchiveGraph.Reference { graph.stringWithoutCall(value) }

    func leaf(_ value: Data) -> ArchiveGraph.Reference { value.withBytes { graph.data($0) } }

    func leaf(_ value: Date) -> ArchiveGraph.Reference { graph.date(value.timeIntervalSinceReferenceDate) }
}
