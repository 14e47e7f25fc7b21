/// An error that `KeyedUnarchiver` throws if it cannot read an archive, or decode a value as requested.
///
/// Errors from `init(coder:)` and `init(from:)` reach the caller unchanged, except `DecodingError`: it becomes an
/// `UnarchivingError` with the original as its underlying error.
///
/// ```swift
/// do {
///     window = try unarchiver.decode(Window.self, forKey: "window")
/// } catch let error as UnarchivingError where error.code == .valueNotFound {
///     window = Window(title: "Untitled")  // an older file, which has none
/// } catch let error as UnarchivingError {
///     print("The file cannot be read (\(error.code)): \(error)")
/// }
/// ```
public struct UnarchivingError: Error {
    /// The kind of the error.
    public let code: Code
    /// The keys and positions from the top of the archive to the value that caused the error.
    public let codingPath: [any CodingKey]
    /// A sentence that says what was found, where, and how to correct it.
    public let debugDescription: String
    /// The underlying error, if any.
    public let underlyingError: (any Error)?

    init(_ code: Code, path: [any CodingKey], _ sentence: String, underlying: (any Error)? = nil) {
        self.code = code
        codingPath = path
        debugDescription = sentence
        underlyingError = underlying
    }
}

// MARK: - Codes

extension UnarchivingError {
    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: ErrorName

        private init(_ name: StaticString) { self.name = ErrorName(name) }

        /// The name of the static member, such as "damaged".
        public var description: String { name.description }

        /// The bytes are not a keyed archive, or a part of it violates the format.
        public static var damaged: Self { Self("damaged") }
        /// A required value is absent or nil.
        public static var valueNotFound: Self { Self("valueNotFound") }
        /// The value has another type than requested.
        public static var typeMismatch: Self { Self("typeMismatch") }
        /// The requested type cannot represent the number.
        public static var numberOutOfRange: Self { Self("numberOutOfRange") }
        /// The object has a class other than the requested ones.
        public static var classNotAllowed: Self { Self("classNotAllowed") }
        /// The class does not support secure coding, which the unarchiver requires.
        public static var notSecure: Self { Self("notSecure") }
        /// An object needs another object that cannot be complete before this one.
        public static var cycle: Self { Self("cycle") }
        /// An object was replaced after other objects received it, or by an object that they cannot reference.
        public static var replaced: Self { Self("replaced") }
        /// The archive exceeds the limits, or the stack.
        public static var limit: Self { Self("limit") }
    }
}

extension UnarchivingError: CustomStringConvertible, CustomDebugStringConvertible {
    /// A sentence that says what was found, where, and how to correct it.
    public var description: String { debugDescription }
}

// MARK: - Values

extension UnarchivingError {
    /// The archive violates the format, or exceeds the limits.
    @inline(never) static func damaged(_ error: KeyedArchiveError, path: [any CodingKey]) -> UnarchivingError {
        let underlying: PropertyListError?
        if case .propertyList(let error) = error.reason { underlying = error } else { underlying = nil }
        let code: Code = error.code == .limit ? .limit : .damaged
        return UnarchivingError(code, path: path, error.description, underlying: underlying)
    }

    /// The value has another type than the requested `type`.
    @inline(never) static func mismatch(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> UnarchivingError {
        if archive.isNil(value) {
            return UnarchivingError(
                .valueNotFound, path: path,
                "Found nil at \(path.pathDescription), where \(type) is expected. Use decodeIfPresent if it may be nil"
            )
        }
        return UnarchivingError(
            .typeMismatch, path: path,
            "Found \(archive.describe(value)) at \(path.pathDescription), where \(type) is expected")
    }

    /// `type` cannot represent the number.
    @inline(never) static func outOfRange(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> UnarchivingError {
        outOfRange(type, found: archive.describe(value), path: path)
    }

    /// `type` cannot represent the number that `found` describes.
    @inline(never) static func outOfRange(_ type: any Any.Type, found: String, path: [any CodingKey])
        -> UnarchivingError
    {
        UnarchivingError(
            .numberOutOfRange, path: path, "Found \(found) at \(path.pathDescription), which \(type) cannot hold")
    }

    @inline(never) static func keyNotFound(_ key: String, present: [String], path: [any CodingKey]) -> UnarchivingError
    {
        UnarchivingError(.valueNotFound, path: path, keyNotFoundSentence(key, present: present, path: path))
    }

    @inline(never) static func missingRoot(_ key: String, present: [String], hasValuesWithoutKey: Bool)
        -> UnarchivingError
    {
        let sentence = missingRootSentence(key, present: present, hasValuesWithoutKey: hasValuesWithoutKey)
        return UnarchivingError(.valueNotFound, path: [], sentence)
    }

    /// Returns whether `error`, in the terms of either coder, says that a limit was exceeded.
    @inline(never) static func isLimit(_ error: any Error) -> Bool {
        if let error = error as? UnarchivingError { return error.code == .limit }
        guard case DecodingError.dataCorrupted(let context)? = error as? DecodingError else { return false }
        return (context.underlyingError as? UnarchivingError)?.code == .limit
    }

    /// Returns a name from an archive in the form that errors show: cut to a readable length.
    @inline(never) static func shown(_ name: String) -> String {
        name.utf8.count <= 400 ? name : "\(name.prefix(400))…"
    }

    /// The number of keys that an error shows.
    static let shownKeyCount = 20

    /// Returns the first of `keys` for an error.
    static func shownKeys(_ keys: [String]) -> String {
        let shown = keys.prefix(shownKeyCount).map { "\"\($0)\"" }.joined(separator: ", ")
        return keys.count > shownKeyCount ? shown + ", …" : shown
    }

    /// The sentence of an error about an absent key.
    @inline(never) static func keyNotFoundSentence(_ key: String, present: [String], path: [any CodingKey]) -> String {
        let there = present.isEmpty ? "There are no keys" : "The keys are \(shownKeys(present))"
        return "No value for the key \"\(key)\" at \(path.pathDescription). \(there)\(adviceWithoutKey(key))"
    }

    /// The advice in an error if `key` is a name that the format gives to values without a key.
    @inline(never) private static func adviceWithoutKey(_ key: String) -> String {
        guard key.first == "$", key.count > 1, key.dropFirst().allSatisfy(\.isNumber) else { return "" }
        return
            ". Values that were encoded without a key are decoded by the calls without a key, in the order in which they were"
            + " encoded: KeyedUnarchiver's decode(_:), decodeIfPresent(_:) or decodeObject(of:)"
    }

    /// The sentence of an error about an archive without a root object. Its keys at the top begin with `present`.
    ///
    /// - Parameter hasValuesWithoutKey: Whether the first value at the top was encoded without a key.
    @inline(never) static func missingRootSentence(_ key: String, present: [String], hasValuesWithoutKey: Bool)
        -> String
    {
        let sentence = keyNotFoundSentence(key, present: present, path: [])
        if let first = present.first {
            return sentence
                + ". Decode what is under one of them, KeyedArchive(…).top[\"\(first)\"]?.decode(…), or all of them as the"
                + " properties of one type, KeyedArchive(…).top.decode(…)"
        }
        return hasValuesWithoutKey ? sentence + adviceWithoutKey("$0") : sentence
    }

    /// The sentence of an error about values that are nested too deep.
    @inline(never) static func nestedTooDeepSentence(limit: Int, depth: Int) -> String {
        depth >= limit
            ? "The archive is nested deeper than the limit of \(limit) levels; raise `limits.nesting` if you trust"
                + " the archive"
            : StackGuard.sentence("The archive is", depth) + ". Decode it on a thread with a larger stack"
    }
}

// MARK: - Classes

extension UnarchivingError {
    /// An object has another class than `requested`.
    @inline(never) static func otherClass(
        _ mismatch: ClassMismatch, of value: ArchivedValue, requested: any Any.Type, classes: ClassRegistry,
        path: [any CodingKey]
    ) -> UnarchivingError {
        UnarchivingError(
            .classNotAllowed, path: path,
            mismatch.sentence(of: value, requested: requested, classes: classes, path: path))
    }

    /// An object has a class other than those in `allowed`.
    @inline(never) static func notAllowed(
        _ found: String, allowed: [any Any.Type], path: [any CodingKey]
    ) -> UnarchivingError {
        UnarchivingError(
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

    /// One object was requested as two unrelated classes.
    @inline(never) static func twoClasses(_ uid: UInt32, _ one: any Any.Type, _ other: any Any.Type) -> UnarchivingError
    {
        UnarchivingError(
            .typeMismatch, path: [],
            "The object with uid \(uid) was decoded as \(one) and as \(other), but an object has one class. Request"
                + " the same class for all references to it, or a common superclass")
    }

    /// The hashes of a set's elements, or a dictionary's keys, depend on the collection that contains them.
    @inline(never) static func circularHash(path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .cycle, path: path,
            "The hashes of the elements in \(path.pathDescription) depend on the collection itself, so no element could"
                + " be found in it. Use other properties in `hash(into:)` of the elements")
    }

    /// An object that is kept in its archived form has no uid.
    @inline(never) static func foreignValue(path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .typeMismatch, path: path,
            "Found an object without a uid at \(path.pathDescription), where an UnknownObject is expected: no archiver writes one"
        )
    }

    @inline(never) static func noList(_ found: String, path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .classNotAllowed, path: path,
            "Found \(found) at \(path.pathDescription), but the call names no allowed type, which secure coding requires."
                + " Instead of decodeObject(forKey:), use decodeObject(of:forKey:) with a list of types, or a method"
                + " that names the type")
    }

    @inline(never) static func notSecure(_ type: any Any.Type, path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .notSecure, path: path,
            "Found an object of \(type) at \(path.pathDescription), a class that does not support secure coding. Create"
                + " the unarchiver with requiringSecureCoding: false if you trust the archive")
    }

    @inline(never) static func notCoding(_ type: any Any.Type, path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .classNotAllowed, path: path,
            "The type for the object at \(path.pathDescription) is \(type), which is neither Coding nor Decodable")
    }

    /// The error that carries a reference that closes a cycle.
    @inline(never) static func cycle(_ cycle: CycleReference) -> UnarchivingError {
        UnarchivingError(.cycle, path: [], "The references form a cycle", underlying: cycle)
    }

    /// The initializer did not store the decoded collection in a property, so that none can be set later.
    @inline(never) static func changedProperty(_ name: String, path: [any CodingKey]) -> UnarchivingError {
        openCycle(
            "the initializer has not stored the value of \"\(name)\" unchanged in a property of its class", path)
    }

    /// It is not proven in which property of `type` the value of the key `name` belongs.
    @inline(never) static func unprovenProperty(
        _ name: String, _ type: any Any.Type, _ failure: PropertyProof.Failure, path: [any CodingKey]
    ) -> UnarchivingError {
        let reason =
            switch failure {
            case .notEncodable: "\(type) cannot be encoded again, which would show the property of \"\(name)\""
            case .encoding(let error):
                "\(type) cannot be encoded again, which would show the property of \"\(name)\": \(error)"
            case .none: "\(type) encodes no single property of the value's type under \"\(name)\""
            case .several(let properties):
                "\(type) encodes each of the properties \(properties.map { "\"\($0)\"" }.joined(separator: ", "))"
                    + " under \"\(name)\""
            case .other:
                "\(type) has several properties for \"\(name)\", and encodes other keys than the archive has, or other"
                    + " values"
            case .limit(let error): "\(error)"
            }
        return openCycle(reason, path)
    }

    private static func openCycle(_ reason: String, _ path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .cycle, path: path,
            "The references form a cycle: the value at \(path.pathDescription) refers back to an incomplete instance,"
                + " and \(reason), so the decoder cannot set it later. Declare the property as @Reference, or call"
                + " publish(self) in an initializer on the way")
    }

    /// An object that other objects reference was replaced.
    @inline(never) static func replaced(_ type: any Any.Type, by other: any Any.Type, path: [any CodingKey])
        -> UnarchivingError
    {
        UnarchivingError(
            .replaced, path: path,
            "The \(type) at \(path.pathDescription) was replaced by a \(other) after other objects received the first,"
                + " or while they wait for a \(type). Replace it before publish(_:), or by an instance of the same class"
        )
    }
}

extension ClassMismatch {
    /// The sentence of the error.
    func sentence(
        of value: ArchivedValue, requested: any Any.Type, classes: ClassRegistry, path: [any CodingKey]
    ) -> String {
        let reason = reason(of: value, requested: requested, classes: classes, path: path)
        return isUnknown ? reason + classes.unknownClasses.restriction(to: requested) : reason
    }

    private func reason(
        of value: ArchivedValue, requested: any Any.Type, classes: ClassRegistry, path: [any CodingKey]
    ) -> String {
        let shownName = UnarchivingError.shown(name)
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
        guard isStructural else { return "\(found) \(wanted). If that is another name of \(requested), \(alias)" }
        guard let otherName else {
            return
                "\(found) \(wanted), which the archive has under its own name. If that is another name of \(requested),"
                + " \(alias)"
        }
        return
            "\(found) \(wanted), and objects of \(UnarchivingError.shown(otherName)) before. To decode objects of every"
            + " unknown class as \(requested), set `classes.unknownClasses` to `.decodeAsRequested`. If only this one"
            + " is another name of \(requested), \(alias)"
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
        case .data:
            let numbers = try? PackedNumbers(objects.bytes(value.node))
            let packed = numbers.map { " with \($0.count) packed \($0.element.name)" } ?? ""
            return "data of \(value.node.count) bytes" + packed + place
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
