// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Values

extension ArchivingError {
    @inline(never) static func damaged(_ error: KeyedArchiveError, path: [any CodingKey]) -> ArchivingError {
        let underlying: any Error = if case .propertyList(let list) = error.reason { list } else { error }
        let code: Code = error.code == .limit ? .limit : .damaged
        return ArchivingError(code, path: path, underlying: underlying) { _ in "\(error)" }
    }

    @inline(never) static func value(
        _ failure: ValueFailure, in session: DecodingSession, path: [any CodingKey]
    ) -> ArchivingError {
        let archive = session.archive
        // The description of the value is a part of a request that fails.
        let mark = session.mark
        defer { session.meter.giveBack(since: mark) }
        switch failure {
        case .damaged(let error):
            session.noteExcess(at: path)
            return damaged(error, path: path)
        case .mismatch(let type, let value): return mismatch(type, found: value, in: archive, path: path)
        case .outOfRange(let type, let value): return outOfRange(type, found: archive.describe(value), path: path)
        case .otherClass(let other, let value, let type):
            if archive.isNil(value) { return mismatch(type, found: value, in: archive, path: path) }
            let classes = session.settings.classes
            return ArchivingError(.classNotAllowed, type, path: path) {
                other.sentence(uid: value.uid, requested: type, classes: classes, place: $0)
            }
        }
    }

    private static func mismatch(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> ArchivingError {
        guard archive.isNil(value) else { return mismatch(type, found: archive.describe(value), path: path) }
        return ArchivingError(.valueNotFound, type, path: path) {
            "Found nil at \($0), where \(type) is expected. Decode an optional if it may be nil; if not, the archive is damaged"
        }
    }

    static func mismatch<Found: CustomStringConvertible & Sendable>(
        _ type: any Any.Type, found: Found, path: [any CodingKey]
    ) -> ArchivingError {
        ArchivingError(.typeMismatch, type, path: path) { "Found \(found) at \($0), where \(type) is expected" }
    }

    @inline(never) static func outOfRange(
        _ type: any Any.Type, found: FoundValue, path: [any CodingKey]
    ) -> ArchivingError {
        ArchivingError(.numberOutOfRange, type, path: path) {
            "Found \(found) at \($0), which \(type) cannot hold exactly"
        }
    }

    /// The values are nested too deep.
    ///
    /// - Parameter advice: Another way to decode them.
    @inline(never) static func nestedTooDeep(
        limit: Int, depth: Int, path: [any CodingKey], advice: String = ""
    ) -> ArchivingError {
        ArchivingError(.limit, path: path) { _ in
            let sentence =
                depth >= limit
                ? "The archive is nested deeper than the limit of \(limit) levels; raise `limits.nesting` if you trust"
                    + " the archive"
                : StackGuard.sentence("The archive is", depth) + ". Decode it on a thread with a larger stack"
            return sentence + advice
        }
    }
}

// MARK: - Keys

extension ArchivingError {
    @inline(never) static func keyNotFound(
        _ key: String, present: [String], path: [any CodingKey]
    ) -> ArchivingError {
        ArchivingError(.valueNotFound, path: path) { sentence(absent: key, present: present, place: $0) }
    }

    @inline(never) static func missingRoot(_ fields: ObjectFields, in archive: ArchiveContents) -> ArchivingError {
        let present = fields.firstKeyNames(in: archive)
        let hasUnkeyed = (try? archive.value(of: "$0", in: archive.top)) != nil
        return ArchivingError(.valueNotFound, path: []) {
            let sentence = sentence(absent: KeyedArchiveFormat.rootKey, present: present, place: $0)
            guard let first = present.first else { return hasUnkeyed ? sentence + adviceWithoutKey("$0") : sentence }
            return sentence
                + ". Decode what is under one of them, KeyedArchive(…).top[\"\(first)\"]?.decode(…), or all of them as the"
                + " properties of one type, KeyedArchive(…).top.decode(…)"
        }
    }

    private static func sentence(absent key: String, present: [String], place: String) -> String {
        let there = present.isEmpty ? "There are no keys" : "The keys are \(shownKeys(present))"
        return "No value for the key \"\(key)\" at \(place). \(there)\(adviceWithoutKey(key))"
    }

    private static func adviceWithoutKey(_ key: String) -> String {
        guard key.first == "$", key.count > 1, key.dropFirst().allSatisfy(\.isNumber) else { return "" }
        return
            ". Values that were encoded without a key are decoded in their order, by KeyedUnarchiver's decodeNext(_:),"
            + " decodeNextIfPresent(_:) or decodeNextObject(of:)"
    }

    static let shownKeyCount = 20

    private static func shownKeys(_ keys: [String]) -> String {
        let shown = keys.prefix(shownKeyCount).map { "\"\($0)\"" }.joined(separator: ", ")
        return keys.count > shownKeyCount ? shown + ", …" : shown
    }
}

// MARK: - Classes

extension ArchivingError {
    @inline(never) static func shown(_ name: String) -> String {
        name.utf8.count <= 400 ? name : "\(name.prefix(400))…"
    }

    @inline(never) static func notAllowed(
        _ found: any CustomStringConvertible & Sendable, allowed: [any Any.Type], path: [any CodingKey],
        advice: String? = nil
    ) -> ArchivingError {
        ArchivingError(.classNotAllowed, path: path) {
            let names = allowed.map { "\($0)" }
            let restriction =
                switch names.count {
                case 0: "the call's list allows nothing"
                case 1: "only \(names[0]) is allowed"
                default: "only \(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]) are allowed"
                }
            let general =
                "Add its type to the call's list if it belongs there; a subclass, or a type under another name, has to be"
                + " registered in `classes` as well"
            return "Found \(found) at \($0), where \(restriction). \(advice ?? general)"
        }
    }

    @inline(never) static func noList(_ found: FoundValue, path: [any CodingKey]) -> ArchivingError {
        ArchivingError(.classNotAllowed, path: path) {
            "Found \(found) at \($0), but the call names no allowed type, which secure coding requires."
                + " Instead of decodeObject(forKey:), use decodeObject(of:forKey:) with a list of types, or a method"
                + " that names the type"
        }
    }

    @inline(never) static func notSecure(reading type: any Any.Type, path: [any CodingKey]) -> ArchivingError {
        ArchivingError(.notSecure, path: path) {
            "Found an object of \(type) at \($0), a class that does not support secure coding. Create"
                + " the unarchiver with requiringSecureCoding: false if you trust the archive"
        }
    }

}

extension ClassMismatch {
    fileprivate func sentence(uid: UInt32, requested: any Any.Type, classes: ClassRegistry, place: String) -> String {
        let reason = reason(uid: uid, requested: requested, classes: classes, place: place)
        return isUnknown ? reason + classes.unknownClasses.restriction(to: requested) : reason
    }

    private func reason(uid: UInt32, requested: any Any.Type, classes: ClassRegistry, place: String) -> String {
        let shownName = ArchivingError.shown(name)
        let found = "Found an object of \(shownName) (uid \(uid))"
        let wanted = "at \(place), where \(requested) is expected"
        if let registered = classes.type(named: name) {
            return
                "\(found) \(wanted), but \(registered), which is registered under that name, is not a subclass that can be"
                + " decoded"
        }
        if classes.isSubclass(chain, of: requested) {
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

/// A value of an archive as errors describe it. It refers to nothing in the archive, which may be gone when the error is read.
struct FoundValue: CustomStringConvertible, Sendable {
    private enum Content {
        case plain(StaticString)
        case integer(Int128)
        case real64(Double)
        case real32(Float)
        case counted(StaticString, Int, StaticString)
        case string(String)
        case object(ofClass: String)
    }

    private let content: Content
    private let uid: UInt32

    fileprivate init(_ value: ArchivedValue, in archive: ArchiveContents) {
        let objects = archive.list.objects
        let count = value.node.count
        var uid = value.uid
        switch value.node.kind {
        case .null: (content, uid) = (.plain("nil"), 0)
        case .true: content = .plain("the Bool true")
        case .false: content = .plain("the Bool false")
        case .integer: content = .integer(objects.integer(value.node))
        case .real64: content = .real64(objects.real64(value.node))
        case .real32: content = .real32(objects.real32(value.node))
        case .date: content = .plain("a date")
        case .data: content = .counted("data of", count, "bytes")
        case .ascii where value.isNull, .utf16 where value.isNull: (content, uid) = (.plain("nil"), 0)
        case .ascii, .utf16: content = .string(archive.excerpt(value.node))
        case .uid: content = .plain("a uid")
        case .array: content = .counted("an array of", count, "elements")
        case .set: content = .counted("a set of", count, "elements")
        case .dictionary:
            content =
                archive.classNameExcerpt(of: value).map { .object(ofClass: $0) }
                ?? .counted("a dictionary of", count, "entries")
        }
        self.uid = uid
    }

    var description: String { uid == 0 ? text : "\(text) (uid \(uid))" }

    private var text: String {
        switch content {
        case .plain(let text): "\(text)"
        case .integer(let number): "the integer \(number)"
        case .real64(let number): "the number \(number)"
        case .real32(let number): "the number \(number)"
        case .counted(let container, let count, let parts): "\(container) \(count) \(parts)"
        case .string(let excerpt): "the string \"\(excerpt)\""
        case .object(let name): "an object of class \(name)"
        }
    }
}

extension ArchiveContents {
    func describe(_ value: ArchivedValue) -> FoundValue { FoundValue(value, in: self) }

    fileprivate func classNameExcerpt(of value: ArchivedValue) -> String? {
        guard let uid = try? classUID(of: value.node) else { return nil }
        if let notes, notes.namedClass == uid { return notes.className }
        guard let entry = try? object(uid).node, let name = try? self.value(of: "$classname", in: entry)?.node,
            name.kind == .ascii || name.kind == .utf16
        else { return nil }
        let text = excerpt(name, limit: 400)
        notes?.className = text
        notes?.namedClass = uid
        return text
    }

    /// The beginning of a string. The cost does not depend on the length of the string.
    fileprivate func excerpt(_ node: Node, limit: Int = 40) -> String {
        // A readable character has no more bytes than this; longer ones are cut off.
        let byteLimit = 8 * limit
        var start = node
        start.count = min(node.count, node.kind == .utf16 ? byteLimit / 2 : byteLimit)
        let text = list.objects.string(start)
        // Characters are counted only if there may be too many of them.
        let isLong = start.count < node.count || text.utf8.count > limit && text.count > limit
        return isLong ? "\(text.prefix(limit))…" : text
    }

    func keyExcerpt(_ value: ArchivedValue) -> String? {
        switch value.node.kind {
        case .ascii, .utf16: excerpt(value.node, limit: 100)
        default: try? keyDescription(value)
        }
    }
}
