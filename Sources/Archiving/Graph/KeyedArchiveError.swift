/// Why bytes cannot be read as a keyed archive, or a part of one as what was asked for.
struct KeyedArchiveError: Error, Equatable {
    enum Reason: Equatable {
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
        case unequalCounts(keys: Int, objects: Int)
        /// An entry of an object of Foundation's is missing, or is something else than it has to be.
        case badEntry(StaticKey, uid: UInt32, wanted: String)
        /// The archive is larger than the limits allow.
        case limit(StaticKey, Int)
    }

    /// A name that an error mentions, without the cost of a string.
    struct StaticKey: Equatable, CustomStringConvertible {
        let text: StaticString

        init(_ text: StaticString) { self.text = text }

        static func == (left: StaticKey, right: StaticKey) -> Bool { left.description == right.description }

        var description: String { text.description }
    }

    var reason: Reason

    init(_ reason: Reason) { self.reason = reason }

    init(_ error: PropertyListError) { reason = .propertyList(error) }
}

extension KeyedArchiveError: CustomStringConvertible {
    var description: String {
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
        case .unequalCounts(let keys, let objects):
            "The keyed archive is damaged: a dictionary has \(keys) keys and \(objects) values"
        case .badEntry(let key, let uid, let wanted):
            "The keyed archive is damaged: \(key) of the object at uid \(uid) is not \(wanted)"
        case .limit(let name, let limit):
            "The keyed archive exceeds the limit \(name) of \(limit); raise it in `limits` if the archive is to be trusted"
        }
    }
}
