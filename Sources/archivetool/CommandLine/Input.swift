import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes that a command was given: a file, or standard input.
struct InputSource {
    /// What reports call it: the path, or "standard input". Not yet fit for a terminal.
    let label: String
    /// The address of an ordinary file; nil where the bytes came from elsewhere.
    let url: URL?
    /// The first bytes, enough to see what it is.
    let head: Data
    /// The number of bytes.
    let byteCount: Int
    /// What messages call it: the path in quotes, or "standard input".
    var name: String { url == nil && label == Self.standardInput ? label : "“\(label)”" }
    private let bytes: Data?

    private static let standardInput = "standard input"

    /// Bytes of the beginning that are looked at.
    static let headSize = 4096

    /// What the path `operand` leads to, or standard input where there is none or it is `-`.
    ///
    /// - Throws: `ToolError` where there is no such file, or it cannot be read, and where standard input would be a terminal.
    init(_ operand: String?, in session: Session) throws {
        guard let path = operand, path != "-" else {
            if operand == nil, session.surroundings.isInputTerminal {
                throw ToolError(
                    .usage, "No FILE was given, and standard input is a terminal; name a file, or pipe one in")
            }
            let bytes = try Self.readAll(Platform.standardInput, Self.standardInput, session)
            self.init(Self.standardInput, bytes)
            return
        }
        let name = "“\(path)”"
        do {
            switch try Platform.kind(of: path) {
            case .folder: throw ToolError(.unreadable, "\(name) is a folder; name one of the files in it")
            case .other:
                let file = try Platform.openForReading(path)
                defer { Platform.close(file) }
                self.init(path, try Self.readAll(file, name, session))
            case .file(let byteCount):
                let file = try Platform.openForReading(path)
                defer { Platform.close(file) }
                let head = try Platform.read(Self.headSize, from: file)
                self.init(path, URL(filePath: path), head: Data(head), byteCount: byteCount)
            }
        } catch let failure as Platform.Failure {
            throw ToolError(.unreadable, "\(name) cannot be read: \(failure.description)")
        }
    }

    private init(_ label: String, _ url: URL, head: Data, byteCount: Int) {
        self.label = label
        self.url = url
        self.head = head
        self.byteCount = byteCount
        bytes = nil
    }

    /// Bytes that are in memory.
    init(_ label: String, _ bytes: Data) {
        self.label = label
        self.bytes = bytes
        url = nil
        head = Data(bytes.prefix(Self.headSize))
        byteCount = bytes.count
    }

    /// All bytes.
    func data() throws(ToolError) -> Data {
        if let bytes { return bytes }
        guard let url else { return head }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw ToolError(.unreadable, "\(name) cannot be read: \(error)")
        }
    }

    private static func readAll(_ file: CInt, _ name: String, _ session: Session) throws(Platform.Failure) -> Data {
        session.progress.begin("reading \(name)")
        defer { session.progress.end() }
        var data = Data()
        while true {
            let block = try Platform.read(1 << 16, from: file)
            if block.isEmpty { return data }
            data.append(contentsOf: block)
        }
    }
}

/// How a property list is written in a file.
enum ListForm: String {
    case binary
    case xml
    /// The old form for people, and that of `.strings` files.
    case text
    case json
    /// The form of `convert`, which holds every value.
    case lossless

    init(_ format: PropertyListFormat) { self = format == .xml ? .xml : .binary }

    /// What it is called in sentences.
    var title: String { self == .xml ? "XML" : self == .json || self == .lossless ? "JSON" : rawValue }
    /// The format for a changed list: XML for the texts for people, which are not written.
    var written: PropertyListFormat { self == .binary || self == .lossless ? .binary : .xml }
}

/// What a file holds, found out from its bytes.
struct Input {
    let source: InputSource
    let content: Content

    enum Content {
        case archive(KeyedArchive)
        /// A property list that is no keyed archive, and what keeps it from being one.
        case propertyList(PropertyList, ListForm, KeyedArchiveError)
        case typedStream(TypedStream)
    }

    /// What messages call the input.
    var name: String { source.name }

    /// Opens what the operand leads to.
    init(_ operand: String?, in session: Session) throws {
        try self.init(InputSource(operand, in: session), in: session)
    }

    /// Finds out what `source` holds, and opens it.
    ///
    /// - Throws: `ToolError` where it is none of the three, or is damaged so that it cannot be opened.
    init(_ source: InputSource, in session: Session) throws {
        self.source = source
        session.progress.begin("opening \(source.name)")
        defer { session.progress.end() }
        if TypedStream.isTypedStream(source.head) {
            do {
                content = .typedStream(try TypedStream(source.data()))
            } catch let error as TypedStreamError {
                throw ToolError(.unreadable, "\(source.name) is a damaged typedstream: \(error)")
            }
            return
        }
        guard let format = PropertyListFormat(detectedIn: source.head) else {
            let (list, form) = try TextForms.list(source)
            content = Self.content(of: list, form)
            return
        }
        content = try Self.propertyListContent(source, format)
    }

    /// What a list is that was read from a text: an archive, if it has what one has.
    private static func content(of list: PropertyList, _ form: ListForm) -> Content {
        do throws(KeyedArchiveError) {
            return .archive(try KeyedArchive(list))
        } catch {
            return .propertyList(list, form, error)
        }
    }

    private static func propertyListContent(
        _ source: InputSource, _ format: PropertyListFormat
    ) throws(ToolError) -> Content {
        let refusal: KeyedArchiveError
        do {
            if let url = source.url { return .archive(try KeyedArchive(contentsOf: url)) }
            return .archive(try KeyedArchive(source.data()))
        } catch let error as KeyedArchiveError {
            refusal = error
        } catch let error as ToolError {
            throw error
        } catch {
            throw ToolError(.unreadable, "\(source.name) cannot be read: \(error)")
        }
        let data = try source.data()
        do throws(PropertyListError) {
            return .propertyList(try PropertyList(data), ListForm(format), refusal)
        } catch {
            throw ToolError(.unreadable, "\(source.name) cannot be read: \(error)")
        }
    }

    /// The archive.
    ///
    /// - Throws: Where it is something else, for the command `command`, which takes nothing but keyed archives.
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

// MARK: - Something else

/// What a file may be that is no archive and no property list.
enum FileGuess {
    /// The rest of the sentence that begins with the name of the file, which begins with `head`.
    static func sentence(_ head: Data) -> String {
        let wanted = "no keyed archive, property list or typedstream"
        guard !head.isEmpty else { return "is empty; a keyed archive, property list or typedstream was wanted" }
        let bytes = [UInt8](head)
        for (start, kind, advice) in known where bytes.starts(with: start) {
            return "is \(kind), and \(wanted)\(advice)"
        }
        if bytes.allSatisfy({ $0 == 0 }) {
            return "begins with zeros, and is \(wanted); it may not have been written fully"
        }
        let shown = bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        return "is \(wanted): it begins with the bytes \(shown)"
    }

    private static let known: [(start: [UInt8], kind: String, advice: String)] = [
        (Array("NIBArchive".utf8), "a compiled nib in the format NIBArchive", ""),
        (
            Array("SQLite format 3".utf8), "an SQLite database",
            "; archives are in its columns, and have to be taken out first"
        ),
        ([0x1F, 0x8B], "compressed by gzip", "; unpack it first: gunzip -c FILE | archivetool show"),
        (Array("PK\u{3}\u{4}".utf8), "a zip file", "; archives may be among the files in it"),
        (Array("BZh".utf8), "compressed by bzip2", "; unpack it first"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed by xz", "; unpack it first"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG image", ""),
        (Array("%PDF".utf8), "a PDF document", ""),
        (Array("bplist1".utf8), "a binary property list of a version that is not described", ""),
        (Array("bplist".utf8), "a binary property list of an unknown version", ""),
    ]
}
