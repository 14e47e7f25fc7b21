import Synchronization

/// The known stored properties of one class that can be set later, for this process.
final class OwnerFacts: Sendable {
    /// A key and the type that a class decodes under it.
    struct DecodedKey: Hashable, Sendable {
        let keyType: ObjectIdentifier
        let key: String
        let type: ObjectIdentifier

        /// The key `name` of a keyed unarchiver.
        init(_ name: String, _ type: any Any.Type) {
            keyType = ObjectIdentifier(KeyedUnarchiver.self)
            key = name
            self.type = ObjectIdentifier(type)
        }

        init(_ key: some CodingKey, _ type: any Any.Type) {
            keyType = ObjectIdentifier(Swift.type(of: key))
            self.key = key.stringValue
            self.type = ObjectIdentifier(type)
        }
    }

    let owner: AnyClass
    /// The stored properties of the class and its superclasses.
    let properties: [StoredProperty]
    private let places = Mutex<[DecodedKey: ReferencePlace]>([:])

    private init(of owner: AnyClass) {
        self.owner = owner
        properties = StoredProperty.all(of: owner)
    }

    /// The property in which the class stores the value of `key`; nil if it is not known.
    func place(of key: DecodedKey) -> ReferencePlace? {
        places.withLock { $0[key] }
    }

    /// Records that the class stores the value that it decodes under `key` as `type` in `property`.
    func learn(_ key: DecodedKey, _ name: String, _ type: any Any.Type, isIn property: StoredProperty) -> ReferencePlace
    {
        let made = ReferencePlace(
            owner: TypeAddress.of(owner),
            type: TypeAddress.of(type), property: property, key: name)
        // A place lives as long as the process.
        return places.withLock { places in
            if let known = places[key] { return known }
            places[key] = made
            return made
        }
    }

    private static let known = MetatypeCache<OwnerFacts>()

    /// The facts of `owner`. They live as long as the process.
    static func facts(of owner: AnyClass) -> OwnerFacts {
        let key = PointerTable<Int>.key(owner)
        return (known.object(for: key) ?? known.enter(OwnerFacts(of: owner), for: key)).takeUnretainedValue()
    }
}
