// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Why a part of an archive cannot be read as requested, in the terms of neither coder.
///
/// Code that both coders share creates it. Each coder converts it to an error of its own, `DecodingError` or
/// `UnarchivingError`, before a program receives it. It is an object, so that functions that throw it, on the way of
/// nested values, need little of the stack.
final class ReadingFailure: Error {
    enum Kind {
        /// A part of the archive violates the format.
        case damaged
        /// The archive exceeds the limits, or the stack.
        case limit
        case keyNotFound(any CodingKey)
        /// The value is nil, and the type is not optional.
        case null
        /// The value has another type than requested.
        case mismatch
        /// The requested type cannot represent the number.
        case outOfRange
        case classNotAllowed
        case notSecure
        case cycle
        /// An object was replaced by one that other objects cannot reference.
        case replaced
    }

    let kind: Kind
    /// The requested type.
    let type: any Any.Type
    let path: [any CodingKey]
    let sentence: String
    let underlying: (any Error)?

    init(
        _ kind: Kind, _ type: any Any.Type = Any.self, path: [any CodingKey], _ sentence: String,
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.type = type
        self.path = path
        self.sentence = sentence
        self.underlying = underlying
    }

    /// Returns whether `error`, in the terms of either coder or of neither, says that a limit was exceeded.
    @inline(never) static func isLimit(_ error: any Error) -> Bool {
        switch error {
        case let failure as ReadingFailure:
            if case .limit = failure.kind { true } else { false }
        case let error as any CoderError: error.isLimit
        default: false
        }
    }
}

// MARK: - Values

extension ReadingFailure {
    /// The archive violates the format, or exceeds the limits.
    @inline(never) static func damaged(_ error: KeyedArchiveError, path: [any CodingKey]) -> ReadingFailure {
        let underlying: PropertyListError?
        if case .propertyList(let error) = error.reason { underlying = error } else { underlying = nil }
        return ReadingFailure(
            error.code == .limit ? .limit : .damaged, path: path, error.description, underlying: underlying)
    }

    /// A value cannot be read as requested.
    @inline(never) static func value(
        _ failure: ValueFailure, in reading: GraphReading, path: [any CodingKey]
    ) -> ReadingFailure {
        let archive = reading.archive
        // The description of the value is a part of a request that fails.
        let mark = reading.mark
        defer { reading.giveBack(since: mark) }
        switch failure {
        case .damaged(let error):
            reading.noteExcess(at: path)
            return damaged(error, path: path)
        case .mismatch(let type, let value): return mismatch(type, found: value, in: archive, path: path)
        case .outOfRange(let type, let value): return outOfRange(type, found: archive.describe(value), path: path)
        case .otherClass(let other, let value, let type):
            if archive.isNil(value) { return mismatch(type, found: value, in: archive, path: path) }
            return ReadingFailure(
                .classNotAllowed, type, path: path,
                other.sentence(of: value, requested: type, classes: reading.settings.classes, path: path))
        }
    }

    /// The value has another kind than the requested `type`.
    @inline(never) static func mismatch(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> ReadingFailure {
        guard archive.isNil(value) else { return mismatch(type, found: archive.describe(value), path: path) }
        return ReadingFailure(
            .null, type, path: path,
            "Found nil at \(path.pathDescription), where \(type) is expected. Use decodeIfPresent, or decode an optional,"
                + " if it may be nil")
    }

    /// The value, described by `found`, has another kind than the requested `type`.
    @inline(never) static func mismatch(_ type: any Any.Type, found: String, path: [any CodingKey]) -> ReadingFailure {
        ReadingFailure(
            .mismatch, type, path: path, "Found \(found) at \(path.pathDescription), where \(type) is expected")
    }

    /// `type` cannot hold the number, described by `found`, exactly.
    @inline(never) static func outOfRange(_ type: any Any.Type, found: String, path: [any CodingKey]) -> ReadingFailure
    {
        ReadingFailure(
            .outOfRange, type, path: path,
            "Found \(found) at \(path.pathDescription), which \(type) cannot hold exactly")
    }

    /// The values are nested too deep.
    ///
    /// - Parameter advice: Another way to decode them.
    @inline(never) static func nestedTooDeep(
        limit: Int, depth: Int, path: [any CodingKey], advice: String = ""
    ) -> ReadingFailure {
        let sentence =
            depth >= limit
            ? "The archive is nested deeper than the limit of \(limit) levels; raise `limits.nesting` if you trust"
                + " the archive"
            : StackGuard.sentence("The archive is", depth) + ". Decode it on a thread with a larger stack"
        return ReadingFailure(.limit, path: path, sentence + advice)
    }
}

// MARK: - Keys

extension ReadingFailure {
    @inline(never) static func keyNotFound(
        _ key: any CodingKey, present: [String], path: [any CodingKey]
    ) -> ReadingFailure {
        ReadingFailure(
            .keyNotFound(key), path: path, sentence(absent: key.stringValue, present: present, path: path))
    }

    /// The archive has no root object. Its values at the top are `fields`.
    @inline(never) static func missingRoot(_ fields: ObjectFields, in archive: ArchiveContents) -> ReadingFailure {
        let key = KeyedArchiveFormat.rootKey
        let present = fields.firstKeyNames(in: archive)
        var sentence = sentence(absent: key, present: present, path: [])
        if let first = present.first {
            sentence +=
                ". Decode what is under one of them, KeyedArchive(…).top[\"\(first)\"]?.decode(…), or all of them as the"
                + " properties of one type, KeyedArchive(…).top.decode(…)"
        } else if (try? archive.value(of: "$0", in: archive.top)) != nil {
            sentence += adviceWithoutKey("$0")
        }
        return ReadingFailure(.keyNotFound(ArchiveKey(stringValue: key)), path: [], sentence)
    }

    private static func sentence(absent key: String, present: [String], path: [any CodingKey]) -> String {
        let there = present.isEmpty ? "There are no keys" : "The keys are \(shownKeys(present))"
        return "No value for the key \"\(key)\" at \(path.pathDescription). \(there)\(adviceWithoutKey(key))"
    }

    /// The advice in an error if `key` is a name that the format gives to values without a key.
    private static func adviceWithoutKey(_ key: String) -> String {
        guard key.first == "$", key.count > 1, key.dropFirst().allSatisfy(\.isNumber) else { return "" }
        return
            ". Values that were encoded without a key are decoded in their order, by KeyedUnarchiver's decodeNext(_:),"
            + " decodeNextIfPresent(_:) or decodeNextObject(of:)"
    }

    /// The number of keys that an error shows.
    static let shownKeyCount = 20

    /// Returns the first of `keys` for an error.
    static func shownKeys(_ keys: [String]) -> String {
        let shown = keys.prefix(shownKeyCount).map { "\"\($0)\"" }.joined(separator: ", ")
        return keys.count > shownKeyCount ? shown + ", …" : shown
    }
}

// MARK: - Classes

extension ReadingFailure {
    /// Returns a name from an archive in the form that errors show: cut to a readable length.
    @inline(never) static func shown(_ name: String) -> String {
        name.utf8.count <= 400 ? name : "\(name.prefix(400))…"
    }

    /// An object has a class other than those in `allowed`.
    @inline(never) static func notAllowed(
        _ found: String, allowed: [any Any.Type], path: [any CodingKey]
    ) -> ReadingFailure {
        ReadingFailure(
            .classNotAllowed, path: path,
            "Found \(found) at \(path.pathDescription), where \(restriction(to: allowed)). Add its type to the call's list"
                + " if it belongs there; a subclass, or a type under another name, has to be registered in `classes` as"
                + " well")
    }

    /// The part of an error's sentence that lists the allowed `types`.
    @inline(never) private static func restriction(to types: [any Any.Type]) -> String {
        let names = types.map { "\($0)" }
        switch names.count {
        case 0: return "the call's list allows nothing"
        case 1: return "only \(names[0]) is allowed"
        default: return "only \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) are allowed"
        }
    }

    /// The hashes of a set's elements, or a dictionary's keys, depend on the collection that contains them.
    @inline(never) static func circularHash(path: [any CodingKey]) -> ReadingFailure {
        ReadingFailure(
            .cycle, path: path,
            "An element of the set or dictionary at \(path.pathDescription) is not found in it: its hash depends on a value that is set"
                + " after the collection is made, such as the collection itself. Hash by values of its own in `hash(into:)`"
        )
    }

    /// An object that is kept in its archived form has no uid.
    @inline(never) static func foreignValue(path: [any CodingKey]) -> ReadingFailure {
        ReadingFailure(
            .mismatch, path: path,
            "Found an object without a uid at \(path.pathDescription), where an UnknownObject is expected: no archiver writes one"
        )
    }

    @inline(never) static func noList(_ found: String, path: [any CodingKey]) -> ReadingFailure {
        ReadingFailure(
            .classNotAllowed, path: path,
            "Found \(found) at \(path.pathDescription), but the call names no allowed type, which secure coding requires."
                + " Instead of decodeObject(forKey:), use decodeObject(of:forKey:) with a list of types, or a method"
                + " that names the type")
    }

    @inline(never) static func notSecure(_ type: any Any.Type, path: [any CodingKey]) -> ReadingFailure {
        ReadingFailure(
            .notSecure, path: path,
            "Found an object of \(type) at \(path.pathDescription), a class that does not support secure coding. Create"
                + " the unarchiver with requiringSecureCoding: false if you trust the archive")
    }

    @inline(never) static func notCoding(_ type: any Any.Type, path: [any CodingKey]) -> ReadingFailure {
        ReadingFailure(
            .classNotAllowed, path: path,
            "The type for the object at \(path.pathDescription) is \(type), which is neither Coding nor Decodable")
    }

    /// An initializer received an empty collection of the type `type`, and has not stored it.
    @inline(never) static func droppedCollection(_ type: any Any.Type, path: [any CodingKey]) -> ReadingFailure {
        lostCollection("has dropped it, or stored another value that it made from it", type, path)
    }

    /// An initializer received an empty collection of the type `type`, and has stored it several times.
    @inline(never) static func sharedCollection(_ type: any Any.Type, path: [any CodingKey]) -> ReadingFailure {
        lostCollection("has stored it in several places", type, path)
    }

    /// A collection has more elements than when its storage was reserved.
    @inline(never) static func grownCollection(path: [any CodingKey]) -> ReadingFailure {
        ReadingFailure(
            .damaged, path: path,
            "The collection at \(path.pathDescription) has more elements than when it was first read: another program has changed"
                + " the file. Open it again")
    }

    private static func lostCollection(
        _ what: String, _ type: any Any.Type, _ path: [any CodingKey]
    ) -> ReadingFailure {
        ReadingFailure(
            .cycle, path: path,
            "The \(type) at \(path.pathDescription) leads back to an instance that was being decoded, so an initializer received it"
                + " empty, to be filled later, and \(what). Declare the property as @References, or store the decoded collection"
                + " unchanged in one property")
    }

    /// An object that other objects reference was replaced.
    @inline(never) static func replaced(_ type: any Any.Type, by other: any Any.Type, path: [any CodingKey])
        -> ReadingFailure
    {
        ReadingFailure(
            .replaced, path: path,
            "The \(type) at \(path.pathDescription) was replaced by a \(other) after other objects received the first,"
                + " or while they wait for a \(type). Replace it before publish(_:), or by an instance of the same class"
        )
    }
}

extension ClassMismatch {
    fileprivate func sentence(
        of value: ArchivedValue, requested: any Any.Type, classes: ClassRegistry, path: [any CodingKey]
    ) -> String {
        let reason = reason(of: value, requested: requested, classes: classes, path: path)
        return isUnknown ? reason + classes.unknownClasses.restriction(to: requested) : reason
    }

    private func reason(
        of value: ArchivedValue, requested: any Any.Type, classes: ClassRegistry, path: [any CodingKey]
    ) -> String {
        let shownName = ReadingFailure.shown(name)
        let found = "Found an object of \(shownName) (uid \(value.uid))"
        let wanted = "at \(path.pathDescription), where \(requested) is expected"
        if let registered = classes.type(named: name) {
            return
                "\(found) \(wanted), but \(registered), which is registered under that name, is not a subclass that can be"
                + " decoded"
        }
        let isSubclass = chain.dropFirst().contains {
            classes.isName($0, of: requested) || classes.isSimilarName($0, of: requested)
        }
        if isSubclass {
            return
                "\(found), a subclass that is not registered, \(wanted). Register the class under that name in the"
                + " decoder's `classes`, or set `classes.unknownClasses` to `.decodeAsRequested`"
        }
        let alias = "register it: `classes.register(\(requested).self, aliases: [\"\(shownName)\"])`"
        return "\(found) \(wanted). If that is another name of \(requested), \(alias)"
    }
}

extension ClassRegistry.UnknownClassPolicy {
    /// The reason why the policy does not apply to a request of `requested`, for an error; empty if the policy has no
    /// part in it.
    func restriction(to requested: any Any.Type) -> String {
        switch self {
        case .fail, .decodeAsRequested: ""
        case .placeholder:
            ". `classes.unknownClasses` is `.placeholder`, but an UnknownObject is no \(requested): it can be stored in a"
                + " property of a protocol that UnknownObject conforms to, under @Polymorphic or @Coded"
        case .skip:
            ". `classes.unknownClasses` is `.skip`, but the value is required here: the decoder skips only optional values and"
                + " elements"
        }
    }
}

// MARK: - Descriptions

extension ArchiveContents {
    /// Describes a value for an error.
    func describe(_ value: ArchivedValue) -> String {
        let place = value.uid == 0 ? "" : " (uid \(value.uid))"
        let objects = list.objects
        switch value.node.kind {
        case .null: return "nil"
        case .true: return "the Bool true" + place
        case .false: return "the Bool false" + place
        case .integer: return "the integer \(objects.integer(value.node))" + place
        case .real64: return "the number \(objects.real64(value.node))" + place
        case .real32: return "the number \(objects.real32(value.node))" + place
        case .date: return "a date" + place
        case .data: return "data of \(value.node.count) bytes" + place
        case .ascii, .utf16:
            if value.isNull { return "nil" }
            return "the string \"\(excerpt(value.node))\"" + place
        case .uid: return "a uid" + place
        case .array: return "an array of \(value.node.count) elements" + place
        case .set: return "a set of \(value.node.count) elements" + place
        case .dictionary:
            guard let uid = try? classUID(of: value.node), let entry = try? object(uid).node,
                let name = try? self.value(of: "$classname", in: entry)?.node,
                name.kind == .ascii || name.kind == .utf16
            else {
                return "a dictionary of \(value.node.count) entries" + place
            }
            return "an object of class \(excerpt(name, limit: 400))" + place
        }
    }

    /// The beginning of a string. The cost does not depend on the length of the string.
    func excerpt(_ node: Node, limit: Int = 40) -> String {
        // A readable character has no more bytes than this; longer ones are cut off.
        let byteLimit = 8 * limit
        var start = node
        start.count = min(node.count, node.kind == .utf16 ? byteLimit / 2 : byteLimit)
        let text = list.objects.string(start)
        return start.count < node.count || text.count > limit ? "\(text.prefix(limit))…" : text
    }

    /// A key for a list of keys: as `keyDescription`, cut to a readable length.
    func keyExcerpt(_ value: ArchivedValue) -> String? {
        switch value.node.kind {
        case .ascii, .utf16: excerpt(value.node, limit: 100)
        default: try? keyDescription(value)
        }
    }
}
