// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Measurements

struct MeasurementParts: CocoaParts {
    let number: Double
    /// The name of the unit's class, which determines the dimension: "NSUnitLength".
    let unitName: String
    let symbol: String
    /// The conversion of values to the base unit; `nil` if the unit has no dimension, or another kind of converter.
    let converter: (coefficient: Double, constant: Double)?

    static var cocoaClass: CocoaClass { .measurement }
    static var typeName: String { "Foundation.Measurement<" }

    /// Returns the archive name of the class of units of `type`. For a program's own class it is the Swift name.
    static func unitName(of type: any Any.Type) -> String {
        let name = _typeName(type, qualified: true).dropFirst(typeName.utf8.count).dropLast()
        for (module, prefix) in [("__C.", ""), ("Foundation.", "NS")] where name.hasPrefix(module) {
            return prefix + name.dropFirst(module.utf8.count)
        }
        return String(name)
    }

    init<Value: Codable>(of value: Value) throws {
        let encoded = try EncodedParts(of: value)
        let reals = encoded.reals
        guard let symbol = encoded.text("symbol"), encoded.list.count == reals.count + 1,
            reals.count == 1 || reals.count == 3
        else { throw UnwritableValue.unknownParts(value) }
        (number, unitName, self.symbol) = (reals[0], Self.unitName(of: Value.self), symbol)
        converter = reals.count == 1 ? nil : (reals[1], reals[2])
    }

    func value<Value: Codable>(as type: Value.Type) throws -> Value? {
        guard unitName == Self.unitName(of: type) else {
            throw OtherContents(found: "a measurement in \(unitName.prefix(80))")
        }
        var list: [(key: String, part: EncodedParts.Part)] = [("value", .real(number)), ("symbol", .text(symbol))]
        if let (coefficient, constant) = converter {
            list += [("coefficient", .real(coefficient)), ("constant", .real(constant))]
        }
        if let result = try? EncodedParts(list).value(of: type) { return result }
        throw KeyedArchiveError.invalid(
            nil,
            "Found a measurement in the unit \"\(symbol.prefix(40))\" without a linear converter, which a Measurement needs"
        )
    }

    func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        var entries = [("NS.symbol", graph.string(symbol))]
        if let (coefficient, constant) = converter {
            let converter = graph.object(
                ArchivedClass("NSUnitConverterLinear", inheritingFrom: ["NSUnitConverter"]),
                [
                    ("NS.coefficient", graph.real(coefficient, inline: true)),
                    ("NS.constant", graph.real(constant, inline: true)),
                ])
            entries.append(("NS.converter", converter))
        }
        let superclasses = (converter == nil ? [] : ["NSDimension"]) + ["NSUnit"]
        let unitClass = ArchivedClass(unitName, inheritingFrom: superclasses.filter { $0 != unitName })
        let unit = graph.object(unitClass, entries)
        return graph.object("NSMeasurement", [("NS.value", graph.real(number, inline: true)), ("NS.unit", unit)])
    }

    static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> MeasurementParts? {
        var entries = contents.entries(of: value)
        guard let unit = try entries["NS.unit"], let number = try entries.real("NS.value") else { return nil }
        var unitEntries = contents.entries(of: unit)
        guard let classUID = try contents.classUID(of: unit.node), let symbol = try unitEntries.text("NS.symbol") else {
            throw entries.damaged("NS.unit", "a unit")
        }
        var converter: (coefficient: Double, constant: Double)?
        if let found = try unitEntries["NS.converter"] {
            var converterEntries = contents.entries(of: found)
            if let coefficient = try converterEntries.real("NS.coefficient") {
                converter = (coefficient, try converterEntries.real("NS.constant") ?? 0)
            }
        }
        let unitName = try contents.className(classUID)
        return MeasurementParts(number: number, unitName: unitName, symbol: symbol, converter: converter)
    }

    private init(number: Double, unitName: String, symbol: String, converter: (coefficient: Double, constant: Double)?)
    {
        (self.number, self.unitName, self.symbol, self.converter) = (number, unitName, symbol, converter)
    }
}

// MARK: - Names of persons

/// The parts of an NSPersonNameComponents, in the order of `properties`.
///
/// The Codable form of PersonNameComponents has no phonetic representation, and no other way to set one is known without naming
/// the type. Such a name is an error in both directions, because it would come back without it.
package struct PersonNameParts: CocoaParts {
    let texts: [String?]

    static var cocoaClass: CocoaClass { .personName }

    package static let properties: [(key: StaticString, name: String)] = [
        ("NS.namePrefix", "namePrefix"), ("NS.givenName", "givenName"), ("NS.middleName", "middleName"),
        ("NS.familyName", "familyName"), ("NS.nameSuffix", "nameSuffix"), ("NS.nickname", "nickname"),
    ]
    private static let phoneticName =
        "a name with a phonetic representation, which the Codable form of PersonNameComponents does not have. Store the"
        + " phonetic representation as a name of its own"

    init<Value: Codable>(of value: Value) throws {
        guard !Mirror(reflecting: value).children.contains(where: { $0.label == "phoneticRepresentation" }) else {
            throw UnwritableValue { "Found at \($0) \(Self.phoneticName), and set it to nil" }
        }
        let encoded = try EncodedParts(of: value)
        texts = Self.properties.map { encoded.text($0.name) }
    }

    func value<Value: Codable>(as type: Value.Type) throws -> Value? {
        let list = zip(Self.properties, texts).compactMap { property, text in
            text.map { (property.name, EncodedParts.Part.text($0)) }
        }
        return try EncodedParts(list).value(of: type)
    }

    /// Apple's frameworks have the parts in an object of their own, Foundation on Linux in the object itself. Each reader
    /// ignores the keys of the other one. Foundation on Linux requires all of them.
    package func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        let entries = zip(Self.properties, texts).map { property, text in
            (key: "\(property.key)", value: text.map { graph.string($0) } ?? ArchiveGraph.null)
        }
        let data = graph.object(
            "_NSPersonNameComponentsData", entries + [("NS.phoneticRepresentation", ArchiveGraph.null)])
        return graph.object("NSPersonNameComponents", entries + [("NS.nameComponentsPrivate", data)])
    }

    package static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> PersonNameParts? {
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
        let texts = try properties.map { key, _ in
            let part = try entries[key]
            isName = isName || part != nil
            return try part?.isNull == false ? entries.text(key) : nil
        }
        guard try !entries.has("NS.phoneticRepresentation") else {
            throw KeyedArchiveError.invalid(
                value,
                "Found \(phoneticName), or decode a type of the program's own with the keys of NSPersonNameComponents")
        }
        // A name without parts is known by its class.
        if !isName {
            guard let uid = try contents.classUID(of: value.node),
                try contents.className(uid) == "NSPersonNameComponents"
            else { return nil }
        }
        return PersonNameParts(texts: texts)
    }

    private init(texts: [String?]) { self.texts = texts }
}
