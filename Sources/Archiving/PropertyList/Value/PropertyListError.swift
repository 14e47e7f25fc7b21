/// Why bytes are not a property list: what was found, and where.
public struct PropertyListError: Error, Equatable, Sendable {
    /// What is wrong. More codes may be added; compare with the ones you know.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        // One byte: an error that is made and dropped, as `try?` does by the thousand, shall not cost a String.
        fileprivate enum Name: String {
            case notAPropertyList, truncated, badTrailer, referenceOutOfRange, offsetOutOfRange, unknownMarker,
                countOutOfRange, uidOutOfRange, badXML, nestedTooDeep, tooLarge, nonStringKey, unrepresentableInXML,
                unsafeKey, notAnArchive
        }

        fileprivate let name: Name

        private init(_ name: Name) { self.name = name }

        /// The name of the code.
        public var rawValue: String { name.rawValue }

        /// A code by its name. Nil where there is none of that name.
        public init?(rawValue: String) {
            guard let name = Name(rawValue: rawValue) else { return nil }
            self.name = name
        }

        /// The name of the code.
        public var description: String { rawValue }

        /// The bytes start like neither a binary nor an XML property list.
        public static let notAPropertyList = Code(.notAPropertyList)
        /// The bytes end before what they announce.
        public static let truncated = Code(.truncated)
        /// The trailer's counts, widths and offsets contradict each other or the length of the file.
        public static let badTrailer = Code(.badTrailer)
        /// A reference names an object that does not exist.
        public static let referenceOutOfRange = Code(.referenceOutOfRange)
        /// The offset table points outside the objects.
        public static let offsetOutOfRange = Code(.offsetOutOfRange)
        /// An object starts with a byte that no version-0 property list has.
        public static let unknownMarker = Code(.unknownMarker)
        /// A count does not fit in the file.
        public static let countOutOfRange = Code(.countOutOfRange)
        /// A uid is larger than 32 bits.
        public static let uidOutOfRange = Code(.uidOutOfRange)
        /// The XML is not well formed, or not a property list.
        public static let badXML = Code(.badXML)
        /// Containers are nested in each other deeper than the reader follows, or contain themselves.
        public static let nestedTooDeep = Code(.nestedTooDeep)
        /// The list is larger than the format, or this writer, can hold, or unfolds to many times its size.
        public static let tooLarge = Code(.tooLarge)
        /// A dictionary has a key that is not a string.
        public static let nonStringKey = Code(.nonStringKey)
        /// The list holds what XML cannot: a null, a set, or a date that is no number or too far away.
        public static let unrepresentableInXML = Code(.unrepresentableInXML)
        /// A dictionary has a key with so many combining marks in a row (more than 256) that to compare it with others would
        /// take too long.
        public static let unsafeKey = Code(.unsafeKey)
        /// The list is a property list, but not the keyed archive that was wanted.
        static let notAnArchive = Code(.notAnArchive)
    }

    /// What is wrong.
    public let code: Code
    /// Where in the input, in bytes from its start.
    public let byteOffset: Int
    /// The number that was found there, where one says more than the code: a marker, a reference, a count.
    public let found: Int
    /// A word on what the XML reader met, where the code is `badXML`.
    let detail: StaticString

    init(_ code: Code, at byteOffset: Int, found: Int = 0, _ detail: StaticString = "") {
        self.code = code
        self.byteOffset = byteOffset
        self.found = found
        self.detail = detail
    }

    /// Whether both say the same of the same place.
    public static func == (left: PropertyListError, right: PropertyListError) -> Bool {
        left.code == right.code && left.byteOffset == right.byteOffset && left.found == right.found
    }
}

extension PropertyListError: CustomStringConvertible {
    /// A sentence that says what was found, and where.
    public var description: String {
        switch code.name {
        case .notAPropertyList:
            "The data is not a property list: it starts with neither \"bplist0\" nor XML"
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
        case .unrepresentableInXML:
            "The object at byte \(byteOffset) cannot be written as XML: \(detail)"
        }
    }
}
