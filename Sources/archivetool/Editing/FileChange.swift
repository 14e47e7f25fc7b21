// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

struct FileChange {
    static let compact = Option(name: "compact", help: "Remove unreferenced objects, and renumber the others.")

    static let condition = Option(
        name: "where", value: "CONDITION",
        help: "Change each object whose fields satisfy CONDITION, such as 'year > 2000'; PATH begins at the object.")

    private let input: Input
    private let format: PropertyListFormat
    private var content: Content
    /// The number of objects that --where selects; nil without it.
    private var selectedCount: Int?
    var name: String { input.name }

    private enum Content {
        case archive(KeyedArchive, KeyedArchiveEditor)
        case list(PropertyList)
    }

    /// - Throws: An error if it is a typedstream, or a damaged archive.
    init(_ input: Input) throws {
        self.input = input
        switch input.content {
        case .archive(let archive):
            content = .archive(archive, try KeyedArchiveEditor(archive))
            format = archive.format
        case .propertyList(let list, let form, _):
            content = .list(list)
            format = form.written
        case .typedStream:
            throw ToolError(.unreadable, "\(input.name) is a typedstream; only “rename” changes typedstreams")
        }
    }

    func write(to destination: Destination, isCompact: Bool, in session: Session) throws {
        session.progress.begin("writing the changed file")
        if let selectedCount { session.note("the condition selects \(counted(selectedCount, "object"))") }
        do {
            switch content {
            case .archive(_, let editor) where isCompact:
                let changed = try KeyedArchive(editor.propertyList)
                try write(compacted(changed).data(format: format), to: destination)
            case .archive(let archive, let editor):
                let data = try editor.propertyList.data(format: .binary)
                let changed = try KeyedArchive(data)
                try write(format == .binary ? data : changed.data(format: format), to: destination)
                noteUnreferenced(in: changed, butNotIn: archive, session)
            case .list(let list): try write(list.data(format: format), to: destination)
            }
        } catch let error as PropertyListError {
            throw ToolError(.unreadable, "\(name) cannot be written in its format after this change: \(error)")
        }
    }

    private func write(_ data: Data, to destination: Destination) throws {
        try destination.write(data, isBinary: format == .binary)
    }

    private func compacted(_ archive: KeyedArchive) throws -> PropertyList {
        do {
            return try ArchivePart.propertyList(of: archive.top, byteCount: input.source.byteCount, input.progress)
        } catch let error as ContentGraph.Refusal {
            throw ToolError(.unreadable, "\(name) cannot be renumbered: \(error)")
        }
    }

    private static let noteLimit = 10

    private func noteUnreferenced(in changed: KeyedArchive, butNotIn archive: KeyedArchive, _ session: Session) {
        let known = Set(archive.unreachableObjects.map(\.uid))
        let objects = changed.unreachableObjects.filter { !known.contains($0.uid) }
        guard !objects.isEmpty else { return }
        let names = objects.prefix(Self.noteLimit).map { object in
            "#\(object.uid ?? 0) " + (object.className.map { VisibleText.name($0) } ?? object.kind.singular)
        }
        session.note(
            "the file still has \(counted(objects.count, "object")) that nothing references after this change: "
                + names.joined(separator: ", ") + (objects.count > Self.noteLimit ? " …" : "")
                + "; --compact removes unreferenced objects")
    }
}

// MARK: - Changes

extension FileChange {
    /// Calls `change` with PATH; with --where, with PATH from each object that satisfies the condition. Without PATH, it calls
    /// `change` with each reference to such an object.
    mutating func changeEach(
        _ arguments: Arguments, _ change: (inout FileChange, ValuePath) throws -> Void
    ) throws {
        let path = try arguments.operands.dropFirst().first.map { text throws(ToolError) in try ValuePath(text) }
        guard let text = arguments.value(Self.condition) else {
            guard let path else { throw ToolError(.usage, "PATH is missing; only --where changes values without it") }
            return try change(&self, path)
        }
        let places = try places(where: Condition(text), areReferences: path == nil)
        guard !places.isEmpty else {
            throw ToolError(.found, "no object in \(name) satisfies the condition; nothing was written")
        }
        // Objects may share the value that changes.
        var known: Set<KeyedArchive.Value> = []
        // The last ones first, so that the positions of others stay.
        for place in places.reversed() {
            let whole = ValuePath(isFromTop: true, steps: place + (path?.steps ?? []))
            if path != nil, case .archive(let archive, _) = content {
                let around = try ValuePath(isFromTop: true, steps: whole.steps.dropLast()).value(in: archive)
                guard known.insert(around).inserted else { continue }
            }
            try change(&self, whole)
        }
    }

    /// The paths from the top of the objects that satisfy `condition`, or of all references to them, in the order of a search in
    /// breadth.
    private mutating func places(
        where condition: Condition, areReferences: Bool
    ) throws(ToolError) -> [[ValuePath.Step]] {
        do throws(ContentGraph.Refusal) {
            var search = try PlaceSearch(ContentGraph(input.whole, of: input), from: 0, .everything)
            input.progress.begin("testing \(counted(search.hits.count, "value"))")
            var selected: Set<Int> = []
            var places: [[ValuePath.Step]] = []
            var stepCount = 0
            for hit in search.hits where hit.visit != nil || !input.hasRoot {
                let isKnown = selected.contains(hit.node)
                guard try isKnown ? areReferences : condition.selects(hit.node, in: &search.graph) else { continue }
                selected.insert(hit.node)
                places.append(search.steps(to: hit).steps)
                stepCount += places[places.count - 1].count
                guard stepCount <= Self.stepLimit else { throw .unfolding }
            }
            selectedCount = selected.count
            return places
        } catch {
            throw ToolError(.unreadable, "\(name) cannot be searched: \(error)")
        }
    }

    /// The steps of all paths that --where selects. In a long chain, they would be much longer than the file.
    private static let stepLimit = 10_000_000

    mutating func set(_ path: ValuePath, _ arguments: Arguments, isNew: Bool) throws {
        let type = try ValueType.given(arguments) ?? knownType(path, isNew: isNew)
        let text = arguments.operands.count > 2 ? arguments.operands[2] : nil
        guard let text = type == .null ? text ?? "" : text else {
            throw ToolError(.usage, "VALUE is missing after \(path.text)")
        }
        let value = try type.value(text)
        switch content {
        case .archive(let archive, var editor):
            let place = try path.place(in: archive)
            let added = type == .json ? try editor.add(value) : value
            if isNew { try editor.insert(added, at: place) } else { try editor.set(added, at: place) }
            content = .archive(archive, editor)
        case .list(let list):
            let value = type == .json ? value.withTaggedValues : value
            content = .list(try list.changed(at: path, isNew ? .insert(value) : .set(value)))
        }
    }

    private func knownType(_ path: ValuePath, isNew: Bool) throws -> ValueType {
        var found: PropertyList?
        switch content {
        case .archive(let archive, _): if !isNew { found = try path.value(in: archive).leaf }
        case .list(let list): if !isNew { found = try path.value(in: list) }
        }
        switch found {
        case .string: return .string
        case .integer: return .integer
        case .real, .real32: return .float
        case .boolean: return .bool
        case .date: return .date
        case .data: return .data
        default:
            throw ToolError(
                .usage,
                "The type is missing, since there is no leaf at \(path.text); give -string, -integer, -float, -bool, -date,"
                    + " -data, -json, -uid or -null")
        }
    }

    mutating func remove(_ path: ValuePath) throws {
        switch content {
        case .archive(let archive, var editor):
            _ = try path.value(in: archive)
            try editor.remove(at: path.place(in: archive))
            content = .archive(archive, editor)
        case .list(let list): content = .list(try list.changed(at: path, .remove))
        }
    }

    mutating func move(_ path: ValuePath, to target: ValuePath) throws {
        switch content {
        case .archive(let archive, var editor):
            _ = try path.value(in: archive)
            let place = try path.place(in: archive)
            guard let value = editor.uid(at: place).map({ .uid($0) }) ?? editor.value(at: place) else { return }
            try editor.remove(at: place)
            try editor.insert(value, at: target.place(in: KeyedArchive(editor.propertyList)))
            content = .archive(archive, editor)
        case .list(let list):
            let value = try path.value(in: list)
            content = .list(try list.changed(at: path, .remove).changed(at: target, .insert(value)))
        }
    }
}

// MARK: - Places

extension ValuePath {
    fileprivate var text: String { steps.isEmpty ? "the root" : "“\(Self.text(of: steps))”" }

    fileprivate static let isRoot = ToolError(.usage, "PATH is the root itself; give a path to a value in it")

    /// The path for the library's editor, whose last step need not exist.
    fileprivate func place(in archive: KeyedArchive) throws -> KeyedArchive.Path {
        guard !steps.isEmpty else { throw Self.isRoot }
        let isFromTop =
            isFromTop || archive.root == archive.top || steps.first == .name("root") && archive.root["root"] == nil
        var place: [KeyedArchive.Path.Step] = isFromTop ? [] : ["root"]
        let values = try ValuePath(isFromTop: isFromTop, steps: steps.dropLast()).values(in: archive)
        for (step, around) in zip(steps, values) {
            switch step {
            case .name(let name) where !around.isList || Int(name) == nil: place.append(.key(name))
            default: place.append(.index(step.number ?? 0))
            }
        }
        return KeyedArchive.Path(place)
    }
}

extension KeyedArchive.Value {
    /// The value of a leaf, which may be an object; nil for other values.
    fileprivate var leaf: PropertyList? {
        switch try? foundationValue() {
        case .string(let text)?: .string(text)
        case .boolean(let boolean)?: .boolean(boolean)
        case .integer(let integer)?: .integer(integer)
        case .real(let real)?: .real(real)
        case .data(let data)?: .data(data)
        case .date(let date)?: .date(date)
        default: nil
        }
    }

    fileprivate var isList: Bool {
        kind == .array || kind == .set || !elements.isEmpty || self["NS.objects"] != nil && self["NS.keys"] == nil
            || (self.class?.chain ?? []).contains { ["NSArray", "NSSet", "NSOrderedSet"].contains($0) }
    }
}

extension PropertyList {
    fileprivate enum Change {
        case set(PropertyList)
        case insert(PropertyList)
        case remove
    }

    /// The list with a change at `path`.
    fileprivate func changed(at path: ValuePath, _ change: Change) throws -> PropertyList {
        guard !path.steps.isEmpty else { throw ValuePath.isRoot }
        var existing = path.steps[...]
        if case .remove = change {} else { existing = existing.dropLast() }
        _ = try ValuePath(isFromTop: path.isFromTop, steps: existing).value(in: self)
        return try changed(at: path.steps[...], change)
    }

    /// The list with a change at `steps`, all but the last of which exist. It recurses, at most to the depth of a list.
    private func changed(at steps: ArraySlice<ValuePath.Step>, _ change: Change) throws -> PropertyList {
        guard let step = steps.first else { return self }
        let rest = steps.dropFirst()
        switch self {
        case .dictionary(var entries):
            var key = ""
            switch step {
            case .name(let name): key = name
            case .position(let position):
                guard entries.indices.contains(position) else { throw Self.missing(position, entries.count) }
                key = entries[position].key
            }
            switch change {
            case _ where !rest.isEmpty: entries[key] = try entries[key]?.changed(at: rest, change)
            case .set(let value): entries[key] = value
            case .remove: entries[key] = nil
            case .insert(let value):
                guard entries[key] == nil else {
                    throw ToolError(.unreadable, "There already is a key “\(key)”; “set” replaces its value")
                }
                entries[key] = value
            }
            return .dictionary(entries)
        case .array(var elements), .set(var elements):
            guard let position = step.number else {
                throw ToolError(.unreadable, "A list has positions from 0 to \(elements.count - 1), and no keys")
            }
            if case .insert(let value) = change, rest.isEmpty, position == elements.count {
                elements.append(value)
            } else {
                guard elements.indices.contains(position) else { throw Self.missing(position, elements.count) }
                switch change {
                case _ where !rest.isEmpty: elements[position] = try elements[position].changed(at: rest, change)
                case .set(let value): elements[position] = value
                case .insert(let value): elements.insert(value, at: position)
                case .remove: elements.remove(at: position)
                }
            }
            if case .set = self { return .set(elements) }
            return .array(elements)
        default: throw ToolError(.unreadable, "The value at that place is a leaf, which has no contents")
        }
    }

    private static func missing(_ position: Int, _ count: Int) -> ToolError {
        ToolError(.unreadable, "There is no position \(position) in a list of \(count)")
    }
}
