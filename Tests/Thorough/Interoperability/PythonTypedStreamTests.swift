// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// The Python that `ARCHIVING_PYTHON` names, the one of `scripts/install-peers`, or the one in the search path, if it has the
/// package pytypedstream.
private let python: Program? = {
    let named = ProcessInfo.processInfo.environment["ARCHIVING_PYTHON"]
    let path = named ?? Repository.folder("", or: ".build/python/bin")?.appending(path: "python").path
    let python = path.map { Program(path: $0) } ?? Program.installed("python3")
    return (try? python?.run(["-c", "import typedstream"]).status) == 0 ? python : nil
}()

extension Need {
    fileprivate static let pytypedstream = Need(
        "pytypedstream", "scripts/install-peers installs it, or set ARCHIVING_PYTHON to a Python that has it"
    ) { python != nil }
}

/// What is written here, as another reader sees it.
@Suite(.inTurn, .needs(.pytypedstream))
struct `Python's pytypedstream reads` {
    /// What it does with the file `data`.
    private func read(_ data: Data) throws -> Program.Run {
        try TemporaryFolder.with { try #require(python).run(["-m", "typedstream", "read", $0.write(data)]) }
    }

    /// What it prints of the stream.
    private func listing(_ stream: TypedStream) throws -> String {
        let run = try read(stream.data())
        try #require(run.status == 0, "\(run.errors)")
        return run.output
    }

    private static let orders: [TypedStream.ByteOrder] = [.littleEndian, .bigEndian]

    private static func stream(_ byteOrder: TypedStream.ByteOrder) -> TypedStream {
        var stream = TypedStream(byteOrder: byteOrder)
        stream.classes = [
            TypedStream.Class("Crew", version: 3, superclassIndex: 1), TypedStream.Class("Root", version: -1),
        ]
        stream.cStrings = [Array("a\"'\n".utf8), Array("a".utf8), Array("a".utf8)]
        stream.objects = [
            TypedStream.Object(
                classIndex: 0,
                groups: [
                    TypedStream.Group([.object, .object], [.object(0), .object(1)]),
                    TypedStream.Group([.array(count: 2, of: .object)], [.array([.object(nil), .object(1)])]),
                ]),
            TypedStream.Object(classIndex: 1),
        ]
        stream.groups = [
            TypedStream.Group([.object, .class, .class], [.object(0), .class(1), .class(nil)]),
            TypedStream.Group(
                [.cString, .cString, .cString, .cString, .cString],
                [.cString(0), .cString(1), .cString(2), .cString(1), .cString(nil)]),
            TypedStream.Group(
                [.atom, .selector, .selector, .bytes, .bytes, .ignored],
                [
                    .name(Array("Ohlfs".utf8)), .name(Array("a:b:".utf8)), .name(nil), .bytes([0, 0xFF, 0x5C]),
                    .bytes(nil), .ignored,
                ]),
            TypedStream.Group(
                [
                    .structure(
                        name: "_P",
                        fields: [
                            .structure(name: nil, fields: [.float, .double]), .array(count: 3, of: .character),
                            .array(count: 2, of: .unsignedShort), .structure(name: "?", fields: []),
                        ])
                ],
                [
                    .structure([
                        .structure([.float(0.5), .double(0.1)]), .bytes([0x61, 0x80, 0]),
                        .array([.unsigned(1), .unsigned(300)]), .structure([]),
                    ])
                ]),
        ]
        return stream
    }

    @Test(arguments: orders)
    func `objects, classes, texts and structs`(byteOrder: TypedStream.ByteOrder) throws {
        let text = try listing(Self.stream(byteOrder))
        let expected = #"""
            streamer version 4, byte order ORDER, system version 1000

            begin typed values (types [b'@', b'#', b'#'])
            	begin literal object (#0)
            		class Crew v3 (#1)
            		class Root v-1 (#2)
            		None
            		begin typed values (types [b'@', b'@'])
            			<reference to object #0>
            			begin literal object (#3)
            				<reference to class #2>
            			end literal object
            		end typed values
            		begin typed values (types [b'[2@]'])
            			begin array (element type b'@', length 2)
            				None
            				<reference to object #3>
            			end array
            		end typed values
            	end literal object
            	<reference to class #2>
            	None
            end typed values
            begin typed values (types [b'*', b'*', b'*', b'*', b'*'])
            	C string: b'a"\'\n' (#4)
            	C string: b'a' (#5)
            	C string: b'a' (#6)
            	<reference to C string #5>
            	None
            end typed values
            begin typed values (types [b'%', b':', b':', b'+', b'+', b'!'])
            	atom: b'Ohlfs'
            	selector: b'a:b:'
            	selector: None
            	b'\x00\xff\\'
            	None
            	None
            end typed values
            begin typed values (types [b'{_P={fd}[3c][2S]{?=}}'])
            	begin struct _P (field types [b'{fd}', b'[3c]', b'[2S]', b'{?=}'])
            		begin struct (no name) (field types [b'f', b'd'])
            			0.5
            			0.1
            		end struct
            		byte array (element type b'c'): b'a\x80\x00'
            		begin array (element type b'S', length 2)
            			1
            			300
            		end array
            		begin struct ? (field types [])
            		end struct
            	end struct
            end typed values

            """#
        #expect(text == expected.replacing("ORDER", with: byteOrder == .littleEndian ? "little" : "big"))
        // The listing that the corpus is compared with is the same.
        #expect(TypedStreamListing.lines(Self.stream(byteOrder)).joined(separator: "\n") + "\n" == text)
    }

    @Test(arguments: orders)
    func `numbers`(byteOrder: TypedStream.ByteOrder) throws {
        let signed: [Int64] = [0, 1, -1, 127, 128, -110, -111, -128, -129, 32767, -32768]
        let wide: [Int64] = [32768, -32769, 2_147_483_647, -2_147_483_648]
        let reals = [0, -0.0, 1, 0.1, -2.5, 2_147_483_647, 2_147_483_648, -2_147_483_648, 1e300, .infinity, .nan]
        var stream = TypedStream(byteOrder: byteOrder)
        stream.systemVersion = 930
        stream.groups = [
            TypedStream.Group([.short], [.integer(-32768)]),
            TypedStream.Group(Array(repeating: .int, count: 15), (signed + wide).map { .integer($0) }),
            TypedStream.Group(Array(repeating: .longLong, count: 15), (signed + wide).map { .integer($0) }),
            TypedStream.Group(
                [.character, .unsignedCharacter, .bool, .bool],
                [.integer(-128), .unsigned(255), .unsigned(0), .unsigned(1)]),
            TypedStream.Group(Array(repeating: .double, count: 11), reals.map { .double($0) }),
            TypedStream.Group(
                [.float, .float, .float, .float],
                [.float(0.5), .float(16_777_216), .float(2_147_483_648), .float(-0.0)]),
            // Not those whose byte has the sign of a negative number: pytypedstream takes FF, 65535 in an S, for 255.
            TypedStream.Group(
                [.unsignedShort, .unsignedShort, .unsignedInt, .unsignedInt],
                [.unsigned(127), .unsigned(253), .unsigned(65535), .unsigned(2_147_483_648)]),
        ]
        let lines = try listing(stream).split(separator: "\n").map(String.init)
        let values = lines.dropFirst().filter { $0.hasPrefix("\t") }.map { String($0.dropFirst()) }
        let integers = [
            "0", "1", "-1", "127", "128", "-110", "-111", "-128", "-129", "32767", "-32768", "32768", "-32769",
            "2147483647", "-2147483648",
        ]
        #expect(
            values == ["-32768"] + integers + integers + ["-128", "255", "False", "True"]
                + [
                    "0.0", "-0.0", "1.0", "0.1", "-2.5", "2147483647.0", "2147483648.0", "-2147483648.0", "1e+300",
                    "inf", "nan",
                ] + ["0.5", "16777216.0", "2147483648.0", "-0.0"] + ["127", "253", "65535", "2147483648"])
        let order = byteOrder == .littleEndian ? "little" : "big"
        #expect(lines[0] == "streamer version 4, byte order \(order), system version 930")
    }

    @Test func `what has been changed in a file`() throws {
        var stream = Self.stream(.littleEndian)
        stream = try TypedStream(stream.data())
        stream.objects[1].groups.append(TypedStream.Group([.bytes], [.bytes(Array("new".utf8))]))
        stream.groups.removeLast(3)
        let lines = try listing(stream).split(separator: "\n").map(String.init)
        #expect(lines.contains("\t\t\t\t\tb'new'") && lines.count == 25)
        #expect(try lines == TypedStreamListing.lines(TypedStream(stream.data())).filter { !$0.isEmpty })
    }

    @Test func `not the numbers of 8 bytes, which Apple's systems write today`() throws {
        var stream = TypedStream()
        stream.groups = [TypedStream.Group([.longLong], [.integer(9_000_000_000)])]
        let data = try stream.data()
        // 9 000 000 000 is 0x218711A00.
        #expect(data.suffix(9) == Data([0x87, 0x00, 0x1A, 0x71, 0x18, 0x02, 0, 0, 0]))
        // When it learns to, this test says so.
        let run = try read(data)
        #expect(run.status != 0 && (run.output + run.errors).contains("0x87"))
    }
}
