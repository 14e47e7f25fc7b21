// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

// Programs that import only this module see the type. A type alias would be a second declaration: `[AttributedText].self` would
// be ambiguous in programs that import both modules.
@_exported import struct AttributedTexts.AttributedText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LinkedFiles { package enum AttributedTexts {} }

extension AttributedText: SequentialObjectValue {
    func position(in coder: SequentialArchiver) throws -> Int? { try coder.attributedText(self) }

    /// The text of an NSAttributedString or NSMutableAttributedString, or of an NSString, which has no attributes.
    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> AttributedText {
        coder.foundationClass(at: index) == .string
            ? AttributedText(try coder.string(at: index)) : try coder.attributedText(at: index)
    }
}

extension SequentialUnarchiver {
    /// The NSAttributedString at a position: its text, then the number of its attributes and the length of each run. The
    /// attributes follow the first occurrence of their number.
    func attributedText(at index: Int) throws -> AttributedText {
        guard foundationClass(at: index) == .attributedString else {
            throw typeMismatchError(AttributedText.self, found: .object(index), of: .object)
        }
        return try shared(index) {
            try withObject(index) {
                let string = try decode(String.self)
                /// The attributes that have been read, with their cost. The cost counts for each run, since a caller that visits
                /// the runs visits the attributes each time.
                var known: [(attributes: [String: Any], work: Int)] = []
                var runs: [(range: Range<String.Index>, attributes: [String: Any])] = []
                var start = string.startIndex
                while start < string.endIndex, nextGroupUnread != nil {
                    let (number, length) = try decodeValues("iI", as: Int.self, Int.self)
                    guard length > 0, let end = string.utf16.index(start, offsetBy: length, limitedBy: string.endIndex),
                        number > 0, number <= known.count + 1
                    else {
                        throw error(.damaged, "Found a run of \(length) characters with the attributes \(number)")
                    }
                    if number > known.count {
                        let before = meter.work
                        known.append((try attributes(), 0))
                        known[number - 1].work = before - meter.work
                    } else {
                        try count(known[number - 1].work)
                    }
                    runs.append((start..<end, known[number - 1].attributes))
                    start = end
                }
                let read = string.utf16.distance(from: string.startIndex, to: start)
                let shortfall =
                    start < string.endIndex
                    ? error(.damaged, "Found runs of \(read) characters, and the text has \(string.utf16.count)") : nil
                return AttributedText(string, archived: runs, shortfall)
            }
        }
    }

    private func attributes() throws -> [String: Any] {
        guard case .object(let index?) = try next(.object), foundationClass(at: index) == .dictionary else {
            throw error(.damaged, "Found a run whose attributes are not a dictionary")
        }
        return try shared(index) {
            try withObject(index) {
                var attributes: [String: Any] = [:]
                for _ in 0..<(try elementCount(.int, groupsEach: 2)) {
                    let name = try hashable(try decode(String.self))
                    attributes[name] = try attribute() ?? (Any?.none as Any)
                }
                return attributes
            }
        }
    }

    private func attribute() throws -> Any? {
        if let group = nextGroupUnread, group.types == [.object], case .object(let index?) = group.values[0],
            registeredType(at: index) == nil, let value = try appKitValue(at: index)
        {
            _ = try next(.object)
            return value
        }
        return try decodeObject()
    }
}

extension SequentialArchiver {
    /// Returns the position of an NSAttributedString. Adjacent runs with the same attributes are one run.
    func attributedText(_ text: AttributedText) throws -> Int {
        var runs: [(number: Int, length: Int)] = []
        var dictionaries: [Int] = []
        /// The numbers of attributes, by their names and values as objects.
        var numbers: [[Int]: Int] = [:]
        for run in text.runs {
            let length = text.string.utf16.distance(from: run.range.lowerBound, to: run.range.upperBound)
            let names = run.attributes.keys.sorted()
            let contents = try names.flatMap { [string($0), try attribute(run.attributes[$0] ?? "", named: $0)] }
            let number = numbers[contents] ?? dictionaries.count + 1
            if number > dictionaries.count {
                numbers[contents] = number
                dictionaries.append(try container(.dictionary, count: names.count, .int, contents))
            }
            if let last = runs.last, last.number == number {
                runs[runs.count - 1].length += length
            } else {
                runs.append((number, length))
            }
        }
        var groups = [TypedStream.Group([.object], [.object(string(text.string))])]
        var written = 0
        for (number, length) in runs {
            groups.append(
                TypedStream.Group([.int, .unsignedInt], [.integer(Int64(number)), .unsigned(UInt64(length))]))
            guard number > written else { continue }
            written = number
            groups.append(TypedStream.Group([.object], [.object(dictionaries[number - 1])]))
        }
        return add(.attributedString, groups)
    }

    private func attribute(_ value: Any, named name: String) throws -> Int {
        if value is UnknownObject {
            throw error(
                .notEncodable,
                "Found \(value) as the attribute \(SequentialUnarchiver.start(of: name))."
                    + " Only a keyed archive can hold it: use ArchiveEncoder, or remove the attribute")
        }
        return try anyElement(value)
    }
}

extension AttributedText {
    /// Reads the text in a typedstream, such as the `attributedBody` of a message.
    ///
    /// ```swift
    /// let text = try AttributedText(attributedBody)
    /// print(text.string, text.mentions.map(\.value), text.links.map(\.value), text.attachments.map(\.value))
    /// ```
    ///
    /// - Throws: `TypedStreamError` if the bytes are not a typedstream; `ArchivingError` if the archive does not contain a
    ///   text.
    public init(_ data: Data) throws {
        self = try SequentialUnarchiver.unarchivedObject(of: AttributedText.self, from: data)
    }
}
