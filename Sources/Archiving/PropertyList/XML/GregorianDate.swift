// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A second in the Gregorian calendar, UTC, as property lists store it. Before 1582 the calendar is extended backwards,
/// with a year 0, as in CoreFoundation.
struct GregorianDate: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// The seconds from 1970-01-01 to 2001-01-01, the reference date of property lists.
    static let referenceSeconds: Int64 = 978_307_200

    /// The range of dates that can be written, in seconds before and after the reference date: some 285 million years.
    /// `Double` represents whole seconds exactly up to this limit.
    static let secondsLimit: Int64 = 1 << 53

    /// The number of digits of a year that are read, enough for every date that can be written.
    static let yearDigitLimit = 9
}

// MARK: - Seconds

extension GregorianDate {
    /// Creates the date `seconds` after 2001-01-01 00:00:00; `seconds` is within `secondsLimit`.
    init(secondsSinceReference seconds: Int64) {
        let total = seconds + Self.referenceSeconds
        let secondOfDay = Int((total % 86400 + 86400) % 86400)
        self.init(daysSince1970: (total - Int64(secondOfDay)) / 86400)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// Howard Hinnant's `civil_from_days`: years begin in March, so that the leap day is the last, in eras of 400
    /// years.
    private init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = Int(shifted - era * 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
        hour = 0
        minute = 0
        second = 0
    }

    var secondsSinceReference: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = Int64(era) * 146_097 + Int64(dayOfEra) - 719_468
        return days * 86400 + Int64(hour * 3600 + minute * 60 + second) - Self.referenceSeconds
    }

    /// Whether the date exists; the 60th second of a minute, a leap second, is accepted.
    var isValid: Bool {
        (1...12).contains(month) && day >= 1 && day <= dayCount && hour <= 23 && minute <= 59 && second <= 60
    }

    private var dayCount: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

// MARK: - Text

extension GregorianDate: CustomStringConvertible {
    var description: String {
        func padded(_ number: Int, _ width: Int) -> String { ReadableText.padded(String(number), to: width) }
        let date = (year < 0 ? "-" : "") + padded(abs(year), 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
        return date + "T" + padded(hour, 2) + ":" + padded(minute, 2) + ":" + padded(second, 2) + "Z"
    }
}
