import ArchiveInspection
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A keyed archive as readable JSON.
///
/// It does not recurse: what is to be written next is in a list. Two walks are made, one to find out what several places
/// refer to, which gets a number where it is written, and one that writes.
struct ArchiveJSON {
    private var json: ReadableJSON
    private let archive: KeyedArchive
    /// What several places refer to, and which of it is written or waits.
    private var states: [KeyedArchive.Value: State] = [:]
    /// Names of classes, by the uids of their descriptions.
    private var classNames: [UInt32: String?] = [:]
    /// Objects that would stand too deep, and have a place of their own.
    private var waiting: [KeyedArchive.Value] = []
    private var remaining: [Step] = []

    private struct State {
        var isLeaf = false
        var isShared = false
        var isWritten = false
        /// The number of a container without a uid.
        var number = 0
    }

    private enum Step {
        case value(KeyedArchive.Value)
        case element(KeyedArchive.Value.Elements, Int)
        case field(KeyedArchive.Value.Fields, Int)
        case entry(KeyedArchive.Value.Entries, Int)
        case pair(KeyedArchive.Value.Entries, Int)
        case end
    }

    /// References that may still be followed, and bytes of keys that may be read, 16 as one. No writer's archive has more
    /// references than it has bytes.
    private var budget: Int

    init(_ archive: KeyedArchive, byteCount: Int, _ json: ReadableJSON) {
        self.archive = archive
        self.json = json
        budget = 1 << 20 + 16 * min(byteCount, 1 << 40)
    }

    /// Writes the archive.
    ///
    /// - Throws: Where the text would grow beyond all bounds.
    mutating func write() throws(ToolError) {
        try findShared()
        json.writer.beginObject()
        json.writer.key("$archiver")
        if let archiver = archive.archiver { json.writer.string(archiver) } else { json.writer.literal("null") }
        json.writer.key("$top")
        json.writer.beginObject()
        remaining = [.end] + (archive.top.fields.isEmpty ? [] : [.field(archive.top.fields, 0)])
        try writeRemaining()
        if !waiting.isEmpty {
            json.writer.key("$objects")
            json.writer.beginArray()
            var next = 0
            while next < waiting.count {
                try writeContents(of: waiting[next], depth: json.writer.depth)
                try writeRemaining()
                next += 1
            }
            json.writer.end()
        }
        json.writer.end()
    }

    private mutating func writeRemaining() throws(ToolError) {
        while let step = remaining.popLast() {
            switch step {
            case .end: json.writer.end()
            case .element(let elements, let position):
                if position + 1 < elements.count { remaining.append(.element(elements, position + 1)) }
                remaining.append(.value(elements[position]))
            case .field(let fields, let position):
                if position + 1 < fields.count { remaining.append(.field(fields, position + 1)) }
                let (key, value) = fields[position]
                json.key(key)
                remaining.append(.value(value))
            case .entry(let entries, let position):
                if position + 1 < entries.count { remaining.append(.entry(entries, position + 1)) }
                json.key(entries[position].key.string ?? "")
                remaining.append(.value(entries[position].value))
            case .pair(let entries, let position):
                if position + 1 < entries.count { remaining.append(.pair(entries, position + 1)) }
                json.writer.beginArray()
                remaining += [.end, .value(entries[position].value), .value(entries[position].key)]
            case .value(let value): try write(value)
            }
        }
    }
}

// MARK: - Sharing

extension ArchiveJSON {
    /// Finds out what several places refer to, and which objects are written as leaves, wherever something refers to them.
    ///
    /// - Throws: Where objects have the same contents in so many ways that no tree can be made of them.
    private mutating func findShared() throws(ToolError) {
        var numbers = 0
        var open = [(form: Form.fields(archive.top.fields), next: 0)]
        while let (form, next) = open.last {
            guard next < form.count else {
                open.removeLast()
                continue
            }
            open[open.count - 1].next += 1
            let (key, value) = form[next]
            try spend(key)
            if let state = states[value] {
                guard !state.isShared, !state.isLeaf else { continue }
                if value.uid == nil { numbers += 1 }
                states[value] = State(isShared: true, number: numbers)
            } else if value.kind == .object, leaf(of: value) != nil {
                states[value] = State(isLeaf: true)
            } else if Self.isContainer(value) {
                states[value] = State()
                open.append((try self.form(of: value), 0))
            }
        }
    }

    /// Takes what it costs to look at a reference, and at the key in front of it, off the budget: many objects may have one
    /// long key.
    private mutating func spend(_ key: String = "") throws(ToolError) {
        budget -= 1 + key.utf8.count / 16
        guard budget >= 0 else { throw ReadableJSON.endlessTree }
    }

    private static func isContainer(_ value: KeyedArchive.Value) -> Bool {
        switch value.kind {
        case .object, .array, .set, .dictionary: true
        default: false
        }
    }

    /// What is written of a container.
    private enum Form {
        case elements(KeyedArchive.Value.Elements)
        case entries(KeyedArchive.Value.Entries)
        case fields(KeyedArchive.Value.Fields)

        /// The number of values.
        var count: Int {
            switch self {
            case .elements(let elements): elements.count
            case .entries(let entries): 2 * entries.count
            case .fields(let fields): fields.count
            }
        }

        /// A value, which may be a key of a dictionary, and the name of the field, if it is one.
        subscript(position: Int) -> (key: String, value: KeyedArchive.Value) {
            switch self {
            case .elements(let elements): ("", elements[position])
            case .entries(let entries):
                ("", position & 1 == 0 ? entries[position / 2].key : entries[position / 2].value)
            case .fields(let fields): fields[position]
            }
        }
    }

    private mutating func form(of value: KeyedArchive.Value) throws(ToolError) -> Form {
        guard value.kind == .object else {
            return value.kind == .dictionary ? .entries(value.entries) : .elements(value.elements)
        }
        let fields = value.fields
        // An object that has more than its elements, or counts them, is written field by field.
        for (key, _) in fields {
            try spend(key)
            guard Self.isElementKey(key) else { return .fields(fields) }
        }
        guard !fields.isEmpty, name(of: value) != "NSCountedSet" else { return .fields(fields) }
        switch try? value.foundationValue() {
        case .array?, .set?, .orderedSet?: return .elements(value.elements)
        case .dictionary?: return .entries(value.entries)
        default: return .fields(fields)
        }
    }

    private static func isElementKey(_ key: String) -> Bool {
        key == "NS.objects" || key == "NS.keys" || key.hasPrefix("NS.object.") || key.hasPrefix("NS.key.")
    }

    /// The name of the class, which is found out once.
    private mutating func name(of value: KeyedArchive.Value) -> String? {
        guard let uid = value.classUID else { return nil }
        if let name = classNames[uid] { return name }
        let name = archive[uid: uid].describedClass?.name
        classNames[uid] = .some(name)
        return name
    }
}

// MARK: - Values

extension ArchiveJSON {
    private mutating func write(_ value: KeyedArchive.Value) throws(ToolError) {
        try json.checkSize()
        guard let state = states[value], !state.isLeaf else {
            if let leaf = leaf(of: value) { json.write(leaf) } else { writeRest(value) }
            return
        }
        let isDeep = json.writer.depth >= ReadableJSON.depthLimit && Self.hasContents(value)
        guard state.isWritten || isDeep else {
            try writeContents(of: value, depth: json.writer.depth)
            return
        }
        if !state.isWritten {
            states[value]?.isWritten = true
            states[value]?.isShared = true
            if value.uid == nil, state.number == 0 { states[value]?.number = 1_000_000 + waiting.count }
            waiting.append(value)
        }
        json.writer.beginObject(isInline: true)
        json.writer.key("$ref")
        writeLabel(value)
        json.writer.end()
    }

    private static func hasContents(_ value: KeyedArchive.Value) -> Bool { value.count > 0 }

    /// Writes the number of an object, or of a container without a uid, which begins with "@".
    private mutating func writeLabel(_ value: KeyedArchive.Value) {
        if let uid = value.uid {
            json.writer.literal("\(uid)")
        } else {
            json.writer.string("@\(states[value]?.number ?? 0)")
        }
    }

    /// Writes what a container is, and has its contents written next.
    private mutating func writeContents(of value: KeyedArchive.Value, depth: Int) throws(ToolError) {
        states[value]?.isWritten = true
        let isShared = states[value]?.isShared ?? false
        let form = try form(of: value)
        let className = value.kind == .object ? name(of: value) : nil
        var isPlainArray = false
        if case .elements = form, !isShared, className == "NSArray" || value.kind == .array { isPlainArray = true }
        if isPlainArray {
            json.writer.beginArray()
            remaining.append(.end)
        } else {
            json.writer.beginObject()
            remaining.append(.end)
            if isShared {
                json.writer.key("$id")
                writeLabel(value)
            }
            var isPlainDictionary = false
            if case .entries = form, className == "NSDictionary" { isPlainDictionary = true }
            if value.kind == .object, !isPlainDictionary {
                json.writer.key("$class")
                if let className { json.writer.string(className) } else { json.writer.literal("null") }
            } else if value.kind == .set {
                json.writer.key("$class")
                json.writer.string("set")
            }
        }
        switch form {
        case .elements(let elements):
            if !isPlainArray {
                json.writer.key("$elements")
                json.writer.beginArray()
                remaining.append(.end)
            }
            if !elements.isEmpty { remaining.append(.element(elements, 0)) }
        case .entries(let entries):
            if Self.haveStringKeys(entries) {
                if !entries.isEmpty { remaining.append(.entry(entries, 0)) }
            } else {
                json.writer.key("$entries")
                json.writer.beginArray()
                remaining += [.end, .pair(entries, 0)]
            }
        case .fields(let fields):
            if !fields.isEmpty { remaining.append(.field(fields, 0)) }
        }
    }

    /// Whether all keys are strings, each another one.
    private static func haveStringKeys(_ entries: KeyedArchive.Value.Entries) -> Bool {
        var known: Set<String> = []
        return entries.allSatisfy { entry in
            guard let key = entry.key.string else { return false }
            return known.insert(key).inserted
        }
    }

    /// Writes what is neither a leaf nor a container.
    private mutating func writeRest(_ value: KeyedArchive.Value) {
        switch value.kind {
        case .null: json.writer.literal("null")
        case .classEntry: json.writer.tagged("$describedClass", value.describedClass?.name ?? "")
        case .damaged: json.writer.tagged("$damaged", value.damage?.description ?? "")
        default: json.writer.tagged("$damaged", "\(value.kind)")
        }
    }
}

// MARK: - Leaves

extension ArchiveJSON {
    /// The classes of objects that are written as the value that they hold, if they have nothing else.
    private static let leafClasses: Set<String> = [
        "NSString", "NSMutableString", "NSNumber", "NSData", "NSMutableData", "NSDate", "NSURL", "NSUUID",
        "NSDecimalNumber",
    ]

    /// The leaf that `value` is; nil for everything else.
    private mutating func leaf(of value: KeyedArchive.Value) -> ReadableJSON.Leaf? {
        switch value.kind {
        case .null: return .literal("null")
        case .boolean: return value.boolean.map { .literal($0 ? "true" : "false") }
        case .integer: return value.int128.map { .literal("\($0)") }
        case .real:
            // A 32-bit real has fewer digits.
            if case .real32(let real)? = try? value.propertyList() { return .real32(real) }
            return value.double.map { .real($0) }
        case .string: return value.string.map { .string($0) }
        case .data: return value.data.map { .data($0) }
        case .date: return value.date.map { .date($0) }
        case .object: break
        default: return nil
        }
        guard let name = name(of: value), Self.leafClasses.contains(name), value.fields.count <= Self.leafFieldLimit,
            let found = try? value.foundationValue()
        else { return nil }
        switch found {
        case .string(let text): return .string(text)
        case .data(let data): return .data(data)
        case .date(let date): return .date(date)
        case .uuid(let uuid): return .tagged("$uuid", uuid.uuidString)
        case .url(let url): return .tagged("$url", url.absoluteString)
        case .decimal(let decimal): return .tagged("$decimal", "\(decimal)")
        case .number(.boolean(let value)): return .literal(value ? "true" : "false")
        case .number(.integer(let value)): return .literal("\(value)")
        case .number(.real(let value)): return .real(value)
        default: return nil
        }
    }

    /// Fields that an object of such a class has at most.
    private static let leafFieldLimit = 8
}
