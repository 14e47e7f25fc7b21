// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Where things are in a binary property list, as far as its trailer can be made sense of.
struct BinaryLayout {
    static let trailerSize = 32

    /// The figures of a trailer: name, place in it, size.
    static let figures = [
        ("sort version", 5, 1), ("offset size", 6, 1), ("reference size", 7, 1), ("object count", 8, 8),
        ("top object", 16, 8), ("offset table", 24, 8),
    ]

    let offsetSize: Int
    let referenceSize: Int
    let table: Int
    /// Where each object says it is.
    let offsets: [Int]

    /// The layout of `bytes`; nil where there is none to be seen.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.trailerSize + 8 else { return nil }
        let trailer = bytes.count - Self.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard let count = bytes.number(at: trailer + 8, size: 8), count > 0, count < UInt64(bytes.count),
            let table = bytes.number(at: trailer + 24, size: 8), table < UInt64(trailer),
            (1...8).contains(offsetSize), (1...8).contains(referenceSize)
        else { return nil }
        self.table = Int(table)
        var offsets: [Int] = []
        for index in 0..<Int(count) {
            guard let offset = bytes.number(at: Int(table) + index * offsetSize, size: offsetSize) else { return nil }
            offsets.append(offset < UInt64(bytes.count) ? Int(offset) : 0)
        }
        self.offsets = offsets
    }

    /// The objects whose markers have one of the high nibbles `kinds`.
    func objects(in bytes: [UInt8], ofKinds kinds: Set<UInt8>) -> [Int] {
        offsets.filter { $0 >= 8 && kinds.contains(bytes[$0] >> 4) }
    }

    /// The count of the object at `offset`, and where its contents begin.
    func contents(in bytes: [UInt8], at offset: Int) -> (start: Int, count: Int)? {
        let low = Int(bytes[offset] & 0x0F)
        guard low == 15 else { return (offset + 1, low) }
        guard bytes.indices.contains(offset + 1), bytes[offset + 1] >> 4 == 1 else { return nil }
        let size = 1 << Int(bytes[offset + 1] & 0x0F)
        guard let count = bytes.number(at: offset + 2, size: size), count < UInt64(bytes.count) else { return nil }
        return (offset + 2 + size, Int(count))
    }

    /// Numbers at the boundaries of what a file of `fileSize` bytes, or a type, can hold.
    static func boundaries(fileSize: Int) -> [UInt64] {
        let size = UInt64(fileSize)
        let large: [UInt64] = [
            1 << 15, 1 << 16, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40, 1 << 60, 1 << 61,
            1 << 62, (1 << 63) - 33, (1 << 63) - 8, (1 << 63) - 1, 1 << 63, .max - 32, .max - 8, .max - 1, .max,
        ]
        let small: [UInt64] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 127, 128, 254, 255, 256]
        let near = [size - 33, size - 32, size - 31, size - 8, size - 1, size, size + 1, size / 2, 2 * size]
        return small + near.filter { $0 < 1 << 62 } + large
    }
}
