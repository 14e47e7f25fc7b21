import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Leaves

extension FoundationObject {
    func number() throws(KeyedArchiveError) -> FoundationValue.Number? {
        try required(try contents.numberValue(archived), "NS.number", "a number")
    }

    func data() throws(KeyedArchiveError) -> Data? {
        try required(try contents.data(archived).map { Data($0) }, "NS.data", "data")
    }

    mutating func date() throws(KeyedArchiveError) -> Date? {
        var seconds = try contents.date(archived)
        // GNUstep's NSCalendarDate has it without a key.
        if seconds == nil { seconds = try entries.real("$0") }
        return try required(seconds.map { Date(timeIntervalSinceReferenceDate: $0) }, "NS.time", "a number")
    }

    func uuid() throws(KeyedArchiveError) -> UUID? {
        guard let bytes = try contents.uuid(archived) else { return try lacks("NS.uuidbytes", "data of 16 bytes") }
        return UUID(bytes)
    }

    func url() throws(KeyedArchiveError) -> URL? {
        guard let texts = try contents.urlTexts(archived) else { return try lacks("NS.relative", "a string") }
        do throws(InvalidURL) {
            return try URL(archivedTexts: texts)
        } catch {
            throw entries.damaged("NS.relative", "a URL: \"\(error.text.prefix(80))\"")
        }
    }

    func dateInterval() throws(KeyedArchiveError) -> DateInterval? {
        guard let (start, duration) = try contents.dateInterval(archived) else {
            return try lacks("NS.startDate", "a date")
        }
        return DateInterval(start: Date(timeIntervalSinceReferenceDate: start), duration: duration)
    }
}

// MARK: - Units

extension FoundationObject {
    mutating func measurement() throws(KeyedArchiveError) -> FoundationValue? {
        guard let value = try entries.real("NS.value") else { return try lacks("NS.value", "a number") }
        guard let found = try entries["NS.unit"], case (.unit, var object)? = try object(found),
            let unit = try object.unit()
        else { throw entries.damaged("NS.unit", "a unit") }
        return .measurement(value: value, unit: unit)
    }

    mutating func unit() throws(KeyedArchiveError) -> FoundationValue.Unit? {
        guard let symbol = try text("NS.symbol") else { return try lacks("NS.symbol", "a string") }
        guard let classUID = try contents.classUID(of: archived.node) else { return nil }
        var converter: FoundationValue.Unit.Converter?
        if let value = try value("NS.converter") {
            converter = .other(value)
            if let found = try entries["NS.converter"], case (let known, var object)? = try object(found) {
                converter = try object.converter(known) ?? .other(value)
            }
        }
        return FoundationValue.Unit(
            className: try contents.className(classUID), symbol: symbol, converter: converter)
    }

    mutating func converter(_ known: FoundationClass) throws(KeyedArchiveError) -> FoundationValue.Unit.Converter? {
        switch known {
        case .linearConverter:
            guard let coefficient = try entries.real("NS.coefficient") else {
                return try lacks("NS.coefficient", "a number")
            }
            return .linear(coefficient: coefficient, constant: try entries.real("NS.constant") ?? 0)
        case .reciprocalConverter:
            guard let reciprocal = try entries.real("NS.reciprocal") else {
                return try lacks("NS.reciprocal", "a number")
            }
            return .reciprocal(reciprocal)
        default: return nil
        }
    }

    /// The object `value` and its class; nil for other values.
    private func object(
        _ value: ArchivedValue
    ) throws(KeyedArchiveError) -> (FoundationClass, FoundationObject)? {
        guard let found = try FoundationClass.find(value, in: contents) else { return nil }
        return (found.class, FoundationObject(value, isItself: found.isItself, in: source))
    }
}

// MARK: - Places

extension FoundationObject {
    mutating func timeZone() throws(KeyedArchiveError) -> FoundationValue? {
        guard let name = try text("NS.name", or: "$0") else { return try lacks("NS.name", "a string") }
        return .timeZone(name: name, data: try data("NS.data"))
    }

    mutating func locale() throws(KeyedArchiveError) -> FoundationValue? {
        guard let name = try text("NS.identifier", or: "$0") else { return try lacks("NS.identifier", "a string") }
        return .locale(identifier: name)
    }

    mutating func calendar() throws(KeyedArchiveError) -> FoundationValue.Calendar? {
        guard let name = try text("NS.identifier", or: "$0") else { return try lacks("NS.identifier", "a string") }
        // GNUstep writes three values without keys, the locale as its name.
        var locale = try text("$1")
        if let found = try entries["NS.locale"], !found.isNull {
            var object = FoundationObject(found, isItself: true, in: source)
            locale = try object.text("NS.identifier", or: "$0")
            guard locale != nil else { throw entries.damaged("NS.locale", "a locale") }
        }
        return FoundationValue.Calendar(
            identifier: name, localeIdentifier: locale, timeZoneName: try timeZoneName("NS.timezone", or: "$2"),
            firstWeekday: try entries.integer("NS.firstwkdy"),
            minimumDaysInFirstWeek: try entries.integer("NS.mindays"),
            gregorianStart: try gregorianStart())
    }

    private mutating func gregorianStart() throws(KeyedArchiveError) -> Date? {
        guard try entries.has("NS.gstartdate"), let seconds = try entries.date("NS.gstartdate") else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// The name of the time zone under `key`, or under GNUstep's key `other`.
    mutating func timeZoneName(
        _ key: StaticString, or other: StaticString? = nil
    ) throws(KeyedArchiveError) -> String? {
        for key in [key, other] {
            guard let key, let found = try entries[key], !found.isNull else { continue }
            var object = FoundationObject(found, isItself: true, in: source)
            guard let name = try object.text("NS.name", or: "$0") else { throw entries.damaged(key, "a time zone") }
            return name
        }
        return nil
    }
}

// MARK: - Others

extension FoundationObject {
    mutating func error() throws(KeyedArchiveError) -> FoundationValue? {
        guard let domain = try text("NSDomain") else { return try lacks("NSDomain", "a string") }
        // A missing number is 0, as everywhere in Cocoa.
        return .error(
            domain: domain, code: try entries.integer("NSCode") ?? 0, userInfo: try dictionary("NSUserInfo"))
    }

    mutating func notification() throws(KeyedArchiveError) -> FoundationValue? {
        if let name = try text("NS.name") {
            return .notification(
                name: name, object: try value("NS.object"), userInfo: try dictionary("NS.userinfo"))
        }
        guard let name = try text("$0") else { return try lacks("NS.name", "a string") }
        return .notification(name: name, object: try value("$1"), userInfo: try dictionary("$2"))
    }

    mutating func urlQueryItem() throws(KeyedArchiveError) -> FoundationValue? {
        guard let name = try text("NS.name") else { return try lacks("NS.name", "a string") }
        return .urlQueryItem(name: name, value: try text("NS.value"))
    }
}
