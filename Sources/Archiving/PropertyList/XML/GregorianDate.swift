/// A second in the Gregorian calendar, UTC, as property lists write it; before 1582 the calendar is continued backwards,
/// with a year 0, as CoreFoundation does.
struct GregorianDate: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// Seconds from 1970-01-01 to 2001-01-01, which property lists count from.
    static let referenceSeconds = 978_307_200

    /// The seconds before and after the reference date that dates are written for, some 285 million years: whole seconds
    /// of a `Double` are exact up to here.
    static let secondsLimit = 1 << 53

    /// The year's digits that are read, enough for every date that is written.
    static let yearDigitLimit = 9
}

// MARK: - Seconds

extension GregorianDate {
    /// The date `seconds` after 2001-01-01 00:00:00; `seconds` is within `secondsLimit`.
    init(secondsSinceReference seconds: Int) {
        let total = seconds + Self.referenceSeconds
        let secondOfDay = ((total % 86400) + 86400) % 86400
        self.init(daysSince1970: (total - secondOfDay) / 86400)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
    }

    /// Howard Hinnant's `civil_from_days`: years that begin in March, so that the leap day is the last, in eras of 400.
    private init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = 0
        minute = 0
        second = 0
    }

    /// Seconds from 2001-01-01 00:00:00 to here.
    var secondsSinceReference: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * 86400 + hour * 3600 + minute * 60 + second - Self.referenceSeconds
    }

    /// Whether there is such a date; the 60th second of a minute, a leap second, is one.
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
    /// As property lists write it: 2018-06-04T17:00:00Z.
    var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = (year < 0 ? "-" : "") + padded(abs(year), 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
        return date + "T" + padded(hour, 2) + ":" + padded(minute, 2) + ":" + padded(second, 2) + "Z"
    }
}
