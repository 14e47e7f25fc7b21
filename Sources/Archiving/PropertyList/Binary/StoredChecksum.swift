// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The checksum in the bytes of a binary archive.
///
/// It is data of eight bytes under the key "$crc64" of `$top`. The key and the data are the first objects of the file, in this
/// order, so they have the same place in every file, and a damaged byte of the key does not hide the checksum: a file
/// has a checksum if at most eight bits of what precedes it are others. It is the CRC-64 of the whole file, in which its
/// own bytes count as zeros.
package enum StoredChecksum {
    /// The key in `$top`. Keys of programs that start with "$" get another one in front.
    static var key: StaticString { "$crc64" }
    /// The key with its marker, and the marker of data of eight bytes.
    static let signature: UInt64 = 0x5624_6372_6336_3448
    package static let objects = BinaryFormat.headerSize..<BinaryFormat.headerSize + keySize + dataSize
    static let place = objects.upperBound - 8..<objects.upperBound
    static let keySize = 7
    private static let dataSize = 9
    private static let damageLimit = 8

    @inline(__always)
    static func isPresent(in bytes: StoredBytes) -> Bool {
        guard bytes.count >= objects.upperBound else { return false }
        return (bytes.word(at: BinaryFormat.headerSize) ^ signature).nonzeroBitCount <= damageLimit
    }

    /// Returns whether the file that starts with `bytes` has a place for a checksum, whose signature is intact.
    package static func hasPlace(_ bytes: StoredBytes) -> Bool {
        bytes.count >= objects.upperBound && bytes.word(at: BinaryFormat.headerSize) == signature
    }

    static func stored(in bytes: StoredBytes) -> UInt64 { bytes.word(at: place.lowerBound) }

    static func computed(for bytes: StoredBytes) -> UInt64 {
        var sum = Checksum()
        add(bytes, at: 0, to: &sum)
        return sum.value
    }

    /// Adds `bytes`, a part of a file that starts at `offset`, to its checksum. The first part has the whole place.
    static func add(_ bytes: StoredBytes, at offset: Int, to sum: inout Checksum) {
        guard offset == 0, bytes.count >= place.upperBound else { return sum.add(bytes, 0..<bytes.count) }
        sum.add(bytes, 0..<place.lowerBound)
        sum.add(0)
        sum.add(bytes, place.upperBound..<bytes.count)
    }

    static func bytes(of value: UInt64) -> StoredBytes {
        let writer = ByteWriter(capacity: 8)
        writer.append(bigEndian: value)
        return writer.takeBytes()
    }
}

// MARK: - Finishing a file

extension StoredChecksum {
    /// Returns the binary property list `bytes`, which this library's writer has written, with its checksum at its place.
    ///
    /// - Returns: Nil if the list has no data of eight bytes under the key in its `$top`.
    /// - Throws: `PropertyListError` if the list is damaged.
    static func sealed(_ bytes: StoredBytes) throws(PropertyListError) -> StoredBytes? {
        let list = try BinaryPropertyListReader(bytes)
        guard let top = try entry("$top", in: list.node(list.top), of: list)?.value,
            let (key, data) = try entry(key, in: list.node(top), of: list)
        else { return nil }
        let keyStart = try list.offset(of: key)
        let dataStart = try list.offset(of: data)
        let dataNode = try list.node(data)
        guard dataNode.kind == .data, dataNode.byteCount == 8, dataNode.payload == dataStart + 1 else { return nil }
        let sealed = OwnedMemory(byteCount: bytes.count)
        var end = 0
        func store(_ range: Range<Int>) {
            bytes.withBytes(range) { sealed.store($0, at: end) }
            end += range.count
        }
        store(0..<BinaryFormat.headerSize)
        store(keyStart..<keyStart + keySize)
        store(dataStart..<dataStart + dataSize)
        let (first, second) =
            keyStart < dataStart
            ? (keyStart..<keyStart + keySize, dataStart..<dataStart + dataSize)
            : (dataStart..<dataStart + dataSize, keyStart..<keyStart + keySize)
        store(BinaryFormat.headerSize..<first.lowerBound)
        store(first.upperBound..<second.lowerBound)
        store(second.upperBound..<list.limit)
        let table = ByteWriter(capacity: list.objectCount * list.offsetSize)
        for number in 0..<list.objectCount {
            let offset = try list.offset(of: number)
            let isBeforeFirst = offset < first.lowerBound
            let moved =
                number == key
                ? objects.lowerBound
                : number == data
                    ? objects.lowerBound + keySize
                    : offset + (isBeforeFirst ? keySize + dataSize : offset < second.lowerBound ? second.count : 0)
            table.append(number: UInt64(moved), size: list.offsetSize)
        }
        table.withBytes { sealed.store($0, at: end) }
        end += table.count
        store(bytes.count - BinaryFormat.trailerSize..<bytes.count)
        let result = StoredBytes(sealed)
        let sum = Self.bytes(of: computed(for: result))
        sum.withBytes { sealed.store($0, at: place.lowerBound) }
        return result
    }

    private static func entry(
        _ name: StaticString, in dictionary: Node, of list: BinaryPropertyListReader
    ) throws(PropertyListError) -> (key: Int, value: Int)? {
        guard dictionary.kind == .dictionary else { return nil }
        for position in 0..<dictionary.count {
            let key = list.reference(position, in: dictionary.payload)
            guard list.objects.isString(try list.node(key), name) else { continue }
            return (key, list.reference(dictionary.count + position, in: dictionary.payload))
        }
        return nil
    }
}
