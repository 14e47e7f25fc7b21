import ArchiveInspection
import Archiving
import SequentialArchiving

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
            // What is none of the texts that are read says what it may be instead.
            switch try Input(source, in: session).content {
            case .archive(let archive):
                checkArchive(archive, byteCount: source.byteCount, limit: limit, session.progress)
            case .propertyList(let list, let form, let refusal): checkPropertyList(list, form, refusal)
            case .typedStream: break
            }
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
        checkArchive(archive, byteCount: source.byteCount, limit: limit, session.progress)
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
        let data = try source.data()
        let form = ListForm(PropertyListFormat(detectedIn: data) ?? .binary)
        do {
            checkPropertyList(try PropertyList(data), form, refusal)
        } catch {
            (kind, title) = ("property list", "property list, \(form.title)")
            problems = [Problem(sentence: error.description)]
        }
    }

    private mutating func checkPropertyList(_ list: PropertyList, _ form: ListForm, _ refusal: KeyedArchiveError) {
        (kind, title) = ("property list", "property list, \(form.title)")
        // What has keys that only archives have was meant to be one.
        if list["$objects"] != nil || list["$archiver"] != nil || list["$top"] != nil {
            kind = "keyed archive"
            problems = [Problem(uid: refusal.uid, sentence: refusal.description)]
        }
    }

    // MARK: - Archives

    private mutating func checkArchive(
        _ archive: KeyedArchive, byteCount: Int, limit: Int, _ progress: Progress
    ) {
        kind = "keyed archive"
        title =
            "keyed archive, \(archive.format == .xml ? "XML" : "binary"), "
            + Self.count(archive.objects.count, "object", "objects")
        var errors = archive.problems(limit: limit)
        progress.begin("checking Foundation's objects of \(name)", total: archive.objects.count)
        addFoundationErrors(of: archive, byteCount: byteCount, limit: limit, to: &errors, progress)
        isCut = errors.count >= limit
        progress.begin("looking for the ways to what is wrong in \(name)")
        locate(errors, in: archive)
        let unreachable = archive.unreachableObjects
        guard !unreachable.isEmpty else { return }
        let shown = unreachable.prefix(Self.noteLimit).map { object in
            "#\(object.uid ?? 0) " + (object.className.map { VisibleText.name($0) } ?? object.kind.singular)
        }
        notes.append(
            "nothing leads to \(Self.count(unreachable.count, "object", "objects")): "
                + shown.joined(separator: ", ") + (unreachable.count > Self.noteLimit ? " …" : ""))
    }

    /// Makes problems of `errors`, with ways to the objects in which they are.
    private mutating func locate(_ errors: [KeyedArchiveError], in archive: KeyedArchive) {
        let count = archive.objects.count
        let isMissing = { (uid: UInt32?) in uid.map { Int($0) >= count } ?? false }
        let dangling = errors.contains { isMissing($0.uid) } ? DanglingReferences(archive, byteLimit: 64 << 20) : nil
        // Nil where no way leads there.
        var ways: [UInt32: KeyedArchive.Path?] = [:]
        problems = errors.map { error in
            let place = error.uid.flatMap { dangling?.places[$0] }
            let owner = place?.owner ?? (isMissing(error.uid) ? nil : error.uid)
            if let owner, ways[owner] == nil, ways.count < Self.wayLimit {
                ways[owner] = .some(archive.path(to: archive[uid: owner]))
            }
            var way = owner.flatMap { ways[$0] ?? nil }
            if let place, owner == nil || way != nil {
                // The elements of a list are not under a key of the program's.
                let isElement = place.key.hasPrefix("NS.")
                way = isElement ? way : (way ?? KeyedArchive.Path()).appending(.key(place.key))
            }
            return Problem(
                uid: owner, way: way.map { ValuePath.shortText(of: $0, in: archive) }, sentence: error.description)
        }
    }

    /// Problems whose way is looked for: each takes a walk through the archive.
    private static let wayLimit = 20
    /// Objects that a note names.
    private static let noteLimit = 10

    /// Adds what is wrong with objects of Foundation's that are sound as objects, a date without its time for example.
    private mutating func addFoundationErrors(
        of archive: KeyedArchive, byteCount: Int, limit: Int, to errors: inout [KeyedArchiveError],
        _ progress: Progress
    ) {
        guard let sizes = try? archive.sizes() else { return }
        var known = Set(errors.map(\.description))
        // Objects may share their contents, which are read for each of them.
        var budget = 16 << 20 + 8 * min(byteCount, 1 << 40)
        var isDescribed: [UInt32: Bool] = [:]
        for (uid, object) in archive.objects.enumerated() where errors.count < limit {
            if uid & 0xFFF == 0 { progress.update(uid) }
            // What has no class was told before.
            guard object.kind == .object, let classUID = object.classUID else { continue }
            let hasClass = isDescribed[classUID] ?? (archive[uid: classUID].describedClass != nil)
            isDescribed[classUID] = hasClass
            guard hasClass else { continue }
            budget -= 64 + object.fields.count * 16
            for (key, value) in object.fields {
                budget -= key.utf8.count + sizes.byteCount(of: value)
                if budget <= 0 { break }
            }
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
            if let uid = problem.uid { output.write("#\(uid)", .uid) }
            if let way = problem.way {
                output.write((problem.uid == nil ? "" : " ") + "(\(VisibleText.escaped(way)))")
            }
            if problem.uid != nil || problem.way != nil { output.write(": ") }
            output.write(VisibleText.escaped(problem.shortSentence) + "\n")
        }
        for note in notes { output.write("    note: \(VisibleText.escaped(note))\n", .faint) }
    }

    /// Writes what was found in all files as JSON.
    static func writeJSON(_ checks: [FileCheck], to output: Output) {
        let list = checks.map { check in
            let problems = check.problems.map { problem in
                PropertyList.fields([
                    ("uid", problem.uid.map { .integer(Int128($0)) }), ("path", problem.way.map { .string($0) }),
                    ("message", .string(problem.sentence)),
                ])
            }
            return PropertyList.fields([
                ("file", .string(check.name)), ("kind", .string(check.kind)), ("title", .string(check.title)),
                ("problems", .array(problems)), ("isCut", .boolean(check.isCut)),
                ("notes", .array(check.notes.map { .string($0) })),
            ])
        }
        var writer = JSONWriter(to: output)
        writer.write(.array(list))
    }
}
