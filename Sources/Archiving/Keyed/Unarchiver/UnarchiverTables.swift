// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The tables of a keyed unarchiver. They belong to the reading, so that the unarchiver of the next archive uses them
/// too.
///
/// The unarchiver itself is never used for another archive: the program may have kept a reference to it.
final class UnarchiverTables: CoderTables {
    /// The program's keys.
    let keys = KeyCache<UnarchivedKey>(filledWith: UnarchivedKey())
    /// The records of `Coding` classes.
    let types = MetatypeTable<UnarchivedType>()
    /// The way to decode the objects of a class if a protocol is requested. It depends on the names of types.
    private(set) var valueMakers: [ValueMaker.Key: ValueMaker] = [:]
    /// The unarchiver that uses the tables.
    let unarchiver = CoderReference<KeyedUnarchiver>()

    override var hasGrown: Bool { types.hasGrown }

    /// Forgets the types of class entries. A record may refer to itself, so the unarchiver calls it at the end.
    func forgetMatches() {
        for type in types.records { type.matches.reset() }
    }

    override func reset() {
        keys.reset()
        forgetValueMakers()
    }

    /// Records the way to decode the objects of a class if a protocol is requested.
    func remember(_ maker: ValueMaker, _ key: ValueMaker.Key) {
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var makers = valueMakers
        valueMakers = [:]
        makers[key] = maker
        valueMakers = makers
    }

    /// Forgets the ways to decode the objects of a class: the names of types have changed.
    func forgetValueMakers() {
        if !valueMakers.isEmpty { valueMakers = [:] }
    }
}

extension GraphReading {
    private var knownUnarchiverTables: UnarchiverTables? { tables as? UnarchiverTables }

    /// The tables of the keyed unarchiver, created if they do not exist.
    var unarchiverTables: UnarchiverTables {
        if let knownUnarchiverTables { return knownUnarchiverTables }
        let made = UnarchiverTables()
        tables = made
        return made
    }

    /// The keyed unarchiver of the archive; nil if there is none.
    var unarchiver: KeyedUnarchiver? { knownUnarchiverTables?.unarchiver.coder }
}

/// The way to decode the objects of a class if a protocol is requested.
enum ValueMaker {
    case coding(any Coding.Type)
    case decodable(any Decodable.Type)

    /// A class entry and the requested protocol.
    struct Key: Hashable {
        let classUID: UInt32
        let requested: ObjectIdentifier
    }

    /// Creates the maker of objects of the class `type`; nil if they cannot be decoded.
    init?(_ type: any Any.Type) {
        if let coding = conformance(of: type, to: (any Coding.Type).self) {
            self = .coding(coding)
        } else if let decodable = type as? any Decodable.Type {
            self = .decodable(decodable)
        } else {
            return nil
        }
    }

    /// The type of the decoded objects.
    var type: any Any.Type {
        switch self {
        case .coding(let type): type.unarchivedClass
        case .decodable(let type): type
        }
    }
}
