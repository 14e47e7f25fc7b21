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
