import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Attributed strings

extension FoundationObject {
    /// The text of an NSString.
    func string() throws(KeyedArchiveError) -> String? {
        try required(try contents.text(archived), "NS.string", "a string")
    }

    /// The text of an NSAttributedString and its runs.
    mutating func attributedString() throws(KeyedArchiveError) -> FoundationValue.AttributedString? {
        guard let string = try text("NSString") else { return try lacks("NSString", "a string") }
        guard !string.isEmpty else { return FoundationValue.AttributedString(string: string, runs: []) }
        let all = string.startIndex..<string.endIndex
        guard try entries.has("NSAttributes"), let attributes = try entries["NSAttributes"] else {
            if try entries.has("NSAttributeInfo") { throw entries.damaged("NSAttributes", "an array of dictionaries") }
            return FoundationValue.AttributedString(string: string, runs: [.init(range: all, attributes: [:])])
        }
        var reader = AttributeReading(source)
        // If the text has only one run, its attributes are stored without a list.
        guard try entries.has("NSAttributeInfo") else {
            guard let dictionary = try reader.attributes(attributes) else {
                throw entries.damaged("NSAttributes", "a dictionary whose keys are strings")
            }
            return FoundationValue.AttributedString(string: string, runs: [.init(range: all, attributes: dictionary)])
        }
        guard let list = try contents.elements(of: attributes) else {
            throw entries.damaged("NSAttributes", "an array of dictionaries")
        }
        return FoundationValue.AttributedString(string: string, runs: try runs(of: string, list, &reader))
    }

    /// The runs in `NSAttributeInfo`. Each has its length in UTF-16 and the index of its attributes in `list`.
    private mutating func runs(
        of string: String, _ list: ArchivedElements, _ reader: inout AttributeReading
    ) throws(KeyedArchiveError) -> [FoundationValue.AttributedString.Run] {
        guard let bytes = try entries.bytes("NSAttributeInfo"), let integers = PackedIntegers.integers(in: bytes),
            integers.count % 2 == 0
        else { throw entries.damaged("NSAttributeInfo", "data with pairs of integers") }
        let units = string.utf16
        var runs: [FoundationValue.AttributedString.Run] = []
        var known: [Int: [String: KeyedArchive.Value]] = [:]
        var start = string.startIndex
        var rest = units.count
        for position in stride(from: 0, to: integers.count, by: 2) {
            guard let length = Int(exactly: integers[position]), length <= rest else {
                throw entries.damaged("NSAttributeInfo", "lengths of runs that add up to that of the string")
            }
            guard let index = Int(exactly: integers[position + 1]), index < list.count else {
                throw entries.damaged("NSAttributeInfo", "places in NSAttributes, which has \(list.count) dictionaries")
            }
            guard length > 0 else { continue }
            if known[index] == nil {
                let attributes = try reader.attributes(contents.value(list.reference(index, in: contents)))
                guard let attributes else {
                    throw entries.damaged("NSAttributes", "an array of dictionaries whose keys are strings")
                }
                known[index] = attributes
            }
            let end = units.index(start, offsetBy: length)
            runs.append(.init(range: start..<end, attributes: known[index] ?? [:]))
            start = end
            rest -= length
        }
        guard rest == 0 else {
            throw entries.damaged("NSAttributeInfo", "lengths of runs that add up to that of the string")
        }
        return runs
    }
}

/// Reads the attributes of runs. Their total number is limited to the archive's byte count: dictionaries can share contents, so
/// that a few bytes could expand to a huge number of attributes.
private struct AttributeReading {
    private let source: ArchiveSource
    private var room: Int

    init(_ source: ArchiveSource) {
        self.source = source
        room = source.contents.byteCount
    }

    /// The attributes in a dictionary; nil if `value` is not a dictionary or has keys that are not strings.
    mutating func attributes(_ value: ArchivedValue) throws(KeyedArchiveError) -> [String: KeyedArchive.Value]? {
        let object = FoundationObject(value, isItself: false, in: source)
        guard value.node.kind == .dictionary, let (keys, values) = try object.dictionaryReferences() else { return nil }
        room -= keys.count
        guard room >= 0 else { return nil }
        let contents = source.contents
        var attributes: [String: KeyedArchive.Value] = [:]
        for position in 0..<keys.count {
            let key = try contents.value(keys.reference(position, in: contents))
            guard let name = try contents.text(key) else { return nil }
            attributes[name] = source.value(values.reference(position, in: contents))
        }
        return attributes
    }
}

// MARK: - Character sets

extension FoundationObject {
    /// The members of an NSCharacterSet; nil for GNUstep's sets for the parts of URLs, which have no number in Cocoa.
    mutating func characterSet() throws(KeyedArchiveError) -> FoundationValue.CharacterSet? {
        guard let (members, isInverted) = try contents.characters(archived) else {
            return try lacks("NSBitmap", "data")
        }
        switch members {
        case .builtIn(let number, let bitmap):
            return .init(members: .builtIn(number, bitmap: bitmap.map { Data($0) }), isInverted: isInverted)
        case .range(let range): return .init(members: .range(range), isInverted: isInverted)
        case .string(let archived):
            guard let text = try contents.text(archived) else { throw entries.damaged("NSString", "a string") }
            return .init(members: .string(text), isInverted: isInverted)
        case .bitmap(let bitmap): return .init(members: .bitmap(Data(bitmap)), isInverted: isInverted)
        case .unknown: return nil
        }
    }
}
