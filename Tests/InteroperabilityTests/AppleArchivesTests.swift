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
        #expect(try decode(UUID.self, "177451d43b") == UUID(uuidString: "0AD863BA-F584-40CF-8896-BD87B3280C34"))
        #expect(try decode(UUID.self, "78c5182640") == UUID(uuidString: "E98A110A-1409-47AB-BBC9-66F2633F570F"))
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
        #expect(record.uuid == UUID(uuidString: "A8F5C718-D234-49B0-A4A2-9113 6F94C41213".filter { $0 != " " }))
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
    /// Every object of a class in a file becomes an element of one array, and is compared with what its entries say.
    private func check<Value: Decodable & Equatable>(
        _ type: Value.Type, ofClasses names: Set<String>, in name: String, _ expected: (Golden, Golden) throws -> Value?
    ) throws -> Int {
        guard let folder = corpus, let golden = try Golden(contentsOf: folder.appending(path: "golden/\(name).json")),
            let list = try? PropertyList(Data(contentsOf: folder.appending(path: "archives/\(name)"))),
            case .array(let goldenObjects)? = golden["$objects"], case .array(var objects)? = list["$objects"],
            case .dictionary(var root) = list, list["$version"] == 100_000
        else { return 0 }
        let uids = goldenObjects.indices.filter { uid in
            guard let entry = golden.follow(goldenObjects[uid]["$class"]), case .string(let name)? = entry["$classname"]
            else { return false }
            return names.contains(name)
        }
        guard !uids.isEmpty else { return 0 }
        objects.append(["NS.objects": .array(uids.map { .uid(UInt32($0)) })])
        root["$objects"] = .array(objects)
        root["$top"] = .dictionary(["root": .uid(UInt32(objects.count - 1))])
        let values = try ArchiveDecoder().decode([Value].self, from: PropertyList.dictionary(root).data())
        for (uid, value) in zip(uids, values) {
            #expect(try expected(goldenObjects[uid], golden) == value, "object \(uid) of \(name)")
        }
        return uids.count
    }

    @Test func `hold hundreds of values that come out as they went in`() throws {
        var counts: [String: Int] = [:]
        for name in Self.names {
            counts["date", default: 0] += try check(Date.self, ofClasses: ["NSDate", "NSCalendarDate"], in: name) {
                object, _ in
                object["NS.time"]?.number.map { Date(timeIntervalSinceReferenceDate: $0) }
            }
            counts["data", default: 0] += try check(Data.self, ofClasses: ["NSMutableData"], in: name) {
                $1.follow($0["NS.data"])?.data
            }
            counts["URL", default: 0] += try check(URL.self, ofClasses: ["NSURL"], in: name) { object, golden in
                let base = golden.follow(golden.follow(object["NS.base"])?["NS.relative"])?.string
                return golden.follow(object["NS.relative"])?.string.flatMap {
                    URL(string: $0, relativeTo: base.flatMap { URL(string: $0) })
                }
            }
            counts["UUID", default: 0] += try check(UUID.self, ofClasses: ["NSUUID"], in: name) { object, _ in
                object["NS.uuidbytes"]?.data?.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            }
            counts["decimal", default: 0] += try check(
                Decimal.self, ofClasses: ["NSDecimalNumberPlaceholder"], in: name
            ) { object, _ in decimal(object) }
            counts["index path", default: 0] += try check(IndexPath.self, ofClasses: ["NSIndexPath"], in: name) {
                if let index = $0["NSIndexPathValue"]?.number { return IndexPath(index: Int(index)) }
                return IndexPath(indexes: smallIntegers($1.bytes($0["NSIndexPathData"])))
            }
            let indexSets: Set = ["NSIndexSet", "NSMutableIndexSet"]
            counts["index set", default: 0] += try check(IndexSet.self, ofClasses: indexSets, in: name) {
                object, golden in
                if let location = object["NSLocation"]?.number, let length = object["NSLength"]?.number {
                    return IndexSet(integersIn: Int(location)..<Int(location + length))
                }
                let integers = smallIntegers(golden.bytes(object["NSRangeData"]))
                return stride(from: 0, to: integers.count, by: 2).reduce(into: IndexSet()) { set, index in
                    set.insert(integersIn: integers[index]..<integers[index] + integers[index + 1])
                }
            }
            counts["locale", default: 0] += try check(Locale.self, ofClasses: ["NSLocale"], in: name) {
                $1.follow($0["NS.identifier"])?.string.map { Locale(identifier: $0) }
            }
            counts["time zone", default: 0] += try check(TimeZone.self, ofClasses: ["NSTimeZone"], in: name) {
                $1.follow($0["NS.name"])?.string.flatMap { TimeZone(identifier: $0) }
            }
        }
        // So that none of them is forgotten.
        for (kind, count) in counts { #expect(count > 3, "\(kind)") }
    }

    /// Decimal's NaN is equal to nothing, so that it stands for itself as a number that none of the files has.
    private func decimal(_ object: Golden) -> Decimal? {
        guard let words = object["NS.mantissa"]?.data, let length = object["NS.length"]?.number,
            let exponent = object["NS.exponent"]?.number, let isNegative = object["NS.negative"]
        else { return nil }
        let significand = (0..<2 * Int(length)).reversed().reduce(UInt128(0)) { $0 << 8 | UInt128(words[$1]) }
        return Decimal(string: (isNegative == .boolean(true) ? "-" : "") + "\(significand)e\(Int(exponent))")
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
private enum Golden: Decodable, Equatable {
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
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([Golden].self) {
            self = .array(value)
        } else {
            self = .dictionary(try container.decode([String: Golden].self))
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

    /// Of an archive: the object that `value` refers to, where it is a uid.
    func follow(_ value: Golden?) -> Golden? {
        guard let uid = value?["CF$UID"]?.number else { return value }
        guard case .array(let objects)? = self["$objects"], objects.indices.contains(Int(uid)) else { return nil }
        return objects[Int(uid)]
    }

    /// Of an archive: the bytes of the NSMutableData that `value` refers to.
    func bytes(_ value: Golden?) -> Data { follow(value)?["NS.data"]?.data ?? Data() }
}
