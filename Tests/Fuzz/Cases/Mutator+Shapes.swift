// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Shapes that cost more than they weigh

extension Mutator {
    static let shapeMutations: [Mutation] = [
        onTree("arrays that are shared", .archive) { list, generator in
            let (levels, width) = (generator.once(in: 8) ? 30 : 2 + generator.below(4), 2 + generator.below(9))
            list.addChain(levels: levels, class: "NSArray", using: &generator) { inner in
                ["NS.objects": .array(Array(repeating: inner, count: width))]
            }
        },
        onTree("sets that are shared", .archive) { list, generator in
            let levels = generator.once(in: 8) ? 30 : 2 + generator.below(4)
            list.addChain(levels: levels, class: "NSSet", using: &generator) { inner in
                ["NS.objects": [inner, inner]]
            }
        },
        onTree("dictionaries that are shared", .archive) { list, generator in
            let levels = generator.once(in: 8) ? 30 : 2 + generator.below(4)
            list.addChain(levels: levels, class: "NSDictionary", using: &generator) { inner in
                ["NS.keys": [.uid(1), .uid(2)], "NS.objects": [inner, inner]]
            }
        },
        onTree("a long chain", .archive) { list, generator in
            let levels = generator.pick([20, 100, 300])
            let key = generator.pick(["NS.objects", "children", "next", "partner", "folders", "content", "object"])
            guard let archive = ArchiveTree(list) else { return }
            let names = archive.classNames + ["NSArray"]
            list.addChain(levels: levels, class: generator.pick(names), using: &generator) { inner in
                ["name": inner, key: key.hasPrefix("NS") ? [inner] : inner]
            }
        },
        onTree("values that are shared within an object", .archive) { list, generator in
            let levels = generator.once(in: 8) ? 12 : 1 + generator.below(4)
            guard var archive = ArchiveTree(list) else { return }
            var value: PropertyList = generator.pick(values)
            for _ in 0..<levels { value = [value, value] }
            archive.changeOneValue(using: &generator) { place, _ in place = value }
            list = archive.list
        },
        Mutation("a shared container of the file", .bytes) { bytes, generator in
            sharedContainers(
                bytes, levels: generator.once(in: 20) ? 60 : 2 + generator.below(4), width: 2 + generator.below(3),
                &generator)
        },
    ]

    /// Puts containers behind the objects of a file, each of which refers to the one before it several times.
    private static func sharedContainers(
        _ bytes: [UInt8], levels: Int, width: Int, _ generator: inout Generator
    ) -> [UInt8]? {
        guard let layout = BinaryLayout(bytes), layout.offsets.count + levels < 250, layout.referenceSize == 1 else {
            return nil
        }
        var result = Array(bytes[..<layout.table])
        var offsets = layout.offsets
        var inner = generator.below(offsets.count)
        let isDictionary = generator.once(in: 3)
        let key = layout.objects(in: bytes, ofKinds: [5]).first.flatMap { offsets.firstIndex(of: $0) }
        for _ in 0..<levels {
            offsets.append(result.count)
            if isDictionary, let key {
                result += [0xD0 | UInt8(width)] + Array(repeating: UInt8(key), count: width)
            } else {
                result.append(0xA0 | UInt8(width))
            }
            result += Array(repeating: UInt8(inner), count: width)
            inner = offsets.count - 1
        }
        let replaced = generator.below(layout.offsets.count)
        offsets[replaced] = offsets[inner]
        let table = result.count
        for offset in offsets { result.append(number: UInt64(offset), size: 2) }
        let top = bytes.number(at: bytes.count - 16, size: 8) ?? 0
        result += [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [UInt64(offsets.count), top, UInt64(table)] { result.append(number: number, size: 8) }
        return result
    }
}

extension PropertyList {
    /// Adds objects to an archive, each of which refers to the one before, and lets something refer to the last.
    fileprivate mutating func addChain(
        levels: Int, class name: String, using generator: inout Generator, _ fields: (PropertyList) -> Dictionary
    ) {
        guard var archive = ArchiveTree(self) else { return }
        let known = archive.objects.firstIndex { $0["$classname"].map { $0 == .string(name) } ?? false }
        if known == nil {
            archive.objects.append(["$classname": .string(name), "$classes": [.string(name), "NSObject"]])
        }
        let classUID = UInt32(known ?? archive.objects.count - 1)
        var inner = PropertyList.uid(UInt32(generator.below(archive.objects.count)))
        for _ in 0..<levels {
            var fields = fields(inner)
            fields["$class"] = .uid(classUID)
            archive.objects.append(.dictionary(fields))
            inner = .uid(UInt32(archive.objects.count - 1))
        }
        if generator.once(in: 2) {
            archive.top.set("root", inner)
        } else {
            archive.changeOneUID(using: &generator) { uid in
                if case .uid(let last) = inner { uid = last }
            }
        }
        self = archive.list
    }
}
