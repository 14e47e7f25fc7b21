// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
    ///   - name: The name of the class. Its entry is added if the archive has none.
    ///   - superclasses: The names of its superclasses, if the entry is added.
    ///   - fields: The values of the object by key, stored as described for `set(_:at:)`.
    /// - Returns: The uid of the object, to be stored with `.uid(_:)`.
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

    /// Adds an NSArray of `elements`. Each becomes an object of its own, unless it is a `.uid`.
    ///
    /// - Returns: The uid of the array, to be stored with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addArray(_ elements: [PropertyList]) throws(KeyedArchiveError) -> UInt32 {
        try addCollection("NSArray", elements)
    }

    /// Adds an NSSet of `elements`, which must be distinct. Each becomes an object of its own, unless it is a `.uid`.
    ///
    /// - Returns: The uid of the set, to be stored with `.uid(_:)`.
    /// - Throws: As `addObject(_:)`.
    @discardableResult
    public mutating func addSet(_ elements: [PropertyList]) throws(KeyedArchiveError) -> UInt32 {
        try addCollection("NSSet", elements)
    }

    /// Adds an NSDictionary of `entries`. Each key and value becomes an object of its own, unless it is a `.uid`.
    ///
    /// - Returns: The uid of the dictionary, to be stored with `.uid(_:)`.
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

// MARK: - Stored forms

extension KeyedArchiveEditor {
    /// The stored form of `value` under a key of an object, where it replaces `old` if that is not nil.
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

    /// The stored form of `value` in a container of the property list, where it replaces `old` if that is not nil: a reference if
    /// `old` is one.
    mutating func inline(_ value: PropertyList, replacing old: PropertyList?) -> PropertyList {
        switch value {
        case .null: .uid(0)
        case .uid: value
        default: old?.isUID == true ? reference(value, replacing: old) : value
        }
    }

    /// The uid of a new object for `value`, which replaces `old` if that is not nil.
    mutating func reference(_ value: PropertyList, replacing old: PropertyList?) -> PropertyList {
        switch value {
        case .null: return .uid(0)
        case .uid: return value
        // As a leaf it would be read as nil.
        case "$null": return .uid(append(["NS.string": value, "$class": .uid(addClass(named: "NSString"))]))
        case .date(let date):
            // GNUstep stores dates as leaves.
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
