// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A format of files that are neither binary nor XML property lists, known by their first bytes. Errors name it.
struct ForeignFormat: Sendable {
    private enum Beginning {
        case nothing, zeros, plainText
        case bytes(StaticString, at: Int = 0)
        /// Lower-case text after white space.
        case text(StaticString)
    }

    let name: StaticString
    private let advice: StaticString
    private let beginnings: [Beginning]

    var sentence: String { advice.utf8CodeUnitCount > 0 ? "\(name). \(advice)" : "\(name)" }

    private init(_ name: StaticString, _ beginnings: Beginning..., advice: StaticString = "") {
        (self.name, self.beginnings, self.advice) = (name, beginnings, advice)
    }

    /// The first format that fits is that of a file.
    private static let table = [
        ForeignFormat("empty", .nothing),
        ForeignFormat("full of zeros", .zeros, advice: "It may not have been written completely"),
        ForeignFormat(
            "a typedstream", .bytes("streamtyped", at: 2), .bytes("typedstream", at: 2),
            advice: "Read it with SequentialUnarchiver of the module SequentialArchiving"),
        ForeignFormat("a compiled nib in the format NIBArchive", .bytes("NIBArchive")),
        ForeignFormat(
            "an archive of GNUstep's NSArchiver", .bytes("GNUstep archive"), advice: "Its keyed archives can be read"),
        ForeignFormat(
            "an SQLite database", .bytes("SQLite format 3"), advice: "Export the archives in its columns first"),
        ForeignFormat("a zip file", .bytes("PK\u{3}\u{4}"), advice: "The files in it may be archives"),
        ForeignFormat("compressed by gzip", .bytes("\u{1F}\u{8B}"), advice: "Unpack it first"),
        ForeignFormat("compressed by bzip2", .bytes("BZh"), advice: "Unpack it first"),
        ForeignFormat("compressed by xz", .bytes("\u{FD}7zXZ"), advice: "Unpack it first"),
        ForeignFormat("a PNG image", .bytes("\u{89}PNG")),
        ForeignFormat("a PDF document", .bytes("%PDF")),
        ForeignFormat("a binary property list of a version that is not described", .bytes("bplist1")),
        ForeignFormat("a binary property list of an unknown version", .bytes("bplist")),
        ForeignFormat(
            "text in UTF-32", .bytes("\0\0\u{FE}\u{FF}"), .bytes("\u{FF}\u{FE}\0\0"), .bytes("\0\0\0<"),
            .bytes("<\0\0\0"), advice: "Convert it to UTF-8, which XML property lists have"),
        ForeignFormat("an HTML page", .text("<html"), .text("<!doctype html")),
        ForeignFormat("JSON", .text("["), .text("{\""), .text("{}"), advice: "Read it with JSONDecoder"),
        ForeignFormat(
            "JSON, or a property list in the old text format", .text("{"),
            advice: "Read it with JSONDecoder, or convert it"),
        ForeignFormat("plain text", .plainText),
    ]

    fileprivate static func number(of bytes: StoredBytes) -> Int {
        let head = bytes.prefix(1024)
        let text = String(decoding: head, as: UTF8.self).lowercased().drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let found = table.firstIndex { format in
            format.beginnings.contains { beginning in
                switch beginning {
                case .nothing: head.isEmpty
                case .zeros: head.allSatisfy { $0 == 0 }
                case .bytes(let start, let offset):
                    head.dropFirst(offset).starts(
                        with: "\(start)".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
                case .text(let start): text.hasPrefix("\(start)")
                case .plainText:
                    // The last character may be cut off.
                    text.first != "<"
                        && text.dropLast().unicodeScalars.allSatisfy {
                            $0 != "\u{FFFD}" && ($0.value >= 0x20 || $0.properties.isWhitespace)
                        }
                }
            }
        }
        return found.map { $0 + 1 } ?? 0
    }

    fileprivate init?(number: Int) {
        guard Self.table.indices.contains(number - 1) else { return nil }
        self = Self.table[number - 1]
    }
}

extension PropertyListError {
    static func notAPropertyList(_ bytes: StoredBytes) -> PropertyListError {
        PropertyListError(.notAPropertyList, at: 0, found: ForeignFormat.number(of: bytes))
    }

    var foreignFormat: ForeignFormat? { defect == .notAPropertyList ? ForeignFormat(number: found) : nil }
}
