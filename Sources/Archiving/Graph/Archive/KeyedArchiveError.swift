/// Why bytes cannot be read as a keyed archive, or a part of one as what was asked for.
public struct KeyedArchiveError: Error, Equatable, Sendable {
    /// What kind of error one is: the static members of `ErrorCode<KeyedArchiveError>`.
    public typealias Code = ErrorCode<KeyedArchiveError>

    package enum Reason: Equatable, Sendable {
        /// The container is damaged.
        case propertyList(PropertyListError)
        /// The top of the property list is no dictionary.
        case notAnArchive
        /// The top dictionary lacks an entry.
        case missing(StaticKey)
        /// An entry of the top dictionary is something else than it has to be.
        case wrongKind(StaticKey)
        /// `$version` is another number.
        case version(Int)
        /// A uid is not below the number of objects.
        case uidOutOfRange(uid: UInt32, count: Int)
        /// A uid leads to a uid.
        case uidBehindUID(uid: UInt32)
        /// A class entry is no dictionary with a name.
        case badClass(uid: UInt32)
        /// `NS.keys` and `NS.objects` of a dictionary differ in length.
        case unequalCounts(keys: Int, objects: Int, uid: UInt32)
        /// An entry of an object of Foundation's is missing, or is something else than it has to be.
        case badEntry(StaticKey, uid: UInt32, wanted: String)
        /// The archive is larger than the limits allow.
        case limit(StaticKey, Int)
        /// A container of the property list contains itself, or containers are nested too deep.
        case nested(uid: UInt32?, levels: Int)
        /// A dictionary of the property list has a key that is no string.
        case nonStringKey(uid: UInt32?)
        /// The class of an object is not described where its `$class` leads.
        case missingClass(uid: UInt32, classUID: UInt32)
        /// An archive was to be opened in what is no data.
        case noData(uid: UInt32?)
        /// What was asked for is not there, or is something else.
        case other(Code, uid: UInt32?, sentence: String)
    }

    /// A name that an error mentions, without the cost of a string.
    package struct StaticKey: Equatable, Sendable, CustomStringConvertible {
        let text: StaticString

        package init(_ text: StaticString) { self.text = text }

        package static func == (left: StaticKey, right: StaticKey) -> Bool { left.description == right.description }

        package var description: String { text.description }
    }

    var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    package init(_ error: PropertyListError) { reason = .propertyList(error) }
}

// MARK: - Codes

extension ErrorCode where Failure == KeyedArchiveError {
    /// The bytes are no property list, or one that is no keyed archive.
    public static var notAnArchive: Self { Self("notAnArchive") }
    /// The archive has a version that nobody has described.
    public static var unknownVersion: Self { Self("unknownVersion") }
    /// The archive contradicts itself.
    public static var damaged: Self { Self("damaged") }
    /// The archive asks for more than the limits allow.
    public static var limit: Self { Self("limit") }
    /// There is nothing where something was asked for.
    public static var notFound: Self { Self("notFound") }
    /// There is something else than was asked for.
    public static var wrongKind: Self { Self("wrongKind") }
}

extension KeyedArchiveError {
    /// What is wrong.
    public var code: Code {
        switch reason {
        case .propertyList(let error):
            switch error.code {
            case .notAPropertyList: .notAnArchive
            case .tooLarge: .limit
            default: .damaged
            }
        case .notAnArchive, .missing, .wrongKind: .notAnArchive
        case .version: .unknownVersion
        case .limit: .limit
        case .noData: .wrongKind
        case .other(let code, _, _): code
        default: .damaged
        }
    }

    /// The object in which it is wrong, or the uid that leads nowhere; nil where no object has to do with it.
    public var uid: UInt32? {
        switch reason {
        case .uidOutOfRange(let uid, _), .uidBehindUID(let uid), .badClass(let uid), .badEntry(_, let uid, _),
            .missingClass(let uid, _):
            uid
        case .unequalCounts(_, _, let uid): uid == 0 ? nil : uid
        case .nested(let uid, _), .nonStringKey(let uid), .noData(let uid), .other(_, let uid, _): uid
        default: nil
        }
    }
}

extension KeyedArchiveError: CustomStringConvertible {
    /// A sentence that says what was found, and where.
    public var description: String {
        switch reason {
        case .propertyList(let error): error.description
        case .notAnArchive:
            "The property list is not a keyed archive: its top is no dictionary with $version, $archiver, $objects and $top"
        case .missing(let key):
            "The property list is not a keyed archive: \(key) is missing"
        case .wrongKind(let key):
            "The keyed archive is damaged: \(key) has not the type it must have"
        case .version(let version):
            "The keyed archive has version \(version); the only version there is is 100000"
        case .uidOutOfRange(let uid, let count):
            "The keyed archive is damaged: uid \(uid) is referenced, but there are only \(count) objects"
        case .uidBehindUID(let uid):
            "The keyed archive is damaged: object \(uid) is itself a uid"
        case .badClass(let uid):
            "The keyed archive is damaged: the class entry at uid \(uid) is no dictionary with a $classname"
        case .unequalCounts(let keys, let objects, let uid):
            "The keyed archive is damaged: the dictionary at uid \(uid) has \(keys) keys and \(objects) values"
        case .badEntry(let key, let uid, let wanted):
            "The keyed archive is damaged: \(key) of the object at uid \(uid) is not \(wanted)"
        case .limit(let name, let limit):
            "The keyed archive exceeds the limit \(name) of \(limit); raise it in `limits` if the archive is to be trusted"
        case .nested(let uid, let levels):
            "The keyed archive is damaged: a container\(place(uid)) contains itself, or is nested deeper than \(levels) levels"
        case .nonStringKey(let uid):
            "The keyed archive is damaged: a dictionary\(place(uid)) has a key that is not a string"
        case .missingClass(let uid, let classUID):
            "The keyed archive is damaged: the class of the object at uid \(uid) is said to be at uid \(classUID), where no"
                + " class is described"
        case .noData(let uid):
            "The value\(place(uid)) is no data, so there is no archive in it"
        case .other(_, _, let sentence): sentence
        }
    }
    private func place(_ uid: UInt32?) -> String { uid.map { " in the object at uid \($0)" } ?? "" }
}
