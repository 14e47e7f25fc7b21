// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - ArchiveDecoder

extension EntryPoints {
    static let decoders = [
        decoding("decoder, specimen", Specimen.self),
        decoding("decoder, scalars", Scalars.self),
        decoding("decoder, leaves", Leaves.self),
        decoding("decoder, almanac", Almanac.self),
        decoding("decoder, collections", Collections.self),
        decoding("decoder, figures", [Figure].self),
        decoding("decoder, ledger", Ledger.self),
        decoding("decoder, ancestors", [Ancestor].self),
        decoding("decoder, integers", [Int].self),
        decoding("decoder, text", String.self),
        decoding("decoder, values by name", [String: Leaves].self),
        decoding("decoder, optionals", [Corner?].self),
        decoding("decoder, property lists by name", [String: PropertyList].self),
        EntryPoint("decoder, property list") { data in
            let list = try ArchiveDecoder().decode(PropertyList.self, from: data)
            let again = try ArchiveDecoder().decode(PropertyList.self, from: ArchiveEncoder().encode(list))
            guard again == list else {
                throw Violation("A property list is another one when it is encoded again")
            }
            return 1
        },
        EntryPoint("decoder, property list with a checksum") { data in
            var (encoder, decoder) = (ArchiveEncoder(), ArchiveDecoder())
            encoder.checksum = .crc64
            decoder.checksum = .required
            let list = (try? decoder.decode(PropertyList.self, from: data))
            let known = try list ?? ArchiveDecoder().decode(PropertyList.self, from: data)
            var written = try encoder.encode(known)
            guard try decoder.decode(PropertyList.self, from: written) == known else {
                throw Violation("A property list is another one when it is encoded with a checksum")
            }
            written[written.startIndex + written.count / 2] ^= 1
            guard (try? decoder.decode(PropertyList.self, from: written)) == nil else {
                throw Violation("A flipped bit is no error")
            }
            return list == nil ? 0 : 1
        },
        EntryPoint("decoder, values of the archive") { data in
            let values = try ArchiveDecoder().decode([String: KeyedArchive.Value].self, from: data)
            let again = try ArchiveDecoder().decode(
                [String: KeyedArchive.Value].self, from: ArchiveEncoder().encode(values))
            for (key, value) in values {
                // Nil in a dictionary is an NSNull.
                guard let other = again[key], other.count == value.count,
                    other.kind == value.kind || value.isNull && other.className == "NSNull"
                else {
                    throw Violation("The value of \(key) is another one when it is encoded again")
                }
            }
            return UInt64(values.count)
        },
        EntryPoint("decoder, text with attributes") { data in
            try again(ArchiveDecoder().decode(AttributedText.self, from: data))
        },
        decoding("decoder, font", AttributedText.Font.self),
        decoding("decoder, color", AttributedText.Color.self),
        decoding("decoder, paragraph style", AttributedText.ParagraphStyle.self),
    ]

    /// A number for a text, which has to be the same after it is written and read.
    private static func again(_ text: AttributedText) throws -> UInt64 {
        var digest = Digest()
        digest.combine(text.string)
        digest.combine(
            text.parts(with: "NSFont", as: AttributedText.Font.self).count
                + text.parts(with: "NSColor", as: AttributedText.Color.self).count
                + text.parts(with: "NSParagraphStyle", as: AttributedText.ParagraphStyle.self).count + text.links.count)
        // An unknown object that cannot be copied is an error of the encoder.
        guard let written = try? ArchiveEncoder().encode(text) else { return digest.value }
        guard let read = try? ArchiveDecoder().decode(AttributedText.self, from: written) else { return digest.value }
        guard read.string == text.string,
            read.parts(with: "NSFont", as: AttributedText.Font.self).map(\.value)
                == text.parts(with: "NSFont", as: AttributedText.Font.self).map(\.value),
            read.parts(with: "NSColor", as: AttributedText.Color.self).map(\.value)
                == text.parts(with: "NSColor", as: AttributedText.Color.self).map(\.value)
        else { throw Violation("A text that was written reads as another one") }
        return digest.value
    }

    static let graphs = [
        decoding("decoder, graph", Graph.self),
        decoding("decoder, node", Node.self),
        decoding("decoder, nodes", [Node?].self),
        decoding("decoder, thing", Polymorphic<any Thing>.self),
        decoding("decoder, folder in Codable", Coded<Folder>.self),
        decoding("decoder, graph by other names", Graph.self, Registries.renamed),
        decoding("decoder, node by other names", Node.self, Registries.renamed),
        decoding("decoder, node without names", Node.self, ClassRegistry()),
        EntryPoint("decoder, graph with small limits") { data in
            var decoder = ArchiveDecoder()
            decoder.classes = Registries.standard
            decoder.limits.nesting = 10
            decoder.limits.objects = 40
            decoder.limits.work = 200
            return try signature(decoder.decode(Graph.self, from: data))
        },
    ]

    /// Decodes a type, with the names that `classes` has.
    private static func decoding<Value: Codable & SendableMetatype>(
        _ name: String, _ type: Value.Type, _ classes: ClassRegistry = Registries.standard
    ) -> EntryPoint {
        EntryPoint(name) { data in
            var decoder = ArchiveDecoder()
            decoder.classes = classes
            return try signature(decoder.decode(type, from: data))
        }
    }

    /// A number for a value; the same for equal values where something cheap can be said.
    static func signature<Value>(_ value: Value) -> UInt64 {
        switch value {
        case let value as Specimen: UInt64(truncatingIfNeeded: value.collections.numbers.count)
        case let value as Graph: value.root.map { signature(ofNodes: $0) } ?? 0
        case let value as Node: signature(ofNodes: value)
        default: 1
        }
    }

    /// A number for all nodes that `root` reaches, and their references.
    static func signature(ofNodes root: Node) -> UInt64 {
        var digest = Digest()
        var numbers = [ObjectIdentifier(root): 0]
        var nodes = [root]
        var position = 0
        while position < nodes.count, position < 1000 {
            let node = nodes[position]
            position += 1
            digest.combine(node.name)
            digest.combine(node.number ?? -1)
            digest.combine(node is Branch ? 1 : 0)
            digest.combine(node.owner == nil ? 0 : 1)
            for held in node.held {
                let number = numbers[ObjectIdentifier(held), default: nodes.count]
                if number == nodes.count {
                    numbers[ObjectIdentifier(held)] = number
                    nodes.append(held)
                }
                digest.combine(number)
            }
        }
        return digest.value
    }
}
