/// The errors of Codable, from those of the archive. This is the only place that makes them.
enum CodableErrors {
    static func nestedTooDeep(_ value: Any, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription: "The value is nested \(path.count) levels deep, and the stack has no room for more."
                    + " Encode it on a thread with a larger stack, or make the long chain of values one of class"
                    + " instances, which need no stack"))
    }

    static func notEncodable(_ value: Any, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription: "A polymorphic value is a \(type(of: value)), which is not Encodable"))
    }

    static func valueContainsItself(_ value: Any, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "A \(type(of: value)), which is archived once for each id, contains one with its own id"
                    + " at \(path.pathDescription). Refer to it by its id, or make it a class"))
    }

    static func notWritable(_ value: Any, _ error: PropertyListError) -> EncodingError {
        EncodingError.invalidValue(
            value, EncodingError.Context(codingPath: [], debugDescription: error.description, underlyingError: error))
    }
}

// MARK: - Decoding

extension CodableErrors {
    /// The archive is not what the format says.
    static func damaged(_ error: KeyedArchiveError, path: [any CodingKey]) -> DecodingError {
        let underlying: PropertyListError?
        if case .propertyList(let error) = error.reason { underlying = error } else { underlying = nil }
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: path, debugDescription: error.description, underlyingError: underlying))
    }

    /// Another kind of value stands where a value of `type` was asked for.
    static func mismatch(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> DecodingError {
        if value.isNull {
            return .valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: path,
                    debugDescription: "Found nil at \(path.pathDescription), where \(type) is wanted."
                        + " Decode an optional, or use decodeIfPresent"))
        }
        return .typeMismatch(
            type,
            DecodingError.Context(
                codingPath: path,
                debugDescription: "Found \(archive.describe(value)) at \(path.pathDescription), where \(type) is wanted"
            ))
    }

    /// A number stands there that `type` cannot hold exactly.
    static func inexact(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: path,
                debugDescription: "Found \(archive.describe(value)) at \(path.pathDescription), which \(type) cannot"
                    + " hold exactly"))
    }

    static func keyNotFound(_ key: any CodingKey, present: [String], path: [any CodingKey]) -> DecodingError {
        let shown = present.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
        let there = present.isEmpty ? "There are no keys" : "The keys are \(shown)\(present.count > 20 ? ", …" : "")"
        return .keyNotFound(
            key,
            DecodingError.Context(
                codingPath: path,
                debugDescription: "No value for the key \"\(key.stringValue)\" at \(path.pathDescription). \(there)"))
    }

    static func missingRoot(_ key: String, present: [String]) -> DecodingError {
        keyNotFound(ArchiveKey(stringValue: key), present: present, path: [])
    }

    static func atEnd(_ type: any Any.Type, count: Int, path: [any CodingKey]) -> DecodingError {
        .valueNotFound(
            type,
            DecodingError.Context(
                codingPath: path,
                debugDescription:
                    "The container at \(Array(path.dropLast()).pathDescription) has \(count) elements, and"
                    + " all of them were decoded; there is no \(type) left"))
    }

    /// The error under which a reference that closes a cycle travels.
    static func cycle(_ cycle: CycleReference) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "The references form a cycle", underlyingError: cycle))
    }

    /// The error that tells all of a cycle.
    static func cycle(_ cycle: CycleReference, begun: [any CodingKey], path: [any CodingKey]) -> DecodingError {
        let obstacle = cycle.obstacle.map { " The property cannot be set later: \($0)." } ?? ""
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: path,
                debugDescription:
                    "The references form a cycle: \(path.pathDescription) refers to the \(cycle.type) (uid \(cycle.uid))"
                    + " at \(begun.pathDescription), which is not complete before this reference is.\(obstacle)"
                    + " Declare one of the properties on the way as @Reference or @WeakReference, or call"
                    + " publish(self) in the initializer of \(cycle.type)"))
    }

    /// A property was to be set later, but is something else already.
    static func changedProperty(_ name: String, path: [any CodingKey]) -> DecodingError {
        invalid(
            "The references form a cycle: what is at \(path.pathDescription) leads back to an instance that is not complete,"
                + " and the initializer has given \"\(name)\" another value than the one it decoded, so that it cannot be"
                + " set later. Declare the property as @Reference, or call publish(self) in an initializer on the way",
            path: path)
    }

    /// An object of another class stands where `requested` was asked for.
    ///
    /// - Parameter otherName: The name under which objects were made as `requested` before, if it is not its own.
    static func otherClass(
        _ name: String, of value: ArchivedValue, requested: any Any.Type, classes: ClassRegistry, chain: [String],
        otherName: String?, path: [any CodingKey]
    ) -> DecodingError {
        let found = "Found an object of \(name) (uid \(value.uid))"
        let wanted = "at \(path.pathDescription), where \(requested) is wanted"
        let sentence: String
        if let registered = classes.type(named: name) {
            sentence =
                "\(found) \(wanted), and what is registered under that name, \(registered), is no subclass that can be"
                + " decoded"
        } else if chain.dropFirst().contains(where: {
            classes.isName($0, of: requested) || classes.isSimilarName($0, of: requested)
        }) {
            sentence =
                "\(found), a subclass that is not registered, \(wanted). Register the class under that name in the"
                + " decoder's `classes`, or set `classes.unknownClasses` to `.decodeAsRequested`"
        } else {
            sentence =
                "\(found) \(wanted)"
                + (otherName.map { ", and objects of \($0) before" } ?? ", which the archive has under its own name")
                + ". If that is another name of \(requested), register it:"
                + " `classes.register(\(requested).self, aliases: [\"\(name)\"])`"
        }
        return .typeMismatch(requested, DecodingError.Context(codingPath: path, debugDescription: sentence))
    }

    /// A polymorphic value is of a type that nobody registered, or that is something else than is asked for.
    static func notRegistered(_ name: String, as requested: any Any.Type, path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            requested,
            DecodingError.Context(
                codingPath: path,
                debugDescription:
                    "Found a value of \(name) at \(path.pathDescription), where \(requested) is wanted, and"
                    + " no type that is one is registered under that name. Register it:"
                    + " `classes.register(….self, name: \"\(name)\")`"))
    }

    static func valueContainsItself(_ uid: UInt32, path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: path,
                debugDescription: "The archive is damaged: the value with uid \(uid) contains itself"))
    }

    static func nestedTooDeep(limit: Int, depth: Int, path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: path,
                debugDescription: depth >= limit
                    ? "The archive is nested deeper than the limit of \(limit) levels; raise `limits.nesting` if it is to"
                        + " be trusted"
                    : "The archive is nested \(depth) levels deep, and the stack has no room for more. Decode it on a"
                        + " thread with a larger stack"))
    }

    /// A value of Foundation's told an encoder of more than integers.
    static func noInteger(_ value: Any) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: [], debugDescription: "A value of Foundation consists of more than integers: \(value)"))
    }

    /// A type of Foundation's asked a decoder for an integer that it did not tell an encoder of.
    static func noField(_ key: String) -> DecodingError {
        invalid("A value of Foundation has an integer \"\(key)\" that it had not before", path: [])
    }

    static func invalid(_ sentence: String, path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: sentence))
    }
}

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
        case .data: return "data of \(value.node.count) bytes" + place
        case .ascii, .utf16:
            if value.isNull { return "nil" }
            let text = objects.string(value.node)
            return (text.count > 40 ? "the string \"\(text.prefix(40))…\"" : "the string \"\(text)\"") + place
        case .uid: return "a uid" + place
        case .array: return "an array of \(value.node.count) elements" + place
        case .set: return "a set of \(value.node.count) elements" + place
        case .dictionary:
            guard let uid = try? classUID(of: value.node), let name = try? className(uid) else {
                return "a dictionary of \(value.node.count) entries" + place
            }
            return "an object of class \(name)" + place
        }
    }
}
