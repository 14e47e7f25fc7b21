// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What Python's plistlib finds in our archives.
@Suite(.inTurn, .needs(.tool("python3")))
struct `Python's plistlib` {
    /// Prints a property list in one line, in the notation of `line(_:)`.
    private static let script = #"""
        import datetime, plistlib, struct, sys

        def line(value):
            if isinstance(value, bool):
                return 'true' if value else 'false'
            if isinstance(value, int):
                return str(value)
            if isinstance(value, float):
                return 'nan' if value != value else struct.pack('>d', value).hex()
            if isinstance(value, str):
                return '"' + ''.join(str(ord(c)) + ' ' for c in value) + '"'
            if isinstance(value, bytes):
                return '<' + value.hex() + '>'
            if isinstance(value, plistlib.UID):
                return '->' + str(value.data)
            if isinstance(value, list):
                return '[' + ','.join(line(element) for element in value) + ']'
            if list(value) == ['CF$UID']:
                return '->' + str(value['CF$UID'])
            return '{' + ','.join(sorted(line(key) + ':' + line(value[key]) for key in value)) + '}'

        with open(sys.argv[1], 'rb') as file:
            print(line(plistlib.load(file)))
        """#

    private func line(_ list: PropertyList) -> String {
        switch list {
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): line(value)
        case .real32(let value): line(Double(value))
        case .string(let value): "\"" + value.unicodeScalars.map { "\($0.value) " }.joined() + "\""
        case .data(let value): "<" + value.map(hexadecimal).joined() + ">"
        case .uid(let value): "->\(value)"
        case .array(let elements): "[" + elements.map(line).joined(separator: ",") + "]"
        case .dictionary(let entries):
            "{" + entries.map { line(.string($0.key)) + ":" + line($0.value) }.sorted().joined(separator: ",") + "}"
        case .null, .date, .set: "\(list), which archives have not"
        }
    }

    private func line(_ real: Double) -> String {
        real.isNaN ? "nan" : withUnsafeBytes(of: real.bitPattern.bigEndian) { $0.map(hexadecimal).joined() }
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }

    /// What plistlib finds in `data`, in one line.
    private func pythonLine(_ data: Data) throws -> String {
        try TemporaryFolder.with { try Plistlib.run(Self.script, $0.write(data)) }
    }

    struct Everything: Encodable {
        var integers: [Int64] = [0, -1, 127, 128, 255, 256, 65_535, 65_536, 1 << 32, .max, .min]
        var large = [UInt64.max]
        var reals = [0.1, -0.0, .infinity, .nan, 1e-300]
        var float: Float = 0.1
        var flags = [true, false]
        var strings = ["", "a", "ä", "𝄞", "<&>\"'", "tab\tand\nline", "$null", String(repeating: "x", count: 300)]
        var nothing: [Int?] = [nil, 1]
        var dictionary = ["a": ["b": [1.5]], "": [:]]
        var data = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
        var date = Date(timeIntervalSinceReferenceDate: 0.5)
        var url = URL(string: "b", relativeTo: URL(string: "http://a/"))
        var uuid = UUID()
        var decimal = Decimal(string: "-12345.678")
        var farms = [SampleFarm.example, SampleFarm.example]
        var declaredFarms = [DeclaredFarm.example, DeclaredFarm.example]
        var many = (0..<70_000).map { "string \($0)" }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `loads archives and agrees with this library`(format: PropertyListFormat) throws {
        let data = try ArchiveEncoder.sampleFarm(format).encode(Everything())
        #expect(try pythonLine(data) == line(try PropertyList(data)))
    }

    @Test func `finds the same in both formats`() throws {
        let lines = try PropertyListFormat.allCases.map {
            try pythonLine(ArchiveEncoder.sampleFarm($0).encode(SampleFarm.example))
        }
        #expect(lines[0] == lines[1])
    }

    @Test func `reads the characters that the library writes as XML, and no others`() throws {
        let borders =
            (0...0x20).map { $0 } + [
                0x7F, 0x80, 0x9F, 0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1FFFE, 0x10FFFF,
            ]
        let python = try #require(Program.installed("python3"))
        var written: [PropertyList] = []
        for scalar in borders.compactMap({ Unicode.Scalar($0) }) {
            let text = "a" + String(scalar) + "b"
            if (try? PropertyList.string(text).data(format: .xml)) != nil {
                written.append(.string(text))
            } else {
                let raw = Data("<?xml version=\"1.0\"?><plist><string>\(text)</string></plist>".utf8)
                #expect(try PropertyList(raw) == .string(text))
                let run = try TemporaryFolder.with { try python.run(["-c", Self.script, $0.write(raw)]) }
                #expect(run.status != 0 && run.errors.contains("not well-formed"), "\(scalar.value)")
            }
        }
        #expect(written.count == borders.count - 31)
        let list = PropertyList.array(written)
        #expect(try pythonLine(list.data(format: .xml)) == line(list))
    }
}
