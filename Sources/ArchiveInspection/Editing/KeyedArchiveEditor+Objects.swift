import Archiving

// MARK: - New objects

extension KeyedArchiveEditor {
    /// Adds an object of a class.
    ///
    /// ```swift
    /// let barn = try editor.addObject(ofClass: "Farm.Barn", fields: ["name": "North", "stalls": 12])
    /// try editor.set(.uid(barn), at: ["root", "barn"])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the class. Its entry is found, or added.
    ///   - superclasses: The names of its superclasses, for a class that the archive does not describe yet.
    ///   - fields: What is under the keys of the object, stored as `set(_:at:)` says.
    /// - Returns: Its uid, to be put somewhere with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addObject(
        ofClass name: String, superclasses: [String] = [], fields: PropertyList.Dictionary
    ) throws(KeyedArchiveError) -> UInt32 {
        try check(.dictionary(fields), at: 0, "A new object of the class \(name)")
        var entries = PropertyList.Dictionary()
        for entry in fields {
            entries.append(key: Self.storedKey(entry.key), value: field(entry.value, replacing: nil))
        }
        entries.append(key: "$class", value: .uid(addClass(named: name, superclasses: superclasses)))
        return append(.dictionary(entries))
    }

    /// Adds an NSArray of `elements`, each stored as an object of its own, or `.uid`.
    ///
    /// - Returns: Its uid, to be put somewhere with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addArray(_ elements: [PropertyList]) throws(KeyedArchiveError) -> UInt32 {
        try addCollection("NSArray", elements)
    }

    /// Adds an NSSet of `elements`, each stored as an object of its own, or `.uid`. They have to differ.
    ///
    /// - Returns: Its uid, to be put somewhere with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addSet(_ elements: [PropertyList]) throws(KeyedArchiveError) -> UInt32 {
        try addCollection("NSSet", elements)
    }

    /// Adds an NSDictionary of `entries`, each key and value stored as an object of its own, or `.uid`.
    ///
    /// - Returns: Its uid, to be put somewhere with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addDictionary(_ entries: PropertyList.Dictionary) throws(KeyedArchiveError) -> UInt32 {
        try check(.dictionary(entries), at: 0, "A new dictionary")
        let keys = entries.keys.map { reference(.string($0), replacing: nil) }
        let values = entries.values.map { reference($0, replacing: nil) }
        let classUID = addClass(named: "NSDictionary")
        return append(["NS.keys": .array(keys), "NS.objects": .array(values), "$class": .uid(classUID)])
    }

    private mutating func addCollection(
        _ name: String, _ elements: [PropertyList]
    ) throws(KeyedArchiveError) -> UInt32 {
        try check(.array(elements), at: 0, "A new \(name)")
        let references = elements.map { reference($0, replacing: nil) }
        let classUID = addClass(named: name)
        return append(["NS.objects": .array(references), "$class": .uid(classUID)])
    }
}

// MARK: - How values are stored

extension KeyedArchiveEditor {
    /// What stands for `value` under a key of an object, in the place of `old`, if that is there.
    mutating func field(_ value: PropertyList, replacing old: PropertyList?) -> PropertyList {
        switch value {
        case .null: return .uid(0)
        case .uid: return value
        case .boolean, .integer, .real, .real32:
            return followed(old)?.isInlineNumber == true ? inline(value, replacing: old) : value
        case .array, .set, .dictionary:
            return isPlainContainer(followed(old)) ? inline(value, replacing: old) : value
        case .string, .data, .date:
            switch old {
            case .string, .data, .date: return value
            default: return reference(value, replacing: old)
            }
        }
    }

    /// What stands for `value` in a container of the property list, in the place of `old`, if that is there: a reference where
    /// that is one.
    mutating func inline(_ value: PropertyList, replacing old: PropertyList?) -> PropertyList {
        switch value {
        case .null: .uid(0)
        case .uid: value
        default: old?.isUID == true ? reference(value, replacing: old) : value
        }
    }

    /// The uid of a new object that is `value`, in the place of `old`, if that is there.
    mutating func reference(_ value: PropertyList, replacing old: PropertyList?) -> PropertyList {
        switch value {
        case .null: return .uid(0)
        case .uid: return value
        // As a leaf it would be nil.
        case "$null": return .uid(append(["NS.string": value, "$class": .uid(addClass(named: "NSString"))]))
        case .date(let date):
            // GNUstep has dates as leaves.
            if case .date? = followed(old) { return .uid(append(value)) }
            let seconds = PropertyList.real(date.timeIntervalSinceReferenceDate)
            return .uid(append(["NS.time": seconds, "$class": .uid(addClass(named: "NSDate"))]))
        default: return .uid(append(value))
        }
    }

    private func isPlainContainer(_ value: PropertyList?) -> Bool {
        switch value {
        case .array, .set: true
        case .dictionary(let entries): classUID(of: entries) == nil && entries["$classname"] == nil
        default: false
        }
    }
}
