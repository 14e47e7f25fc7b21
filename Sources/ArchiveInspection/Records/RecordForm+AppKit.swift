// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The classes of AppKit and UIKit for texts and pictures.
extension RecordForm {
    static let texts: [RecordForm] = [
        RecordForm(
            "NSParagraphStyle", also: "NSMutableParagraphStyle",
            [
                // AppKit's numbers. UIKit has 1 for the center and 2 for the right side.
                .choice("alignment", "NSAlignment", of: ["left", "right", "center", "justified", "natural"]),
                .real("firstLineHeadIndent", "NSFirstLineHeadIndent"),
                .real("headIndent", "NSHeadIndent"),
                .real("tailIndent", "NSTailIndent"),
                .real("lineSpacing", "NSLineSpacing"),
                .real("lineHeightMultiple", "NSLineHeightMultiple"),
                .real("minimumLineHeight", "NSMinLineHeight"),
                .real("maximumLineHeight", "NSMaxLineHeight"),
                .real("paragraphSpacing", "NSParagraphSpacing"),
                .real("paragraphSpacingBefore", "NSParagraphSpacingBefore"),
                .choice(
                    "lineBreakMode", "NSLineBreakMode",
                    of: [
                        "byWordWrapping", "byCharWrapping", "byClipping", "byTruncatingHead", "byTruncatingTail",
                        "byTruncatingMiddle",
                    ]),
                .choice(
                    "baseWritingDirection", "NSWritingDirection",
                    of: ["natural", "leftToRight", "rightToLeft"]),
                .real("hyphenationFactor", "NSHyphenationFactor"),
                .real("defaultTabInterval", "NSDefaultTabInterval"),
                .boolean("allowsDefaultTighteningForTruncation", "NSAllowsTighteningForTruncation"),
                .list("tabStops", "NSTabStops"),
                .list("textLists", "NSTextLists"),
                .list("textBlocks", "NSTextBlocks"),
            ]),
        RecordForm(
            "NSTextTab",
            [.real("location", "NSLocation").required, .dictionary("options", "NSTabOptions")]),
        RecordForm(
            "NSTextList",
            [
                .text("markerFormat", "NSMarkerFormat").required,
                .flags("listOptions", "NSOptions", bits: ["prependEnclosingMarker"]),
            ]),
        RecordForm(
            "NSFontDescriptor", also: "UIFontDescriptor",
            [
                .dictionary("fontAttributes", "NSFontDescriptorAttributes", "UIFontDescriptorAttributes").required,
                .integer("options", "NSFontDescriptorOptions"),
            ]),
        RecordForm(
            "NSShadow",
            [
                .real("shadowBlurRadius", "NSShadowBlurRadius"),
                .real("horizontalOffset", "NSShadowHoriz"),
                .real("verticalOffset", "NSShadowVert"),
                .object("shadowColor", "NSShadowColor"),
            ]),
    ]

    static let graphics: [RecordForm] = [
        RecordForm(
            "NSColorSpace",
            [
                .integer("identifier", "NSID"),
                .choice(
                    "colorSpaceModel", "NSModel",
                    of: [
                        -1: "unknown", 0: "gray", 1: "rgb", 2: "cmyk", 3: "lab", 4: "deviceN", 5: "indexed",
                        6: "patterned",
                    ]),
                .data("iccProfileData", "NSICC"),
            ]),
        RecordForm(
            "NSImage",
            [
                .text("name", "NSName"),
                .size("size", "NSSize"),
                .integer("flags", "NSImageFlags"),
                .list("representations", "NSReps"),
                .object("backgroundColor", "NSColor"),
            ]),
        RecordForm("NSBitmapImageRep", [.data("tiffRepresentation", "NSTIFFRepresentation").required]),
        RecordForm(
            "NSCustomResource",
            [.text("className", "NSClassName").required, .text("resourceName", "NSResourceName").required]),
        RecordForm(
            "NSCursor",
            [.integer("type", "NSCursorType"), .point("hotSpot", "NSHotSpot"), .object("image", "NSImage")]),
        RecordForm(
            "NSBezierPath",
            [
                .data("elements", "NSSegments").required,
                .real("lineWidth", "NSLineWidth"),
                .choice("lineCapStyle", "NSLineCapStyle", of: ["butt", "round", "square"]),
                .choice("lineJoinStyle", "NSLineJoinStyle", of: ["miter", "round", "bevel"]),
                .choice("windingRule", "NSWindingRule", of: ["nonZero", "evenOdd"]),
                .real("miterLimit", "NSMiterLimit"),
                .real("flatness", "NSFlatness"),
            ]),
        RecordForm("NSAffineTransform", [.data("transformStruct", "NSTransformStruct").required]),
        RecordForm("NSPSMatrix"),
    ]
}
