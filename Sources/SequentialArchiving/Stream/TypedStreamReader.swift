// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

enum TypedStreamHeader {
    static let versions = 3...4

    /// The maximum number of superclasses of a class. It is low because readers visit all classes of each object.
    static let classChainLimit = 1000

    /// The name of the format. The byte order determines the order of its two halves.
    static func signature(_ byteOrder: TypedStream.ByteOrder) -> String {
        switch byteOrder {
        case .littleEndian: "streamtyped"
        case .bigEndian: "typedstream"
        }
    }

    static func byteOrder(ofSignature bytes: ArraySlice<UInt8>) -> TypedStream.ByteOrder? {
        [TypedStream.ByteOrder.littleEndian, .bigEndian].first { bytes.elementsEqual(signature($0).utf8) }
    }
}

/// The bytes before a value that are not the value itself: the integers from -128 to -111.
enum TypedStreamTag {
    static let short: Int8 = -127
    static let int: Int8 = -126
    /// The bytes of a floating-point number follow.
    static let real: Int8 = -125
    /// A new object, class or string follows in full.
    static let new: Int8 = -124
    static let null: Int8 = -123
    static let end: Int8 = -122
    static let longLong: Int8 = -121
    /// Numbers other than tags, which take one byte. References count from the lowest of them.
    static let small: ClosedRange<Int64> = -110...127
    static let firstReference = -110
}

// MARK: - Integers

/// All integers are stored as signed: 255 as an unsigned byte of `I` is -1 with its four bytes.
extension TypeEncoding {
    func holds(_ value: Int64) -> Bool {
        switch kind {
        case .character: Int8(exactly: value) != nil
        case .short: Int16(exactly: value) != nil
        case .int: Int32(exactly: value) != nil
        case .long, .longLong: true
        default: false
        }
    }

    /// The value of this unsigned type that is stored as `stored`; nil if it is out of range.
    func unsigned(fromStored stored: Int64) -> UInt64? {
        switch kind {
        case .unsignedShort:
            Int16(exactly: stored).map { UInt64(UInt16(bitPattern: $0)) } ?? UInt16(exactly: stored).map { UInt64($0) }
        case .unsignedInt:
            Int32(exactly: stored).map { UInt64(UInt32(bitPattern: $0)) } ?? UInt32(exactly: stored).map { UInt64($0) }
        case .unsignedLong:
            // Four bytes if the value fits in them.
            Int32(exactly: stored).map { UInt64(UInt32(bitPattern: $0)) } ?? UInt64(bitPattern: stored)
        case .unsignedLongLong: UInt64(bitPattern: stored)
        default: nil
        }
    }

    /// The stored form of `value`, if it is in the range of this unsigned type.
    func stored(fromUnsigned value: UInt64) -> Int64? {
        switch kind {
        case .unsignedCharacter: UInt8(exactly: value).map { Int64(Int8(bitPattern: $0)) }
        case .bool: value <= 1 ? Int64(value) : nil
        case .unsignedShort: UInt16(exactly: value).map { Int64(Int16(bitPattern: $0)) }
        case .unsignedInt: UInt32(exactly: value).map { Int64(Int32(bitPattern: $0)) }
        case .unsignedLong:
            if let narrow = UInt32(exactly: value) {
                Int64(Int32(bitPattern: narrow))
            } else {
                // A value that would be read as four bytes cannot be written as eight.
                Int32(exactly: Int64(bitPattern: value)) == nil ? Int64(bitPattern: value) : nil
            }
        case .unsignedLongLong: Int64(bitPattern: value)
        default: nil
        }
    }
}

/// The bytes of a typedstream, which are read from front to back. Each access is checked.
struct TypedStreamInput {
    private let bytes: [UInt8]
    private(set) var position = 0
    private(set) var byteOrder = TypedStream.ByteOrder.littleEndian

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    var remaining: Int { bytes.count - position }

    /// Reads the start of the file, which determines the byte order, and returns the version of the format.
    mutating func header() throws(TypedStreamError) -> Int {
        guard bytes.count >= 13, bytes[1] == 11, let byteOrder = TypedStreamHeader.byteOrder(ofSignature: bytes[2..<13])
        else {
            throw TypedStreamError(
                .notATypedStream, at: 0,
                "The data is no typedstream: it does not begin with a version and \"streamtyped\" or \"typedstream\"")
        }
        guard TypedStreamHeader.versions.contains(Int(bytes[0])) else {
            throw TypedStreamError(.unknownVersion, at: 0, "Unknown typedstream version \(bytes[0]); 3 and 4 are known")
        }
        self.byteOrder = byteOrder
        position = 13
        return Int(bytes[0])
    }
}

// MARK: - Bytes

extension TypedStreamInput {
    mutating func byte() throws(TypedStreamError) -> Int8 {
        guard position < bytes.count else { throw truncated(1) }
        defer { position += 1 }
        return Int8(bitPattern: bytes[position])
    }

    /// Reads the next byte if it is `tag`, and returns whether it is.
    mutating func skip(_ tag: Int8) throws(TypedStreamError) -> Bool {
        guard position < bytes.count else { throw truncated(1) }
        guard Int8(bitPattern: bytes[position]) == tag else { return false }
        position += 1
        return true
    }

    mutating func run(_ count: Int) throws(TypedStreamError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw truncated(count) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private func truncated(_ count: Int) -> TypedStreamError {
        TypedStreamError(.truncated, at: position, "\(count) bytes are announced, but only \(remaining) remain")
    }
}

// MARK: - Numbers

extension TypedStreamInput {
    mutating func length() throws(TypedStreamError) -> Int {
        let start = position
        let length = try integer()
        guard length >= 0, length <= remaining else {
            throw TypedStreamError(.badCount, at: start, "A length of \(length) bytes, but only \(remaining) remain")
        }
        return Int(length)
    }

    /// Reads an integer of any length. Those of unsigned types are stored as signed.
    mutating func integer() throws(TypedStreamError) -> Int64 {
        let start = position
        let head = try byte()
        switch head {
        case TypedStreamTag.short: return Int64(Int16(truncatingIfNeeded: try unsigned(2)))
        case TypedStreamTag.int: return Int64(Int32(truncatingIfNeeded: try unsigned(4)))
        case TypedStreamTag.longLong: return Int64(bitPattern: try unsigned(8))
        default:
            guard TypedStreamTag.small.contains(Int64(head)) else {
                throw TypedStreamError(
                    .badValue, at: start, "The byte 0x\(String(bytes[start], radix: 16)) where an integer is expected")
            }
            return Int64(head)
        }
    }

    mutating func version() throws(TypedStreamError) -> Int {
        let start = position
        let stored = try integer()
        guard let version = Int(exactly: stored) else {
            throw TypedStreamError(.badValue, at: start, "The version \(stored), which is too large for this system")
        }
        return version
    }

    /// Reads a floating-point number that is stored as an integer; nil if its own bytes follow.
    mutating func integerOfReal() throws(TypedStreamError) -> Int64? {
        try skip(TypedStreamTag.real) ? nil : try integer()
    }

    mutating func unsigned(_ size: Int) throws(TypedStreamError) -> UInt64 {
        let run = try run(size)
        var value: UInt64 = 0
        switch byteOrder {
        case .littleEndian: for byte in run.reversed() { value = value << 8 | UInt64(byte) }
        case .bigEndian: for byte in run { value = value << 8 | UInt64(byte) }
        }
        return value
    }
}

/// Reads a typedstream from front to back: values with their types.
///
/// Nested objects are on a separate stack, so that a file cannot overflow the thread's stack.
struct TypedStreamReader {
    private struct Frame {
        /// The types of the values of a group or a struct, or the element type of an array.
        var types: [TypeEncoding]
        var count: Int
        var values: [TypedStream.Value] = []
        let kind: Kind
        let start: Int

        enum Kind {
            case group, array, structure
            /// The object at this position.
            case object(Int)
        }
    }

    private enum SharedKind: String {
        case object = "an object"
        case `class` = "a class"
        case cString = "a C string"
    }

    private struct SharedString {
        let bytes: [UInt8]
        var types: [TypeEncoding]?
        /// The class name that it is: one string in memory for all its classes.
        var className: String?
        lazy var isCString = !bytes.contains(0)
    }

    private var input: TypedStreamInput
    private var result = TypedStream(byteOrder: .littleEndian)
    private var strings: [SharedString] = []
    private var shared: [(kind: SharedKind, index: Int)] = []
    private var frames: [Frame] = []
    private var classDepths: [Int] = []
    /// The number of values without bytes of their own that may still be read.
    private var emptyValuesLeft: Int

    init(_ bytes: [UInt8]) {
        input = TypedStreamInput(bytes)
        emptyValuesLeft = 64 + bytes.count
    }

    mutating func stream() throws(TypedStreamError) -> TypedStream {
        result.streamerVersion = try input.header()
        result.byteOrder = input.byteOrder
        result.systemVersion = try input.version()
        while true {
            let top = frames.count - 1
            guard top >= 0 else {
                if input.isAtEnd { return result }
                try beginGroup()
                continue
            }
            switch frames[top].kind {
            case .object(let index): try continueObject(index)
            case .group, .array, .structure:
                if frames[top].values.count < frames[top].count { try value() } else { finishValues() }
            }
        }
    }
}

// MARK: - Groups and objects

extension TypedStreamReader {
    private mutating func beginGroup() throws(TypedStreamError) {
        let start = input.position
        guard let index = try sharedStringIndex() else {
            throw TypedStreamError(.badType, at: start, "Null where the types of values are expected")
        }
        let types = try types(index, at: start)
        frames.append(Frame(types: types, count: types.count, kind: .group, start: start))
    }

    private mutating func types(_ index: Int, at start: Int) throws(TypedStreamError) -> [TypeEncoding] {
        if let types = strings[index].types { return types }
        guard let text = String(validating: strings[index].bytes, as: UTF8.self) else {
            throw TypedStreamError(.badType, at: start, "The types of values are not valid text")
        }
        do {
            let types = try TypeEncoding.list(text)
            strings[index].types = types
            return types
        } catch {
            throw error.at(start)
        }
    }

    private mutating func finishValues() {
        let frame = frames.removeLast()
        switch frame.kind {
        case .array: add(.array(frame.values))
        case .structure: add(.structure(frame.values))
        case .group:
            var group = TypedStream.Group(frame.types, frame.values)
            group.byteOffset = frame.start
            if case .object(let index)? = frames.last?.kind {
                result.objects[index].groups.append(group)
            } else {
                result.groups.append(group)
            }
        case .object: break
        }
    }

    private mutating func add(_ value: TypedStream.Value) {
        frames[frames.count - 1].values.append(value)
    }

    private mutating func continueObject(_ index: Int) throws(TypedStreamError) {
        guard !input.isAtEnd else {
            let start = frames[frames.count - 1].start
            throw TypedStreamError(
                .truncated, at: input.position, "The object that begins at byte \(start) has no end, and the file has")
        }
        if try input.skip(TypedStreamTag.end) { frames.removeLast() } else { try beginGroup() }
    }

    private mutating func object() throws(TypedStreamError) {
        let start = input.position
        switch try reference(to: .object) {
        case nil: add(.object(nil))
        case .known(let index): add(.object(index))
        case .new:
            let index = result.objects.count
            shared.append((.object, index))
            // Its class follows in the file.
            result.objects.append(TypedStream.Object(classIndex: 0))
            guard let classIndex = try readClass() else {
                throw TypedStreamError(.badClass, at: start, "An object without a class")
            }
            result.objects[index].classIndex = classIndex
            add(.object(index))
            frames.append(Frame(types: [], count: 0, kind: .object(index), start: start))
        }
    }

    private mutating func readClass() throws(TypedStreamError) -> Int? {
        var first: Int?
        var last: Int?
        /// The first class that is read here. This class and those after it are not complete yet.
        let unfinished = result.classes.count
        while true {
            let start = input.position
            let next: Int?
            switch try reference(to: .class) {
            case nil: next = nil
            case .known(let index):
                guard index < unfinished else {
                    throw TypedStreamError(.badClass, at: start, "A class that is its own superclass")
                }
                next = index
            case .new:
                let name = try className()
                let version = try input.version()
                next = result.classes.count
                shared.append((.class, result.classes.count))
                result.classes.append(TypedStream.Class(name, version: version))
                classDepths.append(0)
                guard result.classes.count - unfinished <= TypedStreamHeader.classChainLimit else {
                    throw tooManyClasses(at: start)
                }
            }
            if let last { result.classes[last].superclassIndex = next }
            first = first ?? next
            guard let next, next >= unfinished else {
                try count(from: unfinished, above: next, at: start)
                return first
            }
            last = next
        }
    }

    /// Determines the number of superclasses of the classes from `unfinished` on. The superclass of the last one is `above`.
    private mutating func count(
        from unfinished: Int, above: Int?, at start: Int
    ) throws(TypedStreamError) {
        var depth = above.map { classDepths[$0] + 1 } ?? 0
        for index in (unfinished..<result.classes.count).reversed() {
            classDepths[index] = depth
            depth += 1
        }
        guard depth <= TypedStreamHeader.classChainLimit else { throw tooManyClasses(at: start) }
    }

    private func tooManyClasses(at start: Int) -> TypedStreamError {
        TypedStreamError(
            .badClass, at: start, "A class with more than \(TypedStreamHeader.classChainLimit) superclasses")
    }

    private mutating func className() throws(TypedStreamError) -> String {
        let start = input.position
        let index = try sharedStringIndex()
        if let index, let known = strings[index].className { return known }
        guard let index, let name = String(validating: strings[index].bytes, as: UTF8.self) else {
            throw TypedStreamError(.badClass, at: start, "A class without a name, or with a name of invalid text")
        }
        guard strings[index].bytes.count <= KeyedArchiveFormat.classNameLimit else {
            throw TypedStreamError(
                .badClass, at: start,
                "The name of a class has \(strings[index].bytes.count) bytes, more than \(KeyedArchiveFormat.classNameLimit)"
            )
        }
        guard HashedText.isSafe(name) else {
            throw TypedStreamError(
                .badClass, at: start,
                "The name of a class has more than \(HashedText.markLimit) combining marks in a row, which would take too long to"
                    + " compare with others")
        }
        strings[index].className = name
        return name
    }
}

// MARK: - Values

extension TypedStreamReader {
    private mutating func value() throws(TypedStreamError) {
        let top = frames.count - 1
        let type: TypeEncoding
        if case .array = frames[top].kind {
            type = frames[top].types[0]
        } else {
            type = frames[top].types[frames[top].values.count]
        }
        let start = input.position
        switch type.kind {
        case .character:
            add(.integer(Int64(try input.byte())))
        case .unsignedCharacter, .bool:
            add(.unsigned(UInt64(UInt8(bitPattern: try input.byte()))))
        case .short, .int, .long, .longLong:
            let value = try input.integer()
            guard type.holds(value) else { throw unfitting(value, type, at: start) }
            add(.integer(value))
        case .unsignedShort, .unsignedInt, .unsignedLong, .unsignedLongLong:
            let value = try input.integer()
            guard let unsigned = type.unsigned(fromStored: value) else { throw unfitting(value, type, at: start) }
            add(.unsigned(unsigned))
        case .float:
            guard let integer = try input.integerOfReal() else {
                return add(.float(Float(bitPattern: UInt32(truncatingIfNeeded: try input.unsigned(4)))))
            }
            guard let value = Float(exactly: integer) else { throw unfitting(integer, type, at: start) }
            add(.float(value))
        case .double:
            guard let integer = try input.integerOfReal() else {
                return add(.double(Double(bitPattern: try input.unsigned(8))))
            }
            guard let value = Double(exactly: integer) else { throw unfitting(integer, type, at: start) }
            add(.double(value))
        case .cString: try cString()
        case .atom, .selector: add(.name(try sharedStringIndex().map { strings[$0].bytes }))
        case .bytes:
            add(.bytes(try input.skip(TypedStreamTag.null) ? nil : Array(try input.run(try input.length()))))
        case .class: add(.class(try readClass()))
        case .object: try object()
        case .ignored:
            try countEmptyValue()
            add(.ignored)
        case .array(let count, .character), .array(let count, .unsignedCharacter):
            add(.bytes(Array(try input.run(count))))
        case .array(let count, let element):
            try countEmptyValue()
            try checkCount(count, element)
            var frame = Frame(types: [element], count: count, kind: .array, start: start)
            frame.values.reserveCapacity(min(count, 1024))
            frames.append(frame)
        case .structure(_, let fields):
            try countEmptyValue()
            frames.append(Frame(types: fields, count: fields.count, kind: .structure, start: start))
        }
    }

    private func unfitting(_ value: Int64, _ type: TypeEncoding, at start: Int) -> TypedStreamError {
        TypedStreamError(
            .badValue, at: start, "The integer \(value) is out of range for the type \"\(type)\"")
    }

    private func checkCount(_ count: Int, _ element: TypeEncoding) throws(TypedStreamError) {
        guard count > 0 else { return }  // Sizing a large type takes time.
        let least = element.leastByteCount
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: max(least, 1))
        guard !overflow, byteCount <= (least == 0 ? emptyValuesLeft : input.remaining) else {
            throw TypedStreamError(
                .badCount, at: input.position,
                "An array of \(count) elements, more than the \(input.remaining) bytes that remain can hold")
        }
    }

    /// Counts a value without bytes of its own. Without a limit, a few bytes could encode any number of them.
    private mutating func countEmptyValue() throws(TypedStreamError) {
        guard emptyValuesLeft > 0 else {
            throw TypedStreamError(
                .badCount, at: input.position, "More arrays, structs and values without data than bytes")
        }
        emptyValuesLeft -= 1
    }

    private mutating func cString() throws(TypedStreamError) {
        let start = input.position
        switch try reference(to: .cString) {
        case nil: add(.cString(nil))
        case .known(let index): add(.cString(index))
        case .new:
            guard let index = try sharedStringIndex() else {
                throw TypedStreamError(.badValue, at: start, "A C string without bytes")
            }
            guard strings[index].isCString else {
                throw TypedStreamError(.badValue, at: start, "A C string with a zero byte inside, which would end it")
            }
            let value = result.cStrings.count
            shared.append((.cString, value))
            result.cStrings.append(strings[index].bytes)
            add(.cString(value))
        }
    }
}

// MARK: - References

extension TypedStreamReader {
    private enum Reference {
        /// A new value follows.
        case new
        /// The value was read earlier, and is at this position.
        case known(Int)
    }

    private mutating func reference(to kind: SharedKind) throws(TypedStreamError) -> Reference? {
        if try input.skip(TypedStreamTag.new) { return .new }
        if try input.skip(TypedStreamTag.null) { return nil }
        let start = input.position
        let number = try number(below: shared.count, kind.rawValue)
        guard shared[number].kind == kind else {
            throw TypedStreamError(
                .badReference, at: start,
                "A reference (number \(number)) to \(shared[number].kind.rawValue), where \(kind.rawValue) is expected")
        }
        return .known(shared[number].index)
    }

    private mutating func sharedStringIndex() throws(TypedStreamError) -> Int? {
        if try input.skip(TypedStreamTag.null) { return nil }
        if try input.skip(TypedStreamTag.new) {
            strings.append(SharedString(bytes: Array(try input.run(try input.length()))))
            return strings.count - 1
        }
        return try number(below: strings.count, "a string")
    }

    private mutating func number(below count: Int, _ what: String) throws(TypedStreamError) -> Int {
        let start = input.position
        let (number, overflow) = try input.integer().subtractingReportingOverflow(Int64(TypedStreamTag.firstReference))
        guard !overflow, number >= 0, number < count else {
            throw TypedStreamError(
                .badReference, at: start,
                "A reference to \(what) with the number \(number), but there are only \(count) so far")
        }
        return Int(number)
    }
}
