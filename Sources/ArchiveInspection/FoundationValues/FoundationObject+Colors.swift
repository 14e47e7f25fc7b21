// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

// AppKit and UIKit write colors and fonts in more ways than are known here. An object that lacks a key, or has another kind of
// value under it, is therefore of an unknown form, not damaged. `AttributedText` reads the same objects.
extension FoundationObject {
    /// The color; nil for unknown forms, such as patterns.
    func color() throws(KeyedArchiveError) -> FoundationValue? {
        var entries = entries
        if try entries.has("NSComponents"), try entries.has("NSCustomColorSpace"),
            let space = try entries.reference("NSCustomColorSpace")
        {
            var object = AppKitObject(archived, contents)
            guard try object.integer("NSColorSpace") != nil,
                let numbers = try object.numbers("NSComponents", limit: 16), (2...16).contains(numbers.count)
            else { return nil }
            return .customColor(components: numbers, space: source.value(space))
        }
        return try AppKitObject.color(archived, in: contents).map { .color($0) }
    }

    /// The font of AppKit or UIKit; nil for unknown forms.
    func font() throws(KeyedArchiveError) -> FoundationValue? {
        try AppKitObject.font(archived, in: contents).map { .font($0) }
    }
}
