// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Writes a typedstream as Apple's writer does: each integer in the fewest bytes, and each repeated object, class or string as a
/// reference.
///
/// Nested objects are on a separate stack, so that chains of any length can be written.
struct TypedStreamWriter {
    /// An open object, with one entry for each object of a chain, or an open list of values.
    private struct Frame {
        /// The position of the object; -1 for the top-level groups, and -2 for the values of the last of `lists`.
        let object: Int
        var group = 0
        /// The next value of the group; -1 before the group begins.
        var value = -1

        static var top: Frame { Frame(object: -1) }
        static var list: Frame { Frame(object: -2, value: 0) }
        var isList: Bool { object == -2 }
    }

    private struct List {
        let types: [TypeEncoding]
        let values: [TypedStream.Value]
    }

    private let stream: TypedStream
    private var output: [UInt8] = []
    private var frames: [Frame] = []
    private var lists: [List] = []
    private var stringNumbers: [[UInt8]: Int] = [:]
    /// The numbers of strings and types by their place in memory, so that a long one is inspected only once. The contents stay in
    /// memory while they are written, so no place is reused.
    private var placeNumbers: [MemoryPlace: Int] = [:]
    /// The numbers of the written objects by position; -1 for an object that has not been written.
    private var objectNumbers: [Int]
    private var classNumbers: [Int?]
    private var classDepths: [Int]
    private var cStringNumbers: [Int?]
    private var cStringPlaces: Set<MemoryPlace?> = []
    private var sharedCount = 0

    init(_ stream: TypedStream) {
        self.stream = stream
        objectNumbers = Array(repeating: -1, count: stream.objects.count)
        classNumbers = Array(repeating: nil, count: stream.classes.count)
        classDepths = Array(repeating: 0, count: stream.classes.count)
        cStringNumbers = Array(repeating: nil, count: stream.cStrings.count)
    }

    mutating func bytes() throws(TypedStreamError) -> [UInt8] {
        guard TypedStreamHeader.versions.contains(stream.streamerVersion) else {
            throw TypedStreamError(
                .unknownVersion, "A typedstream of version \(stream.streamerVersion) cannot be written; 3 and 4 can")
        }
        output.append(UInt8(stream.streamerVersion))
        let signature = TypedStreamHeader.signature(stream.byteOrder).utf8
        output.append(UInt8(signature.count))
        output.append(contentsOf: signature)
        integer(Int64(stream.systemVersion))
        frames.append(.top)
        while !frames.isEmpty { try step() }
        return output
    }

    private mutating func step() throws(TypedStreamError) {
        let top = frames.count - 1
        let frame = frames[top]
        guard !frame.isList else {
            let list = lists[lists.count - 1]
            guard frame.value < list.values.count else {
                frames.removeLast()
                lists.removeLast()
                return
            }
            frames[top].value += 1
            return try value(list.values[frame.value], list.types[list.types.count == 1 ? 0 : frame.value])
        }
        let groups = frame.object < 0 ? stream.groups : stream.objects[frame.object].groups
        guard frame.group < groups.count else {
            if frame.object >= 0 { tag(TypedStreamTag.end) }
            frames.removeLast()
            return
        }
        let group = groups[frame.group]
        if frame.value < 0 { try begin(group) }
        let next = max(frame.value, 0)
        guard next < group.values.count else {
            frames[top].group += 1
            frames[top].value = -1
            return
        }
        frames[top].value = next + 1
        try value(group.values[next], group.types[next])
    }

    private mutating func begin(_ group: TypedStream.Group) throws(TypedStreamError) {
        try checkCount(group.values.count, group.types.count, of: "a group")
        let place = MemoryPlace(of: group.types)
        if place.map({ placeNumbers[$0] == nil }) ?? false { try checkTypes(group.types) }
        sharedString(at: place) { Array(TypeEncoding.text(of: group.types).utf8) }
    }

    private mutating func begin(_ values: [TypedStream.Value], of types: [TypeEncoding]) {
        lists.append(List(types: types, values: values))
        frames.append(.list)
    }

    /// Checks that readers would accept `types`. Those that a program created can be nested too deep or have invalid names.
    private func checkTypes(_ types: [TypeEncoding]) throws(TypedStreamError) {
        let text = TypeEncoding.text(of: types)
        guard try TypeEncoding.list(text) == types else {
            throw TypedStreamError(.badType, "The types \"\(text.prefix(60))\" would be read as others")
        }
    }

    private func checkCount(_ count: Int, _ wanted: Int, of what: String) throws(TypedStreamError) {
        guard count == wanted else {
            throw TypedStreamError(.badCount, "\(count) values in \(what) of \(wanted)")
        }
    }
}

// MARK: - Values

extension TypedStreamWriter {
    private mutating func value(_ value: TypedStream.Value, _ type: TypeEncoding) throws(TypedStreamError) {
        switch (type.kind, value) {
        case (.character, .integer(let value)) where type.holds(value):
            output.append(UInt8(truncatingIfNeeded: value))
        case (.short, .integer(let value)), (.int, .integer(let value)), (.long, .integer(let value)),
            (.longLong, .integer(let value)):
            guard type.holds(value) else { throw unfitting(.integer(value), type) }
            integer(value)
        case (.unsignedCharacter, .unsigned(let value)) where value <= UInt8.max,
            (.bool, .unsigned(let value)) where value <= UInt8.max:
            output.append(UInt8(value))
        case (.unsignedShort, .unsigned(let value)), (.unsignedInt, .unsigned(let value)),
            (.unsignedLong, .unsigned(let value)), (.unsignedLongLong, .unsigned(let value)):
            guard let stored = type.stored(fromUnsigned: value) else { throw unfitting(.unsigned(value), type) }
            integer(stored)
        case (.float, .float(let value)): real(Double(value), UInt64(value.bitPattern), size: 4)
        case (.double, .double(let value)): real(value, value.bitPattern, size: 8)
        case (.cString, .cString(let index)): try cString(index)
        case (.atom, .name(nil)), (.selector, .name(nil)): tag(TypedStreamTag.null)
        case (.atom, .name(let name?)), (.selector, .name(let name?)):
            sharedString(at: MemoryPlace(of: name)) { name }
        case (.bytes, .bytes(nil)): tag(TypedStreamTag.null)
        case (.bytes, .bytes(let bytes?)):
            integer(Int64(bytes.count))
            output.append(contentsOf: bytes)
        case (.class, .class(let index)): try writeClass(index)
        case (.object, .object(let index)): try object(index)
        case (.ignored, .ignored): break
        case (.array(let count, .character), .bytes(let bytes?)),
            (.array(let count, .unsignedCharacter), .bytes(let bytes?)):
            try checkCount(bytes.count, count, of: "an array")
            output.append(contentsOf: bytes)
        case (.array(_, .character), _), (.array(_, .unsignedCharacter), _): throw unfitting(value, type)
        case (.array(let count, let element), .array(let values)):
            try checkCount(values.count, count, of: "an array")
            begin(values, of: [element])
        case (.structure(_, let fields), .structure(let values)):
            try checkCount(values.count, fields.count, of: "a struct")
            begin(values, of: fields)
        default: throw unfitting(value, type)
        }
    }

    private func unfitting(_ value: TypedStream.Value, _ type: TypeEncoding) -> TypedStreamError {
        TypedStreamError(.badValue, "The value \(value) does not match the type \"\(type)\"")
    }

    private mutating func cString(_ index: Int?) throws(TypedStreamError) {
        guard let index else { return tag(TypedStreamTag.null) }
        guard stream.cStrings.indices.contains(index) else { throw missing("C string", index, stream.cStrings.count) }
        if let number = cStringNumbers[index] { return reference(number) }
        let bytes = stream.cStrings[index]
        let place = MemoryPlace(of: bytes)
        if cStringPlaces.insert(place).inserted, bytes.contains(0) {
            throw TypedStreamError(.badValue, "A C string with a zero byte inside, which would end it")
        }
        cStringNumbers[index] = beginShared()
        sharedString(at: place) { bytes }
    }

    private mutating func object(_ index: Int?) throws(TypedStreamError) {
        guard let index else { return tag(TypedStreamTag.null) }
        guard stream.objects.indices.contains(index) else { throw missing("object", index, stream.objects.count) }
        if objectNumbers[index] >= 0 { return reference(objectNumbers[index]) }
        objectNumbers[index] = beginShared()
        try writeClass(stream.objects[index].classIndex)
        frames.append(Frame(object: index))
    }

    private mutating func writeClass(_ index: Int?) throws(TypedStreamError) {
        var next = index
        var written: [Int] = []
        let firstNumber = sharedCount
        while let index = next {
            guard stream.classes.indices.contains(index) else { throw missing("class", index, stream.classes.count) }
            if let number = classNumbers[index] {
                guard number < firstNumber else {
                    throw TypedStreamError(.badClass, "The class \(stream.classes[index].name) is its own superclass")
                }
                reference(number)
                return try countClasses(written, above: index)
            }
            classNumbers[index] = beginShared()
            written.append(index)
            let entry = stream.classes[index]
            sharedString(at: MemoryPlace(of: entry.name)) { Array(entry.name.utf8) }
            integer(Int64(entry.version))
            next = entry.superclassIndex
        }
        tag(TypedStreamTag.null)
        try countClasses(written, above: nil)
    }

    /// Determines the number of superclasses of each of the `written` classes. The superclass of the last one is `above`.
    private mutating func countClasses(_ written: [Int], above: Int?) throws(TypedStreamError) {
        var depth = above.map { classDepths[$0] + 1 } ?? 0
        for index in written.reversed() {
            classDepths[index] = depth
            depth += 1
        }
        guard depth <= TypedStreamHeader.classChainLimit else {
            throw TypedStreamError(
                .badClass, "A class with more than \(TypedStreamHeader.classChainLimit) superclasses")
        }
    }

    private func missing(_ what: String, _ index: Int, _ count: Int) -> TypedStreamError {
        TypedStreamError(
            .badReference, "A value refers to the \(what) at the position \(index), but there are only \(count)")
    }
}

// MARK: - References

extension TypedStreamWriter {
    private mutating func beginShared() -> Int {
        tag(TypedStreamTag.new)
        sharedCount += 1
        return sharedCount - 1
    }

    private mutating func reference(_ number: Int) {
        integer(Int64(number + TypedStreamTag.firstReference))
    }

    private mutating func sharedString(at place: MemoryPlace?, _ make: () -> [UInt8]) {
        if let place, let number = placeNumbers[place] { return reference(number) }
        let bytes = make()
        let known = stringNumbers[bytes]
        let number = known ?? stringNumbers.count
        if let place { placeNumbers[place] = number }
        guard known == nil else { return reference(number) }
        stringNumbers[bytes] = number
        tag(TypedStreamTag.new)
        integer(Int64(bytes.count))
        output.append(contentsOf: bytes)
    }
}

// MARK: - Bytes

extension TypedStreamWriter {
    private mutating func tag(_ tag: Int8) { output.append(UInt8(bitPattern: tag)) }

    private mutating func integer(_ value: Int64) {
        if TypedStreamTag.small.contains(value) {
            output.append(UInt8(truncatingIfNeeded: value))
        } else if Int16(exactly: value) != nil {
            tag(TypedStreamTag.short)
            number(UInt64(bitPattern: value), size: 2)
        } else if Int32(exactly: value) != nil {
            tag(TypedStreamTag.int)
            number(UInt64(bitPattern: value), size: 4)
        } else {
            tag(TypedStreamTag.longLong)
            number(UInt64(bitPattern: value), size: 8)
        }
    }

    /// A number without a fraction is written as an integer, except -0, which would lose its sign.
    private mutating func real(_ value: Double, _ bits: UInt64, size: Int) {
        if let integer = Int32(exactly: value), !(integer == 0 && value.sign == .minus) {
            return self.integer(Int64(integer))
        }
        tag(TypedStreamTag.real)
        number(bits, size: size)
    }

    private mutating func number(_ bits: UInt64, size: Int) {
        for index in 0..<size {
            let shift = 8 * (stream.byteOrder == .littleEndian ? index : size - 1 - index)
            output.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
    }
}
