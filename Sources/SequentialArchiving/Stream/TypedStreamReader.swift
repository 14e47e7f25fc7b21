// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

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

    /// A string that values share. Each of its meanings is read on first use.
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

    /// Reads the end of the top object, or the start of its next group.
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

    /// Reads a class with its superclasses; nil if it is null.
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

    /// Reads a reference to a value of `kind`; nil if it is null.
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

    /// Reads a shared string; nil if it is null.
    private mutating func sharedStringIndex() throws(TypedStreamError) -> Int? {
        if try input.skip(TypedStreamTag.null) { return nil }
        if try input.skip(TypedStreamTag.new) {
            strings.append(SharedString(bytes: Array(try input.run(try input.length()))))
            return strings.count - 1
        }
        return try number(below: strings.count, "a string")
    }

    /// Reads a number in a table with `count` entries.
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
