// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import SequentialArchiving

extension Command {
    private static let limit = Option(
        name: "limit", value: "N", help: "Stop after N problems of a file (1000 by default).")

    private static let salvage = Option(
        name: "salvage", help: "Check the intact part of binary archives that are cut or damaged.")
    private static let intact = Option(
        name: "intact", value: "OUTPUT", help: "With --salvage and one FILE: write its intact part to OUTPUT.")

    static let check = Command(
        name: "check",
        summary: "Check files, and report everything that is wrong with them.",
        operands: [
            Operand(
                name: "FILE", help: "The files to check; “-”, or nothing, for standard input.", isFile: true,
                isOptional: true, isRepeated: true)
        ],
        options: [.quiet, .json, limit, salvage, intact],
        discussion: """
            Reads every value of a keyed archive: references need objects, objects need class entries, and objects of \
            Foundation need the contents of their classes. All problems are reported, with the object and a path to it. \
            Other property lists, and typedstreams, are read up to the first problem.

            An archive with a checksum is compared with it: a note says that it matches, and a problem that it does not. \
            Without a note, the archive has none.

            Unreferenced objects are no damage; a note lists them. Others list keys that a dictionary has twice, and say how \
            deep objects are nested, if decoding them may need more stack than a thread has.

            --salvage reads a binary archive that is cut, or whose table of objects is damaged, up to the first object that is \
            not whole, and checks that part. --intact writes it.

            The exit status is 0 if no file is damaged, 1 if one is, and 3 if one cannot be read or is of another kind.
            """,
        examples: [
            .init("archivetool check *.plist", "Checks several files."),
            .init("archivetool check --quiet farm.plist || echo damaged", "In a script."),
            .init("archivetool check --json farm.plist", "For a program."),
            .init("archivetool check --salvage --intact whole.plist cut.plist", "Writes the intact part of a file."),
        ],
        run: { arguments, session in
            let limit = try arguments.integer(limit, in: 1...1_000_000) ?? 1000
            var status = ExitStatus.success
            var results: [FileCheck] = []
            let operands: [String?] = arguments.operands.isEmpty ? [nil] : arguments.operands
            let output = arguments.value(intact)
            if output != nil, operands.count > 1 || !arguments.has(salvage) {
                throw ToolError(.usage, "“--intact” needs “--salvage”, and one FILE")
            }
            for operand in operands {
                do {
                    let source = try InputSource(operand, in: session)
                    let result = try FileCheck(
                        source, limit: limit, salvages: arguments.has(salvage), session.progress)
                    if let output, let archive = result.archive {
                        try ArchiveFile.write(archive.data(), to: URL(filePath: output))
                    }
                    if !result.problems.isEmpty, status == .success { status = .found }
                    if arguments.has(.json) {
                        results.append(result)
                    } else if !arguments.has(.quiet) {
                        result.write(to: session.output)
                    }
                } catch let error as ToolError where error.status == .unreadable {
                    session.output.flush()
                    status = session.report(error)
                }
            }
            if arguments.has(.json), !arguments.has(.quiet) { FileCheck.writeJSON(results, to: session.output) }
            return status
        })
}

struct FileCheck {
    let name: String
    /// "keyed archive", "property list" or "typedstream".
    private(set) var kind = ""
    /// The kind with details: "keyed archive, binary, 16 objects".
    private(set) var title = ""
    private(set) var problems: [Problem] = []
    private(set) var isCut = false
    /// Objects of Foundation's classes that have forms which are not known. They are no damage.
    private(set) var unknown: [UnknownForm] = []
    /// The checksum of an archive in comparison with its contents; nil for other files.
    private(set) var checksum: ArchiveChecksum.State?
    private(set) var notes: [String] = []
    /// The archive that was checked; nil for other files.
    private(set) var archive: KeyedArchive?

    struct Problem {
        var uid: UInt32?
        var path: String?
        let sentence: String
    }

    struct UnknownForm {
        let uid: Int
        let className: String
    }

    /// - Parameter salvages: Whether the intact part of an archive that is damaged is checked.
    init(_ source: InputSource, limit: Int, salvages: Bool = false, _ progress: Progress) throws {
        name = source.label
        do {
            let input = try Input(source, progress)
            progress.begin("checking \(source.name)")
            switch input.content {
            case .archive(let archive):
                if salvages, let damage = archive.problems(limit: 1).first {
                    try checkIntactPart(of: source, damage.description, limit: limit)
                } else {
                    check(archive, byteCount: source.byteCount, limit: limit)
                }
            case .propertyList(let list, let form, let refusal):
                (kind, title) = ("property list", "property list, \(form.title)")
                note(RepeatedKeys(list))
                // A list with a key of archives was meant to be one.
                if list.hasKeysOfArchives {
                    kind = "keyed archive"
                    problems = [Problem(uid: refusal.uid, sentence: refusal.description)]
                }
            case .typedStream(let stream):
                (kind, title) = ("typedstream", "typedstream, \(counted(stream.objects.count, "object"))")
            }
        } catch let damage as DamagedInput {
            (kind, title) = (damage.kind, damage.title)
            problems = [Problem(sentence: damage.sentence)]
            if salvages { try checkIntactPart(of: source, damage.sentence, limit: limit) }
        }
    }

    private mutating func checkIntactPart(of source: InputSource, _ damage: String, limit: Int) throws {
        let data = try source.data()
        do throws(KeyedArchiveError) {
            let archive = try KeyedArchive(salvaging: data)
            check(archive, byteCount: data.count, limit: limit)
            if problems.isEmpty { problems = [Problem(sentence: damage)] }
            notes.insert("the intact part has " + counted(archive.objects.count, "object"), at: 0)
        } catch {
            notes.append("no part of it can be salvaged: \(error)")
        }
    }

    private mutating func check(_ archive: KeyedArchive, byteCount: Int, limit: Int) {
        (kind, self.archive) = ("keyed archive", archive)
        let form = ListForm(archive.format).title
        title = "keyed archive, \(form), \(counted(archive.objects.count, "object"))"
        var errors = archive.problems(limit: limit)
        addFoundationErrors(of: archive, byteCount: byteCount, limit: limit, to: &errors)
        isCut = errors.count >= limit
        checksum = archive.checksumState
        if case .differs(let stored, let computed) = archive.checksumState {
            errors.insert(KeyedArchiveError(.checksum(stored: stored, computed: computed)), at: 0)
        }
        locate(errors, in: archive)
        if case .matches = checksum { notes.append("the checksum matches") }
        let nesting = archive.nesting()
        if nesting.depth > Self.stackDepth {
            notes.append(
                "objects are nested \(counted(nesting.depth, "level")) deep, up to \(ValuePath.shortText(of: nesting.path, in: archive)): to"
                    + " decode them as plain properties needs a large stack; @Reference and declared fields need none")
        }
        note("unreferenced object", archive.unreachableObjects) { object in
            "#\(object.uid ?? 0) " + (object.className.map { VisibleText.name($0) } ?? object.kind.singular)
        }
        note(RepeatedKeys(archive, byteLimit: 64 << 20))
        note("unknown object", unknown) { "#\($0.uid) \(VisibleText.name($0.className))" }
    }

    private mutating func note(_ keys: RepeatedKeys) {
        note("repeated key", keys.places) { place in
            (place.owner.map { "#\($0) " } ?? "") + VisibleText.name(place.key)
        }
    }

    private mutating func note<Object>(_ singular: String, _ objects: [Object], _ text: (Object) -> String) {
        guard !objects.isEmpty else { return }
        notes.append(
            counted(objects.count, singular) + ": "
                + objects.prefix(Self.noteLimit).map(text).joined(separator: ", ")
                + (objects.count > Self.noteLimit ? " …" : ""))
    }

    private mutating func locate(_ errors: [KeyedArchiveError], in archive: KeyedArchive) {
        let count = archive.objects.count
        let isMissing = { (uid: UInt32?) in uid.map { Int($0) >= count } ?? false }
        let dangling = errors.contains { isMissing($0.uid) } ? DanglingReferences(archive, byteLimit: 64 << 20) : nil
        var paths: [UInt32: KeyedArchive.Path?] = [:]
        problems = errors.map { error in
            let place = error.uid.flatMap { dangling?.places[$0] }
            let owner = place?.owner ?? (isMissing(error.uid) ? nil : error.uid)
            if let owner, paths[owner] == nil, paths.count < Self.pathLimit {
                paths[owner] = .some(archive.path(to: archive[uid: owner]))
            }
            var path = owner.flatMap { paths[$0] ?? nil }
            // Keys of Foundation, as of the elements of a list, say nothing.
            if let place, owner == nil || path != nil, !place.key.utf8.starts(with: "NS.".utf8) {
                path = KeyedArchive.Path((path?.steps ?? []) + [.key(place.key)])
            }
            return Problem(
                uid: owner, path: path.map { ValuePath.shortText(of: $0, in: archive) }, sentence: error.description)
        }
    }

    /// Problems with a path. Each search for one visits the archive.
    private static let pathLimit = 20
    /// The depth of plain properties up to which a thread with 512 KB can decode an archive.
    private static let stackDepth = 250
    private static let noteLimit = 10

    /// Adds the problems of Foundation's objects whose references are sound, such as a date without its time.
    private mutating func addFoundationErrors(
        of archive: KeyedArchive, byteCount: Int, limit: Int, to errors: inout [KeyedArchiveError]
    ) {
        guard let sizes = try? archive.sizes() else { return }
        var known = Set(errors.map(\.description))
        // Many objects may share contents, which have to be read for each of them.
        var budget = 16 << 20 + 8 * min(byteCount, 1 << 40)
        for (uid, object) in archive.objects.enumerated() where errors.count < limit {
            // `problems` has the objects without a class.
            guard object.kind == .object, object.className != nil else { continue }
            budget -= 64 + object.fields.count * 16
            for (key, value) in object.fields {
                budget -= key.utf8.count + sizes.byteCount(of: value)
                if budget <= 0 { break }
            }
            guard budget > 0 else {
                notes.append("objects share so much that objects of Foundation from #\(uid) on were not checked")
                return
            }
            do throws(KeyedArchiveError) {
                if try object.foundationValue() == nil, let name = object.foundationClassName {
                    unknown.append(UnknownForm(uid: uid, className: object.className ?? name))
                }
            } catch {
                if known.insert(error.description).inserted { errors.append(error) }
            }
        }
    }
}

// MARK: - Reports

extension FileCheck {
    func write(to output: Output) {
        output.write(VisibleText.escaped(name), .heading)
        output.write(": \(title): ")
        if problems.isEmpty {
            output.write("no problems", .good)
        } else {
            output.write(counted(problems.count, "problem") + (isCut ? " or more" : ""), .damage)
        }
        output.write("\n")
        for problem in problems {
            let place = [problem.uid.map { "#\($0)" }, problem.path.map { "(\(VisibleText.escaped($0)))" }]
            let text = place.compactMap { $0 }.joined(separator: " ")
            let introduction = "The keyed archive is damaged: "
            let sentence = problem.sentence.dropFirst(
                problem.sentence.hasPrefix(introduction) ? introduction.count : 0)
            output.write("    \(text)\(text.isEmpty ? "" : ": ")\(VisibleText.escaped(sentence))\n")
        }
        for note in notes { output.write("    note: \(VisibleText.escaped(note))\n", .faint) }
    }

    private var checksumWord: String? {
        switch checksum {
        case Optional<ArchiveChecksum.State>.none: nil
        case .some(.none): "none"
        case .matches: "matches"
        case .differs: "does not match"
        case .unreadable: "cannot be read"
        }
    }

    static func writeJSON(_ checks: [FileCheck], to output: Output) {
        let list = checks.map { check in
            let problems = check.problems.map { problem in
                PropertyList.fields([
                    ("uid", problem.uid.map { .integer(Int128($0)) }), ("path", problem.path.map { .string($0) }),
                    ("message", .string(problem.sentence)),
                ])
            }
            let unknown: [PropertyList] = check.unknown.map { object in
                ["uid": .integer(Int128(object.uid)), "class": .string(object.className)]
            }
            return PropertyList.fields([
                ("file", .string(check.name)), ("kind", .string(check.kind)), ("title", .string(check.title)),
                ("problems", .array(problems)), ("isCut", .boolean(check.isCut)),
                ("unknown", .array(unknown)), ("checksum", check.checksumWord.map { .string($0) }),
                ("notes", .array(check.notes.map { .string($0) })),
            ])
        }
        output.write(json: .array(list))
    }
}

/// The places of references to objects that do not exist. An error of the library has only the missing uid; to repair a file,
/// one needs the object with the reference.
struct DanglingReferences {
    struct Place {
        /// The object with the reference; nil at the top.
        let owner: UInt32?
        let key: String
    }

    private(set) var places: [UInt32: Place] = [:]

    /// Visits all objects of `archive`, until it has read keys of `byteLimit` bytes: many objects may share one long key.
    init(_ archive: KeyedArchive, byteLimit: Int) {
        var budget = byteLimit
        var known: Set<KeyedArchive.Value> = []
        for object in [archive.top] + archive.objects where budget > 0 {
            for (position, item) in object.contents.enumerated() {
                budget -= item.key?.utf8.count ?? 0
                guard budget > 0 else { break }
                var open = [item.value]
                while let inner = open.popLast() {
                    if let uid = inner.uid {
                        if Int(uid) >= archive.objects.count, places[uid] == nil {
                            places[uid] = Place(owner: object.uid, key: item.key ?? "\(position)")
                        }
                    } else if known.insert(inner).inserted {
                        open += inner.contents.map(\.value)
                    }
                }
            }
        }
    }
}

extension KeyedArchive.Value {
    /// The values in it: fields with their keys, or elements.
    var contents: [(key: String?, value: KeyedArchive.Value)] {
        switch kind {
        case .object, .dictionary: fields.map { ($0.key, $0.value) }
        case .array, .set: elements.map { (nil, $0) }
        default: []
        }
    }
}

/// The dictionaries with a key twice, also if two keys are equal only because unpaired surrogates in them are read as U+FFFD.
/// Readers find one value for such a key. The reader of XML keeps only the last one, so that none is found there.
struct RepeatedKeys {
    struct Place {
        /// The object; nil at the top of an archive, and in a property list.
        let owner: UInt32?
        let key: String
    }

    private(set) var places: [Place] = []

    /// Visits all objects of `archive`, until it has read keys of `byteLimit` bytes: many objects may share one long key.
    init(_ archive: KeyedArchive, byteLimit: Int) {
        var budget = byteLimit
        for object in [archive.top] + archive.objects {
            let keys = object.keys
            budget -= keys.reduce(0) { $0 + $1.utf8.count }
            guard budget > 0 else { return }
            add(keys, of: object.uid)
        }
    }

    init(_ list: PropertyList) {
        list.forEachDictionary { add($0.map(\.key), of: nil) }
    }

    private mutating func add(_ keys: [String], of owner: UInt32?) {
        guard keys.count > 1 else { return }
        var known: Set<ExactText> = []
        if let key = keys.first(where: { !known.insert(ExactText($0)).inserted }) {
            places.append(Place(owner: owner, key: key))
        }
    }
}

extension PropertyList {
    func forEachDictionary(_ body: (Dictionary) -> Void) {
        var open = [self]
        while let value = open.popLast() {
            switch value {
            case .dictionary(let entries):
                body(entries)
                open += entries.values
            case .array(let elements), .set(let elements): open += elements
            default: break
            }
        }
    }
}
