// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - The file

extension EntryPoints {
    static let typedStreams = [
        EntryPoint("typedstream, again") { data in
            let stream = try TypedStream(data)
            let written = try writtenAgain(stream)
            guard try TypedStream(written).data() == written else {
                throw Violation("A typedstream that was written is written otherwise after it was read")
            }
            return UInt64(written.count)
        },
        EntryPoint("typedstream, in the other byte order") { data in
            var stream = try TypedStream(data)
            stream.byteOrder = stream.byteOrder == .littleEndian ? .bigEndian : .littleEndian
            return UInt64(try writtenAgain(stream).count)
        },
        EntryPoint("typedstream, description") { data in
            let stream = try TypedStream(data)
            var digest = Digest()
            digest.combine("\(stream)")
            for group in stream.groups.prefix(20) { digest.combine("\(group.types) \(group.values)") }
            return digest.value
        },
        EntryPoint("typedstream, all values", everyValue),
        EntryPoint("type encodings") { data in
            let types = try TypeEncoding.list(String(decoding: data.dropFirst(13), as: UTF8.self))
            let text = types.reduce(into: "") { $0 += $1.description }
            guard try TypeEncoding.list(text) == types else { throw Violation("Types that were written are others") }
            return UInt64(types.count)
        },
    ]

    /// The bytes of `stream`, which has to be the same after they are read.
    private static func writtenAgain(_ stream: TypedStream) throws -> Data {
        let written: Data
        do {
            written = try stream.data()
        } catch {
            throw Violation("A typedstream that was read cannot be written: \(error)")
        }
        guard try TypedStream(written) == stream else {
            throw Violation("A typedstream that was written reads as another one")
        }
        return written
    }

    /// Looks at all values, and at what they refer to.
    private static func everyValue(_ data: Data) throws -> UInt64 {
        let stream = try TypedStream(data)
        guard TypedStream.isTypedStream(data) else { throw Violation("It is no typedstream, and read as one") }
        var digest = Digest()
        for object in stream.objects {
            digest.combine(stream.className(of: object))
            digest.combine(stream.classChain(of: object).count)
        }
        var values: [(TypeEncoding, TypedStream.Value)] = []
        for group in stream.groups + stream.objects.flatMap(\.groups) {
            guard group.types.count == group.values.count, let offset = group.byteOffset, offset < data.count else {
                throw Violation("A group has \(group.types.count) types and \(group.values.count) values")
            }
            values += zip(group.types, group.values)
        }
        while let (type, value) = values.popLast() {
            switch (type.kind, value) {
            case (.object, .object(let index)): try check(index, stream.objects.count)
            case (.class, .class(let index)): try check(index, stream.classes.count)
            case (.cString, .cString(let index)): try check(index, stream.cStrings.count)
            case (.array(let count, let type), .array(let elements)):
                guard elements.count == count else { throw Violation("\(elements.count) elements, and not \(count)") }
                values += elements.map { (type, $0) }
            case (.array(let count, _), .bytes(let bytes)):
                guard bytes?.count == count else { throw Violation("\(bytes?.count ?? 0) bytes, and not \(count)") }
            case (.structure(_, let types), .structure(let fields)):
                guard types.count == fields.count else { throw Violation("\(fields.count) fields, not \(types.count)") }
                values += zip(types, fields)
            case (_, .array), (_, .structure), (_, .object), (_, .class), (_, .cString):
                throw Violation("The value \(value) has the type \(type)")
            default:
                digest.combine(value.integer ?? 0)
                digest.combine(value.real)
                digest.combine(value.bytes ?? [])
            }
        }
        return digest.value
    }

    private static func check(_ index: Int?, _ count: Int) throws {
        guard let index, index < 0 || index >= count else { return }
        throw Violation("A value refers to the position \(index), and there are \(count)")
    }
}

// MARK: - Unarchiving

extension EntryPoints {
    static let sequential: [EntryPoint] =
        [
            root("part", Part.self), root("pane", Pane.self), root("bead", Bead.self), root("drawer", Drawer.self),
            root("chest", Chest.self), root("parts", [Part].self), root("part or nil", Part?.self),
            root("numbers by name", [String: [Int]].self), root("rows", [[Double?]].self),
            root("set", Set<String>.self), root("texts", [String?].self), root("data by date", [Date: Data].self),
            root("URLs", [URL].self), root("any value", TypedStream.TypedValue.self),
            EntryPoint("sequential, attributed text") { data in
                let text = try AttributedText(data)
                var digest = Digest()
                digest.combine(SequentialDigest.of([text]) ?? 0)
                digest.combine(text.mentions.count + text.links.count + text.attachments.count)
                for run in text.runs { digest.combine(text.string[run.range].utf8.count) }
                digest.combine(text.parts(with: "part", as: Int.self).count)
                return digest.value
            },
        ] + sequentialObjects

    private static func root<Root: SequentialValue>(_ name: String, _ type: Root.Type) -> EntryPoint {
        EntryPoint("sequential, \(name)") { data in
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
            unarchiver.classes = Registries.sequential(.fail)
            let value = try unarchiver.decode(type)
            return SequentialDigest.of([value, unarchiver.isAtEnd]) ?? 0
        }
    }

    private static let sequentialObjects = [
        EntryPoint("sequential, whatever is there") { data in try all(data, .placeholder) },
        EntryPoint("sequential, unknown left out") { data in try all(data, .skip) },
        EntryPoint("sequential, unknown refused") { data in try all(data, .fail) },
        EntryPoint("sequential, unknown as requested") { data in
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
            unarchiver.classes = Registries.sequential(.decodeAsRequested)
            return SequentialDigest.of([try unarchiver.decode([Part].self)]) ?? 0
        },
        EntryPoint("sequential, by other names") { data in
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
            unarchiver.classes.register(Part.self, name: "NewPart")
            unarchiver.decodeClassName("Part", asClassName: "NewPart")
            unarchiver.decodeClassName("UnknownWheel", asClassName: "Wheel")
            unarchiver.decodeClassName("NSArray", asClassName: "NSSet")
            return SequentialDigest.of([try unarchiver.decode(Wheel.self)]) ?? 0
        },
        EntryPoint("sequential, every group as everything", everything),
        EntryPoint("sequential, with small limits") { data in
            var limits = DecodingLimits()
            (limits.nesting, limits.objects, limits.work) = (3, 50, 60)
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data, limits: limits)
            unarchiver.classes = Registries.sequential(.placeholder)
            var things: [Any?] = []
            while !unarchiver.isAtEnd { things.append(try unarchiver.decodeObject()) }
            return SequentialDigest.of(things) ?? 0
        },
        EntryPoint("sequential, unknown objects again") { data in
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
            unarchiver.classes = ClassRegistry()
            unarchiver.classes.unknownClasses = .placeholder
            let object = try unarchiver.decode(UnknownSequentialObject.self)
            let written = try SequentialArchiver.archivedData(withRootObject: object)
            let again = try SequentialUnarchiver.unarchivedObject(of: UnknownSequentialObject.self, from: written)
            if let difference = StreamComparison.difference(of: object, again) {
                throw Violation("An unknown object is another one when written again: \(difference)")
            }
            return UInt64(written.count)
        },
    ]

    /// All objects at the top, as whatever they are.
    private static func all(_ data: Data, _ policy: ClassRegistry.UnknownClassPolicy) throws -> UInt64 {
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        unarchiver.classes = Registries.sequential(policy)
        var things: [Any?] = []
        while !unarchiver.isAtEnd { things.append(try unarchiver.decodeObject()) }
        return SequentialDigest.of(things) ?? 0
    }

    /// Requests every top-level group as values of all types, and continues after errors.
    private static func everything(_ data: Data) throws -> UInt64 {
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        unarchiver.classes = Registries.sequential(.placeholder)
        var digest = Digest()
        var things: [Any?] = []
        for _ in 0..<40 where !unarchiver.isAtEnd {
            digest.combine("\(unarchiver.nextTypes ?? [])")
            if let value = try? unarchiver.decode(Int.self) {
                digest.combine(value)
            } else if let value = try? unarchiver.decode(Bool.self) {
                digest.combine(value ? 1 : 0)
            } else if let value = try? unarchiver.decode(Double.self) {
                digest.combine(value)
            } else if let value = try? unarchiver.decode(Float.self) {
                digest.combine(Double(value))
            } else if let value = try? unarchiver.decode(String?.self) {
                digest.combine(value)
            } else if let value = try? unarchiver.decode(Data.self) {
                digest.combine(value)
            } else if let value = try? unarchiver.decodeBytes() {
                digest.combine(value)
            } else if let value = try? unarchiver.decodeClassName() {
                digest.combine(value)
            } else if let value = try? unarchiver.decodeArray(of: Int.self) {
                digest.combine(value.count)
            } else if let value = try? unarchiver.decodeArray(of: Speck.self) {
                digest.combine(value.count)
            } else if let value = try? unarchiver.decodeValues("iI", as: Int.self, Int.self) {
                digest.combine(value.0 ^ value.1)
            } else if let value = try? unarchiver.decodeValues(
                "iI@*", as: Int.self, Int.self, String?.self, String?.self)
            {
                digest.combine(value.2 ?? "")
            } else if let value = try? unarchiver.decode(Part.self) {
                things.append(value)
            } else if let value = try? unarchiver.decode([Bead?].self) {
                things.append(value)
            } else if let value = try? unarchiver.decode(AttributedText.self) {
                things.append(value)
            } else if let value = try? unarchiver.decodeObject() {
                things.append(value)
            } else {
                things.append(try unarchiver.decode(TypedStream.TypedValue.self))
            }
        }
        digest.combine(SequentialDigest.of(things) ?? 0)
        return digest.value
    }
}

extension Registries {
    /// The classes of sequential archives, with a policy for unknown classes.
    static func sequential(_ policy: ClassRegistry.UnknownClassPolicy) -> ClassRegistry {
        var classes = ClassRegistry()
        classes.register(Part.self, aliases: ["Piece"])
        classes.register(Wheel.self)
        classes.register(Pane.self)
        classes.register(Bead.self)
        classes.register(Drawer.self)
        classes.register(Chest.self)
        classes.register(Shade.self)
        classes.unknownClasses = policy
        return classes
    }
}
