// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Paths

extension KeyedArchive {
    /// A path from `top` to a value: keys and positions.
    ///
    /// ```swift
    /// archive["root", "animals", 3, "name"]?.string    // "Bella"
    /// let path: KeyedArchive.Path = ["root", "animals", 3]
    /// print(path)                                      // root.animals[3]
    /// KeyedArchive.Path("root.animals[3]") == path     // true
    /// ```
    ///
    /// A string literal is one key, also if it has a “.”: `archive["root.name"]` is `nil`, and `archive["root", "name"]` the name. Only
    /// ``init(_:)-(String)`` parses a text.
    public struct Path: Hashable, Sendable {
        /// One step from a value to a value inside it.
        public enum Step: Hashable, Sendable {
            /// The value under a key of an object or a dictionary.
            case key(String)
            /// The element of a list at a position. In a dictionary, the value at a position, for keys that are not strings.
            case index(Int)
        }

        /// The steps, starting at `top`.
        public var steps: [Step]

        /// Creates a path from `steps`.
        public init(_ steps: [Step] = []) { self.steps = steps }

        /// Returns the path to the value under `key` of the value at this path.
        public func appending(key: String) -> Path { Path(steps + [.key(key)]) }

        /// Returns the path to the element at the position `index` of the value at this path.
        public func appending(index: Int) -> Path { Path(steps + [.index(index)]) }
    }

    /// Returns the value at `path`; `nil` if a key or a position on the path does not exist.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys of the objects on the path.
    public subscript(path: Path) -> Value? {
        var value = top
        for step in path.steps {
            guard let next = value.value(at: step) else { return nil }
            value = next
        }
        return value
    }

    /// Returns the value at the path of `steps`; `nil` if a key or a position on the path does not exist. A text is one key:
    /// `archive["root", "name"]`, not `archive["root.name"]`.
    public subscript(steps: Path.Step...) -> Value? { self[Path(steps)] }

    /// Returns a shortest path to `value`; `nil` if the value is not reachable from `top` or belongs to another archive.
    ///
    /// The result is also `nil` if the search exceeds 16 steps for each byte of the archive. This happens only if very many
    /// objects share containers or long keys.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values in the archive, for any number of calls: a search continues where the
    ///   one before has ended.
    public func path(to value: Value) -> Path? {
        guard value.source === source else { return nil }
        return source.pathSearch.withLock { search in
            if search == nil { search = PathSearch(source) }
            return search?.path(to: value.place, in: source)
        }
    }
}

/// A search for shortest paths from the top of an archive. It visits each value once.
struct PathSearch: ~Copyable {
    private struct Visit {
        let place: KeyedArchive.Value.Place
        /// The number of the visit to the value around it; -1 for the top.
        let parent: Int
        let step: KeyedArchive.Path.Step
    }

    private var visits = [Visit(place: .top, parent: -1, step: .index(0))]
    private var known: [KeyedArchive.Value.Place: Int] = [.top: 0]
    private var opened: BitSet
    private var next = 0
    private(set) var cost = 0

    fileprivate init(_ source: ArchiveSource) { opened = BitSet(count: source.contents.list.objectCount) }

    fileprivate mutating func path(
        to place: KeyedArchive.Value.Place, in source: ArchiveSource
    ) -> KeyedArchive.Path? {
        while known[place] == nil {
            guard next < visits.count, cost <= source.contents.referenceLimit else { return nil }
            visitContents(of: source.value(at: visits[next].place))
        }
        guard var visit = known[place] else { return nil }
        var steps: [KeyedArchive.Path.Step] = []
        while visit > 0 {
            steps.append(visits[visit].step)
            visit = visits[visit].parent
        }
        return KeyedArchive.Path(steps.reversed())
    }

    private mutating func visitContents(of value: KeyedArchive.Value) {
        let parent = next
        next += 1
        // Several uids may share one object of the property list, with the same values inside.
        if let reference = value.reference, !opened.insert(reference) { return }
        _ = value.contained { inner, step in
            cost += step.cost
            if known[inner.place] == nil {
                known[inner.place] = visits.count
                visits.append(Visit(place: inner.place, parent: parent, step: step))
            }
            return false
        }
    }
}

extension ArchiveSource {
    fileprivate func value(at place: KeyedArchive.Value.Place) -> KeyedArchive.Value {
        switch place {
        case .top: KeyedArchive(self).top
        case .slot(let uid): object(uid)
        case .inline(let reference): value(reference)
        }
    }
}

extension KeyedArchive.Path.Step {
    /// The cost of this step. A long key counts as several references, because very many objects may share it.
    fileprivate var cost: Int {
        switch self {
        case .key(let key): 1 + key.utf8.count / 16
        case .index: 1
        }
    }
}

extension KeyedArchive.Value {
    package var reference: Int? {
        let contents = source.contents
        switch place {
        case .top: return nil
        case .inline(let reference): return reference < contents.list.objectCount ? reference : nil
        case .slot(let uid):
            guard Int(uid) < contents.slotCount else { return nil }
            let reference = contents.object(inSlot: Int(uid))
            return reference < contents.list.objectCount ? reference : nil
        }
    }

    func value(at step: KeyedArchive.Path.Step) -> KeyedArchive.Value? {
        switch step {
        case .key(let key): return self[key]
        case .index(let index):
            let elements = elements
            if elements.indices.contains(index) { return elements[index] }
            let entries = entries
            return entries.indices.contains(index) ? entries[index].value : nil
        }
    }

    /// Calls `body` with each value inside this one and its step, until `body` returns true. Skips a value that no step
    /// reaches, because its key is a duplicate, or cannot be compared with others in time.
    ///
    /// - Returns: Whether `body` returned true.
    package func contained(_ body: (KeyedArchive.Value, KeyedArchive.Path.Step) -> Bool) -> Bool {
        var known: Set<ExactText> = []
        func isNew(_ key: String) -> Bool { HashedText.isSafe(key) && known.insert(ExactText(key)).inserted }
        if let (keys, values) = foundationDictionary {
            let entries = source.entries(keys, values)
            // The last of several entries with one key is found by it.
            var isFound = [Bool](repeating: false, count: entries.count)
            for (position, entry) in entries.enumerated().reversed() {
                isFound[position] = entry.key.string.map(isNew) ?? false
            }
            for (position, entry) in entries.enumerated() {
                let key = isFound[position] ? entry.key.string : nil
                if body(entry.value, key.map { .key($0) } ?? .index(position)) { return true }
            }
            return false
        }
        if let elements = archivedElements {
            for (position, element) in source.elements(elements).enumerated() {
                if body(element, .index(position)) { return true }
            }
            return false
        }
        let fields = StoredFields(self)
        // A key of the format comes after a program's key with the same text.
        for isLate in [false, true] {
            for position in 0..<fields.count
            where fields.hasFormatKey(at: position) == isLate && fields.hasTextKey(at: position) {
                let (key, value) = fields[position]
                if isNew(key), body(value, .key(key)) { return true }
            }
        }
        return false
    }
}

// MARK: - Paths of errors

extension ArchiveKey {
    init(_ step: KeyedArchive.Path.Step) {
        switch step {
        case .key(let key): self.init(stringValue: key)
        case .index(let index): self.init(intValue: index)
        }
    }
}

extension PropertyListError {
    /// Returns the error of writing `archive` with a path from `top`, if the value is reachable. Otherwise its path begins
    /// with `$objects` and the uid.
    func located(in archive: KeyedArchive?) -> PropertyListError {
        guard let archive, let first = codingPath.first?.stringValue else { return self }
        var path: [any CodingKey] = []
        var rest = codingPath.dropFirst()
        if first == "$objects", let uid = rest.popFirst()?.intValue {
            let object = archive[uid: UInt32(truncatingIfNeeded: uid)]
            guard let found = archive.path(to: object), !found.steps.isEmpty else { return self }
            path = found.steps.map { ArchiveKey($0) }
        } else if first != "$top" {
            return self
        }
        if let key = rest.popFirst() {
            path.append(KeyMangling.userKey(key.stringValue).map { ArchiveKey(stringValue: $0) } ?? key)
        }
        return moved(to: path + rest)
    }
}

// MARK: - Writing paths

extension KeyedArchive.Path: ExpressibleByArrayLiteral {
    /// Creates a path from keys and positions.
    public init(arrayLiteral elements: Step...) { self.init(elements) }
}

extension KeyedArchive.Path.Step: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    /// Creates a key step.
    public init(stringLiteral key: String) { self = .key(key) }
    /// Creates a position step.
    public init(integerLiteral position: Int) { self = .index(position) }
}

extension KeyedArchive.Path: LosslessStringConvertible {
    /// The path in the notation of a program: `root.animals[3].name`. A key that is no word is in quotes and brackets.
    public var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let position): text += "[\(position)]"
            // The description of the path without steps is "top".
            case .key(let key) where Self.isWord(key) && !(text.isEmpty && key == "top"):
                text += text.isEmpty ? key : "." + key
            case .key(let key): text += "[\(key.debugDescription)]"
            }
        }
        return text.isEmpty ? "top" : text
    }

    /// Creates the path that `description` describes, as ``description`` prints it; `nil` for other text. Keys without “.” and “[” need
    /// no quotes.
    public init?(_ description: String) {
        self.init()
        if description == "top" { return }
        var rest = description.unicodeScalars[...]
        repeat {
            if rest.first == "[" {
                rest.removeFirst()
                guard let step = Self.bracketed(&rest) else { return nil }
                steps.append(step)
                continue
            }
            if !steps.isEmpty, rest.popFirst() != "." { return nil }
            let word = rest.prefix { $0 != "." && $0 != "[" }
            guard !word.isEmpty else { return nil }
            steps.append(.key(String(word)))
            rest = rest[word.endIndex...]
        } while !rest.isEmpty
    }

    private static func bracketed(_ rest: inout Substring.UnicodeScalarView) -> Step? {
        let step: Step
        if rest.first == "\"" {
            rest.removeFirst()
            guard let key = quoted(&rest) else { return nil }
            step = .key(key)
        } else {
            let digits = rest.prefix { $0 != "]" }
            guard digits.allSatisfy({ ("0"..."9").contains($0) }), let position = Int(String(digits)) else {
                return nil
            }
            step = .index(position)
            rest = rest[digits.endIndex...]
        }
        return rest.popFirst() == "]" ? step : nil
    }

    /// Parses a key up to the quote behind it, with the escapes of Swift.
    private static func quoted(_ rest: inout Substring.UnicodeScalarView) -> String? {
        var key = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(key)
            case "\\":
                guard let escaped = escaped(&rest) else { return nil }
                key.append(escaped)
            default: key.append(scalar)
            }
        }
        return nil
    }

    private static func escaped(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0": return "\0"
        case "u":
            guard rest.popFirst() == "{" else { return nil }
            let digits = rest.prefix { $0 != "}" }
            rest = rest[digits.endIndex...]
            guard rest.popFirst() == "}" else { return nil }
            return UInt32(String(digits), radix: 16).flatMap { Unicode.Scalar($0) }
        case let other: return other
        }
    }

    private static func isWord(_ key: String) -> Bool {
        guard let first = key.unicodeScalars.first, first == "_" || first == "$" || first.properties.isAlphabetic else {
            return false
        }
        return key.unicodeScalars.allSatisfy {
            $0 == "_" || $0 == "$" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
    }
}
