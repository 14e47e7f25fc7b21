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
        var text = "Keyed archive of " + LineText.count(objects.count, "object", "objects")
        text += source.format == .xml ? ", XML" : ", " + LineText.count(source.contents.byteCount, "byte", "bytes")
        if let root = top[KeyedArchiveFormat.rootKey] {
            text += ", root " + (root.className.map(LineText.className) ?? root.description)
        } else {
            let keys = top.keys
            if !keys.isEmpty { text += ", keys " + LineText.list(keys, LineText.literal) }
        }
        return text
    }
}

extension KeyedArchive.Class: CustomStringConvertible {
    /// The name, the uid and the superclasses: `Farm.Cow #5: Farm.Animal, NSObject`.
    public var description: String {
        let superclasses = chain.first == name ? chain.dropFirst() : chain[...]
        let text = LineText.className(name) + " #\(uid)"
        return superclasses.isEmpty ? text : text + ": " + LineText.list(superclasses, LineText.className)
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
        case .array, .set: "\(kind) (" + LineText.count(count, "element", "elements") + ")"
        case .dictionary where place == .top: "top (" + LineText.count(fields.count, "key", "keys") + ")"
        case .dictionary: "dictionary (" + LineText.count(count, "entry", "entries") + ")"
        case .classEntry: "class " + (describedClass?.description ?? "without a name")
        case .damaged: "damaged: " + (damage?.finding ?? "a uid that references a uid")
        case .object: objectDescription
        }
    }

    private var leafDescription: String? {
        guard let archived else { return nil }
        let number = (try? source.contents.number(archived))?.node
        if number?.kind == .real32 { return float?.description }
        if let boolean { return boolean.description }
        if let int128 { return int128.description }
        if let double { return double.description }
        if let string { return LineText.literal(string) }
        if let seconds = (try? source.contents.date(archived)) ?? nil { return ReadableText.date(seconds) }
        guard let bytes = (try? source.contents.data(archived)) ?? nil else { return nil }
        var text = ""
        ReadableText.write(bytes, to: &text)
        return text
    }

    private var objectDescription: String {
        var text = className.map(LineText.className) ?? "object"
        if let uid { text += " #\(uid)" }
        if let said = foundationDescription { return text + " " + said }
        if let dictionary = foundationDictionary {
            text += " (" + LineText.count(dictionary.keys.count, "entry", "entries") + ")"
        } else if let elements = archivedElements {
            text += " (" + LineText.count(elements.count, "element", "elements") + ")"
        } else if fields.count > 0 {
            text += " (" + LineText.count(fields.count, "field", "fields") + ")"
        }
        return text
    }

    private var foundationDescription: String? {
        let contents = source.contents
        guard let archived, let classUID, let known = try? contents.cocoaClass(classUID) else { return nil }
        switch known {
        case .string, .number, .data, .date: return leafDescription
        case .url: return (try? contents.urlTexts(archived))?.first.map(LineText.literal)
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

// MARK: - Text on one line

package enum LineText {
    private static let nameLimit = 200
    private static let stringLimit = 80
    private static let listLimit = 16

    package static func count(_ count: Int, _ one: String, _ many: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many)"
    }

    /// Returns `text` as a string literal; a long text is truncated and followed by its length.
    package static func literal(_ text: String) -> String { literal(text, limit: stringLimit) }

    private static func literal(_ text: String, limit: Int) -> String {
        let length = text.utf16.count
        guard length > limit else { return ReadableText.literal(text) }
        return ReadableText.literal(String(text.unicodeScalars.prefix(limit))) + "… (length \(length))"
    }

    /// Returns `name` as the name of a class: without quotes if it is unambiguous, otherwise as a literal.
    package static func className(_ name: String) -> String {
        name.utf8.count <= nameLimit && isClassName(name) ? name : literal(name, limit: nameLimit)
    }

    package static func list<Elements: Collection>(
        _ elements: Elements, _ text: (Elements.Element) -> String
    ) -> String {
        let list = elements.prefix(listLimit).map(text).joined(separator: ", ")
        return elements.count > listLimit ? list + ", … (\(elements.count))" : list
    }

    package static func isClassName(_ name: String) -> Bool {
        isName(name) { isWordPart($0) || " <>,:()[]&?*-".unicodeScalars.contains($0) }
    }

    package static func isWord(_ name: String) -> Bool { isName(name, isWordPart) }

    private static func isName(_ name: String, _ isPart: (Unicode.Scalar) -> Bool) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        switch first {
        case "a"..."z", "A"..."Z", "_", "$": break
        default:
            guard !first.isASCII, first.properties.isAlphabetic, !first.properties.isGraphemeExtend else {
                return false
            }
        }
        return name.unicodeScalars.allSatisfy(isPart)
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "$": true
        default: !scalar.isASCII && scalar.properties.isAlphabetic
        }
    }
}
