import Foundation
import Testing

@testable import Archiving

/// Property lists that Apple's systems wrote, against what CPython's plistlib reads in them.
///
/// The files are not part of this repository; without them there is nothing to test.
@Suite(.enabled(if: PropertyListCorpus.exists, "no corpus at \(PropertyListCorpus.folder.path)"))
struct `Property lists of Apple's systems` {
    @Test(arguments: PropertyListCorpus.names)
    func `say what plistlib says, and come back from both formats`(name: String) throws {
        let data = try Data(contentsOf: PropertyListCorpus.folder.appending(path: "archives/\(name)"))
        guard PropertyListFormat(detectedIn: data) != nil else { return }
        guard let expected = try PropertyListCorpus.plist(of: name) else {
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

    private func compare(_ list: PropertyList, _ expected: Golden, at path: String, afterXML: Bool = false) throws {
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
            guard case .array(let expected) = expected, elements.count == expected.count else {
                Issue.record("\(path): no array of \(elements.count)")
                return
            }
            for (position, element) in elements.enumerated() {
                try compare(element, expected[position], at: "\(path)/\(position)", afterXML: afterXML)
            }
        case .boolean(let value): #expect(expected == .boolean(value), "\(path)")
        case .integer(let value): #expect(expected == .integer(value), "\(path)")
        case .real(let value): compare(value, expected, at: path)
        case .real32(let value): compare(Double(value), expected, at: path)
        case .string(let value):
            if case .string(let text) = expected {
                // plistlib reads XML as the standard has it, which makes a line feed of a carriage return.
                #expect(value.utf8.elementsEqual(text.utf8) || value == "\r" && text == "\n", "\(path)")
            } else {
                #expect(expected["$string-utf16be-hex"] != nil, "\(path)")
            }
        case .uid(let value): #expect(expected["CF$UID"] == .integer(Int128(value)), "\(path)")
        case .data(let value): #expect(expected["$data"] == .string(value.base64EncodedString()), "\(path)")
        case .date(let value):
            let seconds = try #require(expected["$date"]?["since_reference"]?.number, "\(path)")
            #expect(value.timeIntervalSinceReferenceDate == (afterXML ? seconds.rounded(.down) : seconds), "\(path)")
        case .null, .set: Issue.record("\(path): \(list), which plistlib has not")
        }
    }

    private func compare(_ value: Double, _ expected: Golden, at path: String) {
        if case .string(let special) = expected["$real"] {
            #expect(special == "nan" ? value.isNaN : value == Double(special), "\(path)")
        } else {
            // An integer where JSONDecoder says so, as it does of 1.0.
            #expect(expected.number == value, "\(path)")
        }
    }
}

enum PropertyListCorpus {
    static let folder = URL(
        filePath: ProcessInfo.processInfo.environment["ARCHIVING_CORPUS"] ?? repository.path + "/../shared/corpus")

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let exists = FileManager.default.fileExists(atPath: folder.appending(path: "archives").path)

    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/archives")) ?? [])
        .sorted()

    /// What plistlib reads in the file `name`; nil where it reads nothing.
    static func plist(of name: String) throws -> Golden? {
        let url = folder.appending(path: "golden/\(name).json")
        guard let data = try? Data(contentsOf: url) else { return nil }
        return try JSONDecoder().decode(GoldenFile.self, from: data).plist
    }

    private struct GoldenFile: Decodable {
        var plist: Golden?
    }
}

/// JSON, by JSONDecoder because JSONSerialization loses the last digit of reals.
indirect enum Golden: Decodable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int128)
    case real(Double)
    case string(String)
    case array([Golden])
    case dictionary([String: Golden])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([String: Golden].self) {
            self = .dictionary(value)
        } else if let value = try? container.decode([Golden].self) {
            self = .array(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(Int128(value))
        } else if let value = try? container.decode(UInt64.self) {
            self = .integer(Int128(value))
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else {
            self = .null
        }
    }

    var dictionary: [String: Golden]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    subscript(key: String) -> Golden? { dictionary?[key] }
}
