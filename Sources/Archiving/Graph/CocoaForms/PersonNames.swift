// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The parts of an NSPersonNameComponents.
struct ArchivedPersonName {
    /// The keys of the parts, and the names of the properties of `PersonNameComponents`.
    static let keys: [(key: StaticString, property: String)] = [
        ("NS.namePrefix", "namePrefix"), ("NS.givenName", "givenName"), ("NS.middleName", "middleName"),
        ("NS.familyName", "familyName"), ("NS.nameSuffix", "nameSuffix"), ("NS.nickname", "nickname"),
    ]

    /// The parts, in the order of `keys`.
    var parts: [String?]
    /// Whether the name has a phonetic representation, which is another name.
    var isPhonetic = false
}

extension ArchiveGraph {
    /// Writes an NSPersonNameComponents and returns its uid.
    ///
    /// Apple's frameworks have the parts in an object of their own, Foundation on Linux in the object itself. Each reader
    /// ignores the keys of the other one. Foundation on Linux requires all of them.
    ///
    /// - Parameter parts: The parts of the name, in the order of `ArchivedPersonName.keys`.
    func personName(_ parts: [String?]) -> Reference {
        let entries = zip(ArchivedPersonName.keys, parts).map { entry, part in
            (key: "\(entry.key)", value: part.map { string($0) } ?? Self.null)
        }
        let data = object(.personNameData, entries + [("NS.phoneticRepresentation", Self.null)])
        return object(.personName, entries + [("NS.nameComponentsPrivate", data)])
    }
}

extension ArchiveContents {
    /// Returns the parts of an NSPersonNameComponents; `nil` if `value` is another object.
    func personName(_ value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedPersonName? {
        var entries = entries(of: value)
        var isName = false
        if let data = try entries["NS.nameComponentsPrivate"] {
            isName = true
            // Foundation on Linux and GNUstep have no such object.
            if !data.isNull {
                guard data.node.kind == .dictionary else { throw entries.damaged("NS.nameComponentsPrivate", "a name") }
                entries = self.entries(of: data)
            }
        }
        var name = ArchivedPersonName(parts: [])
        for (key, _) in ArchivedPersonName.keys {
            let part = try entries[key]
            isName = isName || part != nil
            name.parts.append(try part?.isNull == false ? entries.text(key) : nil)
        }
        name.isPhonetic = try entries.has("NS.phoneticRepresentation")
        guard !isName, !name.isPhonetic else { return name }
        // A name without parts.
        guard let uid = try classUID(of: value.node), try className(uid) == ArchivedClass.personName.name else {
            return nil
        }
        return name
    }
}
