// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private enum Style: String, Codable { case plain, bold }
private enum Size: Int, Codable {
    case small = 1
    case large = 100
}
private struct Meters: RawRepresentable, Codable, Hashable { var rawValue: Double }

/// Stored properties of every type that a coder handles by name, so that the compiler specialises their fields.
private struct Everything: ArchivedFields, ArchiveDescribing, Equatable {
    static let archiveName = "Everything"

    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var double = 0.0
    var float: Float = 0
    var flag = false
    var text = ""
    var data = Data()
    var date = Date.distantPast
    var url = URL(filePath: "/")
    var uuid = UUID()
    var style = Style.plain
    var rawStyle = Style.plain
    var rawSize = Size.small
    var rawMeters = Meters(rawValue: 0)
    var rawStyles: [Style] = []
    var optionalInt: Int?
    var optionalText: String?
    var optionalDouble: Double?
    var optionalFlag: Bool?
    var optionalDate: Date?
    var optionalStyle: Style?
    var ints: [Int] = []
    var texts: [String] = []
    var doubles: [Double] = []
    var optionalInts: [Int]?
    var grid: [[Int]] = []
    var counts: [String: Int] = [:]
    var byStyle: [Style: String] = [:]
    var numbers: Set<Int> = []

    init() {}

    static let fields = FieldList<Everything> {
        Field("int", \.int)
        Field("int8", \.int8)
        Field("int16", \.int16)
        Field("int32", \.int32)
        Field("int64", \.int64)
        Field("uint", \.uint)
        Field("uint8", \.uint8)
        Field("uint16", \.uint16)
        Field("uint32", \.uint32)
        Field("uint64", \.uint64)
        Field("double", \.double)
        Field("float", \.float)
        Field("flag", \.flag)
        Field("text", \.text)
        Field("data", \.data)
        Field("date", \.date)
        Field("url", \.url)
        Field("uuid", \.uuid)
        Field("style", \.style)
        Field("rawStyle", \.rawStyle, .rawValue)
        Field("rawSize", \.rawSize, .rawValue)
        Field("rawMeters", \.rawMeters, .rawValue)
        Field("rawStyles", \.rawStyles, .rawValues())
        Field("optionalInt", \.optionalInt)
        Field("optionalText", \.optionalText)
        Field("optionalDouble", \.optionalDouble)
        Field("optionalFlag", \.optionalFlag)
        Field("optionalDate", \.optionalDate)
        Field("optionalStyle", \.optionalStyle)
        Field("ints", \.ints)
        Field("texts", \.texts)
        Field("doubles", \.doubles)
        Field("optionalInts", \.optionalInts)
        Field("grid", \.grid)
        Field("counts", \.counts)
        Field("byStyle", \.byStyle)
        Field("numbers", \.numbers)
    }
}

private enum Twin {
    struct Everything: Codable, ArchiveDescribing, Equatable {
        static let archiveName = "Everything"

        var int = 0
        var int8: Int8 = 0
        var int16: Int16 = 0
        var int32: Int32 = 0
        var int64: Int64 = 0
        var uint: UInt = 0
        var uint8: UInt8 = 0
        var uint16: UInt16 = 0
        var uint32: UInt32 = 0
        var uint64: UInt64 = 0
        var double = 0.0
        var float: Float = 0
        var flag = false
        var text = ""
        var data = Data()
        var date = Date.distantPast
        var url = URL(filePath: "/")
        var uuid = UUID()
        var style = Style.plain
        var rawStyle = Style.plain
        var rawSize = Size.small
        var rawMeters = Meters(rawValue: 0)
        var rawStyles: [Style] = []
        var optionalInt: Int?
        var optionalText: String?
        var optionalDouble: Double?
        var optionalFlag: Bool?
        var optionalDate: Date?
        var optionalStyle: Style?
        var ints: [Int] = []
        var texts: [String] = []
        var doubles: [Double] = []
        var optionalInts: [Int]?
        var grid: [[Int]] = []
        var counts: [String: Int] = [:]
        var byStyle: [Style: String] = [:]
        var numbers: Set<Int> = []
    }
}

/// A class whose fields are the wrappers of its properties.
private final class Wrapped: ArchivedFields, ArchiveDescribing {
    static let archiveName = "Wrapped"

    var name = ""
    @Reference var next: Wrapped?
    @WeakReference var back: Wrapped?
    @References var others: [Wrapped]
    @Coded var stamp: Stamp?
    @Polymorphic var shape: (any Shape)?
    @DefaultEmpty var notes: [String]

    init() { (others, stamp, shape, notes) = ([], nil, nil, []) }

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }

    static let fields = FieldList<Wrapped> {
        Field("name", \.name)
        Field("next", \._next)
        Field("back", \._back)
        Field("others", \._others)
        Field("stamp", \._stamp)
        Field("shape", \._shape)
        Field("notes", \._notes, .default)
    }

    func clear() { (next, others) = (nil, []) }
}

extension Twin {
    final class Wrapped: Codable, ArchiveDescribing {
        static let archiveName = "Wrapped"

        var name = ""
        @Reference var next: Wrapped?
        @WeakReference var back: Wrapped?
        @References var others: [Wrapped]
        @Coded var stamp: Stamp?
        @Polymorphic var shape: (any Shape)?
        @DefaultEmpty var notes: [String]

        init(_ name: String) {
            self.name = name
            (others, stamp, shape, notes) = ([], nil, nil, [])
        }

        func clear() { (next, others) = (nil, []) }
    }
}

private final class Stamp: Coding {
    let number: Int
    init(_ number: Int) { self.number = number }
    init(coder: KeyedUnarchiver) throws { number = try coder.decodeInteger(forKey: "number") }
    func encode(with coder: KeyedArchiver) { coder.encode(number, forKey: "number") }
}

private protocol Shape: Codable { var area: Double { get } }

private struct Square: Shape, ArchivedFields, ArchiveDescribing {
    static let archiveName = "Square"
    var side = 0.0
    var area: Double { side * side }
    init() {}
    init(_ side: Double) { self.side = side }
    static let fields = FieldList<Square> { Field("side", \.side) }
}

private final class Disc: Shape, ArchivedFields, ArchiveDescribing {
    static let archiveName = "Disc"
    var area = 0.0
    var neighbour: Disc?
    init() {}
    static let fields = FieldList<Disc> {
        Field("area", \.area)
        Field("neighbour", \.neighbour)
    }
}

@Suite(.inTurn) struct `A type with declared fields` {
    /// The keys in the archive that are not those of a type with all fields.
    private static let nilKeys: Set<String> = [
        "optionalInt", "optionalText", "optionalDouble", "optionalFlag", "optionalDate", "optionalStyle",
        "optionalInts",
    ]

    private func values(_ number: Int) -> (declared: Everything, twin: Twin.Everything) {
        var (declared, twin) = (Everything(), Twin.Everything())
        twin.uuid = declared.uuid
        if number > 0 {
            declared.int = number << 40
            declared.int8 = Int8(truncatingIfNeeded: -number)
            declared.int16 = .min
            declared.int32 = .max
            declared.int64 = .min
            declared.uint = .max
            declared.uint8 = .max
            declared.uint16 = .max
            declared.uint32 = .max
            declared.uint64 = .max
            declared.double = 0.1 * Double(number)
            declared.float = 0.1
            declared.flag = number % 2 == 1
            declared.text = "text \(number) ä"
            declared.data = Data([1, UInt8(truncatingIfNeeded: number)])
            declared.date = Date(timeIntervalSinceReferenceDate: Double(number) + 0.5)
            declared.url = URL(filePath: "/\(number)")
            declared.style = .bold
            declared.rawStyle = .bold
            declared.rawSize = .large
            declared.rawMeters = Meters(rawValue: 2.5)
            declared.rawStyles = [.bold, .plain, .bold]
            declared.ints = [number, 0, -1]
            declared.texts = ["a", "\(number)", "a"]
            declared.doubles = [0.5, -.infinity]
            declared.grid = [[1, 2], [], [number]]
            declared.counts = ["a": 1, "b": number]
            declared.byStyle = [.bold: "b"]
            declared.numbers = [1, 2, number]
        }
        if number > 1 {
            declared.optionalInt = -number
            declared.optionalText = "text"
            declared.optionalDouble = 0.25
            declared.optionalFlag = true
            declared.optionalDate = .distantFuture
            declared.optionalStyle = .bold
            declared.optionalInts = [1]
        }
        twin.int = declared.int
        (twin.int8, twin.int16, twin.int32, twin.int64) = (
            declared.int8, declared.int16, declared.int32, declared.int64
        )
        (twin.uint, twin.uint8, twin.uint16) = (declared.uint, declared.uint8, declared.uint16)
        (twin.uint32, twin.uint64) = (declared.uint32, declared.uint64)
        (twin.double, twin.float, twin.flag, twin.text) = (
            declared.double, declared.float, declared.flag, declared.text
        )
        (twin.data, twin.date, twin.url) = (declared.data, declared.date, declared.url)
        (twin.style, twin.rawStyle, twin.rawSize) = (declared.style, declared.rawStyle, declared.rawSize)
        (twin.rawMeters, twin.rawStyles) = (declared.rawMeters, declared.rawStyles)
        (twin.optionalInt, twin.optionalText) = (declared.optionalInt, declared.optionalText)
        (twin.optionalDouble, twin.optionalFlag) = (declared.optionalDouble, declared.optionalFlag)
        (twin.optionalDate, twin.optionalStyle) = (declared.optionalDate, declared.optionalStyle)
        (twin.ints, twin.texts, twin.doubles) = (declared.ints, declared.texts, declared.doubles)
        (twin.optionalInts, twin.grid, twin.counts) = (declared.optionalInts, declared.grid, declared.counts)
        (twin.byStyle, twin.numbers) = (declared.byStyle, declared.numbers)
        return (declared, twin)
    }

    @Test(arguments: 0...4)
    func `has the archive of a Codable type with the same keys`(number: Int) throws {
        let (declared, twin) = values(number)
        try expectSameArchive(declared, twin)
        let archive = try KeyedArchive(ArchiveEncoder().encode(declared))
        #expect(Set(archive.root.keys).intersection(Self.nilKeys) == (number > 1 ? Self.nilKeys : []))
        #expect(Set(archive.root.keys).union(Self.nilKeys).count == 37)
    }

    @Test func `has the keys in the order of the declaration`() throws {
        let (declared, _) = values(2)
        let archive = try KeyedArchive(ArchiveEncoder().encode(declared))
        #expect(archive.root.keys.prefix(4) == ["int", "int8", "int16", "int32"])
        #expect(archive.root.keys.last == "numbers")
    }

    @Test func `comes back in lists and dictionaries, and among others`() throws {
        let all = (0...4).map { values($0).declared }
        #expect(try roundTrip(all) == all)
        let table = Dictionary(uniqueKeysWithValues: all.enumerated().map { ("\($0.offset)", $0.element) })
        #expect(try roundTrip(table) == table)
    }

    // MARK: Raw values

    private struct Styled: ArchivedFields {
        var style = Style.plain
        var styles: [Style] = []
        init() {}
        static let fields = FieldList<Styled> {
            Field("style", \.style, .rawValue)
            Field("styles", \.styles, .rawValues())
        }
    }

    @Test func `has raw values that a case has`() throws {
        func archive(_ style: PropertyList, _ styles: PropertyList...) throws -> Data {
            try handmadeArchive(
                ["style": .uid(2), "styles": .uid(3), "$class": .uid(4)], style,
                ["NS.objects": .array(styles), "$class": .uid(5)], classEntry("Styled"), classEntry("NSArray"), "bold",
                "wide")
        }
        let styled = try ArchiveDecoder().decode(Styled.self, from: archive("bold", .uid(6)))
        #expect(styled.style == .bold && styled.styles == [.bold])
        let single = try failure(decoding: Styled.self, from: archive("italic", .uid(6)))
        #expect(single.kind == .dataCorrupted && single.path == "style" && single.says("italic"))
        let listed = try failure(decoding: Styled.self, from: archive("bold", .uid(6), .uid(7)))
        #expect(listed.kind == .dataCorrupted && listed.path.hasPrefix("styles") && listed.says("wide"))
    }

    // MARK: Wrappers

    @Test func `has the wrappers of properties as fields`() throws {
        let (first, second) = (Wrapped("first"), Wrapped("second"))
        let (firstTwin, secondTwin) = (Twin.Wrapped("first"), Twin.Wrapped("second"))
        (first.next, second.back, second.others) = (second, first, [first, second])
        (firstTwin.next, secondTwin.back, secondTwin.others) = (secondTwin, firstTwin, [firstTwin, secondTwin])
        (first.stamp, second.shape, first.notes) = (Stamp(7), Square(3), ["note"])
        (firstTwin.stamp, secondTwin.shape, firstTwin.notes) = (Stamp(7), Square(3), ["note"])
        defer { for clear in [first.clear, second.clear, firstTwin.clear, secondTwin.clear] { clear() } }

        var encoder = ArchiveEncoder()
        let (text, twinText) = (try archiveText(first), try archiveText(firstTwin))
        #expect(text == twinText)
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(first) == encoder.encode(firstTwin))
        var decoder = ArchiveDecoder()
        decoder.classes = classRegistry(Square.self, Disc.self)
        for data in [try ArchiveEncoder().encode(first), try ArchiveEncoder().encode(firstTwin)] {
            let copy = try decoder.decode(Wrapped.self, from: data)
            defer {
                copy.next?.clear()
                copy.clear()
            }
            let other = try #require(copy.next)
            #expect(copy.name == "first" && other.name == "second" && other.next == nil)
            #expect(other.back === copy && other.others.elementsEqual([copy, other]) { $0 === $1 })
            #expect(copy.stamp?.number == 7 && other.stamp == nil && copy.notes == ["note"] && other.notes == [])
            #expect(other.shape?.area == 9 && copy.shape == nil && copy.back == nil)
            let twin = try decoder.decode(Twin.Wrapped.self, from: data)
            defer {
                twin.next?.clear()
                twin.clear()
            }
            #expect(twin.next?.back === twin && twin.next?.others.first === twin && twin.next?.shape?.area == 9)
        }
    }

    @Test func `behind a protocol is found by name`() throws {
        final class Holder: ArchivedFields {
            @Polymorphic var shapes: [any Shape]
            var disc: Disc?
            init() { shapes = [] }
            static let fields = FieldList<Holder> {
                Field("shapes", \._shapes)
                Field("disc", \.disc)
            }
        }
        let (holder, disc) = (Holder(), Disc())
        disc.area = 2
        disc.neighbour = disc
        defer { disc.neighbour = nil }
        (holder.shapes, holder.disc) = ([Square(1), disc, disc], disc)
        var decoder = ArchiveDecoder()
        decoder.classes = classRegistry(Square.self, Disc.self)
        let copy = try decoder.decode(Holder.self, from: ArchiveEncoder().encode(holder))
        let copiedDisc = try #require(copy.disc)
        defer { copiedDisc.neighbour = nil }
        #expect(copy.shapes.map(\.area) == [1, 2, 2] && copiedDisc.neighbour === copiedDisc && copiedDisc !== disc)
        #expect(copy.shapes[1] as? Disc === copiedDisc && copy.shapes[2] as? Disc === copiedDisc)
    }
}
