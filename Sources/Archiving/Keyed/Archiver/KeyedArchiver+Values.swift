#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Numbers

/// Encodes values in the entry of their object itself, as Cocoa's `encodeInteger:forKey:` and its counterparts do.
extension KeyedArchiver {
    /// Encodes a Boolean value.
    public func encode(_ value: Bool, forKey name: String) { set(key(name), to: inline(value)) }

    /// Encodes an integer.
    public func encode(_ value: Int, forKey name: String) { set(key(name), to: inline(value)) }

    /// Encodes an integer of any width. An integer above `Int128.max` is written as a string of its digits.
    public func encode<Integer: FixedWidthInteger>(_ value: Integer, forKey name: String) {
        set(key(name), to: inline(value))
    }

    /// Encodes a 32-bit real number.
    public func encode(_ value: Float, forKey name: String) { set(key(name), to: inline(value)) }

    /// Encodes a 64-bit real number.
    public func encode(_ value: Double, forKey name: String) { set(key(name), to: inline(value)) }

    /// Encodes bytes in the object's own entry. `encode(_: Data, forKey:)` creates a separate entry.
    public func encodeBytes(_ bytes: UnsafeRawBufferPointer, forKey name: String) {
        set(key(name), to: graph.pointee.list.append(data: bytes))
    }

    /// Encodes bytes in the object's own entry. `encode(_: Data, forKey:)` creates a separate entry.
    public func encodeBytes(_ bytes: [UInt8], forKey name: String) {
        bytes.withUnsafeBytes { encodeBytes($0, forKey: name) }
    }
}

// MARK: - Numbers without a key

/// Encodes values without a key under `$0`, `$1` and so on. They are decoded in the order in which they were encoded.
extension KeyedArchiver {
    /// Encodes a Boolean value as the object's next value without a key.
    public func encode(_ value: Bool) { setNext(to: inline(value)) }

    /// Encodes an integer as the object's next value without a key.
    public func encode(_ value: Int) { setNext(to: inline(value)) }

    /// Encodes an integer of any width as the object's next value without a key.
    public func encode<Integer: FixedWidthInteger>(_ value: Integer) { setNext(to: inline(value)) }

    /// Encodes a 32-bit real number as the object's next value without a key.
    public func encode(_ value: Float) { setNext(to: inline(value)) }

    /// Encodes a 64-bit real number as the object's next value without a key.
    public func encode(_ value: Double) { setNext(to: inline(value)) }

    /// Encodes bytes as the object's next value without a key.
    public func encodeBytes(_ bytes: UnsafeRawBufferPointer) {
        setNext(to: graph.pointee.list.append(data: bytes))
    }

    /// Encodes bytes as the object's next value without a key.
    public func encodeBytes(_ bytes: [UInt8]) { bytes.withUnsafeBytes { encodeBytes($0) } }
}

// MARK: - Numbers in the graph

extension KeyedArchiver {
    @inline(__always)
    private func inline(_ value: Bool) -> ArchiveGraph.Reference { graph.pointee.boolean(value, inline: true) }

    @inline(__always)
    private func inline(_ value: Int) -> ArchiveGraph.Reference {
        graph.pointee.integerInLine(Int64(value), inline: true)
    }

    private func inline<Integer: FixedWidthInteger>(_ value: Integer) -> ArchiveGraph.Reference {
        if let narrow = Int64(exactly: value) { return graph.pointee.integer(narrow, inline: true) }
        if let narrow = UInt64(exactly: value) { return graph.pointee.integer(narrow, inline: true) }
        if let wide = Int128(exactly: value) { return graph.pointee.integer(wide, inline: true) }
        return graph.pointee.string(String(value))
    }

    @inline(__always)
    private func inline(_ value: Float) -> ArchiveGraph.Reference { graph.pointee.real(value, inline: true) }

    @inline(__always)
    private func inline(_ value: Double) -> ArchiveGraph.Reference { graph.pointee.real(value, inline: true) }
}

// MARK: - Strings, data and dates

/// Encodes values in entries of their own, which the object's entry references.
extension KeyedArchiver {
    /// Encodes a string. Equal strings share an entry.
    public func encode(_ value: String, forKey name: String) { set(key(name), to: leaf(value)) }

    /// Encodes a string, or nil.
    public func encode(_ value: String?, forKey name: String) { set(key(name), to: leaf(ifPresent: value)) }

    /// Encodes data.
    public func encode(_ value: Data, forKey name: String) { set(key(name), to: leaf(value)) }

    /// Encodes data, or nil.
    public func encode(_ value: Data?, forKey name: String) { set(key(name), to: leaf(ifPresent: value)) }

    /// Encodes a date. Equal dates share an entry.
    public func encode(_ value: Date, forKey name: String) { set(key(name), to: leaf(value)) }

    /// Encodes a date, or nil.
    public func encode(_ value: Date?, forKey name: String) { set(key(name), to: leaf(ifPresent: value)) }

    /// Encodes nil: the key exists, and an object under it is nil.
    public func encodeNil(forKey name: String) { set(key(name), to: ArchiveGraph.null) }
}

// MARK: - Strings, data and dates without a key

extension KeyedArchiver {
    /// Encodes a string as the object's next value without a key.
    public func encode(_ value: String) { setNext(to: leaf(value)) }

    /// Encodes a string, or nil, as the object's next value without a key.
    public func encode(_ value: String?) { setNext(to: leaf(ifPresent: value)) }

    /// Encodes data as the object's next value without a key.
    public func encode(_ value: Data) { setNext(to: leaf(value)) }

    /// Encodes data, or nil, as the object's next value without a key.
    public func encode(_ value: Data?) { setNext(to: leaf(ifPresent: value)) }

    /// Encodes a date as the object's next value without a key.
    public func encode(_ value: Date) { setNext(to: leaf(value)) }

    /// Encodes a date, or nil, as the object's next value without a key.
    public func encode(_ value: Date?) { setNext(to: leaf(ifPresent: value)) }

    /// Encodes nil as the object's next value without a key.
    public func encodeNil() { setNext(to: ArchiveGraph.null) }
}

// MARK: - Strings, data and dates in the graph

extension KeyedArchiver {
    @inline(__always)
    private func leaf(_ value: String) -> ArchiveGraph.Reference { graph.pointee.stringInLine(value) }

    private func leaf(ifPresent value: String?) -> ArchiveGraph.Reference {
        value.map { leaf($0) } ?? ArchiveGraph.null
    }

    private func leaf(_ value: Data) -> ArchiveGraph.Reference { value.withUnsafeBytes { graph.pointee.data($0) } }

    private func leaf(ifPresent value: Data?) -> ArchiveGraph.Reference { value.map { leaf($0) } ?? ArchiveGraph.null }

    private func leaf(_ value: Date) -> ArchiveGraph.Reference {
        graph.pointee.date(value.timeIntervalSinceReferenceDate)
    }

    private func leaf(ifPresent value: Date?) -> ArchiveGraph.Reference { value.map { leaf($0) } ?? ArchiveGraph.null }
}

// MARK: - Points, sizes and rectangles

/// Encodes geometry in Cocoa's form: under a key as a string such as "{3, 4}" or "{{0, 0}, {640, 480}}", without a key
/// as its numbers in order.
extension KeyedArchiver {
    /// Encodes a point as a string.
    public func encodePoint(x: Double, y: Double, forKey name: String) {
        set(key(name), to: leaf(Geometry.text([x, y])))
    }

    /// Encodes a size as a string.
    public func encodeSize(width: Double, height: Double, forKey name: String) {
        set(key(name), to: leaf(Geometry.text([width, height])))
    }

    /// Encodes a rectangle as a string.
    public func encodeRect(x: Double, y: Double, width: Double, height: Double, forKey name: String) {
        set(key(name), to: leaf(Geometry.text([x, y], [width, height])))
    }

    /// Encodes a point as the object's next two values without a key.
    public func encodePoint(x: Double, y: Double) {
        encode(x)
        encode(y)
    }

    /// Encodes a size as the object's next two values without a key.
    public func encodeSize(width: Double, height: Double) {
        encode(width)
        encode(height)
    }

    /// Encodes a rectangle as the object's next four values without a key.
    public func encodeRect(x: Double, y: Double, width: Double, height: Double) {
        encodePoint(x: x, y: y)
        encodeSize(width: width, height: height)
    }
}
