// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Objects to append to a binary property list. They have the numbers after those of its objects; each function that appends one
/// returns its number.
package struct AppendedObjects: ~Copyable {
    private(set) var bytes = ByteWriter(capacity: 1024)
    private var offsets: [Int] = []
    private let first: Int
    private let referenceSize: Int

    package init(to list: BinaryPropertyListReader) {
        first = list.objectCount
        referenceSize = list.referenceSize
    }

    package var count: Int { offsets.count }

    package var byteCount: Int { bytes.count }

    package func copyBytes() -> StoredBytes { bytes.copyBytes() }

    /// Returns the offset of the object `number` from the first appended byte.
    package func offset(ofObject number: Int) -> Int { offsets[number - first] }

    /// Appends a copy of an object without references from another list.
    ///
    /// - Throws: `PropertyListError` if the object is damaged.
    package mutating func append(
        _ reference: Int, of other: BinaryPropertyListReader
    ) throws(PropertyListError) -> Int {
        let object = try other.bytesWithoutReferences(ofObject: reference)
        return add { $0.append(contentsOf: object) }
    }

    /// Appends an array, a set or a dictionary of `references`: the elements, or all keys and then all values.
    package mutating func append(_ kind: Node.Kind, _ references: [Int]) -> Int {
        let size = referenceSize
        return add { bytes in
            bytes.append(headOf: kind, count: kind == .dictionary ? references.count / 2 : references.count)
            for reference in references { bytes.append(number: UInt64(reference), size: size) }
        }
    }

    package mutating func append(uid: UInt32) -> Int { add { $0.append(ShortRecord(uid: uid)) } }

    package mutating func append(data: [UInt8]) -> Int { add { $0.append(data: data) } }

    package mutating func append(text: String) -> Int {
        let units = Array(text.utf16)
        let isASCII = units.allSatisfy { $0 < 0x80 }
        return add { bytes in
            bytes.append(marker: isASCII ? BinaryFormat.Marker.ascii : BinaryFormat.Marker.utf16, count: units.count)
            if isASCII { return bytes.append(utf8: text) }
            for unit in units { bytes.append(bigEndian: unit) }
        }
    }

    /// Appends an integer of eight bytes.
    package mutating func append(integer: Int64) -> Int { add { $0.append(longInteger: integer) } }

    private mutating func add(_ append: (ByteWriter) -> Void) -> Int {
        offsets.append(bytes.count)
        append(bytes)
        return first + offsets.count - 1
    }
}

extension ByteWriter {
    func append(data: [UInt8]) {
        append(marker: BinaryFormat.Marker.data, count: data.count)
        for byte in data { append(byte) }
    }

    /// Appends an integer in eight bytes.
    func append(longInteger number: Int64) {
        append(BinaryFormat.Marker.integer | 3)
        append(bigEndian: number)
    }

    func append(headOf kind: Node.Kind, count: Int) {
        let marker: UInt8 =
            switch kind {
            case .dictionary: BinaryFormat.Marker.dictionary
            case .set: BinaryFormat.Marker.set
            default: BinaryFormat.Marker.array
            }
        append(marker: marker, count: count)
    }
}

extension BinaryPropertyListReader {
    func bytesWithoutReferences(ofObject reference: Int) throws(PropertyListError) -> StoredBytes {
        let start = try offset(of: reference)
        let node = try objects.node(at: start)
        let end = node.referenceCount > 0 ? node.payload : node.end(referenceSize: referenceSize)
        return objects.bytes.part(start..<end)
    }
}
