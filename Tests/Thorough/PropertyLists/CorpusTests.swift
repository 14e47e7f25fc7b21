// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import ThoroughSupport

@testable import Archiving

/// Property lists that Apple's systems wrote, against what CPython's plistlib reads in them.
///
/// The files are not part of this repository; without them there is nothing to test.
@Suite(.inTurn, .needs(.corpus)) struct `Property lists of Apple's systems` {
    @Test(arguments: Corpus.names)
    func `say what plistlib says, and come back from both formats`(name: String) throws {
        let data = try Corpus.data(name)
        guard PropertyListFormat(detectedIn: data) != nil else { return }
        guard let expected = try GoldenDump(of: name)?["plist"] else {
            // Beyond plistlib; to be read or refused without a trap.
            _ = try? PropertyList(data)
            return
        }
        let list = try PropertyList(data)
        try compare(list, expected, at: name)
        #expect(try PropertyList(list.data(format: .binary)) == list)
        guard let xml = try? list.data(format: .xml) else { return }
        // XML has one NaN and no 32-bit reals; but what has been XML once stays as it is.
        let again = try PropertyList(xml)
        #expect(try again.data(format: .xml) == xml)
        try compare(again, expected, at: name + " as XML", afterXML: true)
    }

    private func compare(_ list: PropertyList, _ expected: GoldenDump, at path: String, afterXML: Bool = false) throws {
        switch list {
        case .dictionary(let dictionary):
            let expected = try #require(expected.dictionary, "\(path)")
            #expect(Set(dictionary.keys) == Set(expected.keys), "\(path)")
            // Of entries with the same key plistlib takes the last.
            let last = Dictionary(dictionary.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
            for (key, value) in last {
                try compare(value, try #require(expected[key]), at: "\(path)/\(key)", afterXML: afterXML)
            }
        case .array(let elements):
            let expected = try #require(expected.array, "\(path)")
            try #require(elements.count == expected.count, "\(path)")
            for (position, element) in elements.enumerated() {
                try compare(element, expected[position], at: "\(path)/\(position)", afterXML: afterXML)
            }
        case .boolean(let value): #expect(expected == .boolean(value), "\(path)")
        case .integer(let value): #expect(expected == .integer(value), "\(path)")
        case .real(let value): compare(value, expected, at: path)
        case .real32(let value): compare(Double(value), expected, at: path)
        case .string(let value):
            if let text = expected.string {
                // plistlib reads XML as the standard has it, which makes a line feed of a carriage return.
                #expect(value.utf8.elementsEqual(text.utf8) || value == "\r" && text == "\n", "\(path)")
            } else {
                #expect(expected.loneSurrogates != nil, "\(path)")
            }
        case .uid(let value): #expect(expected.uid == value, "\(path)")
        case .data(let value): #expect(expected.data == value, "\(path)")
        case .date(let value):
            let seconds = try #require(expected.date, "\(path)")
            #expect(value.timeIntervalSinceReferenceDate == (afterXML ? seconds.rounded(.down) : seconds), "\(path)")
        case .null, .set: Issue.record("\(path): \(list), which plistlib has not")
        }
    }

    private func compare(_ value: Double, _ expected: GoldenDump, at path: String) {
        let number = expected.specialReal ?? expected.number
        #expect(number == value || number?.isNaN == true && value.isNaN, "\(path)")
    }
}
