import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON from which the same property list can be made again, value for value: `docs/archivetool.md` describes it.
///
///     { "$format": "archivetool property list", "$version": 1, "value": … }
///
/// What JSON has no value for is an object with one entry, which says what it is. Numbers that are no small integers are
/// strings, so that no program in between rounds them, and dictionaries are lists of pairs, so that none sorts them.
enum LosslessJSON {
    static let formatName = "archivetool property list"
    static let version = 1

    /// The integers that every reader of JSON takes exactly.
    private static let plainIntegers: ClosedRange<Int128> = -(1 << 53 - 1)...(1 << 53 - 1)

    /// Whether a file that begins with `head` looks like it.
    static func isDetected(in head: Data) -> Bool {
        let text = String(decoding: head.prefix(512), as: UTF8.self)
        guard text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "{" else { return false }
        return text.contains("\"" + formatName + "\"")
    }
}

// MARK: - Writing

extension LosslessJSON {
    private enum Step {
        case value(PropertyList)
        case pair(PropertyList.Dictionary, Int)
        case end
    }

    /// Writes `list`. It does not recurse.
    static func write(_ list: PropertyList, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("$format")
        writer.string(formatName)
        writer.key("$version")
        writer.literal("\(version)")
        writer.key("value")
        // What is still to write, the next of it last.
        var remaining: [Step] = [.value(list)]
        while let step = remaining.popLast() {
            switch step {
            case .end: writer.end()
            case .pair(let dictionary, let position):
                if position + 1 < dictionary.count { remaining.append(.pair(dictionary, position + 1)) }
                let (key, value) = dictionary[position]
                writer.beginArray(isInline: isLeaf(value))
                writer.string(key)
                remaining += [.end, .value(value)]
            case .value(let value):
                remaining += contents(of: value, &writer) ?? []
            }
        }
        writer.end()
    }

    /// Writes a leaf, or the beginning of a container; gives what is to be written next.
    private static func contents(of value: PropertyList, _ writer: inout JSONWriter) -> [Step]? {
        switch value {
        case .array(let elements):
            writer.beginArray()
            return [.end] + elements.reversed().map { .value($0) }
        case .set(let elements):
            writer.beginObject()
            writer.key("set")
            writer.beginArray()
            return [.end, .end] + elements.reversed().map { .value($0) }
        case .dictionary(let dictionary):
            writer.beginObject(isInline: dictionary.isEmpty)
            writer.key("dict")
            writer.beginArray()
            return [.end, .end] + (dictionary.isEmpty ? [] : [.pair(dictionary, 0)])
        default:
            writeLeaf(value, to: &writer)
            return nil
        }
    }

    private static func isLeaf(_ value: PropertyList) -> Bool {
        switch value {
        case .array(let elements): elements.isEmpty
        case .dictionary(let dictionary): dictionary.isEmpty
        case .set: false
        default: true
        }
    }

    private static func writeLeaf(_ value: PropertyList, to writer: inout JSONWriter) {
        switch value {
        case .null: writer.literal("null")
        case .boolean(let value): writer.literal(value ? "true" : "false")
        case .integer(let value) where plainIntegers.contains(value): writer.literal("\(value)")
        case .integer(let value): writer.tagged("int", "\(value)")
        case .real(let value): writer.tagged("real", text(of: value))
        case .real32(let value): writer.tagged("real32", text(of: value))
        case .string(let text): writer.string(text)
        case .date(let date): writer.tagged("date", text(of: date.timeIntervalSinceReferenceDate))
        case .data(let data): writer.tagged("data", data.base64EncodedString())
        case .uid(let uid): writer.tagged("uid", literal: "\(uid)")
        case .array, .set, .dictionary: break  // no leaves
        }
    }

    /// A number with all its digits; a NaN with its bits, unless they are the usual ones.
    private static func text(of value: Double) -> String {
        guard value.isNaN, value.bitPattern != Double.nan.bitPattern else { return value.description }
        return "nan:0x" + String(value.bitPattern, radix: 16)
    }

    private static func text(of value: Float) -> String {
        guard value.isNaN, value.bitPattern != Float.nan.bitPattern else { return value.description }
        return "nan:0x" + String(value.bitPattern, radix: 16)
    }
}

// MARK: - Reading

extension LosslessJSON {
    /// Why JSON is not the lossless form: what was found, and what should be there.
    struct FormatError: Error {
        let sentence: String

        init(_ sentence: String) { self.sentence = sentence }
    }

    /// The property list that `json` describes.
    static func propertyList(from json: PropertyList) throws(FormatError) -> PropertyList {
        guard let entries = json.dictionary, let value = entries.last(where: { $0.key == "value" })?.value else {
            throw FormatError("there is no “value” at the top")
        }
        guard entries["$format"]?.string == formatName else { throw FormatError("“$format” is not “\(formatName)”") }
        guard entries["$version"]?.integer == version else {
            throw FormatError("“$version” is not \(version), the only one there is")
        }
        return try list(value)
    }

    /// A container whose contents are being made.
    private struct Frame {
        enum Kind { case array, set, dictionary }

        let kind: Kind
        let source: [PropertyList]
        var next = 0
        var key = ""
        var elements: [PropertyList] = []
        var entries: [PropertyList.Dictionary.Element] = []

        init(_ kind: Kind, _ source: [PropertyList]) {
            self.kind = kind
            self.source = source
        }

        var list: PropertyList {
            switch kind {
            case .array: .array(elements)
            case .set: .set(elements)
            case .dictionary: .dictionary(PropertyList.Dictionary(entries))
            }
        }
    }

    private static func list(_ json: PropertyList) throws(FormatError) -> PropertyList {
        var frames: [Frame] = []
        var finished = try begin(json, &frames)
        while true {
            if let value = finished {
                guard !frames.isEmpty else { return value }
                let last = frames.count - 1
                if frames[last].kind == .dictionary {
                    frames[last].entries.append((frames[last].key, value))
                } else {
                    frames[last].elements.append(value)
                }
            }
            let last = frames.count - 1
            guard frames[last].next < frames[last].source.count else {
                finished = frames.removeLast().list
                continue
            }
            var json = frames[last].source[frames[last].next]
            frames[last].next += 1
            if frames[last].kind == .dictionary {
                guard let pair = json.array, pair.count == 2, let key = pair[0].string else {
                    throw FormatError("an entry of a “dict” is no pair of a string and a value: [\"key\", value]")
                }
                frames[last].key = key
                json = pair[1]
            }
            finished = try begin(json, &frames)
        }
    }

    /// A leaf; nil for a container, which is the last frame then.
    private static func begin(_ json: PropertyList, _ frames: inout [Frame]) throws(FormatError) -> PropertyList? {
        switch json {
        case .real(let number):
            throw FormatError("\(number) is no integer; a number with a fraction is written {\"real\": \"\(number)\"}")
        case .array(let elements):
            frames.append(Frame(.array, elements))
            return nil
        case .dictionary(let entries):
            guard entries.count == 1, let (tag, value) = entries.first else {
                throw FormatError("an object has \(entries.count) entries; one that says what it is has one")
            }
            switch (tag, value) {
            case ("dict", .array(let pairs)): frames.append(Frame(.dictionary, pairs))
            case ("set", .array(let elements)): frames.append(Frame(.set, elements))
            default:
                guard let leaf = leaf(tag, value) else {
                    throw FormatError(
                        "an object with the key “\(tag)” is none that this form has, or has another value")
                }
                return leaf
            }
            return nil
        default: return json
        }
    }

    private static func leaf(_ tag: String, _ json: PropertyList) -> PropertyList? {
        switch (tag, json) {
        case ("int", .string(let text)): return Int128(text).map { .integer($0) }
        case ("real", .string(let text)): return real(text).map { .real($0) }
        case ("real32", .string(let text)):
            if text.hasPrefix("nan:0x") {
                return UInt32(text.dropFirst(6), radix: 16).map { .real32(Float(bitPattern: $0)) }
            }
            return Float(text).map { .real32($0) }
        case ("date", .string(let text)):
            return real(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case ("data", .string(let text)): return Data(base64Encoded: text).map { .data($0) }
        case ("uid", .integer(let number)): return UInt32(exactly: number).map { .uid($0) }
        default: return nil
        }
    }

    private static func real(_ text: String) -> Double? {
        if text.hasPrefix("nan:0x") { return UInt64(text.dropFirst(6), radix: 16).map { Double(bitPattern: $0) } }
        return Double(text)
    }
}
