// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Archives

extension KeyedArchive: CustomStringConvertible {
    /// A summary on one line: the number of objects, the size, and the class of the root object.
    ///
    ///     Keyed archive of 12 objects, 502 bytes, root Farm.Farm
    ///
    /// An archive that was read from XML shows "XML" instead of its size. An archive without a root object shows its keys. The
    /// module `ArchiveInspection` shows the whole archive: `archive.tree`.
    public var description: String {
        var text = "Keyed archive of " + DumpOutput.count(objects.count, "object", "objects")
        text += source.format == .xml ? ", XML" : ", " + DumpOutput.count(source.contents.byteCount, "byte", "bytes")
        if let root = top[KeyedArchiveFormat.rootKey] {
            text += ", root " + (root.className.map(DumpOutput.className) ?? root.description)
        } else {
            let keys = top.keys
            if !keys.isEmpty { text += ", keys " + DumpOutput.list(keys, DumpOutput.literal) }
        }
        return text
    }
}

extension KeyedArchive.Class: CustomStringConvertible {
    /// The name, the uid and the superclasses: `Farm.Cow #5: Farm.Animal, NSObject`.
    public var description: String {
        let superclasses = chain.first == name ? chain.dropFirst() : chain[...]
        let text = DumpOutput.className(name) + " #\(uid)"
        return superclasses.isEmpty ? text : text + ": " + DumpOutput.list(superclasses, DumpOutput.className)
    }
}

// MARK: - Values

extension KeyedArchive.Value: CustomStringConvertible {
    /// A summary on one line: the content of a leaf; the class, the uid and the number of contents of any other value.
    ///
    ///     "Bella"
    ///     NSDate #11 2018-06-04T17:00:00Z
    ///     Farm.Cow #7 (3 fields)
    ///     NSArray #6 (2 elements)
    ///
    /// Long texts are truncated. The module `ArchiveInspection` shows a value with all values it references: `value.tree`.
    public var description: String {
        switch kind {
        case .null: "nil"
        case .boolean, .integer, .real, .string, .data, .date: leafDescription ?? "damaged"
        case .array, .set: "\(kind) (" + DumpOutput.count(count, "element", "elements") + ")"
        case .dictionary where place == .top: "top (" + DumpOutput.count(fields.count, "key", "keys") + ")"
        case .dictionary: "dictionary (" + DumpOutput.count(count, "entry", "entries") + ")"
        case .classEntry: "class " + (describedClass?.description ?? "without a name")
        case .damaged: "damaged: " + (damage?.finding ?? "a uid that references a uid")
        case .object: objectDescription
        }
    }

    /// The text of a number, a string, data or a date; `nil` for any other value.
    private var leafDescription: String? {
        guard let archived else { return nil }
        let number = (try? source.contents.number(archived))?.node
        if number?.kind == .real32 { return float?.description }
        if let boolean { return boolean.description }
        if let int128 { return int128.description }
        if let double { return double.description }
        if let string { return DumpOutput.literal(string) }
        if let seconds = (try? source.contents.date(archived)) ?? nil { return ReadableText.date(seconds) }
        guard let bytes = (try? source.contents.data(archived)) ?? nil else { return nil }
        var text = ""
        ReadableText.write(bytes, to: &text)
        return text
    }

    private var objectDescription: String {
        var text = className.map(DumpOutput.className) ?? "object"
        if let uid { text += " #\(uid)" }
        if let said = foundationDescription { return text + " " + said }
        if let dictionary = foundationDictionary {
            text += " (" + DumpOutput.count(dictionary.keys.count, "entry", "entries") + ")"
        } else if let elements = archivedElements {
            text += " (" + DumpOutput.count(elements.count, "element", "elements") + ")"
        } else if fields.count > 0 {
            text += " (" + DumpOutput.count(fields.count, "field", "fields") + ")"
        }
        return text
    }

    /// The text of a Foundation object that represents a single value; `nil` for any other value.
    private var foundationDescription: String? {
        let contents = source.contents
        guard let archived, let classUID, let known = try? contents.cocoaClass(classUID) else { return nil }
        switch known {
        case .string, .number, .data, .date: return leafDescription
        case .url: return (try? contents.urlTexts(archived))?.first.map(DumpOutput.literal)
        case .uuid: return (try? contents.uuid(archived)).map(ReadableText.uuid)
        case .decimalNumber: return (try? contents.decimal(archived))?.text
        default: return nil
        }
    }
}

extension KeyedArchiveError {
    /// The description without the introduction that repeats the word "damaged".
    package var finding: String {
        let introduction = "The keyed archive is damaged: "
        return description.hasPrefix(introduction) ? String(description.dropFirst(introduction.count)) : description
    }
}
