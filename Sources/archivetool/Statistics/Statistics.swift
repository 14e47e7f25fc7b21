import ArchiveInspection
import Archiving

/// What `stats` finds out about a file of any kind.
struct Statistics {
    /// What the file is: "keyed archive by NSKeyedArchiver, binary".
    var title = ""
    /// The word for machines: "keyed archive", "property list" or "typedstream".
    var kind = ""
    /// "binary" or "xml"; nil for typedstreams.
    var format: String?
    var byteCount = 0
    /// Numbers that stand alone, in the order of the report.
    var facts: [Fact] = []
    /// What the objects are, and what they take.
    var rows: [Row] = []
    /// Parts of the file that are of no class: what objects share, the head, the frame.
    var parts: [Row] = []
    /// Objects that several places refer to, those with the most references first.
    var shared: [SharedObject] = []
    /// How many values of each kind there are, inside objects and as objects.
    var leaves: [String: Int] = [:]

    struct Fact {
        let key: String
        let label: String
        let number: Int
        /// What stands behind the number.
        var remark = ""
    }

    struct Row {
        let name: String
        /// Whether the name is a description such as "strings", and not that of a class.
        var isDescription = false
        var count = 0
        /// Nil where nobody knows them.
        var byteCount: Int?

        /// Counts one more, of `byteCount` bytes.
        mutating func add(_ byteCount: Int?) {
            count += 1
            if let byteCount { self.byteCount = (self.byteCount ?? 0) + byteCount }
        }
    }

    struct SharedObject {
        let number: Int
        let name: String
        let referenceCount: Int
    }

    mutating func addFact(_ key: String, _ label: String, _ number: Int, _ remark: String = "") {
        facts.append(Fact(key: key, label: label, number: number, remark: remark))
    }

    mutating func countLeaf(_ kind: String) { leaves[kind, default: 0] += 1 }
}

// MARK: - Keyed archives

extension Statistics {
    /// The statistics of `archive`.
    ///
    /// - Throws: Where the archive has many times more references than bytes.
    init(_ archive: KeyedArchive, byteCount: Int, progress: Progress) throws {
        self.byteCount = byteCount
        kind = "keyed archive"
        format = archive.format == .xml ? "xml" : "binary"
        let archiver = archive.archiver.map { " by " + VisibleText.name($0) } ?? ""
        title = "keyed archive\(archiver), \(archive.format == .xml ? "XML" : "binary")"
        progress.begin("counting references")
        let references: KeyedArchive.References
        let sizes: KeyedArchive.Sizes
        do {
            references = try archive.references()
            progress.begin("measuring objects")
            sizes = try archive.sizes()
        } catch {
            guard error.code == .limit else { throw error }
            throw ToolError(
                .unreadable,
                "The objects share their contents in so many ways that there are more references than can be counted; no"
                    + " program writes such archives")
        }
        progress.begin("counting objects", total: archive.objects.count)
        countObjects(archive, references, sizes, progress)
        progress.begin("looking for the deepest object")
        var depth = DepthSearch(archive)
        depth.run()
        for (kind, count) in depth.inlineLeaves { leaves[kind, default: 0] += count }
        let way = depth.isCut ? nil : depth.deepest.flatMap { archive.path(to: archive[uid: $0]) }
        addFact(
            "depth", "depth", depth.depth,
            depth.isCut
                ? "or more: the objects have too much in common"
                : way.map { "the way to " + VisibleText.escaped(ValuePath.shortText(of: $0, in: archive)) } ?? "")
        let unreachable = archive.unreachableObjects
        addFact(
            "unreferenced", "unreferenced objects", unreachable.count,
            unreachable.isEmpty ? "" : "\(unreachable.reduce(0) { $0 + sizes.byteCount(of: $1) }) bytes")
        parts = [
            Row(name: "shared keys and values", isDescription: true, byteCount: sizes.sharedByteCount),
            Row(name: "top, list of objects", isDescription: true, byteCount: sizes.headByteCount),
            Row(name: "header, offsets, trailer", isDescription: true, byteCount: sizes.frameByteCount),
        ]
    }

    private mutating func countObjects(
        _ archive: KeyedArchive, _ references: KeyedArchive.References, _ sizes: KeyedArchive.Sizes,
        _ progress: Progress
    ) {
        var classRows: [UInt32: Row] = [:]
        var otherRows: [String: Row] = [:]
        var referenceCount = 0
        var sharedCount = 0
        for (uid, object) in archive.objects.enumerated() {
            if uid & 0xFFF == 0 { progress.update(uid) }
            let byteCount = sizes.byteCount(of: object)
            let kind = object.kind
            if let classUID = object.classUID {
                if classRows[classUID] == nil {
                    let name = archive[uid: classUID].describedClass?.name
                    classRows[classUID] = Row(name: name ?? "objects without a class", isDescription: name == nil)
                }
                classRows[classUID]?.add(byteCount)
            } else {
                let name = kind.plural
                otherRows[name, default: Row(name: name, isDescription: true)].add(byteCount)
                if kind.isLeaf { countLeaf(name) }
            }
            let count = references.count(of: object)
            referenceCount += count
            guard count > 1, kind != .null, kind != .classEntry else { continue }
            sharedCount += 1
            keep(SharedObject(number: uid, name: kind.singular, referenceCount: count))
        }
        shared = shared.map { object in
            let name = archive.objects[object.number].className ?? object.name
            return SharedObject(number: object.number, name: name, referenceCount: object.referenceCount)
        }
        rows = Array(classRows.values) + Array(otherRows.values)
        addFact("objects", "objects", archive.objects.count)
        addFact("classes", "classes", archive.classes.count)
        addFact("references", "references", referenceCount)
        addFact("shared", "shared objects", sharedCount)
    }

    /// Objects with many references that are kept.
    static let sharedLimit = 1000

    /// Keeps `object`, if it is one of those with the most references.
    mutating func keep(_ object: SharedObject) {
        if shared.count >= 2 * Self.sharedLimit { trimShared() }
        shared.append(object)
    }

    /// Sorts the objects with many references, and lets go of those with few.
    mutating func trimShared() {
        shared.sort { ($1.referenceCount, $0.number) < ($0.referenceCount, $1.number) }
        shared.removeLast(max(0, shared.count - Self.sharedLimit))
    }
}

extension KeyedArchive.Value.Kind {
    /// What several of them are called.
    var plural: String {
        switch self {
        case .null: "nil"
        case .boolean: "Bools"
        case .integer: "integers"
        case .real: "reals"
        case .string: "strings"
        case .data: "data"
        case .date: "dates"
        case .array: "plain arrays"
        case .set: "plain sets"
        case .dictionary: "plain dictionaries"
        case .object: "objects without a class"
        case .classEntry: "descriptions of classes"
        case .damaged: "damaged objects"
        }
    }

    /// What one of them is called.
    var singular: String {
        switch self {
        case .boolean: "Bool"
        case .dictionary: "dictionary"
        case .damaged: "damaged object"
        case .classEntry: "class"
        default: "\(self)"
        }
    }

    /// Whether it has nothing inside.
    var isLeaf: Bool {
        switch self {
        case .null, .boolean, .integer, .real, .string, .data, .date: true
        default: false
        }
    }
}

/// Goes through an archive from `top` on, level by level, and finds out how far the farthest object is.
private struct DepthSearch {
    private let archive: KeyedArchive
    private var isMet: [Bool]
    private var metInline: Set<KeyedArchive.Value> = []
    /// References on the shortest way to the farthest object.
    private(set) var depth = 0
    /// The uid of that object.
    private(set) var deepest: UInt32?
    /// Values inside of objects, by kind.
    private(set) var inlineLeaves: [String: Int] = [:]

    /// Bytes of keys that may still be read: many objects may have one long key.
    private var budget = 256 << 20
    /// Whether not all was looked at.
    var isCut: Bool { budget <= 0 }

    init(_ archive: KeyedArchive) {
        self.archive = archive
        isMet = Array(repeating: false, count: archive.objects.count)
    }

    mutating func run() {
        var level = [archive.top]
        var count = 0
        while !level.isEmpty {
            if count > 0 {
                depth = count
                deepest = level.first?.uid
            }
            var next: [KeyedArchive.Value] = []
            for value in level { visitContents(of: value, &next) }
            level = next
            count += 1
        }
    }

    /// Adds the objects that `value` refers to, and were not met yet, to `next`.
    private mutating func visitContents(of value: KeyedArchive.Value, _ next: inout [KeyedArchive.Value]) {
        var open = [value]
        while let value = open.popLast() {
            switch value.kind {
            case .object, .dictionary:
                for (key, inner) in value.fields where !isCut {
                    budget -= key.utf8.count
                    visit(inner, &next, &open)
                }
            case .array, .set:
                for inner in value.elements { visit(inner, &next, &open) }
            default: break
            }
        }
    }

    private mutating func visit(
        _ value: KeyedArchive.Value, _ next: inout [KeyedArchive.Value], _ open: inout [KeyedArchive.Value]
    ) {
        if let uid = value.uid {
            // Nil is nowhere.
            guard uid > 0, Int(uid) < isMet.count, !isMet[Int(uid)] else { return }
            isMet[Int(uid)] = true
            next.append(value)
        } else if value.kind.isLeaf {
            inlineLeaves[value.kind.plural, default: 0] += 1
        } else if metInline.insert(value).inserted {
            open.append(value)
        }
    }
}
