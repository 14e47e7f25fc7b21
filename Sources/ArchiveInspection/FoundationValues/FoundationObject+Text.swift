// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Attributed strings

extension FoundationObject {
    func string() throws(KeyedArchiveError) -> String? {
        try required(try contents.text(archived), "NS.string", "a string")
    }

    mutating func attributedString() throws(KeyedArchiveError) -> FoundationValue? {
        guard let string = try text("NSString") else { return try lacks("NSString", "a string") }
        let archived = try AttributedRuns(of: string, &entries)
        if let error = archived.shortfall { throw error }
        var reader = AttributeReading(source)
        var known: [Int: [String: KeyedArchive.Value]] = [:]
        var runs: [(range: Range<String.Index>, attributes: [String: KeyedArchive.Value])] = []
        for (range, position) in archived.runs {
            if known[position] == nil, let dictionary = try archived.dictionary(at: position, in: contents) {
                guard let attributes = try reader.attributes(dictionary) else {
                    throw entries.damaged("NSAttributes", archived.wanted)
                }
                known[position] = attributes
            }
            runs.append((range, known[position] ?? [:]))
        }
        return .attributedString(string, runs: runs)
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
            guard HashedText.isSafe(name) else { throw ArchiveContents.unsafeText(name) }
            attributes[name] = source.value(values.reference(position, in: contents))
        }
        return attributes
    }
}

// MARK: - Character sets

extension FoundationObject {
    /// The members of an NSCharacterSet; nil for GNUstep's sets for the parts of URLs, which have no number in Cocoa.
    mutating func characterSet() throws(KeyedArchiveError) -> FoundationValue? {
        guard let (members, isInverted) = try contents.characters(archived) else {
            return try lacks("NSBitmap", "data")
        }
        var number: Int?
        var range: Range<Int>?
        var string: String?
        var bitmap: Data?
        switch members {
        case .builtIn(let found, let bits): (number, bitmap) = (found, bits.map { Data($0) })
        case .range(let found): range = found
        case .string(let archived):
            string = try contents.text(archived)
            guard string != nil else { throw entries.damaged("NSString", "a string") }
        case .bitmap(let bits): bitmap = Data(bits)
        case .unknown: return nil
        }
        return .characterSet(builtIn: number, range: range, string: string, bitmap: bitmap, isInverted: isInverted)
    }
}
