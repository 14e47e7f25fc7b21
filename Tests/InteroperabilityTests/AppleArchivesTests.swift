import Archiving
import Foundation
import Testing

private let corpus = Surroundings.folder("ARCHIVING_CORPUS", or: "../shared/corpus")

/// Archives that programs on Apple's systems wrote, decoded into Swift values.
///
/// What is expected is worked out from what Python's plistlib found in the same files (`golden`).
@Suite(.enabled(if: corpus != nil, "No corpus: set ARCHIVING_CORPUS to its folder"))
struct `Archives by Apple's frameworks` {
    /// The names of the files.
    static let names: [String] = {
        guard let archives = corpus?.appending(path: "archives") else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: archives.path)) ?? []).sorted()
    }()

    /// The file whose name starts with `prefix`.
    private func archive(_ prefix: String) throws -> Data {
        let name = try #require(Self.names.first { $0.hasPrefix(prefix) })
        return try Data(contentsOf: try #require(corpus).appending(path: "archives/\(name)"))
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ prefix: String) throws -> Value {
        try ArchiveDecoder().decode(type, from: archive(prefix))
    }
}

// MARK: - Single files

extension `Archives by Apple's frameworks` {
    @Test func `hold index paths and index sets`() throws {
        #expect(try decode(IndexPath.self, "030fa94824") == IndexPath(indexes: [4, 8, 15, 16, 23, 42]))
        #expect(try decode(IndexPath.self, "70d8cdf20b") == IndexPath(index: 52))
        #expect(try decode(IndexSet.self, "710daba8e0") == IndexSet(integersIn: 0..<50))
        #expect(try decode(IndexSet.self, "a3ce8664b3") == IndexSet())
        #expect(try decode(IndexSet.self, "ec2cad45d2") == IndexSet())
    }

    @Test func `hold dates, identifiers and data`() throws {
        #expect(try decode(Date.self, "3dfe2edc47") == Date(timeIntervalSinceReferenceDate: 1_210_536_312))
        #expect(try decode(UUID.self, "177451d43b") == UUID(uuidString: "0AD863BA-7584-40CF-8896-BD87B3280C34"))
        #expect(try decode(UUID.self, "78c5182640") == UUID(uuidString: "E98A110A-1409-47AB-B9C9-66F2633F570F"))
        #expect(try decode(Data.self, "215a2f788a") == Data("hello".utf8))
    }

    @Test func `hold objects whose fields become a struct's`() throws {
        struct Record: Decodable {
            var uuid: UUID
            var start: Date
            var finish: Date?
            var title: String
        }
        let record = try decode(Record.self, "c2fef40df5")
        #expect(record.uuid == UUID(uuidString: "A8F5C718-D234-49B0-A891-136F94C41213"))
        #expect(record.start == Date(timeIntervalSinceReferenceDate: 625_945_468.42794))
        #expect(record.finish == nil && record.title == "Suite Set Up")

        struct RichLink: Decodable {
            struct Metadata: Decodable {
                var version: Int
                var originalURL: URL
            }
            var richLinkIsPlaceholder: Bool
            var richLinkMetadata: Metadata
        }
        let link = try decode(RichLink.self, "d40860defe")
        #expect(!link.richLinkIsPlaceholder && link.richLinkMetadata.version == 1)
        let url = "https://www.icloud.com/reminders/ZmFrZXVybF9mb3JfcmVtaW5kZXI#TestList"
        #expect(link.richLinkMetadata.originalURL == URL(string: url))
    }

    @Test func `hold calendars, time zones and locales`() throws {
        struct Formatter: Decodable {
            enum CodingKeys: String, CodingKey {
                case calendar = "NS.calendar"
                case locale = "NS.locale"
                case timeZone = "NS.timeZone"
            }
            var calendar: Calendar?
            var locale: Locale?
            var timeZone: TimeZone
        }
        let zoned = try decode(Formatter.self, "6fc3ac7ad4")
        #expect(zoned.timeZone == .gmt && zoned.calendar == nil)
        let formatter = try decode(Formatter.self, "56f1526e65")
        #expect(formatter.timeZone == TimeZone(secondsFromGMT: 3600))
        #expect(formatter.locale == Locale(identifier: "ja-JP"))
        #expect(formatter.calendar?.identifier == .gregorian && formatter.calendar?.timeZone == .gmt)
        #expect(formatter.calendar?.locale == Locale(identifier: "ja-JP"))
        #expect(formatter.calendar?.firstWeekday == 1 && formatter.calendar?.minimumDaysInFirstWeek == 1)
    }
}

// MARK: - All objects

extension `Archives by Apple's frameworks` {
    @Test(arguments: names)
    func `hold values that come out as plistlib finds them`(name: String) throws {
        guard let file = try GoldenArchive(name) else { return }
        try file.check(Date.self, ofClasses: "NSDate", "NSCalendarDate") { object in
            object["NS.time"]?.number.map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        try file.check(Data.self, ofClasses: "NSMutableData") { file.follow($0["NS.data"])?.data }
        try file.check(URL.self, ofClasses: "NSURL") { object in
            let base = file.text(file.follow(object["NS.base"])?["NS.relative"]).flatMap { URL(string: $0) }
            return file.text(object["NS.relative"]).flatMap { URL(string: $0, relativeTo: base) }
        }
        try file.check(UUID.self, ofClasses: "NSUUID") { object in
            // One file has been made anonymous, and has bytes too few.
            guard let bytes = object["NS.uuidbytes"]?.data, bytes.count == 16 else { return nil }
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
        try file.check(Decimal.self, ofClasses: "NSDecimalNumberPlaceholder") { decimal($0) }
        try file.check(IndexPath.self, ofClasses: "NSIndexPath") { object in
            if let index = object["NSIndexPathValue"]?.number { return IndexPath(index: Int(index)) }
            return IndexPath(indexes: smallIntegers(file.bytes(object["NSIndexPathData"])))
        }
        try file.check(IndexSet.self, ofClasses: "NSIndexSet", "NSMutableIndexSet") { object in
            if let location = object["NSLocation"]?.number, let length = object["NSLength"]?.number {
                return IndexSet(integersIn: Int(location)..<Int(location + length))
            }
            let integers = smallIntegers(file.bytes(object["NSRangeData"]))
            return stride(from: 0, to: integers.count, by: 2).reduce(into: IndexSet()) { set, index in
                set.insert(integersIn: integers[index]..<integers[index] + integers[index + 1])
            }
        }
        try file.check(Locale.self, ofClasses: "NSLocale") { object in
            file.text(object["NS.identifier"]).map { Locale(identifier: $0) }
        }
        try file.check(TimeZone.self, ofClasses: "NSTimeZone") { object in
            file.text(object["NS.name"]).flatMap { TimeZone(identifier: $0) }
        }
    }

    /// What the entries of an NSDecimalNumber say; nil for NaN, which is equal to nothing.
    private func decimal(_ object: Golden) -> Decimal? {
        guard let words = object["NS.mantissa"]?.data, let length = object["NS.length"]?.number,
            let exponent = object["NS.exponent"]?.number
        else { return nil }
        let isNegative = object["NS.negative"] == .boolean(true)
        guard length > 0 || !isNegative else { return nil }
        let significand = (0..<2 * Int(length)).reversed().reduce(UInt128(0)) { $0 << 8 | UInt128(words[$1]) }
        return Decimal(string: (isNegative ? "-" : "") + "\(significand)e\(Int(exponent))")
    }

    /// Packed integers that have no more than 14 bits, as those of the files.
    private func smallIntegers(_ bytes: Data) -> [Int] {
        var integers: [Int] = []
        var low: Int?
        for byte in bytes {
            if let first = low {
                integers.append(first + Int(byte) * 128)
                low = nil
            } else if byte >= 128 {
                low = Int(byte) - 128
            } else {
                integers.append(Int(byte))
            }
        }
        return integers
    }
}

// MARK: - Golden files

/// JSON that tells what a property list holds; by JSONDecoder, because JSONSerialization loses the last digit of reals.
enum Golden: Decodable, Equatable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([Golden])
    case dictionary([String: Golden])

    private struct File: Decodable {
        var plist: Golden?
    }

    /// The property list in a golden file; nil where there is no such file, or plistlib read nothing.
    init?(contentsOf url: URL) throws {
        guard let data = try? Data(contentsOf: url), let plist = try JSONDecoder().decode(File.self, from: data).plist
        else { return nil }
        self = plist
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The most frequent ones first.
        if let value = try? container.decode([String: Golden].self) {
            self = .dictionary(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode([Golden].self) {
            self = .array(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else {
            self = .null
        }
    }

    subscript(key: String) -> Golden? {
        if case .dictionary(let dictionary) = self { dictionary[key] } else { nil }
    }

    var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    var data: Data? { self["$data"]?.string.flatMap { Data(base64Encoded: $0) } }
}

/// An archive, and what plistlib found in it.
private struct GoldenArchive {
    private let name: String
    private let objects: [Golden]
    private let root: PropertyList.Dictionary
    private let slots: [PropertyList]

    /// Nil where the file is no archive, is one that plistlib cannot read, or holds no values of Foundation's.
    init?(_ name: String) throws {
        guard let folder = corpus,
            case .dictionary(let root)? = try? PropertyList(
                Data(contentsOf: folder.appending(path: "archives/\(name)"))),
            root["$version"] == 100_000, case .array(let slots)? = root["$objects"],
            slots.contains(where: { Self.classes.contains($0["$classname"]) }),
            let golden = try Golden(contentsOf: folder.appending(path: "golden/\(name).json")),
            case .array(let objects)? = golden["$objects"]
        else { return nil }
        self.name = name
        self.objects = objects
        self.root = root
        self.slots = slots
    }

    private static let classes: [PropertyList?] = [
        "NSDate", "NSMutableData", "NSURL", "NSUUID", "NSDecimalNumberPlaceholder", "NSIndexPath", "NSIndexSet",
        "NSMutableIndexSet", "NSLocale", "NSTimeZone",
    ]

    /// Decodes every object of some classes for which `expected` has a value, and compares it with that.
    func check<Value: Decodable & Equatable>(
        _ type: Value.Type, ofClasses names: String..., expected: (Golden) -> Value?
    ) throws {
        let wanted = objects.enumerated().compactMap { uid, object -> (uid: Int, value: Value)? in
            guard let className = follow(object["$class"])?["$classname"]?.string, names.contains(className) else {
                return nil
            }
            return expected(object).map { (uid, $0) }
        }
        // They become the elements of the root, an array.
        var root = root
        root["$objects"] = .array(slots + [["NS.objects": .array(wanted.map { .uid(UInt32($0.uid)) })]])
        root["$top"] = .dictionary(["root": .uid(UInt32(slots.count))])
        let values = try ArchiveDecoder().decode([Value].self, from: PropertyList.dictionary(root).data())
        for (wanted, value) in zip(wanted, values) {
            #expect(value == wanted.value, "object \(wanted.uid) of \(name)")
        }
    }

    /// The object that `value` refers to, where it is a uid.
    func follow(_ value: Golden?) -> Golden? {
        guard let uid = value?["CF$UID"]?.number else { return value }
        return objects.indices.contains(Int(uid)) ? objects[Int(uid)] : nil
    }

    /// The text of the NSString or NSMutableString that `value` refers to.
    func text(_ value: Golden?) -> String? {
        let object = follow(value)
        return object?.string ?? object?["NS.string"]?.string
    }

    /// The bytes of the NSMutableData that `value` refers to.
    func bytes(_ value: Golden?) -> Data { follow(value)?["NS.data"]?.data ?? Data() }
}
