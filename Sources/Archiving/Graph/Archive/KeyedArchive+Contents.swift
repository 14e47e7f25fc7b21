// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Access by key and by position

extension KeyedArchive.Value {
    /// Returns the value for `key`: the field of an object, or the value of a dictionary of Foundation or the property list.
    /// Returns `nil` if the value has no such key.
    ///
    /// Pass the key that the program used to encode. A key that starts with "$" is stored with another "$" in front, and is
    /// found without it. "$0", "$1" … are the values that were encoded without a key.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys.
    public subscript(key: String) -> KeyedArchive.Value? {
        guard let node = archived?.node, node.kind == .dictionary else { return nil }
        if let (keys, values) = foundationDictionary {
            return position(of: key, in: keys).map { source.value(values.reference($0, in: source.contents)) }
        }
        if hasManglingOfKeys, key.utf8.first == UInt8(ascii: "$"), let found = field("$" + key, of: node) {
            return found
        }
        return field(key, of: node)
    }

    /// Returns the element at `position` of an array, a set, an ordered set or any other value with `elements`.
    ///
    /// Traps if `position` is out of range, as an `Array` does. `elements.indices` are the positions. A path with a position
    /// that does not exist has no value instead: `archive["root", "animals", 3]` is `nil` then.
    public subscript(position: Int) -> KeyedArchive.Value { elements[position] }

    /// The number of elements, of keys of a dictionary, or of fields of another object; 0 for a leaf.
    public var count: Int {
        if let dictionary = foundationDictionary { return dictionary.keys.count }
        if let elements = archivedElements { return elements.count }
        return fields.count
    }

    /// Returns the value of the first entry whose stored key is `name`, as NSKeyedUnarchiver does.
    private func field(_ name: String, of node: Node) -> KeyedArchive.Value? {
        let list = source.contents.list
        func position(_ isKey: (Node) -> Bool) -> Int? {
            (0..<node.count).first { position in
                (try? source.contents.node(list.reference(position, in: node.payload))).map(isKey) ?? false
            }
        }
        let found = position { list.objects.isText($0, name) } ?? position { list.objects.isEqualText($0, name) }
        return found.map { source.value(list.reference(node.count + $0, in: node.payload)) }
    }

    /// Returns the position of the last entry with the key `key` of a dictionary, whose value Foundation's readers take.
    private func position(of key: String, in keys: ArchivedElements) -> Int? {
        let contents = source.contents
        let objects = contents.list.objects
        func position(_ isKey: (Node) -> Bool, _ isKeyText: (String) -> Bool) -> Int? {
            (0..<keys.count).last { position in
                guard let value = try? contents.value(keys.reference(position, in: contents)) else { return false }
                switch value.node.kind {
                case .ascii, .utf16: return !value.isNull && isKey(value.node)
                case .dictionary: return (try? contents.text(value)).map(isKeyText) ?? false
                default: return false
                }
            }
        }
        let exact = ExactText(key)
        return position({ objects.isText($0, key) }, { ExactText($0) == exact })
            ?? position({ objects.isEqualText($0, key) }, { HashedText.areEqual($0, key) })
    }

    /// Whether keys that start with "$" have another one in front: true for objects and `$top`, false for plain dictionaries.
    var hasManglingOfKeys: Bool { place == .top || classUID != nil }
}

extension NodeScanner {
    fileprivate func isText(_ node: Node, _ text: String) -> Bool {
        switch node.kind {
        // Bytes that are not ASCII are read as UTF-8.
        case .ascii: isString(node, text) || !text.isASCII && ExactText(string(node)) == ExactText(text)
        case .utf16: ExactText(string(node)) == ExactText(text)
        default: false
        }
    }

    fileprivate func isEqualText(_ node: Node, _ text: String) -> Bool {
        switch node.kind {
        case .ascii: !text.isASCII && HashedText.areEqual(string(node), text)
        case .utf16: HashedText.areEqual(string(node), text)
        default: false
        }
    }
}

// MARK: - Elements

extension KeyedArchive.Value {
    /// The elements of an array, a set or an ordered set, in Foundation's form or the property list's; of a C array; or of any
    /// other object that was encoded as a list. An NSCountedSet has each element once. Empty for all other values.
    ///
    /// - Complexity: O(1); O(*n*) if each element has a key of its own (`NS.object.0` …).
    public var elements: KeyedArchive.Contents<KeyedArchive.Value> {
        source.elements(archivedElements ?? ArchivedElements([]))
    }

    var archivedElements: ArchivedElements? {
        guard let archived, !archived.isNull else { return nil }
        guard archived.node.kind == .dictionary else { return (try? source.contents.elements(of: archived)) ?? nil }
        guard let classUID, (try? source.contents.classKind(classUID)) != .dictionary else { return nil }
        return (try? source.contents.elements(of: archived)) ?? nil
    }
}

// MARK: - Dictionaries

extension KeyedArchive.Value {
    /// The keys and values of a dictionary of Foundation or the property list, in the order of the archive. Empty for all other
    /// values.
    ///
    /// - Complexity: O(1); O(*n*) if each entry has keys of its own (`NS.key.0` …).
    public var entries: KeyedArchive.Contents<(key: KeyedArchive.Value, value: KeyedArchive.Value)> {
        if let (keys, values) = foundationDictionary { return source.entries(keys, values) }
        guard kind == .dictionary, place != .top, let node = archived?.node else {
            return source.entries(ArchivedElements([]), ArchivedElements([]))
        }
        let list = source.contents.list
        let values = Node(
            kind: .array, count: node.count, payload: node.payload + node.count * list.referenceSize)
        return source.entries(ArchivedElements(node), ArchivedElements(values))
    }

    /// The keys and values of an NSDictionary, or of an object of a related class; `nil` for all other values.
    var foundationDictionary: (keys: ArchivedElements, values: ArchivedElements)? {
        guard let archived, place != .top, archived.node.kind == .dictionary else { return nil }
        return (try? source.contents.dictionary(archived)) ?? nil
    }
}

// MARK: - Fields

extension KeyedArchive.Value {
    /// The keys that `self[_:]` finds: the keys of an object's fields, or the strings among the keys of a dictionary. Empty for
    /// all other values.
    ///
    /// In a hostile archive, many keys may be the same long string, so that all keys together are longer than the archive. Keys
    /// beyond 16 bytes for each byte of the archive are omitted.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys.
    public var keys: [String] {
        var room = source.contents.proportional(1 << 20)
        func hasRoom(_ key: String) -> Bool {
            room -= key.utf8.count
            return room >= 0
        }
        var keys: [String] = []
        if foundationDictionary != nil {
            for (key, _) in entries {
                guard let text = key.string else { continue }
                guard hasRoom(text) else { break }
                keys.append(text)
            }
        } else {
            let fields = StoredFields(self)
            for index in 0..<fields.count where fields.hasTextKey(at: index) {
                let key = fields[index].key
                guard hasRoom(key) else { break }
                keys.append(key)
            }
        }
        return keys
    }

    /// The stored fields of an object, `top` or a plain dictionary, in the order of the archive and without the class. Objects
    /// of Foundation's classes have their format keys, such as `NS.objects` and `NS.time`. Empty for all other values.
    public var fields: KeyedArchive.Contents<(key: String, value: KeyedArchive.Value)> {
        let fields = StoredFields(self)
        return KeyedArchive.Contents(.field, count: fields.count) {
            fields[$0]
        } describe: {
            "\(LineText.literal($0.key)): \($0.value)"
        }
    }

    struct StoredFields: Sendable {
        private let source: ArchiveSource
        private let node: Node
        /// The position of the class among the entries; the number of entries if there is no class.
        private let classPosition: Int
        private let hasManglingOfKeys: Bool
        let count: Int

        init(_ value: KeyedArchive.Value) {
            source = value.source
            hasManglingOfKeys = value.hasManglingOfKeys
            guard let node = value.archived?.node, node.kind == .dictionary else {
                node = ArchivedValue.null.node
                classPosition = 0
                count = 0
                return
            }
            self.node = node
            let list = value.source.contents.list
            let position =
                value.classUID == nil
                ? nil
                : (0..<node.count).last { position in
                    guard let key = try? list.node(list.reference(position, in: node.payload)) else { return false }
                    return list.objects.isString(key, "$class")
                }
            classPosition = position ?? node.count
            count = position == nil ? node.count : node.count - 1
        }

        /// A key in the form that the program used, and its value.
        subscript(position: Int) -> (key: String, value: KeyedArchive.Value) {
            let position = position < classPosition ? position : position + 1
            let list = source.contents.list
            let name = name(list.reference(position, in: node.payload))
            return (name, source.value(list.reference(node.count + position, in: node.payload)))
        }

        func hasTextKey(at position: Int) -> Bool {
            key(at: position).map { $0.kind == .ascii || $0.kind == .utf16 } ?? false
        }

        func hasFormatKey(at position: Int) -> Bool {
            guard hasManglingOfKeys, let key = key(at: position), key.kind == .ascii else { return false }
            let bytes = source.contents.list.objects.bytes(key)
            return bytes.has("$", at: 0) && !bytes.has("$", at: 1)
        }

        private func key(at position: Int) -> Node? {
            let position = position < classPosition ? position : position + 1
            let list = source.contents.list
            return try? list.node(list.reference(position, in: node.payload))
        }

        private func name(_ reference: Int) -> String {
            let contents = source.contents
            guard let node = try? contents.node(reference), node.kind == .ascii || node.kind == .utf16 else {
                return contents.keyDescription(reference)
            }
            let name = contents.list.objects.string(node)
            return hasManglingOfKeys ? KeyMangling.userKey(name) ?? name : name
        }
    }
}

extension ArchiveContents {
    /// Returns a text for a key that is not a string: the value of a number, or the reference of any other key.
    fileprivate func keyDescription(_ reference: Int) -> String {
        guard let node = try? node(reference) else { return "damaged key \(reference)" }
        switch node.kind {
        case .integer: return String(list.objects.integer(node))
        case .real64: return String(list.objects.real64(node))
        case .real32: return String(list.objects.real32(node))
        case .true: return "true"
        case .false: return "false"
        default: return "key \(reference)"
        }
    }
}

// MARK: - Collections

extension KeyedArchive {
    /// The objects of an archive, or the elements, entries or fields of a value. Each is created when it is read.
    public struct Contents<Element>: RandomAccessCollection, Sendable {
        enum Kind: String {
            case object = "Object"
            case element = "Element"
            case entry = "Entry"
            case field = "Field"
        }

        private let kind: Kind
        private let make: @Sendable (Int) -> Element
        private let describe: @Sendable (Element) -> String
        /// 0.
        public var startIndex: Int { 0 }
        /// The number of them.
        public let endIndex: Int

        init(
            _ kind: Kind, count: Int, _ make: @escaping @Sendable (Int) -> Element,
            describe: @escaping @Sendable (Element) -> String
        ) {
            self.kind = kind
            self.make = make
            self.describe = describe
            endIndex = count
        }

        /// Returns what is at `position`: of the objects, that with this uid. Traps if `position` is out of range.
        public subscript(position: Int) -> Element {
            require(
                position >= 0 && position < endIndex,
                "\(kind.rawValue) \(position) is out of range: count is \(endIndex)")
            return make(position)
        }
    }
}

extension KeyedArchive.Contents: CustomStringConvertible {
    /// The descriptions of the first ones, and the total number if there are more.
    public var description: String {
        isEmpty && (kind == .entry || kind == .field) ? "[:]" : "[" + LineText.list(self, describe) + "]"
    }
}

extension ArchiveSource {
    package func elements(_ elements: ArchivedElements) -> KeyedArchive.Contents<KeyedArchive.Value> {
        KeyedArchive.Contents(.element, count: elements.count) { [self] in
            value(elements.reference($0, in: contents))
        } describe: {
            $0.description
        }
    }

    package func entries(
        _ keys: ArchivedElements, _ values: ArchivedElements
    ) -> KeyedArchive.Contents<(key: KeyedArchive.Value, value: KeyedArchive.Value)> {
        KeyedArchive.Contents(.entry, count: keys.count) { [self] in
            (value(keys.reference($0, in: contents)), value(values.reference($0, in: contents)))
        } describe: {
            "\($0.key): \($0.value)"
        }
    }
}
