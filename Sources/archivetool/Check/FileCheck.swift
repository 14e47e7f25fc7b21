import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What `check` finds out about a file.
struct FileCheck {
    let name: String
    /// "keyed archive, binary, 16 objects".
    private(set) var title = ""
    private(set) var kind = ""
    /// What is wrong.
    private(set) var problems: [Problem] = []
    /// Whether there may be more than is listed.
    private(set) var isCut = false
    /// What is worth knowing and no damage.
    private(set) var notes: [String] = []

    struct Problem {
        /// The object in which it is; nil where it is in none.
        var uid: UInt32?
        /// A way to that object.
        var way: String?
        let sentence: String

        /// The sentence without what is clear where it stands.
        var shortSentence: String {
            let introduction = "The keyed archive is damaged: "
            return sentence.hasPrefix(introduction) ? String(sentence.dropFirst(introduction.count)) : sentence
        }
    }

    /// Checks what `source` holds.
    ///
    /// - Throws: `ToolError` where it cannot be read, or is nothing of the kind.
    init(_ source: InputSource, limit: Int, in session: Session) throws {
        name = source.label
        session.progress.begin("checking \(source.name)")
        if TypedStream.isTypedStream(source.head) {
            try checkTypedStream(source)
            return
        }
        guard PropertyListFormat(detectedIn: source.head) != nil else {
            // It says what it may be instead.
            _ = try Input(source, in: session)
            return
        }
        let archive: KeyedArchive
        do {
            if let url = source.url {
                archive = try KeyedArchive(contentsOf: url)
            } else {
                archive = try KeyedArchive(source.data())
            }
        } catch let error as KeyedArchiveError {
            try checkPropertyList(source, error)
            return
        }
        checkArchive(archive, limit: limit, session.progress)
    }

    // MARK: - Typedstreams and property lists

    private mutating func checkTypedStream(_ source: InputSource) throws {
        kind = "typedstream"
        do {
            let stream = try TypedStream(source.data())
            title = "typedstream, \(Self.count(stream.objects.count, "object", "objects"))"
        } catch let error as TypedStreamError {
            title = "typedstream"
            problems = [Problem(sentence: error.description)]
        }
    }

    /// Checks a property list that cannot be opened as an archive, because of `refusal`.
    private mutating func checkPropertyList(_ source: InputSource, _ refusal: KeyedArchiveError) throws {
        kind = "property list"
        let data = try source.data()
        title = "property list, \(PropertyListFormat(detectedIn: data) == .xml ? "XML" : "binary")"
        do {
            let list = try PropertyList(data)
            // What has keys that only archives have was meant to be one.
            if list["$objects"] != nil || list["$archiver"] != nil || list["$top"] != nil {
                kind = "keyed archive"
                problems = [Problem(uid: refusal.uid, sentence: refusal.description)]
            }
        } catch {
            problems = [Problem(sentence: error.description)]
        }
    }

    // MARK: - Archives

    private mutating func checkArchive(_ archive: KeyedArchive, limit: Int, _ progress: Progress) {
        kind = "keyed archive"
        title =
            "keyed archive, \(archive.format == .xml ? "XML" : "binary"), "
            + Self.count(archive.objects.count, "object", "objects")
        var errors = archive.problems(limit: limit)
        progress.begin("checking Foundation's objects of \(name)", total: archive.objects.count)
        addFoundationErrors(of: archive, limit: limit, to: &errors, progress)
        isCut = errors.count >= limit
        progress.begin("looking for the ways to what is wrong in \(name)")
        var ways: [UInt32: String] = [:]
        problems = errors.map { error in
            let uid = error.uid.flatMap { Int($0) < archive.objects.count ? $0 : nil }
            if let uid, ways[uid] == nil, ways.count < Self.wayLimit,
                let path = archive.path(to: archive[uid: uid])
            {
                ways[uid] = ValuePath.text(of: path, in: archive)
            }
            return Problem(uid: error.uid, way: uid.flatMap { ways[$0] }, sentence: error.description)
        }
        let unreachable = archive.unreachableObjects
        guard !unreachable.isEmpty else { return }
        let shown = unreachable.prefix(Self.noteLimit).map { object in
            "#\(object.uid ?? 0) " + (object.className.map { VisibleText.name($0) } ?? object.kind.singular)
        }
        notes.append(
            "nothing leads to \(Self.count(unreachable.count, "object", "objects")): "
                + shown.joined(separator: ", ") + (unreachable.count > Self.noteLimit ? " …" : ""))
    }

    /// Problems whose way is looked for: each takes a walk through the archive.
    private static let wayLimit = 20
    /// Objects that a note names.
    private static let noteLimit = 10

    /// Adds what is wrong with objects of Foundation's that are sound as objects, a date without its time for example.
    private mutating func addFoundationErrors(
        of archive: KeyedArchive, limit: Int, to errors: inout [KeyedArchiveError], _ progress: Progress
    ) {
        guard let sizes = try? archive.sizes() else { return }
        var known = Set(errors.map(\.description))
        // Objects may share their contents, which are read for each of them.
        var budget = 64 << 20 + 64 * sizes.byteCount
        var isDescribed: [UInt32: Bool] = [:]
        for (uid, object) in archive.objects.enumerated() where errors.count < limit {
            if uid & 0xFFF == 0 { progress.update(uid) }
            // What has no class was told before.
            guard object.kind == .object, let classUID = object.classUID else { continue }
            let hasClass = isDescribed[classUID] ?? (archive[uid: classUID].describedClass != nil)
            isDescribed[classUID] = hasClass
            guard hasClass else { continue }
            budget -= 64 + object.fields.count * 16
            for (_, value) in object.fields where budget > 0 { budget -= sizes.byteCount(of: value) }
            guard budget > 0 else {
                notes.append("objects share so much that those of Foundation's from #\(uid) on were not looked into")
                return
            }
            do throws(KeyedArchiveError) {
                _ = try object.foundationValue()
            } catch {
                if known.insert(error.description).inserted { errors.append(error) }
            }
        }
    }

    private static func count(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}

extension KeyedArchive.Sizes {
    /// The bytes of the whole archive.
    fileprivate var byteCount: Int { sharedByteCount + headByteCount + frameByteCount }
}

// MARK: - Reports

extension FileCheck {
    /// Writes what was found, for people.
    func write(to output: Output) {
        output.write(VisibleText.escaped(name), .heading)
        output.write(": \(title): ")
        if problems.isEmpty {
            output.write("nothing is wrong", .good)
        } else {
            output.write(Self.count(problems.count, "problem", "problems") + (isCut ? " or more" : ""), .damage)
        }
        output.write("\n")
        for problem in problems {
            output.write("    ")
            if let uid = problem.uid {
                output.write("#\(uid)", .uid)
                output.write(problem.way.map { " (\(VisibleText.escaped($0))): " } ?? ": ")
            }
            output.write(VisibleText.escaped(problem.shortSentence) + "\n")
        }
        for note in notes { output.write("    note: \(VisibleText.escaped(note))\n", .faint) }
    }

    /// Writes what was found in all files as JSON.
    static func writeJSON(_ checks: [FileCheck], to output: Output) {
        var writer = JSONWriter(to: output)
        writer.beginArray()
        for check in checks {
            writer.beginObject()
            for (key, text) in [("file", check.name), ("kind", check.kind), ("title", check.title)] {
                writer.key(key)
                writer.string(text)
            }
            writer.key("problems")
            writer.beginArray()
            for problem in check.problems {
                writer.beginObject()
                if let uid = problem.uid {
                    writer.key("uid")
                    writer.literal("\(uid)")
                }
                if let way = problem.way {
                    writer.key("path")
                    writer.string(way)
                }
                writer.key("message")
                writer.string(problem.sentence)
                writer.end()
            }
            writer.end()
            writer.key("isCut")
            writer.literal(check.isCut ? "true" : "false")
            writer.key("notes")
            writer.beginArray()
            for note in check.notes { writer.string(note) }
            writer.end()
            writer.end()
        }
        writer.end()
    }
}
