// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// Foundation's classes for formats, names and requests, and those of CloudKit.
extension RecordForm {
    static let formatters: [RecordForm] = [
        RecordForm(
            "NSSortDescriptor", isCertain: true,
            [
                .text("key", "NSKey"), .boolean("ascending", "NSAscending"), .text("selector", "NSSelector"),
            ]),
        RecordForm(
            "NSDecimalNumberHandler", isCertain: true,
            [
                // Foundation on Linux uses the second key.
                .choice(
                    "roundingMode", "NS.roundingmode", "NS.roundingMode", of: ["plain", "down", "up", "bankers"]),
                .integer("scale", "NS.scale"),
                .boolean("raisesOnExactness", "NS.raise.exactness"),
                .boolean("raisesOnOverflow", "NS.raise.overflow"),
                .boolean("raisesOnUnderflow", "NS.raise.underflow"),
                .boolean("raisesOnDivisionByZero", "NS.raise.dividebyzero"),
            ]),
        RecordForm(
            "NSPersonNameComponents", also: "_NSPersonNameComponentsData", isCertain: true,
            inside: "NS.nameComponentsPrivate",
            PersonNameParts.properties.map { .text($0.name, $0.key.description, $0.name) } + [
                .object("phoneticRepresentation", "NS.phoneticRepresentation", "phoneticRepresentation")
            ]),
        RecordForm(
            "NSNumberFormatter",
            [
                .text("positiveFormat", "NS.positiveformat"),
                .text("negativeFormat", "NS.negativeformat"),
                .text("decimalSeparator", "NS.decimal"),
                .text("thousandSeparator", "NS.thousand"),
                .boolean("hasThousandSeparators", "NS.hasthousands"),
                .boolean("allowsFloats", "NS.allowsfloats"),
                .boolean("localizesFormat", "NS.localized"),
                .object("minimum", "NS.min"),
                .object("maximum", "NS.max"),
                .object("roundingBehavior", "NS.rounding"),
                .object("attributedStringForNil", "NS.nil"),
                .object("attributedStringForZero", "NS.zero"),
                .object("attributedStringForNotANumber", "NS.nan"),
                .dictionary("textAttributesForPositiveValues", "NS.positiveattrs"),
                .dictionary("textAttributesForNegativeValues", "NS.negativeattrs"),
                .dictionary("attributes", "NS.attributes"),
            ]),
        RecordForm(
            "NSDateFormatter",
            [
                .text("dateFormat", "NS.format"), .boolean("allowsNaturalLanguage", "NS.natural"),
                .dictionary("attributes", "NS.attributes"), .object("timeZone", "timeZone"),
            ]),
        RecordForm(
            "NSISO8601DateFormatter", isCertain: true,
            [
                .flags(
                    "formatOptions", "NS.formatOptions",
                    bits: [
                        "withYear", "withMonth", "withWeekOfYear", "", "withDay", "withTime", "withTimeZone",
                        "withSpaceBetweenDateAndTime", "withDashSeparatorInDate", "withColonSeparatorInTime",
                        "withColonSeparatorInTimeZone", "withFractionalSeconds",
                    ]
                ).required,
                .object("timeZone", "NS.timeZone"),
            ]),
        RecordForm(
            "NSDateIntervalFormatter",
            [
                .choice("dateStyle", "NS.dateStyle", of: ["none", "short", "medium", "long", "full"]),
                .choice("timeStyle", "NS.timeStyle", of: ["none", "short", "medium", "long", "full"]),
                .text("dateTemplate", "NS.dateTemplate"),
                .text("dateTemplateFromStyles", "NS.dateTemplateFromStyles"),
                .boolean("usesTemplate", "NS.useTemplate"),
                .boolean("isModified", "NS.modified"),
                .object("locale", "NS.locale"),
                .object("calendar", "NS.calendar"),
                .object("timeZone", "NS.timeZone"),
            ]),
        RecordForm(
            "NSByteCountFormatter",
            [
                .flags(
                    "allowedUnits", "NSUnits", "NSAllowedUnits",
                    bits: [
                        "useBytes", "useKB", "useMB", "useGB", "useTB", "usePB", "useEB", "useZB", "useYBOrHigher",
                    ]),
                .choice("countStyle", "NSKBSize", "NSCountStyle", of: ["file", "memory", "decimal", "binary"]),
                .integer("formattingContext", "NSFormattingContext"),
                .boolean("zeroPadsFractionDigits", "NSZeroPad"),
                .boolean("includesActualByteCount", "NSActual", "NSIncludesActualByteCount"),
                .boolean("omitsNonnumericFormatting", "NSNoNonnumeric"),
                .boolean("omitsUnit", "NSNoUnit"),
                .boolean("omitsCount", "NSNoCount"),
                .boolean("isNotAdaptive", "NSNoAdaptive"),
            ]),
        RecordForm(
            "NSRegularExpression", isCertain: true,
            [
                .text("pattern", "NSPattern", "pattern").required,
                .flags(
                    "options", "NSOptions", "options",
                    bits: [
                        "caseInsensitive", "allowCommentsAndWhitespace", "ignoreMetacharacters",
                        "dotMatchesLineSeparators", "anchorsMatchLines", "useUnixLineSeparators",
                        "useUnicodeWordBoundaries",
                    ]),
            ]),
        RecordForm(
            "NSTextCheckingResult",
            [
                .integer("location", "NSRangeLocation").required,
                .integer("length", "NSRangeLength").required,
                .list("ranges", "NSRangeArray"),
                .object("regularExpression", "NSRegularExpression"),
            ]),
    ]

    static let values: [RecordForm] = [
        // The second keys are GNUstep's.
        RecordForm(
            "NSTimeZone", isCertain: true, [.text("name", "NS.name", "$0").required, .data("data", "NS.data")]),
        RecordForm("NSLocale", isCertain: true, [.text("identifier", "NS.identifier", "$0").required]),
        RecordForm(
            "NSCalendar", isCertain: true,
            [
                .text("identifier", "NS.identifier", "$0").required,
                .object("locale", "NS.locale", "$1"),
                .object("timeZone", "NS.timezone", "$2"),
                .integer("firstWeekday", "NS.firstwkdy"),
                .integer("minimumDaysInFirstWeek", "NS.mindays"),
                .date("gregorianStartDate", "NS.gstartdate"),
            ]),
        RecordForm(
            "NSError", isCertain: true,
            [.text("domain", "NSDomain").required, .integer("code", "NSCode"), .dictionary("userInfo", "NSUserInfo")]),
        RecordForm(
            "NSNotification", also: "GSNotification", isCertain: true,
            [
                .text("name", "NS.name", "$0").required, .object("object", "NS.object", "$1"),
                .dictionary("userInfo", "NS.userinfo", "$2"),
            ]),
        RecordForm(
            "NSMeasurement", isCertain: true,
            [.real("value", "NS.value").required, .object("unit", "NS.unit").required]
        ),
        RecordForm(
            "NSUnitConverterLinear", isCertain: true,
            [.real("coefficient", "NS.coefficient").required, .real("constant", "NS.constant")]),
        RecordForm(
            "NSUnitConverterReciprocal", isCertain: true, [.real("reciprocal", "NS.reciprocal").required]),
    ]

    static let units = [
        "Unit", "Dimension", "UnitAcceleration", "UnitAngle", "UnitArea", "UnitConcentrationMass", "UnitDispersion",
        "UnitDuration", "UnitElectricCharge", "UnitElectricCurrent", "UnitElectricPotentialDifference",
        "UnitElectricResistance", "UnitEnergy", "UnitFrequency", "UnitFuelEfficiency", "UnitIlluminance",
        "UnitInformationStorage", "UnitLength", "UnitMass", "UnitPower", "UnitPressure", "UnitSpeed",
        "UnitTemperature", "UnitVolume",
    ].map { name in
        RecordForm(
            "NS" + name, isCertain: true,
            [.text("symbol", "NS.symbol").required, .object("converter", "NS.converter")])
    }

    static let networking: [RecordForm] = [
        RecordForm("NSURLQueryItem", isCertain: true, [.text("name", "NS.name").required, .text("value", "NS.value")]),
        RecordForm(
            "NSURLResponse", also: "NSHTTPURLResponse",
            [
                .url("url", "NS.url", "$3"),
                .integer("statusCode", "NS.statusCode", "$6"),
                .dictionary("allHeaderFields", "NS.allHeaderFields", "$7"),
                .text("mimeType", "NS.mimeType"),
                .integer("expectedContentLength", "NS.expectedContentLength", "$8"),
                .text("textEncodingName", "NS.textEncodingName"),
                .text("suggestedFilename", "NS.suggestedFilename"),
            ]),
        RecordForm(
            "NSURLRequest", also: "NSMutableURLRequest",
            [
                .url("url", "NS.url"),
                .text("httpMethod", "NS.httpMethod"),
                .dictionary("allHTTPHeaderFields", "NS._allHTTPHeaderFields"),
                .data("httpBody", "NS.httpBody"),
                .url("mainDocumentURL", "NS.mainDocumentURL"),
                // The numbers of Foundation on Linux, whose keys these are.
                .choice(
                    "cachePolicy", "NS._cachePolicy",
                    of: [
                        "useProtocolCachePolicy", "reloadIgnoringLocalCacheData",
                        "reloadIgnoringLocalAndRemoteCacheData", "returnCacheDataElseLoad", "returnCacheDataDontLoad",
                        "reloadRevalidatingCacheData",
                    ]),
                .real("timeoutInterval", "NS._timeoutInterval"),
                .choice(
                    "networkServiceType", "NS._networkServiceType",
                    of: ["default", "voip", "video", "background", "voice", "callSignaling"]),
                .boolean("allowsCellularAccess", "NS._allowsCellularAccess"),
                .boolean("httpShouldHandleCookies", "NS._httpShouldHandleCookies"),
                .boolean("httpShouldUsePipelining", "NS._httpShouldUsePipelining"),
            ]),
    ]

    static let cloud: [RecordForm] = [
        RecordForm("CKRecordID", [.text("recordName", "RecordName").required, .object("zoneID", "ZoneID")]),
        RecordForm(
            "CKRecordZoneID",
            [
                .text("zoneName", "ZoneName").required, .text("ownerName", "ownerName"),
                .choice("databaseScope", "databaseScopeKey", of: [1: "public", 2: "private", 3: "shared"]),
            ]),
        RecordForm("CKServerChangeToken", [.data("data", "ChangeTokenData").required]),
        RecordForm(
            "CKContainerID",
            [.text("containerIdentifier", "ContainerIdentifier").required, .integer("environment", "Environment")]),
    ]
}

// Foundation's predicates, their operators and their expressions. Objects of subclasses have the form of the nearest class.
extension RecordForm {
    static let predicates: [RecordForm] = [
        RecordForm("NSTruePredicate"),
        RecordForm("NSFalsePredicate"),
        RecordForm(
            "NSCompoundPredicate",
            [
                .choice("compoundPredicateType", "NSCompoundPredicateType", of: ["not", "and", "or"]).required,
                .list("subpredicates", "NSSubpredicates").required,
            ]),
        RecordForm(
            "NSComparisonPredicate",
            [
                .object("leftExpression", "NSLeftExpression").required,
                .object("predicateOperator", "NSPredicateOperator").required,
                .object("rightExpression", "NSRightExpression").required,
            ]),
        RecordForm(
            "NSPredicateOperator",
            [
                .choice("type", "NSOperatorType", of: operatorNames).required,
                .choice("modifier", "NSModifier", of: ["direct", "all", "any"]),
                .flags("options", "NSOptions", "NSFlags", bits: ["caseInsensitive", "diacriticInsensitive"]),
                .boolean("isNegated", "NSNegate"),
                .integer("variant", "NSVariant"),
                .choice("position", "NSPosition", of: ["start", "end"]),
                .text("selector", "NSSelectorName"),
            ]),
        expression("NSExpression"),
        expression(
            "NSConstantValueExpression",
            [.object("constantValue", "NSConstantValue"), .text("className", "NSConstantValueClassName")]),
        expression("NSVariableExpression", [.text("variable", "NSVariable").required]),
        expression("NSKeyPathSpecifierExpression", [.text("keyPath", "NSKeyPath").required]),
        RecordForm(
            "NSFunctionExpression",
            [
                expressionType, .text("function", "NSSelectorName").required, .object("operand", "NSOperand"),
                .list("arguments", "NSArguments"),
            ]),
        expression("NSAggregateExpression", [.object("collection", "NSCollection").required]),
    ]

    private static func expression(_ name: String, _ fields: [Field] = []) -> RecordForm {
        RecordForm(name, [expressionType] + fields)
    }

    private static let expressionType = Field.choice(
        "expressionType", "NSExpressionType",
        of: [
            0: "constantValue", 1: "evaluatedObject", 2: "variable", 3: "keyPath", 4: "function", 5: "unionSet",
            6: "intersectSet", 7: "minusSet", 10: "keyPathSpecifier", 13: "subquery", 14: "aggregate", 15: "anyKey",
            19: "block", 20: "conditional",
        ]
    ).required

    private static let operatorNames: [Int: String] = [
        0: "lessThan", 1: "lessThanOrEqualTo", 2: "greaterThan", 3: "greaterThanOrEqualTo", 4: "equalTo",
        5: "notEqualTo", 6: "matches", 7: "like", 8: "beginsWith", 9: "endsWith", 10: "in", 11: "customSelector",
        99: "contains", 100: "between",
    ]
}

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
