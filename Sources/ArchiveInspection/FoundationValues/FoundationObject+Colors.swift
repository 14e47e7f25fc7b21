import Archiving

// AppKit and UIKit write colors and fonts in more ways than are known here. An object that lacks a key is therefore of an unknown
// kind, not damaged.
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

    /// The color; nil for unknown kinds, such as patterns.
    ///
    /// - Throws: `KeyedArchiveError` if a key has another value than AppKit or UIKit writes.
    mutating func color() throws(KeyedArchiveError) -> FoundationValue? {
        guard let number = try entries.integer("NSColorSpace") else { return try colorOfUIKit() }
        if let space = try entries["NSCustomColorSpace"], !space.isNull, try entries.has("NSComponents"),
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
        case SpaceNumber.catalog: return try catalogColor()
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
        guard let bytes = try entries.bytes(key) else { return nil }
        var numbers: [Double] = []
        if bytes.count <= Self.componentTextLimit {
            let text = bytes.last == 0 ? bytes.dropLast() : bytes[...]
            for part in text.split(separator: UInt8(ascii: " ")) {
                guard let number = Double(String(decoding: part, as: UTF8.self)), number.isFinite else {
                    throw entries.damaged(key, Self.componentsSentence)
                }
                numbers.append(number)
            }
        }
        guard counts.contains(numbers.count) else { throw entries.damaged(key, Self.componentsSentence) }
        return numbers
    }

    private static var componentTextLimit: Int { 1024 }
    private static var componentsSentence: String { "the components of a color as text" }

    /// A color that is identified by its name in a catalog. It is archived with the color that the name had.
    private mutating func catalogColor() throws(KeyedArchiveError) -> FoundationValue? {
        guard let catalog = try text("NSCatalogName"), let name = try text("NSColorName"),
            let found = try entries["NSColor"]
        else { return nil }
        var object = FoundationObject(found, isItself: true, in: source)
        // A catalog color inside a catalog color could continue without end.
        guard try object.entries.integer("NSColorSpace") != SpaceNumber.catalog else {
            throw entries.damaged("NSColor", "a color with components")
        }
        guard case .color(let components, let space)? = try object.color() else { return nil }
        return .color(components: components, space: .catalog(catalog, name: name, components: space))
    }

    private mutating func colorOfUIKit() throws(KeyedArchiveError) -> FoundationValue? {
        let alpha = try entries.real("UIAlpha") ?? 1
        if let white = try entries.real("UIWhite") { return .color(components: [white, alpha], space: .deviceWhite) }
        guard let red = try entries.real("UIRed"), let green = try entries.real("UIGreen"),
            let blue = try entries.real("UIBlue")
        else { return nil }
        return .color(components: [red, green, blue, alpha], space: .deviceRGB)
    }

    /// The font of AppKit or UIKit; nil for unknown forms.
    mutating func font() throws(KeyedArchiveError) -> FoundationValue? {
        guard let name = try text("NSName", or: "UIFontName") else { return nil }
        var size = try entries.real("NSSize")
        if size == nil { size = try entries.real("UIFontPointSize") }
        return size.map { .font(name: name, size: $0) }
    }
}
