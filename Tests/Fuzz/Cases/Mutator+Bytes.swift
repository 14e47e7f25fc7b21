// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Bytes

extension Mutator {
    static let byteMutations: [Mutation] = [
        onBytes("flip a bit") { bytes, generator in
            bytes[generator.below(bytes.count)] ^= 1 << UInt8(generator.below(8))
        },
        onBytes("set a byte") { bytes, generator in
            let interesting: [UInt8] = [0, 1, 7, 8, 9, 0x0F, 0x13, 0x14, 0x1F, 0x7F, 0x80, 0xA1, 0xDF, 0xFE, 0xFF]
            bytes[generator.below(bytes.count)] = generator.pick(interesting)
        },
        onBytes("cut off the end") { bytes, generator in bytes.removeLast(1 + generator.below(bytes.count)) },
        onBytes("cut out the middle") { bytes, generator in
            let start = generator.below(bytes.count)
            bytes.removeSubrange(start..<min(bytes.count, start + 1 + generator.below(16)))
        },
        onBytes("put bytes in") { bytes, generator in
            let new = (0...generator.below(8)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            bytes.insert(contentsOf: new, at: generator.below(bytes.count))
        },
        onBytes("copy a piece") { bytes, generator in
            let length = 1 + generator.below(min(16, bytes.count))
            let (from, to) = (generator.below(bytes.count - length), generator.below(bytes.count - length))
            bytes.replaceSubrange(to..<to + length, with: Array(bytes[from..<from + length]))
        },
        onBytes("change a figure of the trailer") { bytes, generator in
            guard bytes.count > BinaryLayout.trailerSize else { return }
            let (_, offset, size) = generator.pick(BinaryLayout.figures)
            let number = generator.pick(BinaryLayout.boundaries(fileSize: bytes.count))
            bytes.store(number: number, size: size, at: bytes.count - BinaryLayout.trailerSize + offset)
        },
        onLayout("two offsets are the same") { bytes, layout, generator in
            let new = generator.pick(layout.offsets)
            bytes.storeOffset(UInt64(new), of: generator.below(layout.offsets.count), layout)
        },
        onLayout("an offset leads into an object") { bytes, layout, generator in
            let new = generator.pick(layout.offsets) + 1 + generator.below(9)
            bytes.storeOffset(UInt64(new), of: generator.below(layout.offsets.count), layout)
        },
        onLayout("an offset leads out of the file") { bytes, layout, generator in
            let new = generator.pick(BinaryLayout.boundaries(fileSize: bytes.count))
            bytes.storeOffset(new, of: generator.below(layout.offsets.count), layout)
        },
        onLayout("another marker") { bytes, layout, generator in
            let markers: [UInt8] = [
                0x00, 0x08, 0x09, 0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0x22, 0x23, 0x33, 0x40, 0x4F, 0x50, 0x5F, 0x60,
                0x6F, 0x70, 0x80, 0x83, 0x8F, 0xA0, 0xAF, 0xB1, 0xC1, 0xCF, 0xD0, 0xD1, 0xDF, 0xFF,
            ]
            bytes[generator.pick(layout.offsets)] = generator.pick(markers)
        },
        onLayout("another kind with the same count") { bytes, layout, generator in
            let offset = generator.pick(layout.offsets)
            bytes[offset] = generator.pick([0x40, 0x50, 0x60, 0x80, 0xA0, 0xC0, 0xD0]) | bytes[offset] & 0x0F
        },
    ]

    static func onBytes(
        _ name: String, _ body: @escaping @Sendable (inout [UInt8], inout Generator) -> Void
    ) -> Mutation {
        Mutation(name, .bytes) { bytes, generator in
            guard !bytes.isEmpty else { return nil }
            var mutant = bytes
            body(&mutant, &generator)
            return mutant
        }
    }

    static func onLayout(
        _ name: String, _ body: @escaping @Sendable (inout [UInt8], BinaryLayout, inout Generator) -> Void
    ) -> Mutation {
        Mutation(name, .bytes) { bytes, generator in
            guard let layout = BinaryLayout(bytes) else { return nil }
            var mutant = bytes
            body(&mutant, layout, &generator)
            return mutant
        }
    }
}

// MARK: - Counts and references

extension Mutator {
    static let figureMutations: [Mutation] = [
        onLayout("a larger count") { bytes, layout, generator in
            let counted = layout.objects(in: bytes, ofKinds: [4, 5, 6, 0xA, 0xC, 0xD])
            guard !counted.isEmpty else { return }
            let offset = generator.pick(counted)
            if bytes[offset] & 0x0F == 15 {
                let size = 1 << Int(bytes[min(offset + 1, bytes.count - 1)] & 3)
                let number = generator.pick(BinaryLayout.boundaries(fileSize: bytes.count))
                bytes.store(number: number, size: size, at: offset + 2)
            } else {
                bytes[offset] = bytes[offset] & 0xF0 | UInt8(generator.below(16))
            }
        },
        onLayout("a count of eight bytes") { bytes, layout, generator in
            let counted = layout.objects(in: bytes, ofKinds: [4, 5, 6, 0xA, 0xC, 0xD])
            guard !counted.isEmpty else { return }
            // The object moves behind the others, where there is room; the table and the trailer move on.
            let offset = generator.pick(counted)
            let number = generator.pick(BinaryLayout.boundaries(fileSize: bytes.count))
            var object: [UInt8] = [bytes[offset] | 0x0F, 0x13]
            object.append(number: number, size: 8)
            object += bytes[min(offset + 1, layout.table)..<layout.table].prefix(64)
            bytes.insert(contentsOf: object, at: layout.table)
            let trailer = bytes.count - BinaryLayout.trailerSize
            bytes.store(number: UInt64(layout.table + object.count), size: 8, at: trailer + 24)
            guard let index = layout.offsets.firstIndex(of: offset) else { return }
            let entry = layout.table + object.count + index * layout.offsetSize
            bytes.store(number: UInt64(layout.table), size: layout.offsetSize, at: entry)
        },
        onLayout("a reference leads elsewhere") { bytes, layout, generator in
            let containers = layout.objects(in: bytes, ofKinds: [0xA, 0xC, 0xD])
            guard !containers.isEmpty else { return }
            let offset = generator.pick(containers)
            guard let (start, count) = layout.contents(in: bytes, at: offset), count > 0 else { return }
            let references = bytes[offset] >> 4 == 0xD ? 2 * count : count
            let number =
                generator.once(in: 4)
                ? generator.pick(BinaryLayout.boundaries(fileSize: bytes.count))
                : UInt64(generator.below(layout.offsets.count))
            let place = start + generator.below(references) * layout.referenceSize
            bytes.store(number: number, size: layout.referenceSize, at: place)
        },
        onLayout("a container in itself") { bytes, layout, generator in
            let containers = layout.objects(in: bytes, ofKinds: [0xA, 0xC, 0xD])
            guard !containers.isEmpty else { return }
            let offset = generator.pick(containers)
            guard let (start, count) = layout.contents(in: bytes, at: offset), count > 0,
                let own = layout.offsets.firstIndex(of: offset)
            else { return }
            let isDictionary = bytes[offset] >> 4 == 0xD
            let place = start + ((isDictionary ? count : 0) + generator.below(count)) * layout.referenceSize
            bytes.store(number: UInt64(own), size: layout.referenceSize, at: place)
        },
        onLayout("another uid") { bytes, layout, generator in
            let uids = layout.objects(in: bytes, ofKinds: [8])
            guard !uids.isEmpty else { return }
            let offset = generator.pick(uids)
            let size = Int(bytes[offset] & 0x0F) + 1
            let number =
                generator.once(in: 4) ? generator.next() : UInt64(generator.below(layout.offsets.count))
            bytes.store(number: number, size: size, at: offset + 1)
        },
        onLayout("another width") { bytes, layout, generator in
            let numbers = layout.objects(in: bytes, ofKinds: [1, 8])
            guard !numbers.isEmpty else { return }
            let offset = generator.pick(numbers)
            bytes[offset] = bytes[offset] & 0xF0 | UInt8(generator.below(16))
        },
        onLayout("another number") { bytes, layout, generator in
            let numbers = layout.objects(in: bytes, ofKinds: [1, 2, 3])
            guard !numbers.isEmpty else { return }
            let offset = generator.pick(numbers)
            let number =
                generator.once(in: 2)
                ? generator.pick(BinaryLayout.boundaries(fileSize: bytes.count)) : generator.next()
            bytes.store(number: number, size: 1 << Int(bytes[offset] & 3), at: offset + 1)
        },
        onLayout("two objects change places") { bytes, layout, generator in
            let (first, second) = (generator.below(layout.offsets.count), generator.below(layout.offsets.count))
            bytes.storeOffset(UInt64(layout.offsets[first]), of: second, layout)
            bytes.storeOffset(UInt64(layout.offsets[second]), of: first, layout)
        },
    ]
}

extension [UInt8] {
    fileprivate mutating func storeOffset(_ offset: UInt64, of object: Int, _ layout: BinaryLayout) {
        store(number: offset, size: layout.offsetSize, at: layout.table + object * layout.offsetSize)
    }
}
