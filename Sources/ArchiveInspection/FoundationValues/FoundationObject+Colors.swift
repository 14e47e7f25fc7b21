import Archiving

// AppKit and UIKit write colors and fonts in more ways than are known here. An object that lacks a key, or has another kind of
// value under it, is therefore of an unknown form, not damaged.
extension FoundationObject {
    /// The numbers of AppKit's color spaces, under `NSColorSpace`.
    private enum SpaceNumber {
        static let calibratedRGB = 1
        static let deviceRGB = 2
        static let calibratedWhite = 3
        static let deviceWhite = 4
        static let deviceCMYK = 5
        static let catalog = 6
    }

    /// The largest number of catalog colors that are defined by each other. AppKit's have two.
    private static var catalogLimit: Int { 8 }

    /// The color; nil for unknown forms, such as patterns.
    ///
    /// A color that is identified by its name in a catalog is archived with the color that the name had, which may be a name in a
    /// catalog again.
    mutating func color() throws(KeyedArchiveError) -> FoundationValue? {
        var object = self
        var names: [(catalog: String, name: String)] = []
        while try object.integer("NSColorSpace") == SpaceNumber.catalog {
            guard names.count < Self.catalogLimit, let catalog = try object.string("NSCatalogName"),
                let name = try object.string("NSColorName"), let found = try object.entries["NSColor"]
            else { return nil }
            names.append((catalog, name))
            object = FoundationObject(found, isItself: true, in: source)
        }
        guard case .color(let components, var space)? = try object.ownColor() else { return nil }
        for (catalog, name) in names.reversed() { space = .catalog(catalog, name: name, components: space) }
        return .color(components: components, space: space)
    }

    /// The color of an object with components.
    private mutating func ownColor() throws(KeyedArchiveError) -> FoundationValue? {
        guard let number = try integer("NSColorSpace") else { return try colorOfUIKit() }
        if try entries.has("NSCustomColorSpace"), try entries.has("NSComponents"),
            let reference = try entries.reference("NSCustomColorSpace")
        {
            return try components("NSComponents", counts: 2...16).map {
                .color(components: $0, space: .custom(source.value(reference)))
            }
        }
        switch number {
        case SpaceNumber.calibratedRGB: return try color("NSRGB", count: 3, .calibratedRGB)
        case SpaceNumber.deviceRGB: return try color("NSRGB", count: 3, .deviceRGB)
        case SpaceNumber.calibratedWhite: return try color("NSWhite", count: 1, .calibratedWhite)
        case SpaceNumber.deviceWhite: return try color("NSWhite", count: 1, .deviceWhite)
        case SpaceNumber.deviceCMYK: return try color("NSCMYK", count: 4, .deviceCMYK)
        default: return nil
        }
    }

    private mutating func color(
        _ key: StaticString, count: Int, _ space: FoundationValue.ColorSpace
    ) throws(KeyedArchiveError) -> FoundationValue? {
        guard var components = try components(key, counts: count...count + 1) else { return nil }
        if components.count == count { components.append(1) }
        return .color(components: components, space: space)
    }

    /// The numbers in the data under `key`: ASCII digits separated by spaces, usually with a 0 at the end.
    private mutating func components(
        _ key: StaticString, counts: ClosedRange<Int>
    ) throws(KeyedArchiveError) -> [Double]? {
        guard let found = try entries[key], let bytes = try contents.data(found), bytes.count <= Self.componentTextLimit
        else { return nil }
        var numbers: [Double] = []
        let text = bytes.last == 0 ? bytes.dropLast() : bytes[...]
        for part in text.split(separator: UInt8(ascii: " ")) {
            guard let number = Double(String(decoding: part, as: UTF8.self)), number.isFinite else { return nil }
            numbers.append(number)
        }
        return counts.contains(numbers.count) ? numbers : nil
    }

    private static var componentTextLimit: Int { 1024 }

    private mutating func colorOfUIKit() throws(KeyedArchiveError) -> FoundationValue? {
        guard let alpha = try entries.has("UIAlpha") ? real("UIAlpha") : 1 else { return nil }
        if let white = try real("UIWhite") { return .color(components: [white, alpha], space: .deviceWhite) }
        guard let red = try real("UIRed"), let green = try real("UIGreen"), let blue = try real("UIBlue") else {
            return nil
        }
        return .color(components: [red, green, blue, alpha], space: .deviceRGB)
    }

    /// The font of AppKit or UIKit; nil for unknown forms.
    mutating func font() throws(KeyedArchiveError) -> FoundationValue? {
        var name = try string("NSName")
        if name == nil { name = try string("UIFontName") }
        var size = try real("NSSize")
        if size == nil { size = try real("UIFontPointSize") }
        guard let name, let size else { return nil }
        return .font(name: name, size: size)
    }
}

// MARK: - Entries of any kind

extension FoundationObject {
    /// The value under `key`; nil if the key is absent, or has another kind of value.
    private mutating func value(
        _ key: StaticString, _ kind: RecordForm.Kind
    ) throws(KeyedArchiveError) -> FoundationValue? {
        guard let found = try entries[key], !found.isNull else { return nil }
        return try FoundationObject(found, isItself: false, in: source).value(of: kind)
    }

    private mutating func integer(_ key: StaticString) throws(KeyedArchiveError) -> Int? {
        guard case .number(.integer(let number))? = try value(key, .integer) else { return nil }
        return Int(exactly: number)
    }

    private mutating func real(_ key: StaticString) throws(KeyedArchiveError) -> Double? {
        guard case .number(.real(let number))? = try value(key, .real) else { return nil }
        return number
    }

    private mutating func string(_ key: StaticString) throws(KeyedArchiveError) -> String? {
        guard case .string(let text)? = try value(key, .text) else { return nil }
        return text
    }
}
