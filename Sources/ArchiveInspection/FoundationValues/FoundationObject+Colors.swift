import Archiving

// AppKit and UIKit write colors and fonts in more ways than are known here. An object that lacks a key, or has another kind of
// value under it, is therefore of an unknown form, not damaged. `AttributedText` reads the same objects.
extension FoundationObject {
    /// The largest number of catalog colors that are defined by each other. AppKit's have two.
    private static var catalogLimit: Int { 8 }

    /// The color; nil for unknown forms, such as patterns.
    ///
    /// A color that is identified by its name in a catalog is archived with the color that the name had, which may be a name in a
    /// catalog again.
    func color() throws(KeyedArchiveError) -> FoundationValue? {
        var value = archived
        var object = AppKitObject(value, contents)
        var names: [(catalog: String, name: String)] = []
        while try object.integer("NSColorSpace") == AttributedText.Color.catalogNumber {
            guard names.count < Self.catalogLimit, let catalog = try object.text("NSCatalogName"),
                let name = try object.text("NSColorName"), let found = try object.entry("NSColor")
            else { return nil }
            names.append((catalog, name))
            value = found
            object = AppKitObject(value, contents)
        }
        guard case (let components, var space)? = try componentsAndSpace(of: value) else { return nil }
        for (catalog, name) in names.reversed() { space = .catalog(catalog, name: name, components: space) }
        return .color(components: components, space: space)
    }

    /// The components of a color, and the space that they are in.
    private func componentsAndSpace(
        of value: ArchivedValue
    ) throws(KeyedArchiveError) -> (components: [Double], space: FoundationValue.ColorSpace)? {
        var entries = ObjectEntries(value, in: contents)
        if try entries.has("NSComponents"), try entries.has("NSCustomColorSpace"),
            let reference = try entries.reference("NSCustomColorSpace")
        {
            var object = AppKitObject(value, contents)
            guard try object.integer("NSColorSpace") != nil,
                let numbers = try object.numbers("NSComponents", limit: 16), (2...16).contains(numbers.count)
            else { return nil }
            return (numbers, .custom(source.value(reference)))
        }
        guard let color = try AppKitObject.color(value, in: contents) else { return nil }
        return (color.components + [color.opacity], FoundationValue.ColorSpace(color.space))
    }

    /// The font of AppKit or UIKit; nil for unknown forms.
    func font() throws(KeyedArchiveError) -> FoundationValue? {
        try AppKitObject.font(archived, in: contents).map { .font(name: $0.name, size: $0.size) }
    }
}

extension FoundationValue.ColorSpace {
    fileprivate init(_ space: AttributedText.Color.Space) {
        self =
            switch space {
            case .calibratedWhite: .calibratedWhite
            case .deviceWhite: .deviceWhite
            case .calibratedRGB: .calibratedRGB
            case .deviceRGB: .deviceRGB
            case .deviceCMYK: .deviceCMYK
            }
    }
}
