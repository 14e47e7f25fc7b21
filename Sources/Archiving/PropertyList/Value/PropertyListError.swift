// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error that describes a defect in the bytes of a property list, and its position.
public struct PropertyListError: Error, Equatable, Sendable {
    /// The offset in the input, in bytes.
    public let byteOffset: Int
    /// The keys and positions of the value in the property list, for the code `unrepresentableInXML`. In an archive they
    /// are those from its top to the value if the value can be found, as `animals`, `3`, `name`.
    public let codingPath: [any CodingKey]
    /// The character that XML cannot represent, if the code is `unrepresentableInXML` because of one.
    public let character: Unicode.Scalar?
    package let defect: Defect
    /// The number at the offset, if it adds to the defect: a marker, a reference, a count.
    package let found: Int
    let detail: StaticString

    package init(
        _ defect: Defect, at byteOffset: Int, found: Int = 0, _ detail: StaticString = "", path: [any CodingKey] = [],
        character: Unicode.Scalar? = nil
    ) {
        self.defect = defect
        self.byteOffset = byteOffset
        self.found = found
        self.detail = detail
        self.character = character
        codingPath = path
    }

    func moved(to path: [any CodingKey]) -> PropertyListError {
        PropertyListError(defect, at: byteOffset, found: found, detail, path: path, character: character)
    }

    /// Returns whether both report the same problem at the same offset.
    public static func == (left: PropertyListError, right: PropertyListError) -> Bool {
        left.defect == right.defect && left.byteOffset == right.byteOffset && left.found == right.found
    }
}

// MARK: - Codes

extension PropertyListError {
    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: ErrorName

        private init(_ name: StaticString) { self.name = ErrorName(name) }

        /// The name of the static member, such as "notAPropertyList".
        public var description: String { name.description }

        /// The bytes start like neither a binary nor an XML property list.
        public static var notAPropertyList: Self { Self("notAPropertyList") }
        /// The bytes are cut off, or violate the format.
        public static var damaged: Self { Self("damaged") }
        /// The list is nested deeper than 512 levels or contains itself, is larger than 4 GiB, or expands to many times its
        /// size.
        public static var limit: Self { Self("limit") }
        /// The list has a value that XML cannot represent: a null, a set, a date that is not finite or too far away, or a
        /// string or key with a character that XML does not have. These are U+0000 to U+001F, except tab, line feed and
        /// carriage return, and U+FFFE and U+FFFF.
        public static var unrepresentableInXML: Self { Self("unrepresentableInXML") }
    }

    /// The kind of the error.
    public var code: Code {
        switch defect {
        case .notAPropertyList: .notAPropertyList
        case .nestedTooDeep, .tooLarge: .limit
        case .unrepresentableInXML: .unrepresentableInXML
        default: .damaged
        }
    }

    package enum Defect: Sendable {
        case notAPropertyList
        case truncated
        case badTrailer
        case referenceOutOfRange
        case offsetOutOfRange
        case unknownMarker
        case countOutOfRange
        case uidOutOfRange
        case badXML
        case nestedTooDeep
        /// The list is larger than the maximum of the format or of this writer, or expands to many times its size.
        case tooLarge
        case nonStringKey
        /// A dictionary has a key with more than 256 consecutive combining marks, which would take too long to compare with
        /// others.
        case unsafeKey
        case unrepresentableInXML
        case notAnArchive
    }
}

extension PropertyListError: CustomStringConvertible {
    /// A sentence that says what was found, and where.
    public var description: String {
        switch defect {
        case .notAPropertyList:
            "The data is not a property list: it "
                + (foreignFormat.map { "is \($0.sentence)" } ?? "starts with neither \"bplist0\" nor XML")
        case .truncated:
            "The property list is cut off: byte \(byteOffset) announces more than the file holds"
        case .badTrailer:
            "The property list's trailer contradicts the file's length (byte \(byteOffset), value \(found));"
                + " the file is cut off or damaged"
        case .referenceOutOfRange:
            "Reference \(found) at byte \(byteOffset) names no object of the property list"
        case .offsetOutOfRange:
            "The offset table entry at byte \(byteOffset) points to \(found), outside the objects"
        case .unknownMarker:
            "The object at byte \(byteOffset) starts with 0x\(String(found, radix: 16)), which is no property list type"
        case .countOutOfRange:
            "The object at byte \(byteOffset) claims \(found) elements, more than the file can hold"
        case .uidOutOfRange:
            "The uid at byte \(byteOffset) does not fit in 32 bits"
        case .badXML:
            "The XML property list is damaged at byte \(byteOffset): \(detail)"
        case .nestedTooDeep:
            "The property list is nested deeper than \(found) levels, or contains itself (byte \(byteOffset))"
        case .notAnArchive:
            "The property list is not a keyed archive (byte \(byteOffset))"
        case .tooLarge where found > 0:
            "The property list unfolds to more than \(found) bytes: it refers to the same objects too many times"
        case .tooLarge:
            "The property list is larger than 4 GiB, which is the most that can be written"
        case .nonStringKey:
            "The dictionary at byte \(byteOffset) has a key that is not a string"
        case .unsafeKey:
            "The dictionary at byte \(byteOffset) has a key with more than \(HashedText.markLimit) combining marks in a row,"
                + " which would take too long to compare with others"
        case .unrepresentableInXML: unrepresentable
        }
    }

    private var unrepresentable: String {
        // The keys may have the characters that the error is about.
        let path: [any CodingKey] = codingPath.map { key in
            guard key.intValue == nil else { return key }
            var text = ""
            var isAfterText = false
            ReadableText.writeEscaped(key.stringValue, isAfterText: &isAfterText, to: &text)
            return ArchiveKey(stringValue: text)
        }
        guard let character else {
            return
                "The value at \(path.pathDescription) cannot be written as XML: \(detail). Write the binary format"
        }
        let digits = String(character.value, radix: 16, uppercase: true)
        return "The \(detail) at \(path.pathDescription) cannot be written as XML, which has no character U+"
            + ReadableText.padded(digits, to: 4) + ". Remove the character, or write the binary format"
    }
}

// MARK: - For people

extension PropertyListError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        switch code {
        case .notAPropertyList: "The file is \(foreignFormat.map { "\($0.name), " } ?? "")not a property list."
        case .limit: "The property list is too large or nested too deeply."
        case .unrepresentableInXML: "The values cannot be written as XML."
        default: "The property list is damaged."
        }
    }

    /// The finding and its place: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch code {
        case .notAPropertyList: "Choose a file in the binary or the XML property list format."
        case .limit: "Divide the values among several files."
        case .unrepresentableInXML: "Write the binary format, or remove the characters that XML does not have."
        default: "Restore the file from a backup."
        }
    }
}

/// The name of a kind of an error. It is not a `String`, so that an error that is created and discarded, as by `try?`,
/// causes no allocation.
package struct ErrorName: Hashable, Sendable, CustomStringConvertible {
    private let text: StaticString

    package init(_ text: StaticString) { self.text = text }

    package var description: String { text.description }

    package static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
