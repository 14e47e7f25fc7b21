// MARK: - Paths

extension KeyedArchive {
    /// The way from `top` to a value, by keys and positions.
    ///
    /// ```swift
    /// archive["root", "animals", 3, "name"]?.string    // "Bella"
    /// let path: KeyedArchive.Path = ["root", "animals", 3]
    /// print(path)                                      // root.animals[3]
    /// ```
    public struct Path: Hashable, Sendable {
        /// One step from a value to one inside it.
        public enum Step: Hashable, Sendable {
            /// To what is under a key of an object or a dictionary.
            case key(String)
            /// To an element of a list. In a dictionary, to the value of the key at that position, for keys that are no
            /// strings.
            case index(Int)
        }

        /// The steps, the first of them from `top`.
        public var steps: [Step]

        /// The way that takes `steps`.
        public init(_ steps: [Step] = []) { self.steps = steps }

        /// The way to what is one step further.
        public func appending(_ step: Step) -> Path { Path(steps + [step]) }
    }

    /// The value that `path` leads to; nil where a key or a position on the way is not there.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys of the objects on the way.
    public subscript(path: Path) -> Value? {
        var value = top
        for step in path.steps {
            guard let next = value.value(at: step) else { return nil }
            value = next
        }
        return value
    }

    /// The value that the way of `steps` leads to; nil where a key or a position on the way is not there.
    public subscript(steps: Path.Step...) -> Value? { self[Path(steps)] }

    /// A shortest way to `value`; nil where nothing that was encoded by key leads to it, and for what is not in this archive.
    ///
    /// Also nil where objects share containers or long keys in so many ways that looking would take more than 16 steps for each
    /// byte of the archive.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values in the archive.
    public func path(to value: Value) -> Path? {
        guard value.source === source else { return nil }
        if value.place == .top { return Path() }
        // Every value that was met, with the way back.
        var met: [(value: Value, parent: Int, step: Path.Step)] = [(top, -1, .index(0))]
        var known: Set<Value> = [top]
        var opened = BitSet(count: source.contents.list.objectCount)
        var next = 0
        var cost = 0
        var isFound = false
        while !isFound, next < met.count, cost <= source.contents.referenceLimit {
            // Several uids may have one object of the property list, with the same values inside.
            if let reference = met[next].value.reference, !opened.insert(reference) {
                next += 1
                continue
            }
            isFound = met[next].value.contained { inner, step in
                cost += step.cost
                guard known.insert(inner).inserted else { return false }
                met.append((inner, next, step))
                return inner == value
            }
            next += 1
        }
        guard isFound, var place = met.indices.last else { return nil }
        var steps: [Path.Step] = []
        while place > 0 {
            steps.append(met[place].step)
            place = met[place].parent
        }
        return Path(steps.reversed())
    }
}

extension KeyedArchive.Path.Step {
    /// What it takes to go this step: a long key, which very many objects may share, counts as several references.
    fileprivate var cost: Int {
        switch self {
        case .key(let key): 1 + key.utf8.count / 16
        case .index: 1
        }
    }
}

extension KeyedArchive.Value {
    /// The object of the property list that the value is; nil for `top`.
    fileprivate var reference: Int? {
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

    /// What `step` leads to; nil where there is no such thing.
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

    /// Hands the values inside this one to `body`, with the step that leads there, until that says that it has seen enough.
    /// A value that no step leads to, since its key is there twice, is left out.
    ///
    /// - Returns: Whether it has.
    fileprivate func contained(_ body: (KeyedArchive.Value, KeyedArchive.Path.Step) -> Bool) -> Bool {
        var known: Set<String> = []
        if let (keys, values) = foundationDictionary {
            let entries = Entries(source: source, keys: keys, values: values)
            for (position, entry) in entries.enumerated() {
                let key = entry.key.string.flatMap { known.insert($0).inserted ? $0 : nil }
                if body(entry.value, key.map { .key($0) } ?? .index(position)) { return true }
            }
            return false
        }
        if let elements = archivedElements {
            for (position, element) in Elements(source: source, elements: elements).enumerated() {
                if body(element, .index(position)) { return true }
            }
            return false
        }
        let fields = fields
        // A value without a key stands back behind one whose key looks the same.
        for isLate in [false, true] {
            for position in fields.indices
            where fields.hasFormatKey(at: position) == isLate && fields.hasTextKey(at: position) {
                let (key, value) = fields[position]
                if known.insert(key).inserted, body(value, .key(key)) { return true }
            }
        }
        return false
    }
}

// MARK: - Writing paths

extension KeyedArchive.Path: ExpressibleByArrayLiteral {
    /// The way that takes `elements`: keys and positions.
    public init(arrayLiteral elements: Step...) { self.init(elements) }
}

extension KeyedArchive.Path.Step: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
    /// A key.
    public init(stringLiteral key: String) { self = .key(key) }
    /// A position.
    public init(integerLiteral position: Int) { self = .index(position) }
}

extension KeyedArchive.Path: CustomStringConvertible {
    /// The way as it would be written in a program: `root.animals[3].name`.
    public var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let position): text += "[\(position)]"
            case .key(let key) where Self.isWord(key): text += text.isEmpty ? key : "." + key
            case .key(let key): text += "[\(key.debugDescription)]"
            }
        }
        return text.isEmpty ? "top" : text
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
