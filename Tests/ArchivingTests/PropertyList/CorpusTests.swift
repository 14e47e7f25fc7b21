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

    private func compare(_ list: PropertyList, _ expected: Any, at path: String, afterXML: Bool = false) throws {
        switch list {
        case .dictionary(let dictionary):
            let expected = try #require(expected as? [String: Any], "\(path)")
            #expect(Set(dictionary.keys) == Set(expected.keys), "\(path)")
            // Of entries with the same key plistlib takes the last.
            for (key, value) in dictionary.reversed().prefix(expected.count) {
                try compare(value, try #require(expected[key]), at: "\(path)/\(key)", afterXML: afterXML)
            }
        case .array(let elements):
            let expected = try #require(expected as? [Any], "\(path)")
            try #require(elements.count == expected.count, "\(path)")
            for (position, element) in elements.enumerated() {
                try compare(element, expected[position], at: "\(path)/\(position)", afterXML: afterXML)
            }
        case .boolean(let value): #expect(expected as? Bool == value, "\(path)")
        case .integer(let value): #expect((expected as? NSNumber)?.stringValue == value.description, "\(path)")
        case .real(let value): compare(value, expected, at: path)
        case .real32(let value): compare(Double(value), expected, at: path)
        case .string(let value):
            if let text = expected as? String {
                #expect(value.utf8.elementsEqual(text.utf8), "\(path)")
            } else {
                #expect((expected as? [String: Any])?["$string-utf16be-hex"] != nil, "\(path)")
            }
        case .uid(let value): #expect((expected as? [String: Any])?["CF$UID"] as? UInt32 == value, "\(path)")
        case .data(let value):
            #expect((expected as? [String: Any])?["$data"] as? String == value.base64EncodedString(), "\(path)")
        case .date(let value):
            let date = (expected as? [String: Any])?["$date"] as? [String: Any]
            let seconds = try #require(date?["since_reference"] as? Double, "\(path)")
            #expect(value.timeIntervalSinceReferenceDate == (afterXML ? seconds.rounded(.down) : seconds), "\(path)")
        case .null, .set: Issue.record("\(path): \(list), which plistlib has not")
        }
    }

    private func compare(_ value: Double, _ expected: Any, at path: String) {
        if let special = (expected as? [String: Any])?["$real"] as? String {
            #expect(special == "nan" ? value.isNaN : value == Double(special), "\(path)")
        } else {
            #expect((expected as? NSNumber)?.doubleValue == value, "\(path)")
        }
    }
}

enum PropertyListCorpus {
    static let folder = URL(
        filePath: ProcessInfo.processInfo.environment["ARCHIVING_CORPUS"] ?? repository.path + "/../shared/corpus")

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static let exists = FileManager.default.fileExists(atPath: folder.appending(path: "archives").path)

    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/archives")) ?? []).sorted()

    /// What plistlib reads in the file `name`; nil where it reads nothing.
    static func plist(of name: String) throws -> Any? {
        let url = folder.appending(path: "golden/\(name).json")
        guard let data = try? Data(contentsOf: url) else { return nil }
        let golden = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return golden?["plistlib_parses"] as? Bool == false ? nil : golden?["plist"]
    }
}
