/// Why `KeyedUnarchiver` could not read an archive, or a part of it as what was asked for.
///
/// Errors that `init(coder:)` and `init(from:)` throw themselves are passed on as they are; only a `DecodingError` becomes
/// one of these, with the original under it.
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
    /// What kind of error it is.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the code.
        public var description: String { rawValue }

        /// The bytes are no keyed archive, or a part of it is not what the format says.
        public static let damaged = Code(rawValue: "damaged")
        /// There is nothing, or nil, where a value is needed.
        public static let valueNotFound = Code(rawValue: "valueNotFound")
        /// Another kind of value stands there.
        public static let typeMismatch = Code(rawValue: "typeMismatch")
        /// A number stands there that the type asked for cannot hold.
        public static let numberOutOfRange = Code(rawValue: "numberOutOfRange")
        /// An object stands there whose class is none of those that were asked for.
        public static let classNotAllowed = Code(rawValue: "classNotAllowed")
        /// The class is not safe for archives from outside.
        public static let notSecure = Code(rawValue: "notSecure")
        /// An object needs another one that is not complete before this one is.
        public static let cycle = Code(rawValue: "cycle")
        /// An object was replaced after others had got it, or by one that they cannot have.
        public static let replaced = Code(rawValue: "replaced")
        /// The archive asks for more than the limits, or the stack, allow.
        public static let limit = Code(rawValue: "limit")
    }

    /// What kind of error it is.
    public let code: Code
    /// Where it happened: the keys and positions from the top of the archive.
    public let codingPath: [any CodingKey]
    /// What was found, where, and what to do.
    public let debugDescription: String
    /// The error under this one, if there is any.
    public let underlyingError: (any Error)?

    init(_ code: Code, path: [any CodingKey], _ sentence: String, underlying: (any Error)? = nil) {
        self.code = code
        codingPath = path
        debugDescription = sentence
        underlyingError = underlying
    }
}

extension UnarchivingError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What was found, where, and what to do.
    public var description: String { debugDescription }
}

// MARK: - Values

extension UnarchivingError {
    /// The archive is not what the format says, or asks for too much.
    static func damaged(_ error: KeyedArchiveError, path: [any CodingKey]) -> UnarchivingError {
        let underlying: PropertyListError?
        if case .propertyList(let error) = error.reason { underlying = error } else { underlying = nil }
        let code: Code = error.code == .limit ? .limit : .damaged
        return UnarchivingError(code, path: path, error.description, underlying: underlying)
    }

    /// Another kind of value stands where a value of `type` was asked for.
    static func mismatch(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> UnarchivingError {
        if value.isNull {
            return UnarchivingError(
                .valueNotFound, path: path,
                "Found nil at \(path.pathDescription), where \(type) is wanted. Use decodeIfPresent where it may be nil"
            )
        }
        return UnarchivingError(
            .typeMismatch, path: path,
            "Found \(archive.describe(value)) at \(path.pathDescription), where \(type) is wanted")
    }

    /// A number stands there that `type` cannot hold.
    static func outOfRange(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> UnarchivingError {
        outOfRange(type, found: archive.describe(value), path: path)
    }

    /// A number stands there, which `found` describes, that `type` cannot hold.
    static func outOfRange(_ type: any Any.Type, found: String, path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .numberOutOfRange, path: path, "Found \(found) at \(path.pathDescription), which \(type) cannot hold")
    }

    static func keyNotFound(_ key: String, present: [String], path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(.valueNotFound, path: path, keyNotFoundSentence(key, present: present, path: path))
    }

    /// Whether `error` says that a limit was exceeded, in the terms of either side.
    static func isLimit(_ error: any Error) -> Bool {
        if let error = error as? UnarchivingError { return error.code == .limit }
        guard case DecodingError.dataCorrupted(let context)? = error as? DecodingError else { return false }
        return (context.underlyingError as? UnarchivingError)?.code == .limit
    }

    /// A name from an archive as an error shows it: no longer than somebody reads.
    static func shown(_ name: String) -> String { name.utf8.count <= 400 ? name : "\(name.prefix(400))…" }

    /// The keys that an error shows.
    static let shownKeyCount = 20

    /// The sentence of an error about a key that is not there.
    static func keyNotFoundSentence(_ key: String, present: [String], path: [any CodingKey]) -> String {
        let shown = present.prefix(shownKeyCount).map { "\"\($0)\"" }.joined(separator: ", ")
        let there =
            present.isEmpty ? "There are no keys" : "The keys are \(shown)\(present.count > shownKeyCount ? ", …" : "")"
        return "No value for the key \"\(key)\" at \(path.pathDescription). \(there)"
    }

    /// The sentence of an error about values that are nested too deep.
    static func nestedTooDeepSentence(limit: Int, depth: Int) -> String {
        depth >= limit
            ? "The archive is nested deeper than the limit of \(limit) levels; raise `limits.nesting` if it is to"
                + " be trusted"
            : "The archive is nested \(depth) levels deep, and the stack has no room for more. Decode it on a"
                + " thread with a larger stack"
    }
}

// MARK: - Classes

extension UnarchivingError {
    /// An object of another class stands where `requested` was asked for.
    static func otherClass(
        _ mismatch: ClassMismatch, of value: ArchivedValue, requested: any Any.Type, classes: ClassRegistry,
        path: [any CodingKey]
    ) -> UnarchivingError {
        UnarchivingError(
            .classNotAllowed, path: path,
            mismatch.sentence(of: value, requested: requested, classes: classes, path: path))
    }

    /// An object of a class that is none of `allowed` stands where one of those was asked for.
    static func notAllowed(
        _ found: String, allowed: [any Any.Type], path: [any CodingKey]
    ) -> UnarchivingError {
        let list = allowed.isEmpty ? "nothing is" : "\(allowed.map { "\($0)" }.joined(separator: ", ")) are"
        return UnarchivingError(
            .classNotAllowed, path: path,
            "Found \(found) at \(path.pathDescription), where only \(list) allowed. Add its type to the call's list if it"
                + " belongs there; a subclass, or a type under another name, has to be registered in `classes` as well")
    }

    /// What is to be kept as it lies in the archive has no uid.
    static func foreignValue(path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .typeMismatch, path: path,
            "Found an object without a uid at \(path.pathDescription), where an UnknownObject is wanted: no archiver writes one"
        )
    }

    static func noList(path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .classNotAllowed, path: path,
            "An object without a type was asked for at \(path.pathDescription), and secure coding needs to know what it"
                + " may be: use decodeObject(of:forKey:), or a method that names the type")
    }

    static func notSecure(_ type: any Any.Type, path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .notSecure, path: path,
            "Found an object of \(type) at \(path.pathDescription), a class that does not support secure coding. Make the"
                + " unarchiver with requiringSecureCoding: false if the archive is to be trusted")
    }

    static func notCoding(_ type: any Any.Type, path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .classNotAllowed, path: path,
            "The type for the object at \(path.pathDescription) is \(type), which is neither Coding nor Decodable")
    }

    /// The error under which a reference that closes a cycle travels.
    static func cycle(_ cycle: CycleReference) -> UnarchivingError {
        UnarchivingError(.cycle, path: [], "The references form a cycle", underlying: cycle)
    }

    /// An object that others have was replaced.
    static func replaced(_ type: any Any.Type, by other: any Any.Type, path: [any CodingKey]) -> UnarchivingError {
        UnarchivingError(
            .replaced, path: path,
            "The \(type) at \(path.pathDescription) was replaced by a \(other) after others were given the first one,"
                + " or where they wait for a \(type). Replace it before publish(_:), or by an instance of the same class"
        )
    }
}

extension ClassMismatch {
    /// What is wrong, as an error says it.
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
        let wanted = "at \(path.pathDescription), where \(requested) is wanted"
        if let registered = classes.type(named: name) {
            return
                "\(found) \(wanted), and what is registered under that name, \(registered), is no subclass that can be"
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
        let reason =
            otherName.map { ", and objects of \(UnarchivingError.shown($0)) before" }
            ?? ", which the archive has under its own name"
        return
            "\(found) \(wanted)\(isStructural ? reason : ""). If that is another name of \(requested), register it:"
            + " `classes.register(\(requested).self, aliases: [\"\(shownName)\"])`"
    }
}

extension ClassRegistry.UnknownClassPolicy {
    /// Why the policy does not help where `requested` is wanted, as an error says it; empty where it has no part in it.
    func restriction(to requested: any Any.Type) -> String {
        switch self {
        case .fail, .decodeAsRequested: ""
        case .placeholder:
            ". `classes.unknownClasses` is `.placeholder`, but an UnknownObject is no \(requested): it can stand in a"
                + " property of a protocol that UnknownObject conforms to, under @Polymorphic or @Coded"
        case .skip:
            ". `classes.unknownClasses` is `.skip`, but a value is needed here: it can be left out where it is optional, or"
                + " an element"
        }
    }
}

// MARK: - Descriptions

extension ArchiveContents {
    /// A value as an error names it.
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

    /// The beginning of a string, which costs the same however long it is.
    func excerpt(_ node: Node, limit: Int = 40) -> String {
        // No character of a text that somebody can read has more bytes than this; what has is cut off.
        let byteLimit = 8 * limit
        var start = node
        start.count = min(node.count, node.kind == .utf16 ? byteLimit / 2 : byteLimit)
        let text = list.objects.string(start)
        return start.count < node.count || text.count > limit ? "\(text.prefix(limit))…" : text
    }

    /// A key for a list of keys: as `keyDescription`, and no longer than somebody reads.
    func keyExcerpt(_ value: ArchivedValue) -> String? {
        switch value.node.kind {
        case .ascii, .utf16: excerpt(value.node, limit: 100)
        default: try? keyDescription(value)
        }
    }
}

extension UInt128 {
    /// The digits of the largest number of this type. Longer texts need not be looked at.
    static var digitLimit: Int { 39 }
}
