// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts
import Foundation

extension Probes {
    /// Values of all types of Foundation that have a form of their own in archives.
    static func foundationValues(_ report: inout Report) {
        report.section("Foundation's values")
        report.value("Data", [Data(), Data([1, 2, 3]), Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })])
        report.value(
            "Date",
            [0, 1.5, -1e9, 1e10, 0.000_001, 978_307_200].map { Date(timeIntervalSinceReferenceDate: $0) }
                + [.distantPast, .distantFuture])
        report.value("UUID", [UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))])
        report.value("URL", urls)
        report.value("Decimal", decimals)
        report.value("IndexPath", [IndexPath(), IndexPath(index: 7), IndexPath(indexes: [1, 200, 70_000])])
        report.value("IndexSet", [IndexSet(), IndexSet(integer: 3), IndexSet([1, 2, 3, 500, 70_000])])
        report.value(
            "DateInterval", [DateInterval(start: Date(timeIntervalSinceReferenceDate: 0.5), duration: 3_600.25)])
        calendars(&report)
        geometry(&report)
        texts(&report)
        measurements(&report)
    }

    private static var urls: [URL] {
        [
            URL(string: "https://example.org/a%20b?c=d#e"),
            URL(string: "b/c", relativeTo: URL(string: "https://a.org/")),
            URL(filePath: "/tmp/a b", directoryHint: .notDirectory), URL(string: "mailto:a@example.org"),
        ].compactMap { $0 }
    }

    private static var decimals: [Decimal] {
        [
            0, 1, -1, Decimal(sign: .minus, exponent: -3, significand: 12_345), .greatestFiniteMagnitude,
            .leastNormalMagnitude, Decimal(sign: .plus, exponent: 127, significand: 7), .pi, 0.1, Decimal(UInt64.max),
        ]
    }

    // MARK: Calendars

    private static func calendars(_ report: inout Report) {
        let identifiers: [Calendar.Identifier] = [.gregorian, .iso8601, .buddhist, .hebrew, .japanese, .islamic]
        report.value(
            "Calendar",
            identifiers.map {
                var calendar = Calendar(identifier: $0)
                calendar.timeZone = .gmt
                calendar.locale = Locale(identifier: "en_GB")
                calendar.firstWeekday = 2
                return calendar
            })
        report.value(
            "TimeZone",
            ["GMT", "Europe/Berlin", "Asia/Kathmandu"].compactMap { TimeZone(identifier: $0) }
                + [-3_600, 20_700].compactMap { TimeZone(secondsFromGMT: $0) })
        report.value("Locale", ["en_GB", "de_CH", "zh-Hant_TW"].map { Locale(identifier: $0) })
        var components = DateComponents(year: 2_024, month: 2, day: 29, hour: 23, minute: 59, second: 59)
        report.value("DateComponents", components)
        components.calendar = Calendar(identifier: .gregorian)
        components.timeZone = TimeZone(identifier: "Europe/Berlin")
        (components.nanosecond, components.isLeapMonth) = (999_999_999, false)
        (components.weekOfYear, components.yearForWeekOfYear, components.quarter) = (9, 2_024, 1)
        report.value("DateComponents with a calendar", components)
    }

    // MARK: Geometry

    private static func geometry(_ report: inout Report) {
        report.value("CGPoint", [CGPoint(x: 0.5, y: -2), CGPoint(x: 1e300, y: -0.0)])
        report.value("CGSize", [CGSize(width: 3, height: 1 / 3.0)])
        report.value("CGRect", [CGRect(x: 1, y: 2, width: 3, height: 4.25), .zero, .infinite])
        report.value("NSRange", [NSRange(location: 1, length: 2), NSRange(location: NSNotFound, length: 0)])
        report.value(
            "AffineTransform",
            [AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4.5, tX: 5, tY: -6), AffineTransform(scale: 0.5)])
        report.value("Range", [0..<5, -3..<Int.max])
        report.value("ClosedRange", ["a"..."c"])
    }

    // MARK: Texts

    private static func texts(_ report: inout Report) {
        let sets: [CharacterSet] = [
            CharacterSet(), CharacterSet(charactersIn: "abc🐄"), .decimalDigits, CharacterSet(charactersIn: "a"..."f"),
            CharacterSet(charactersIn: "xyz").inverted, .whitespacesAndNewlines.union(CharacterSet(charactersIn: "ä")),
        ]
        for (index, set) in sets.enumerated() { report.value("CharacterSet \(index)", [set]) }
        var name = PersonNameComponents()
        (name.givenName, name.familyName, name.nickname) = ("Ada", "Lovelace", "ÄÖ 🐄")
        report.value("PersonNameComponents", [name])
        name.phoneticRepresentation = PersonNameComponents(givenName: "Ey-da")
        report.value("PersonNameComponents with a pronunciation", name)
        let attributed = AttributedText([
            ("plain, ", [:]), ("bold 🐄", ["NSFont": AttributedText.Font("Helvetica-Bold", size: 12.5)]),
            ("linked", ["NSLink": urls[0]]),
        ])
        report.value("AttributedText", attributed) { $0.string == $1.string && $1.runs.count == $0.runs.count }
    }

    // MARK: Measurements

    private static func measurements(_ report: inout Report) {
        report.value("Measurement of length", [Measurement(value: 1.5, unit: UnitLength.miles)])
        report.value("Measurement of temperature", [Measurement(value: -40, unit: UnitTemperature.celsius)])
        report.value("Measurement of duration", [Measurement(value: 1e-9, unit: UnitDuration.hours)])
    }
}
