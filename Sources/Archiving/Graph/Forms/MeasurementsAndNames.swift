// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Measurements

/// Measurement: a number with the parts of its unit.
enum MeasurementForm: UnnamedForm {
    struct Parts {
        var value: Double
        /// The name of the unit's class, which determines the dimension: "NSUnitLength".
        var unitName = ""
        var symbol: String
        /// The conversion of values to the base unit; `nil` if the unit has no dimension, or another kind of converter.
        var converter: (coefficient: Double, constant: Double)?
    }

    static var cocoaClass: CocoaClass { .measurement }
    /// The beginning of the type's name. The name of the class of its units follows.
    static var typeName: String { "Foundation.Measurement<" }

    /// Returns the archive name of the class of units of `type`. For a program's own class it is the Swift name.
    private static func unitName(of type: any Any.Type) -> String {
        let name = _typeName(type, qualified: true).dropFirst(typeName.utf8.count).dropLast()
        for (module, prefix) in [("__C.", ""), ("Foundation.", "NS")] where name.hasPrefix(module) {
            return prefix + name.dropFirst(module.utf8.count)
        }
        return String(name)
    }

    static func parts<Value: Codable>(of value: Value) throws -> Parts {
        let encoded = try EncodedParts(of: value)
        let reals = encoded.reals
        guard let symbol = encoded.text("symbol"), encoded.list.count == reals.count + 1,
            reals.count == 1 || reals.count == 3
        else { throw UnwritableValue.unknownParts(value) }
        return Parts(value: reals[0], symbol: symbol, converter: reals.count == 1 ? nil : (reals[1], reals[2]))
    }

    static func value<Value: Codable>(of parts: Parts, as type: Value.Type) throws -> Value? {
        var list: [(key: String, part: EncodedParts.Part)] = [
            ("value", .real(parts.value)), ("symbol", .text(parts.symbol)),
        ]
        if let (coefficient, constant) = parts.converter {
            list += [("coefficient", .real(coefficient)), ("constant", .real(constant))]
        }
        if let result = try? EncodedParts(list).value(of: type) { return result }
        throw KeyedArchiveError.invalid(
            nil,
            "Found a measurement in the unit \"\(parts.symbol.prefix(40))\" without a linear converter, which a Measurement needs")
    }

    static func write(
        _ parts: Parts, of type: any Any.Type, in graph: ArchiveGraph, inline: Bool
    ) -> ArchiveGraph.Reference {
        var entries = [("NS.symbol", graph.string(parts.symbol))]
        if let (coefficient, constant) = parts.converter {
            let converter = graph.object(
                .linearConverter,
                [
                    ("NS.coefficient", graph.real(coefficient, inline: true)),
                    ("NS.constant", graph.real(constant, inline: true)),
                ])
            entries.append(("NS.converter", converter))
        }
        let name = unitName(of: type)
        let superclasses = parts.converter == nil ? ["NSUnit"] : ["NSDimension", "NSUnit"]
        let unit = graph.object(ArchivedClass(name, inheritingFrom: superclasses.filter { $0 != name }), entries)
        return graph.object(.measurement, [("NS.value", graph.real(parts.value, inline: true)), ("NS.unit", unit)])
    }

    static func read(_ value: ArchivedValue, as type: any Any.Type, in contents: ArchiveContents) throws -> Parts? {
        guard let parts = try contents.measurement(value) else { return nil }
        guard parts.unitName == unitName(of: type) else {
            let found = "a measurement in \(parts.unitName.prefix(200)) (uid \(value.uid))"
            throw ValueFailure.otherContents(type, found: found)
        }
        return parts
    }

    static func matches(
        _ value: ArchivedValue, _ type: any Any.Type, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> Bool { try contents.measurement(value)?.unitName == unitName(of: type) }
}

extension ArchiveContents {
    /// Returns the parts of an NSMeasurement; `nil` if `value` is not a measurement.
    fileprivate func measurement(_ value: ArchivedValue) throws(KeyedArchiveError) -> MeasurementForm.Parts? {
        var entries = entries(of: value)
        guard let unit = try entries["NS.unit"], let number = try entries.real("NS.value") else { return nil }
        var unitEntries = self.entries(of: unit)
        guard let classUID = try classUID(of: unit.node), let symbol = try unitEntries.text("NS.symbol") else {
            throw entries.damaged("NS.unit", "a unit")
        }
        var converter: (coefficient: Double, constant: Double)?
        if let found = try unitEntries["NS.converter"] {
            var converterEntries = self.entries(of: found)
            if let coefficient = try converterEntries.real("NS.coefficient") {
                converter = (coefficient, try converterEntries.real("NS.constant") ?? 0)
            }
        }
        return MeasurementForm.Parts(
            value: number, unitName: try className(classUID), symbol: symbol, converter: converter)
    }
}

// MARK: - Names of persons

/// PersonNameComponents: the parts of the name, in the order of `properties`.
///
/// Its own Codable form has no phonetic representation, and no other way to set one is known without naming the type.
/// Such a name is an error in both directions, because it would come back without it.
enum PersonNameForm: UnnamedForm {
    static var cocoaClass: CocoaClass { .personName }

    /// The parts with their keys, and the names of the properties.
    package static let properties: [(key: StaticString, name: String)] = [
        ("NS.namePrefix", "namePrefix"), ("NS.givenName", "givenName"), ("NS.middleName", "middleName"),
        ("NS.familyName", "familyName"), ("NS.nameSuffix", "nameSuffix"), ("NS.nickname", "nickname"),
    ]
    private static let phoneticName =
        "a name with a phonetic representation, which the Codable form of PersonNameComponents does not have. Store the"
        + " phonetic representation as a name of its own"

    static func parts<Value: Codable>(of value: Value) throws -> [String?] {
        guard !Mirror(reflecting: value).children.contains(where: { $0.label == "phoneticRepresentation" }) else {
            throw UnwritableValue { "Found at \($0) \(phoneticName), and set it to nil" }
        }
        let encoded = try EncodedParts(of: value)
        return properties.map { encoded.text($0.name) }
    }

    static func value<Value: Codable>(of parts: [String?], as type: Value.Type) throws -> Value? {
        let list = zip(properties, parts).compactMap { property, text in
            text.map { (property.name, EncodedParts.Part.text($0)) }
        }
        return try EncodedParts(list).value(of: type)
    }

    /// Apple's frameworks have the parts in an object of their own, Foundation on Linux in the object itself. Each reader
    /// ignores the keys of the other one. Foundation on Linux requires all of them.
    static func write(
        _ parts: [String?], of type: any Any.Type, in graph: ArchiveGraph, inline: Bool
    ) -> ArchiveGraph.Reference {
        let entries = zip(properties, parts).map { property, part in
            (key: "\(property.key)", value: part.map { graph.string($0) } ?? ArchiveGraph.null)
        }
        let data = graph.object(.personNameData, entries + [("NS.phoneticRepresentation", ArchiveGraph.null)])
        return graph.object(.personName, entries + [("NS.nameComponentsPrivate", data)])
    }

    static func read(
        _ value: ArchivedValue, as type: any Any.Type, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> [String?]? {
        var entries = contents.entries(of: value)
        var isName = false
        if let data = try entries["NS.nameComponentsPrivate"] {
            isName = true
            // Foundation on Linux and GNUstep have no such object.
            if !data.isNull {
                guard data.node.kind == .dictionary else { throw entries.damaged("NS.nameComponentsPrivate", "a name") }
                entries = contents.entries(of: data)
            }
        }
        var parts: [String?] = []
        for (key, _) in properties {
            let part = try entries[key]
            isName = isName || part != nil
            parts.append(try part?.isNull == false ? entries.text(key) : nil)
        }
        guard try !entries.has("NS.phoneticRepresentation") else {
            throw .invalid(
                value,
                "Found \(phoneticName), or decode a type of the program's own with the keys of NSPersonNameComponents")
        }
        if isName { return parts }
        // A name without parts.
        guard let uid = try contents.classUID(of: value.node),
            try contents.className(uid) == ArchivedClass.personName.name
        else { return nil }
        return parts
    }
}
