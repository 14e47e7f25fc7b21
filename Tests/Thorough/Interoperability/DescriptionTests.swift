// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Archives that programs on Apple's systems wrote, as text.
///
/// What the text has to have is worked out from what Python's plistlib found in the same files (`golden`).
@Suite(.inTurn, .needs(.corpus))
struct `Descriptions of archives by Apple's frameworks` {
    /// The archive in the file `name`; nil where it is none.
    private func archive(_ name: String) throws -> (archive: KeyedArchive, byteCount: Int)? {
        let data = try Corpus.data(name)
        return (try? KeyedArchive(data)).map { ($0, data.count) }
    }

    @Test(arguments: Extent.cases(of: Corpus.names, every: 3))
    func `have every string and every class, and are the same each time`(name: String) throws {
        guard let (archive, byteCount) = try archive(name) else { return }
        let text = archive.tree
        #expect(try self.archive(name)?.archive.tree == text)
        var dumped = ""
        archive.dump(to: &dumped)
        #expect(dumped == text)
        // A reference of one byte may become a line with two names and 64 columns of white space.
        #expect(text.utf8.count <= 1000 + 40 * byteCount, "\(text.utf8.count) bytes for \(byteCount)")

        let words = Set(text.split { $0 == " " || $0 == "\n" })
        for object in archive.top.reachableObjects {
            // Those of strings and data are omitted inside another value that is on one line.
            guard let className = object.className, className != "NSMutableData", className != "NSMutableString" else {
                continue
            }
            #expect(className.contains(" ") ? text.contains(className) : words.contains(Substring(className)))
        }
        let bytes = Data(text.utf8)
        for string in try strings(name) {
            // plistlib reads XML as the standard has it, which makes a line feed of a carriage return.
            if archive.format == .xml, string == "\n", text.contains(#""\r""#) { continue }
            let shown = String(decoding: string.utf16.prefix(200), as: UTF16.self)
            let rest = string.utf16.count > 200 ? "… (length \(string.utf16.count))" : ""
            // Foundation's search, which compares characters, takes a hundred times as long.
            let isShown = bytes.range(of: Data((literal(shown) + rest).utf8)) != nil
            #expect(isShown, "\(string.debugDescription)")
        }
    }

    @Test(arguments: Corpus.names)
    func `are no longer where less is shown`(name: String) throws {
        guard let (archive, _) = try archive(name) else { return }
        func count(_ options: KeyedArchive.DumpOptions) -> Int {
            var text = ""
            archive.dump(to: &text, options: options)
            return text.utf8.count
        }
        let all = count(.init(byteLimit: .max, stringLimit: .max, listsClasses: true))
        let ordinary = count(.init())
        #expect(ordinary <= all)
        #expect(count(.init(byteLimit: 0, listsUnreachableObjects: false)) <= ordinary)
        #expect(count(.init(showsUIDs: false, listsUnreachableObjects: false)) <= ordinary)
        // One line for each key, and the first.
        var text = ""
        archive.dump(to: &text, options: .init(depthLimit: 0, listsUnreachableObjects: false))
        #expect(text.split(separator: "\n").count == archive.top.fields.count + 1)
    }

    // MARK: - What plistlib found

    /// The strings in the objects and the top of the archive `name`, without keys and without what describes classes.
    private func strings(_ name: String) throws -> Set<String> {
        guard let plist = try GoldenDump(of: name)?["plist"] else { return [] }
        var strings: Set<String> = []
        for (slot, object) in (plist["$objects"]?.array ?? []).enumerated() where slot > 0 {
            // A string "$null" is nil in a slot.
            if object.string != "$null" { collect(object, into: &strings) }
        }
        collect(plist["$top"] ?? .null, into: &strings)
        return strings
    }

    private func collect(_ value: GoldenDump, into strings: inout Set<String>) {
        switch value {
        case .string(let string): strings.insert(string)
        case .array(let array): for element in array { collect(element, into: &strings) }
        case .dictionary(let dictionary):
            let special = ["$data", "$date", "$real", "CF$UID", "$string-utf16be-hex"]
            if dictionary.count == 1, let key = dictionary.keys.first, special.contains(key) { return }
            if dictionary["$classname"] != nil, dictionary["$class"] == nil { return }
            for value in dictionary.values { collect(value, into: &strings) }
        default: break
        }
    }

    private func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: literal += "\\" + String(scalar)
            case 0: literal += "\\0"
            case 9: literal += "\\t"
            case 10: literal += "\\n"
            case 13: literal += "\\r"
            case 1..<32, 127..<160:
                literal += "\\u{" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16).uppercased() + "}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
