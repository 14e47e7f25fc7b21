// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

/// The bytes of the file or of standard input that a command reads.
struct InputSource {
    /// The path, or "standard input", for reports. It may have control characters.
    let label: String
    /// The address of a regular file; nil if the bytes came from elsewhere.
    let url: URL?
    /// The first bytes, enough to detect the format.
    let head: Data
    let byteCount: Int
    /// The path in quotes, or "standard input", for messages.
    var name: String { url == nil && label == Self.standardInput ? label : "“\(label)”" }
    private let bytes: Data?

    private static let standardInput = "standard input"
    private static let headSize = 4096

    /// Opens the file at the path `operand`; standard input if it is nil or `-`.
    init(_ operand: String?, in session: Session) throws {
        let isStandardInput = operand == nil || operand == "-"
        session.progress.begin("reading " + (isStandardInput ? Self.standardInput : "“\(operand ?? "")”"))
        guard let path = operand, !isStandardInput else {
            if operand == nil, session.surroundings.isInputTerminal {
                throw ToolError(
                    .usage, "No FILE was given, and standard input is a terminal; name a file, or pipe one in")
            }
            self.init(Self.standardInput, try Self.readAll(Platform.standardInput))
            return
        }
        do {
            let kind = try Platform.kind(of: path)
            if kind == .folder { throw ToolError(.unreadable, "“\(path)” is a folder; name one of the files in it") }
            let file = try Platform.open(path)
            defer { Platform.close(file) }
            guard case .file(let byteCount) = kind else {
                self.init(path, try Self.readAll(file))
                return
            }
            let head = try Platform.read(Self.headSize, from: file)
            self.init(path, URL(filePath: path), head: Data(head), byteCount: byteCount)
        } catch let failure as Platform.Failure {
            throw ToolError(.unreadable, "“\(path)” cannot be read: \(failure.description)")
        }
    }

    private init(_ label: String, _ bytes: Data) {
        self.init(label, nil, head: Data(bytes.prefix(Self.headSize)), byteCount: bytes.count, bytes)
    }

    private init(_ label: String, _ url: URL?, head: Data, byteCount: Int, _ bytes: Data? = nil) {
        self.label = label
        self.url = url
        self.head = head
        self.byteCount = byteCount
        self.bytes = bytes
    }

    /// The error for a file of a kind that the tool does not read.
    var refusal: ToolError { ToolError(.unreadable, "\(name) \(FileGuess.sentence(head))") }

    func data() throws(ToolError) -> Data {
        if let bytes { return bytes }
        guard let url else { return head }
        do {
            return try Data(contentsOfFile: url)
        } catch {
            throw ToolError(.unreadable, "\(name) cannot be read: \(error)")
        }
    }

    private static func readAll(_ file: CInt) throws(Platform.Failure) -> Data {
        var data = Data()
        while true {
            let block = try Platform.read(1 << 16, from: file)
            if block.isEmpty { return data }
            data.append(contentsOf: block)
        }
    }
}

enum ListForm: String {
    case binary
    case xml
    /// The old text form, and that of `.strings` files.
    case text
    case json
    case lossless

    init(_ format: PropertyListFormat) { self = format == .xml ? .xml : .binary }

    var title: String { self == .xml ? "XML" : self == .json || self == .lossless ? "JSON" : rawValue }
    /// The format for a changed list. Texts for people are not written; they become XML.
    var written: PropertyListFormat { self == .binary || self == .lossless ? .binary : .xml }
}

struct Input {
    let source: InputSource
    let content: Content
    let progress: Progress

    enum Content {
        case archive(KeyedArchive)
        /// A property list that is not a keyed archive, and the reason.
        case propertyList(PropertyList, ListForm, KeyedArchiveError)
        case typedStream(TypedStream)
    }

    var name: String { source.name }

    init(_ operand: String?, in session: Session) throws {
        try self.init(InputSource(operand, in: session), session.progress)
    }

    /// Detects what `source` is, and opens it.
    init(_ source: InputSource, _ progress: Progress) throws {
        self.source = source
        self.progress = progress
        if FileGuess.isUTF32(source.head) {
            throw source.refusal
        }
        if TypedStream.isTypedStream(source.head) {
            do {
                content = .typedStream(try TypedStream(source.data()))
            } catch let error as TypedStreamError {
                throw DamagedInput(
                    kind: "typedstream", title: "typedstream", sentence: "\(error)",
                    message: "\(source.name) is a damaged typedstream: \(error)")
            }
        } else if let format = PropertyListFormat(detectedIn: source.head) {
            content = try Self.content(source, format)
        } else {
            let (list, form) = try TextForms.list(source)
            do throws(KeyedArchiveError) {
                content = .archive(try KeyedArchive(list))
            } catch {
                content = .propertyList(list, form, error)
            }
        }
    }

    private static func content(_ source: InputSource, _ format: PropertyListFormat) throws -> Content {
        let refusal: KeyedArchiveError
        do {
            if let url = source.url { return .archive(try KeyedArchive(contentsOf: url)) }
            return .archive(try KeyedArchive(source.data()))
        } catch let error as KeyedArchiveError {
            refusal = error
        } catch {
            throw ToolError(.unreadable, "\(source.name) cannot be read: \(error)")
        }
        let data = try source.data()
        let form = ListForm(format)
        do throws(PropertyListError) {
            return .propertyList(try PropertyList(data), form, refusal)
        } catch {
            throw DamagedInput(
                kind: "property list", title: "property list, \(form.title)", sentence: "\(error)",
                message: "\(source.name) cannot be read: \(error)")
        }
    }

    func archive(for command: String) throws(ToolError) -> KeyedArchive {
        switch content {
        case .archive(let archive): return archive
        case .propertyList(_, _, let error):
            throw ToolError(
                .unreadable, "\(name) is a property list and no keyed archive, which “\(command)” needs: \(error)")
        case .typedStream:
            throw ToolError(
                .unreadable, "\(name) is a typedstream; “\(command)” needs a keyed archive. “show” shows typedstreams")
        }
    }
}

/// A file of a known kind that cannot be opened.
struct DamagedInput: Error {
    /// "typedstream" or "property list".
    let kind: String
    let title: String
    let sentence: String
    let message: String
}

// MARK: - Other files

enum FileGuess {
    static func sentence(_ head: Data) -> String {
        let wanted = "no keyed archive, property list or typedstream"
        guard !head.isEmpty else { return "is empty; a keyed archive, property list or typedstream is needed" }
        let bytes = [UInt8](head)
        if isUTF32(head) {
            return
                "is a text in UTF-32, which no reader of property lists takes; convert it first: iconv -f UTF-32 -t UTF-8"
        }
        for (start, kind, advice) in known where bytes.starts(with: start) {
            return "is \(kind), and \(wanted)\(advice)"
        }
        if bytes.allSatisfy({ $0 == 0 }) {
            return "begins with zeros, and is \(wanted); it may not have been written completely"
        }
        return "is \(wanted): it begins with the bytes \(bytes.prefix(8).map(\.hexadecimal).joined(separator: " "))"
    }

    /// Whether the first two characters of a text are ASCII in UTF-32, of either byte order, perhaps after a byte order mark.
    static func isUTF32(_ head: Data) -> Bool {
        let isMarked = [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]].contains { head.starts(with: $0) }
        let bytes = [UInt8](head.dropFirst(isMarked ? 4 : 0).prefix(8))
        guard bytes.count == 8 else { return false }
        return [0, 3].contains { place in
            bytes.indices.allSatisfy { $0 % 4 == place ? 0x09..<0x7F ~= bytes[$0] : bytes[$0] == 0 }
        }
    }

    private static let known: [(start: [UInt8], kind: String, advice: String)] = [
        (Array("NIBArchive".utf8), "a compiled nib in the format NIBArchive", ""),
        (Array("GNUstep archive".utf8), "an archive of GNUstep's NSArchiver", "; its keyed archives can be read"),
        (Array("SQLite format 3".utf8), "an SQLite database", "; its columns may contain archives: export them first"),
        ([0x1F, 0x8B], "compressed by gzip", "; unpack it first: gunzip -c FILE | archivetool show"),
        (Array("PK\u{3}\u{4}".utf8), "a zip file", "; the files in it may be archives"),
        (Array("BZh".utf8), "compressed by bzip2", "; unpack it first"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed by xz", "; unpack it first"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG image", ""),
        (Array("%PDF".utf8), "a PDF document", ""),
        (Array("bplist1".utf8), "a binary property list of a version that is not described", ""),
        (Array("bplist".utf8), "a binary property list of an unknown version", ""),
    ]
}

extension UInt8 {
    var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}

/// Reads texts as property lists: the lossless form of `convert`, JSON, old property lists, and `.strings` files.
enum TextForms {
    /// The property list in `source`, and its form.
    static func list(_ source: InputSource) throws(ToolError) -> (PropertyList, ListForm) {
        if LosslessJSON.isDetected(in: source.head) { return (try losslessList(source), .lossless) }
        let first = source.head.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF, 0xFF, 0xFE, 0x00].contains($0) }
        let isSigned = [[0xFF, 0xFE], [0xFE, 0xFF]].contains { source.head.starts(with: $0) }
        let isText = first.map { $0 >= 0x20 && $0 < 0x7F } ?? false
        guard isText, let bytes = utf8(try source.data(), isSigned: isSigned) else { throw source.refusal }
        var failures: [(error: TextError, kind: String)] = []
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            do throws(TextError) {
                var parser = TextParser(bytes, .json)
                return (try parser.parse(), .json)
            } catch {
                failures.append((error, "JSON"))
            }
        }
        do throws(TextError) {
            var parser = TextParser(bytes, .list)
            return (try parser.parse(), .text)
        } catch {
            failures.append((error, "text property list"))
        }
        // The parser that got farther has the better error. Letters may begin any other text.
        let isMeant = ["{", "[", "(", "\"", "/"].contains { first == $0.utf8.first }
        guard isMeant, let failure = failures.max(by: { $0.error.position < $1.error.position }) else {
            throw source.refusal
        }
        let article = failure.kind == "JSON" ? "damaged JSON" : "a damaged \(failure.kind)"
        throw ToolError(.unreadable, "\(source.name) is \(article): \(failure.error.description)")
    }

    private static func losslessList(_ source: InputSource) throws(ToolError) -> PropertyList {
        let bytes = [UInt8](try source.data())
        do {
            var parser = TextParser(bytes, .json, nestingLimit: TextParser.losslessNestingLimit)
            return try LosslessJSON.propertyList(from: parser.parse())
        } catch let error as TextError {
            throw ToolError(.unreadable, "\(source.name) is damaged JSON: \(error.description)")
        } catch let error as LosslessJSON.FormatError {
            throw ToolError(
                .unreadable, "\(source.name) is not lossless JSON as “convert” writes it: \(error.sentence)")
        } catch {
            throw ToolError(describing: error)
        }
    }

    /// The text in UTF-8; nil if it is no Unicode text.
    private static func utf8(_ data: Data, isSigned: Bool) -> [UInt8]? {
        let bytes = [UInt8](data)
        guard isSigned else {
            return String(validating: bytes, as: UTF8.self) == nil
                ? nil : bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        }
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { position in
            UInt16(bytes[position + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[position + (isLittle ? 0 : 1)])
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }
}
