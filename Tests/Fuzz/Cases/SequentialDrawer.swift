// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A struct of C.
struct Speck: SequentialValue, Equatable {
    var x, y: Float

    static let sequentialTypeEncoding: TypeEncoding = "{_NSPoint=ff}"

    func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        .structure([.float(x), .float(y)])
    }

    static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Speck {
        guard case .structure(let fields) = value, fields.count == 2, case .float(let x) = fields[0],
            case .float(let y) = fields[1]
        else { throw coder.typeMismatchError(Speck.self, found: value, of: type) }
        return Speck(x: x, y: y)
    }
}

/// A class that codes values of every kind.
public final class Drawer: SequentialCoding, ArchiveDescribing, SequentialContents {
    /// The name in archives.
    public static let archiveName = "Drawer"

    var flag = true
    var small: Int8 = -5
    var byte: UInt8 = 200
    var short: Int16 = -300
    var long = -70_000
    var wide = UInt64.max
    var ratio: Float = 0.5
    var real = 0.1
    var text: String? = "text"
    var cString: String? = "C string"
    var atom = "atom"
    var selector: String? = "draw:"
    var bytes: [UInt8]? = [1, 2, 3]
    var isPart = true
    var speck = Speck(x: 1, y: 1.5)
    var numbers: [Int32] = [1, 300, 70_000]
    var run = (number: 1, length: UInt32(6), name: "name" as String?)
    var data = Data([7, 8])
    var date: Date? = Date(timeIntervalSinceReferenceDate: 1.5)
    var url = URL(string: "file", relativeTo: URL(string: "https://example.org/a/"))
    var names = ["a", "b", "a"]
    var optionals: [Int?] = [nil, 3]
    var rows: [[Double]] = [[1, 0.5], []]
    var tags: Set<String> = ["x"]
    var byName = ["one": 1]
    var byNumber: [Int: [Part]] = [:]
    var value = TypedStream.TypedValue("{_NSRange=QQ}", .structure([.unsigned(3), .unsigned(4)]))
    var story = AttributedText("story")

    init() {}

    /// Reads everything in order.
    public init(coder: SequentialUnarchiver) throws {
        flag = try coder.decode(Bool.self)
        small = try coder.decode(Int8.self)
        byte = try coder.decode(UInt8.self, as: .unsignedCharacter)
        short = try coder.decode(Int16.self)
        long = try coder.decode(Int.self, as: .long)
        wide = try coder.decode(UInt64.self)
        ratio = try coder.decode(Float.self)
        real = try coder.decode(Double.self)
        text = try coder.decode(String?.self)
        cString = try coder.decode(String?.self, as: .cString)
        atom = try coder.decode(String.self, as: .atom)
        selector = try coder.decode(String?.self, as: .selector)
        bytes = try coder.decodeBytes()
        isPart = try coder.decodeClassName() == "Part"
        speck = try coder.decode(Speck.self)
        numbers = try coder.decodeArray(of: Int32.self)
        run = try coder.decodeValues("iI@", as: Int.self, UInt32.self, String?.self)
        data = try coder.decode(Data.self)
        date = try coder.decode(Date?.self)
        url = try coder.decode(URL?.self)
        names = try coder.decode([String].self)
        optionals = try coder.decode([Int?].self)
        rows = try coder.decode([[Double]].self)
        tags = try coder.decode(Set<String>.self)
        byName = try coder.decode([String: Int].self)
        byNumber = try coder.decode([Int: [Part]].self)
        value = try coder.decode(TypedStream.TypedValue.self)
        story = try coder.decode(AttributedText.self)
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: SequentialArchiver) throws {
        try coder.encode(flag)
        try coder.encode(small)
        try coder.encode(byte)
        try coder.encode(short)
        try coder.encode(long, as: .long)
        try coder.encode(wide)
        try coder.encode(ratio)
        try coder.encode(real)
        try coder.encode(text)
        try coder.encode(cString, as: .cString)
        try coder.encode(atom, as: .atom)
        try coder.encode(selector, as: .selector)
        try coder.encodeBytes(bytes ?? [])
        try coder.encodeClass(isPart ? Part.self : nil)
        try coder.encode(speck)
        try coder.encodeArray(numbers)
        try coder.encodeValues("iI@", run.number, run.length, run.name)
        try coder.encode(data)
        try coder.encode(date)
        try coder.encode(url)
        try coder.encode(names)
        try coder.encode(optionals)
        try coder.encode(rows)
        try coder.encode(tags)
        try coder.encode(byName)
        try coder.encode(byNumber)
        try coder.encode(value, as: .object)
        try coder.encode(story)
    }

    var contents: [Any?] {
        [
            flag, small, byte, short, long, wide, ratio, real, text, cString, atom, selector, bytes ?? [], isPart,
            speck.x,
            speck.y, numbers, run.number, run.length, run.name, data, date, url, names, optionals, rows, tags, byName,
            byNumber, value, story,
        ]
    }
}
