// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Classes

extension ArchiveContents {
    /// Returns the class entry at `uid`. All objects of the class look up its few keys.
    ///
    /// - Throws: `KeyedArchiveError` if it is damaged, or has more keys than writers store.
    package func classEntry(_ uid: UInt32) throws(KeyedArchiveError) -> Node {
        let entry = try object(uid).node
        guard entry.kind != .dictionary || entry.count <= KeyedArchiveFormat.classEntryLimit else {
            throw Self.badClass(uid, "\(entry.count) keys", KeyedArchiveFormat.classEntryLimit)
        }
        return entry
    }

    package func className(_ uid: UInt32) throws(KeyedArchiveError) -> String {
        guard let name = try value(of: "$classname", in: classEntry(uid)),
            name.node.kind == .ascii || name.node.kind == .utf16
        else { throw KeyedArchiveError(.badClass(uid: uid)) }
        return try className(name.node, uid)
    }

    private func className(_ name: Node, _ uid: UInt32) throws(KeyedArchiveError) -> String {
        let count = name.byteCount
        guard count <= KeyedArchiveFormat.classNameLimit else {
            throw Self.badClass(uid, "a name of \(count) bytes", KeyedArchiveFormat.classNameLimit)
        }
        return try hashedString(name)
    }

    @inline(never)
    private static func badClass(_ uid: UInt32, _ found: String, _ limit: Int) -> KeyedArchiveError {
        KeyedArchiveError(
            .other(
                .damaged, uid: uid,
                sentence:
                    "The keyed archive is damaged: the class entry at uid \(uid) has \(found); the limit is"
                    + " \(limit)"))
    }

    enum ClassKind {
        case fields
        /// NSDictionary, its mutable form, or a subclass.
        case dictionary
        /// NSArray, NSSet and similar classes, which have elements and no keys.
        case elements
        /// Another class in `CocoaClass`: its objects are single values, and have no keys.
        case value
    }

    /// Returns whether the object `node` can be of a class in `CocoaClass`: it has only its class, or keys that start with "NS".
    /// Comparing a key costs less than resolving a class.
    package func mayBeCocoa(_ node: Node) throws(KeyedArchiveError) -> Bool {
        guard node.count > 1 else { return true }
        for index in 0..<2 {
            let key = try self.node(list.reference(index, in: node.payload))
            guard key.kind == .ascii, key.count > 1 else { return false }
            if list.bytes.has("NS", at: key.payload) { return true }
            // If keys are sorted, the class comes first.
            guard list.bytes.has("$", at: key.payload) else { return false }
        }
        return true
    }

    /// Returns whether the object `node` has only its class and elements, as an unkeyed container writes it. A field with the
    /// name "NS.objects" holds no list of references.
    func hasOnlyElements(_ node: Node) throws(KeyedArchiveError) -> Bool {
        guard node.count <= 2, let position = try index(of: "NS.objects", in: node) else { return false }
        if node.count == 2, try index(of: "$class", in: node) == nil { return false }
        return try self.node(list.reference(node.count + position, in: node.payload)).kind == .array
    }

    func isFormatKey(_ reference: Int) throws(KeyedArchiveError) -> Bool {
        let key = try node(reference)
        return key.kind == .ascii && key.count > 0 && list.bytes.has("$", at: key.payload)
    }

    /// Returns the kind of the class of the class entry `uid`: that of its name or, for a subclass of a collection, of a superclass.
    func classKind(_ uid: UInt32) throws(KeyedArchiveError) -> ClassKind {
        let entry = try classEntry(uid)
        guard let own = try value(of: "$classname", in: entry)?.node, own.kind == .ascii || own.kind == .utf16
        else { throw KeyedArchiveError(.badClass(uid: uid)) }
        let kind = self.kind(ofClassNamed: own)
        guard kind == .fields, let chain = try value(of: "$classes", in: entry), chain.node.kind == .array else {
            return kind
        }
        try checkCount(chain.node, uid)
        try countWork(chain.node.count)
        for reference in list.references(chain.node) {
            let inherited = self.kind(ofClassNamed: try node(reference))
            if inherited == .elements || inherited == .dictionary { return inherited }
        }
        return .fields
    }

    private func kind(ofClassNamed name: Node) -> ClassKind {
        guard name.kind == .ascii, name.count <= CocoaClass.nameLimit, list.bytes.has("NS", at: name.payload),
            let known = CocoaClass(named: list.objects.string(name))
        else { return .fields }
        switch known {
        case .dictionary: return .dictionary
        case .array, .set, .orderedSet: return .elements
        default: return .value
        }
    }
}

extension ArchiveContents {
    /// Returns whether the object `uid` is a collection: an object of Cocoa's classes, which a decoder decodes for each reference.
    package func isCollection(_ uid: UInt32) -> Bool {
        guard let node = try? object(uid).node, node.kind == .dictionary else { return false }
        guard let classUID = (try? classUID(of: node)) ?? nil else { return false }
        return (try? classKind(classUID)).map { $0 != .fields } ?? false
    }

    /// Returns the uid of the class of the object `dictionary`; `nil` if it is plain data without a class. Writers put `$class` last, so the function checks the last key first.
    @inline(never)
    package func classUID(of dictionary: Node) throws(KeyedArchiveError) -> UInt32? {
        guard dictionary.kind == .dictionary, dictionary.count > 0 else { return nil }
        let last = dictionary.count &- 1
        if let key = notes?.classKey, list.reference(last, in: dictionary.payload) == key,
            let uid = shortUID(list.reference(dictionary.count &+ last, in: dictionary.payload))
        {
            return uid
        }
        return try findClassUID(of: dictionary)
    }

    package func isClassKey(_ reference: Int) -> Bool { reference == notes?.classKey }

    @inline(never)
    private func findClassUID(of dictionary: Node) throws(KeyedArchiveError) -> UInt32? {
        var index = dictionary.count &- 1
        let key = list.reference(index, in: dictionary.payload)
        if list.isString(try node(key), "$class") {
            notes?.classKey = key
        } else {
            guard let found = try self.index(of: "$class", in: dictionary) else { return nil }
            index = found
        }
        let value = try node(list.reference(dictionary.count &+ index, in: dictionary.payload))
        return value.kind == .uid ? try uid(value) : nil
    }

    /// Returns whether the name in the class entry `uid` is `name`, an ASCII text.
    package func isClass(_ uid: UInt32, named name: String) throws(KeyedArchiveError) -> Bool {
        guard let own = try value(of: "$classname", in: classEntry(uid))?.node else { return false }
        return list.isString(own, name)
    }
}

// MARK: - Contents of class entries

extension ArchiveContents {
    /// Returns the version of the class `type` in the class entry `uid`: 0 if the entry has no version, `nil` if the class is
    /// not in its chain.
    func classVersion(
        of type: any Any.Type, _ uid: UInt32, in classes: ClassRegistry
    ) throws(KeyedArchiveError) -> Int? {
        // With a mapped name, some writers write the chain of another class, or none.
        let chain = [try className(uid)] + (try classChain(uid)).dropFirst()
        let place =
            chain.firstIndex { classes.isName($0, of: type) }
            ?? chain.firstIndex { classes.isSimilarName($0, of: type) }
        guard let place else { return nil }
        return try classVersion(at: place, uid)
    }

    /// Returns the version of the class at `place` in the chain of the class entry `uid`; 0 if the entry has no version.
    func classVersion(at place: Int, _ uid: UInt32) throws(KeyedArchiveError) -> Int {
        guard let versions = try value(of: "$classversions", in: classEntry(uid))?.node, versions.kind == .array,
            place < versions.count
        else { return 0 }
        let version = try node(list.reference(place, in: versions.payload))
        return version.kind == .integer ? Int(clamping: list.integer(version)) : 0
    }

    /// Returns the names in `$classes` of the class entry `uid`: the class and its superclasses; empty if the entry has none.
    package func classChain(_ uid: UInt32) throws(KeyedArchiveError) -> [String] { try names("$classes", uid) }

    package func classFallbacks(_ uid: UInt32) throws(KeyedArchiveError) -> [String] { try names("$classhints", uid) }

    private func names(_ key: StaticString, _ uid: UInt32) throws(KeyedArchiveError) -> [String] {
        guard let chain = try value(of: key, in: classEntry(uid))?.node, chain.kind == .array else { return [] }
        try checkCount(chain, uid)
        try countWork(chain.count)
        var names: [String] = []
        for reference in list.references(chain) {
            let name = try node(reference)
            if name.kind == .ascii || name.kind == .utf16 { names.append(try className(name, uid)) }
        }
        return names
    }

    private func checkCount(_ chain: Node, _ uid: UInt32) throws(KeyedArchiveError) {
        guard chain.count > KeyedArchiveFormat.superclassLimit else { return }
        throw Self.badClass(uid, "a list of \(chain.count) classes", KeyedArchiveFormat.superclassLimit)
    }
}
