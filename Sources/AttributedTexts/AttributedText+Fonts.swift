// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension AttributedText {
    /// A font: an NSFont, or a UIFont that was read.
    public struct Font: Hashable, Codable, Sendable {
        /// The PostScript name, such as "Helvetica-Bold".
        public let name: String
        /// The size in points.
        public let size: Double
        package var original = OriginalObject()

        /// Creates a font from its PostScript name and its size in points. A size that is not finite is a programming error
        /// and traps.
        public init(_ name: String, size: Double) {
            require(size.isFinite, "The size of a font must be finite")
            self.name = name
            self.size = size
        }
    }

    /// A color in one of the color spaces of NSColor, or a UIColor that was read. The components of a color in a custom color
    /// space are those that AppKit stores for older systems.
    public struct Color: Hashable, Codable, Sendable {
        /// A color space.
        public enum Space: CaseIterable, Sendable {
            /// Red, green and blue, the same on all devices.
            case calibratedRGB
            /// Red, green and blue of the device.
            case deviceRGB
            /// White, the same on all devices: 0 is black, 1 is white.
            case calibratedWhite
            /// White of the device.
            case deviceWhite
            /// Cyan, magenta, yellow and black.
            case deviceCMYK

            /// The key in a keyed archive, and the number of components without the opacity.
            fileprivate var form: (key: StaticString, count: Int) {
                switch self {
                case .calibratedRGB, .deviceRGB: ("NSRGB", 3)
                case .calibratedWhite, .deviceWhite: ("NSWhite", 1)
                case .deviceCMYK: ("NSCMYK", 4)
                }
            }

            package var componentCount: Int { form.count }
        }

        /// The color space.
        public let space: Space
        /// The components without the opacity, from 0 to 1.
        public let components: [Double]
        /// The opacity: 0 is transparent, 1 is opaque.
        public let opacity: Double
        /// The name, such as "labelColor", if a catalog has the color. AppKit uses the color that the name has on the system that
        /// reads it, and the components if there is none.
        public let name: String?
        /// The name of the catalog. That of AppKit is "System".
        public let catalog: String?
        package var original = OriginalObject()

        /// Creates a color. Another number of components than that of the color space, and components that are not finite, are
        /// a programming error and trap.
        public init(
            _ space: Space, _ components: [Double], opacity: Double = 1, name: String? = nil, catalog: String = "System"
        ) {
            require(
                components.count == space.componentCount && components.allSatisfy(\.isFinite) && opacity.isFinite,
                "A color in the space \(space) needs \(space.componentCount) finite components")
            self.space = space
            self.components = components
            self.opacity = opacity
            self.name = name
            self.catalog = name.map { _ in catalog }
        }
    }
}

// MARK: - Archives

extension AttributedText.Font: ArchivedAttribute {
    static var archivedClass: ArchivedClass { ArchivedClass("NSFont") }

    /// `NSfFlags` of fonts that are not those of the user interface.
    private static var flags: Int { 16 }

    init?(_ object: inout AppKitObject) throws(KeyedArchiveError) {
        let name = if let name = try object.text("NSName") { name } else { try object.text("UIFontName") }
        let size = if let size = try object.real("NSSize") { size } else { try object.real("UIFontPointSize") }
        guard let name, let size else { return nil }
        self.init(name, size: size)
        if try object.integer("NSfFlags") != Self.flags { object.holdsMore = true }
    }

    var fields: [AppKitField] {
        [("NSName", .text(name)), ("NSSize", .real(size)), ("NSfFlags", .integer(Self.flags))]
    }
}

extension AttributedText.Color: ArchivedAttribute {
    static var archivedClass: ArchivedClass { ArchivedClass("NSColor") }

    /// The number of a catalog, after those of the other color spaces.
    private static var catalogNumber: Int { Space.allCases.count + 1 }

    init?(_ object: inout AppKitObject) throws(KeyedArchiveError) {
        guard let number = try object.integer("NSColorSpace") else {
            try self.init(ofUIKit: &object)
            return
        }
        if number == Self.catalogNumber {
            guard let catalog = try object.text("NSCatalogName"), let name = try object.text("NSColorName"),
                let color = try object.object("NSColor", as: Self.self)
            else { return nil }
            if color.name != nil { object.holdsMore = true }
            self.init(color.space, color.components, opacity: color.opacity, name: name, catalog: catalog)
            return
        }
        // Not from `number - 1`: the number may be the least integer.
        guard (1...Space.allCases.count).contains(number) else { return nil }
        let space = Space.allCases[number - 1]
        let (key, count) = space.form
        guard let numbers = try object.numbers(key, limit: count + 1), (count...count + 1).contains(numbers.count)
        else { return nil }
        self.init(space, Array(numbers.prefix(count)), opacity: numbers.count > count ? numbers[count] : 1)
    }

    private init?(ofUIKit object: inout AppKitObject) throws(KeyedArchiveError) {
        let opacity = try object.real("UIAlpha") ?? 1
        if let white = try object.real("UIWhite") {
            self.init(.deviceWhite, [white], opacity: opacity)
        } else if let red = try object.real("UIRed"), let green = try object.real("UIGreen"),
            let blue = try object.real("UIBlue")
        {
            self.init(.deviceRGB, [red, green, blue], opacity: opacity)
        } else {
            return nil
        }
    }

    var fields: [AppKitField] {
        if let name, let catalog {
            return [
                ("NSColorSpace", .integer(Self.catalogNumber)), ("NSCatalogName", .text(catalog)),
                ("NSColorName", .text(name)), ("NSColor", .object(Self(space, components, opacity: opacity))),
            ]
        }
        let numbers = opacity == 1 ? components : components + [opacity]
        let text = numbers.map { number in
            let text = "\(number)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        return [
            ("NSColorSpace", .integer(space.number + 1)),
            (space.form.key, .data(Array(text.joined(separator: " ").utf8) + [0])),
        ]
    }
}
