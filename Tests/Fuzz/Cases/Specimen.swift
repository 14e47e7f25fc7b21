// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value with a property of nearly every shape that Codable knows, as which hostile archives are decoded.
public struct Specimen: Codable, Equatable {
    /// Numbers of every width.
    public var scalars = Scalars()
    /// Strings, and Foundation's values.
    public var leaves = Leaves()
    /// Lists, sets and dictionaries.
    public var collections = Collections()
    /// Enumerations.
    public var figures: [Figure] = []
    /// Calendars, and what belongs to them.
    public var almanac: Almanac?
    /// A value that uses nested containers.
    public var ledger = Ledger()
    /// An instance with a superclass that encodes its own part.
    public var heir = Heir()
    /// The same instance once more, or none.
    public var other: Ancestor?

    /// A specimen whose properties have the simplest values.
    public init() {}
}

// MARK: - Leaves

/// Numbers of every width.
public struct Scalars: Codable, Hashable {
    var flag = true
    var int8: Int8 = -8
    var int16: Int16 = -16_000
    var int32: Int32 = -32_000_000
    var int64 = Int64.min
    var int = 5
    var uint8: UInt8 = 200
    var uint16: UInt16 = 60_000
    var uint32: UInt32 = 4_000_000_000
    var uint64 = UInt64.max
    var uint: UInt = 7
    var int128 = Int128.min
    var uint128 = UInt128.max
    var float: Float = 0.1
    var double = 0.1
    var none: Int?
    var some: Double? = -0.0
}

/// Strings, and Foundation's values.
public struct Leaves: Codable, Equatable {
    var name = "plain"
    var text = "naïve 🐄 \u{0}"
    var null = "$null"
    var data = Data([0, 1, 2, 255])
    var date = Date(timeIntervalSinceReferenceDate: 1.5)
    var url = URL(string: "file", relativeTo: URL(string: "https://example.org/a/"))
    var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    var decimal = Decimal(sign: .minus, exponent: -3, significand: 12_345)
    var indexPath = IndexPath(indexes: [1, 200, 3])
    var interval = DateInterval(start: Date(timeIntervalSinceReferenceDate: 0), duration: 60)
    var components = DateComponents(year: 2001, month: 1, day: 2)
    var missing: Date?
}

/// Calendars, and what belongs to them.
public struct Almanac: Codable, Equatable {
    var calendar = Calendar(identifier: .gregorian)
    var zone = TimeZone(identifier: "GMT")
    var locale: Locale? = Locale(identifier: "en_GB")
    var components = DateComponents(
        calendar: Calendar(identifier: .gregorian), timeZone: TimeZone(identifier: "GMT"), year: 2001, day: 3)
}

// MARK: - Collections

/// A name that is a key of dictionaries.
public enum Grade: String, Codable, Hashable, CaseIterable {
    case low, middle
    case high = "$high"
}

/// A number that is a key of dictionaries.
public enum Level: Int, Codable, Hashable, CaseIterable {
    case zero, one
    case million = 1_000_000
}

/// A small value of its own.
public struct Corner: Codable, Hashable {
    var x: Double
    var y: Int
}

/// Lists, sets and dictionaries.
public struct Collections: Codable, Equatable {
    var flags = [true, false]
    var bytes: [UInt8] = [1, 2]
    var numbers = [1, -1, 1 << 40]
    var reals = [0.5, -2]
    var narrow: [Float] = [0.25]
    var optionals: [Int?] = [nil, 3]
    var names = ["a", "b", "a"]
    var rows = [[1, 2], [], [3]]
    var corners = [Corner(x: 1, y: 2)]
    var tags: Set<String> = ["x", "y"]
    var places: Set<Corner> = [Corner(x: 0, y: 1)]
    var byName = ["one": 1, "$two": 2]
    var byNumber = [1: "one", -2: "two"]
    var byGrade: [Grade: Int?] = [.low: 1, .high: nil]
    var byLevel: [Level: [String]] = [.million: ["m"]]
    var byCorner = [Corner(x: 3, y: 4): true]
    var deep: [String: [Set<Int>]] = ["s": [[1, 2], []]]
    var dates: [Date: Data] = [Date(timeIntervalSinceReferenceDate: 9): Data([9])]
}

/// An enumeration with values of its own.
public indirect enum Figure: Codable, Hashable {
    case empty
    case circle(radius: Double)
    case polygon([Corner], closed: Bool)
    case group(Figure, Figure?)
}
