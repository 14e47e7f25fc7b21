import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A typedstream as readable JSON: groups of values with their types, each object where it is met first.
///
/// It does not recurse: what is to be written next is in a list.
struct TypedStreamJSON {
    private var json: ReadableJSON
    private let stream: TypedStream
    private var isWritten: [Bool]
    private var isShared: [Bool]
    /// Objects that would stand too deep, and have a place of their own.
    private var waiting: [Int] = []
    private var remaining: [Step] = []

    private enum Step {
        case groups([TypedStream.Group], Int)
        case values([TypedStream.Value], Int)
        case value(TypedStream.Value)
        case end
    }

    init(_ stream: TypedStream, _ json: ReadableJSON) {
        self.stream = stream
        self.json = json
        isWritten = Array(repeating: false, count: stream.objects.count)
        isShared = isWritten
    }

    /// Writes the typedstream.
    ///
    /// - Throws: Where the text would grow beyond all bounds.
    mutating func write() throws(ToolError) {
        findShared()
        json.writer.beginObject()
        writeHeader()
        json.writer.key("$groups")
        json.writer.beginArray()
        remaining = [.end, .groups(stream.groups, 0)]
        try writeRemaining()
        if !waiting.isEmpty {
            json.writer.key("$objects")
            json.writer.beginArray()
            var next = 0
            while next < waiting.count {
                writeObject(waiting[next])
                try writeRemaining()
                next += 1
            }
            json.writer.end()
        }
        json.writer.end()
    }

    private mutating func writeHeader() {
        json.writer.key("$typedstream")
        json.writer.beginObject(isInline: true)
        json.writer.key("version")
        json.writer.literal("\(stream.streamerVersion)")
        json.writer.key("byteOrder")
        json.writer.string(stream.byteOrder == .littleEndian ? "little" : "big")
        json.writer.key("system")
        json.writer.literal("\(stream.systemVersion)")
        json.writer.end()
        json.writer.key("$classes")
        json.writer.beginArray()
        for described in stream.classes {
            json.writer.beginObject(isInline: true)
            json.writer.key("name")
            json.writer.string(described.name)
            json.writer.key("version")
            json.writer.literal("\(described.version)")
            json.writer.key("superclass")
            if let index = described.superclassIndex, stream.classes.indices.contains(index) {
                json.writer.string(stream.classes[index].name)
            } else {
                json.writer.literal("null")
            }
            json.writer.end()
        }
        json.writer.end()
    }

    private mutating func findShared() {
        var isMet = isWritten
        func visit(_ value: TypedStream.Value, _ isShared: inout [Bool]) {
            switch value {
            case .object(let index?) where stream.objects.indices.contains(index):
                if isMet[index] { isShared[index] = true }
                isMet[index] = true
            // As deep as their types, which have few levels.
            case .array(let values), .structure(let values): for value in values { visit(value, &isShared) }
            default: break
            }
        }
        for group in stream.groups { for value in group.values { visit(value, &isShared) } }
        for object in stream.objects {
            for group in object.groups { for value in group.values { visit(value, &isShared) } }
        }
    }

    // MARK: - Steps

    private mutating func writeRemaining() throws(ToolError) {
        while let step = remaining.popLast() {
            switch step {
            case .end: json.writer.end()
            case .groups(let groups, let position) where position < groups.count:
                remaining.append(.groups(groups, position + 1))
                writeGroup(groups[position])
            case .values(let values, let position) where position < values.count:
                remaining += [.values(values, position + 1), .value(values[position])]
            case .groups, .values: break
            case .value(let value):
                try json.checkSize()
                write(value)
            }
        }
    }

    private mutating func writeGroup(_ group: TypedStream.Group) {
        json.writer.beginObject(
            isInline: group.values.count <= Self.inlineLimit && group.values.allSatisfy(Self.isNumber))
        json.writer.key("types")
        json.writer.string(group.types.map(\.description).joined())
        json.writer.key("values")
        json.writer.beginArray()
        remaining += [.end, .end, .values(group.values, 0)]
    }

    /// Numbers of a group that stand on one line.
    private static let inlineLimit = 16

    private static func isNumber(_ value: TypedStream.Value) -> Bool {
        switch value {
        case .integer, .unsigned, .float, .double: true
        default: false
        }
    }

    private mutating func writeObject(_ index: Int) {
        let object = stream.objects[index]
        isWritten[index] = true
        json.writer.beginObject()
        if isShared[index] {
            json.writer.key("$id")
            json.writer.literal("\(index)")
        }
        json.writer.key("$class")
        json.writer.string(stream.classes.indices.contains(object.classIndex) ? stream.className(of: object) : "")
        json.writer.key("$groups")
        json.writer.beginArray()
        remaining += [.end, .end, .groups(object.groups, 0)]
    }

    private mutating func write(_ value: TypedStream.Value) {
        switch value {
        case .integer(let value): json.writer.literal("\(value)")
        case .unsigned(let value): json.writer.literal("\(value)")
        case .float(let value): json.write(.real32(value))
        case .double(let value): json.write(.real(value))
        case .cString(nil), .name(nil), .bytes(nil), .class(nil), .object(nil), .ignored: json.writer.literal("null")
        case .cString(let index?):
            if stream.cStrings.indices.contains(index) { writeBytes(stream.cStrings[index]) } else { writeMissing() }
        case .name(let bytes?), .bytes(let bytes?): writeBytes(bytes)
        case .class(let index?):
            guard stream.classes.indices.contains(index) else { return writeMissing() }
            json.writer.tagged("$describedClass", stream.classes[index].name)
        case .object(let index?):
            guard stream.objects.indices.contains(index) else { return writeMissing() }
            if !isWritten[index], json.writer.depth < ReadableJSON.depthLimit { return writeObject(index) }
            if !isWritten[index] {
                isWritten[index] = true
                isShared[index] = true
                waiting.append(index)
            }
            json.writer.tagged("$ref", literal: "\(index)")
        case .array(let values), .structure(let values):
            json.writer.beginArray()
            remaining += [.end, .values(values, 0)]
        }
    }

    private mutating func writeMissing() { json.writer.tagged("$damaged", "what is referred to is missing") }

    /// Writes bytes as text, where they are nothing else.
    private mutating func writeBytes(_ bytes: [UInt8]) {
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        if isText, let text = String(validating: bytes, as: UTF8.self) {
            json.writer.string(text)
        } else {
            json.write(.data(Data(bytes)))
        }
    }
}
