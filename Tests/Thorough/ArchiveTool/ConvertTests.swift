// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `convert` {
    /// What `convert` writes of `data`.
    private func converted(_ data: Data, _ options: String...) throws -> Program.Run {
        try Tool.inProcess("convert", on: data, options)
    }

    /// What `convert` writes of `data`, which has to succeed.
    private func result(_ data: Data, _ form: String) throws -> Data {
        let run = try converted(data, "--to", form)
        #expect(run.status == 0, "\(run.errors)")
        return run.bytes
    }

    @Test(arguments: [HandMade.farm, HandMade.everyKind])
    func `makes XML of binary lists, and back`(list: PropertyList) throws {
        let binary = try list.data()
        let xml = try converted(binary, "--to", "xml")
        #expect(xml.errors.isEmpty)
        #expect(xml.output.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"))
        #expect(try PropertyList(xml.bytes) == list)
        let back = try result(xml.bytes, "binary")
        #expect(back.starts(with: Data("bplist00".utf8)))
        #expect(try PropertyList(back) == list)
        #expect(try result(binary, "binary1") == binary)
        #expect(try result(binary, "xml1") == xml.bytes)
        #expect(try result(xml.bytes, "xml") == xml.bytes)
    }

    @Test func `reports values that XML cannot represent`() throws {
        let list: PropertyList = [.date(Date(timeIntervalSinceReferenceDate: 0.5)), .real32(0.5)]
        let run = try converted(list.data(), "--to", "xml")
        #expect(run.status == 0)
        #expect(run.errors.hasPrefix("archivetool: note: XML does not hold all of it"))
        for value in [PropertyList.null, .set([])] {
            let run = try converted(PropertyList.array([value]).data(), "--to", "xml")
            #expect(run.status == 3)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("cannot be written as XML"))
        }
    }

    @Test(
        arguments: [
            (["a": ["CF$UID": 5]], true), ([["CF$UID": -1]], true), (["CF$UID": "5"], false),
            (["CF$UID": 5, "b": 1], false),
            (["a": .uid(5)], false),
        ] as [(PropertyList, Bool)])
    func `reports dictionaries that XML reads as uids`(list: PropertyList, isUID: Bool) throws {
        let run = try converted(list.data(), "--to", "xml")
        let note = "archivetool: note: a dictionary whose only entry is CF$UID with an integer is a uid in XML; "
        #expect(run.status == 0 && run.errors == (isUID ? note + "json-lossless keeps it\n" : ""))
        // Other readers of XML agree.
        let read = try? PropertyList(run.bytes)
        #expect((read == list) == !isUID)
    }

    /// XML with the two characters of the list in `HandMade`, as Foundation and this reader accept it.
    private static let lenient = Data(
        "<?xml version=\"1.0\"?><plist><dict><key>a\u{7}</key><string>b\u{FFFE}</string></dict></plist>".utf8)

    @Test func `refuses to write characters that XML does not have, or replaces them`() throws {
        let list: PropertyList = ["a\u{7}": "b\u{FFFE}"]
        let archive = HandMade.archive([
            "$null", ["$class": .uid(2), "names": ["x", .uid(3)], "z": "\u{1B}"],
            HandMade.classEntry("Farm", "NSObject"), "b\0c",
        ])
        for (data, sentence, replaced) in [
            (try list.data(), "The key at “a\\u{07}”", 2), (Self.lenient, "The key at “a\\u{07}”", 2),
            (try archive.data(), "The string at “root.z”", 2),
        ] {
            let refused = try converted(data, "--to", "xml")
            #expect(refused.status == 3)
            #expect(refused.bytes.isEmpty)
            let quoted = sentence.replacing("“", with: "\"").replacing("”", with: "\"")
            #expect(refused.errors.contains(quoted), "\(refused.errors)")

            let run = try converted(data, "--to", "xml", "--replace-unrepresentable")
            #expect(run.status == 0)
            #expect(run.errors == "archivetool: note: \(replaced) characters that XML does not have are now U+FFFD\n")
            let (clean, count) = try PropertyList(data).replacingCharactersUnrepresentableInXML()
            #expect(count == replaced)
            #expect(try PropertyList(run.bytes) == clean)
        }
        // Without such characters, the option changes nothing.
        let xml = try HandMade.farm.data(format: .xml)
        let run = try converted(xml, "--to", "xml", "--replace-unrepresentable")
        #expect(run.status == 0 && run.errors.isEmpty && run.bytes == xml)
    }

    @Test func `does not write binary data to a terminal`() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(HandMade.farm)
            var terminal = Session.Surroundings()
            terminal.isOutputTerminal = true
            let run = Tool.inProcess(["convert", path, "--to", "binary"], surroundings: terminal)
            #expect(run.status == 2)
            #expect(run.bytes.isEmpty)
            let file = Tool.inProcess(
                ["convert", path, "--to", "binary", "-o", folder["out"].path], surroundings: terminal)
            #expect(file.status == 0)
        }
    }

    // MARK: - Lossless JSON

    @Test(arguments: [HandMade.farm, HandMade.everyKind, HandMade.binaryOnly, 5, "", [], [:], .set([.set([])]), .null])
    func `keeps every value in lossless JSON`(list: PropertyList) throws {
        let data = try list.data()
        for form in ["json-lossless", "lossless"] {
            let json = try result(data, form)
            let back = try PropertyList(result(json, "binary"))
            #expect(back == list)
            // The order of keys as well, and nothing but what was there.
            #expect(back.description == list.description)
            #expect(try result(json, form) == json)
            // Other programs read it.
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: json) }
        }
        let compact = try converted(data, "--to", "json-lossless", "--compact")
        #expect(compact.output.filter { $0 == "\n" }.count == 1)
        #expect(try PropertyList(result(compact.bytes, "binary")) == list)
    }

    @Test func `writes lossless JSON as it is described`() throws {
        let list: PropertyList = [
            "b": [1, .integer(9_007_199_254_740_993), .real(1.5), .real(-0.0), .real(.infinity), .real(.nan)],
            "a": ["k": .uid(3), "k": .data(Data([1, 2]))], "s": .set([.null, true]),
            "d": .date(Date(timeIntervalSinceReferenceDate: -0.5)), "f": .real32(0.1), "t": "\u{0}\u{1B}é\u{202E}",
            "n": .real(Double(bitPattern: 0x7FF0_0000_0000_0001)),
        ]
        #expect(
            String(decoding: try result(list.data(), "json-lossless"), as: UTF8.self) == #"""
                {
                  "$format": "archivetool property list",
                  "$version": 1,
                  "value": {
                    "dict": [
                      [
                        "b",
                        [
                          1,
                          {"int": "9007199254740993"},
                          {"real": "1.5"},
                          {"real": "-0.0"},
                          {"real": "inf"},
                          {"real": "nan"}
                        ]
                      ],
                      [
                        "a",
                        {
                          "dict": [
                            ["k", {"uid": 3}],
                            ["k", {"data": "AQI="}]
                          ]
                        }
                      ],
                      [
                        "s",
                        {
                          "set": [
                            null,
                            true
                          ]
                        }
                      ],
                      ["d", {"date": "-0.5"}],
                      ["f", {"real32": "0.1"}],
                      ["t", "\u0000\u001bé\u202e"],
                      ["n", {"real": "nan:0x7ff0000000000001"}]
                    ]
                  }
                }

                """#)
    }

    @Test(arguments: [
        (
            #"{"$format": "archivetool property list", "$version": 1, "value": [1,}"#,
            "damaged JSON: line 1: a value is missing here"
        ),
        (
            #"{"$format": "archivetool property list", "$version": 1, "value": 1} 2"#,
            "there is more text after the value"
        ),
        (#"{"$format": "archivetool property list", "$version": 1, "value": 1"#, "“,” or “}” has to follow an entry"),
        ("{\"$format\": \"archivetool property list\",\n\"value\": \"a\u{1}\"}", "line 2: a control character"),
        (
            #"{"$format": "archivetool property list", "$version": 1, "value": "\ud800"}"#,
            "a string has a single surrogate"
        ),
        (#"{"$format": "archivetool property list", "$version": 1, "value": "\x"}"#, "is unknown"),
        (#"{"$format": "archivetool property list", "$version": 1, "value": 01}"#, "a number begins with 0"),
        (#"{"$format": "archivetool property list", "$version": 1, "value": tru}"#, "a value is missing here"),
        (#"{"$format": "archivetool property list", "$version": 1}"#, "there is no “value” at the top"),
        (#"{"$format": "archivetool property list", "$version": 2, "value": 1}"#, "“$version” is not 1"),
        (#"{"format": "archivetool property list", "$version": 1, "value": 1}"#, "“$format” is not"),
        (#"{"$format": "archivetool property list", "$version": 1, "value": 1.5}"#, "written {\"real\": \"1.5\"}"),
        (
            #"{"$format": "archivetool property list", "$version": 1, "value": {"real": 1.5}}"#,
            "1.5 is no integer; a number with a fraction is written"
        ),
        (#"{"$format": "archivetool property list", "$version": 1, "value": {"uid": 4294967296}}"#, "the key “uid”"),
        (#"{"$format": "archivetool property list", "$version": 1, "value": {"data": "!"}}"#, "the key “data”"),
        (#"{"$format": "archivetool property list", "$version": 1, "value": {"a": 1, "b": 2}}"#, "has 2 entries"),
        (
            #"{"$format": "archivetool property list", "$version": 1, "value": {"dict": [["a"]]}}"#,
            "no pair of a string and a value"
        ),
    ])
    func `says what is wrong with lossless JSON`(json: String, sentence: String) throws {
        let run = try converted(Data(json.utf8), "--to", "binary")
        #expect(run.status == 3)
        #expect(run.bytes.isEmpty)
        #expect(run.errors.contains(sentence), "\(run.errors)")
    }

    @Test func `reads all that JSON has`() throws {
        let json =
            "\u{FEFF} {\"$format\":\t\"archivetool property list\",\r\n\"$version\":1,\"value\":[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDC04\",-0,-12,{\"int\":\"-340\"},{\"real\":\"1e3\"},{\"dict\":[]},[ ],true,false,null]}\n"
        let list = try PropertyList(result(Data(json.utf8), "binary"))
        #expect(
            list == [
                "\"\\/\u{8}\u{C}\n\r\té🐄", 0, -12, -340, 1000.0, [:], [], true, false, .null,
            ])
    }

    // MARK: - Readable JSON

    @Test func `makes a tree of an archive`() throws {
        #expect(
            String(decoding: try result(HandMade.farm.data(), "json"), as: UTF8.self) == """
                {
                  "$archiver": "NSKeyedArchiver",
                  "$top": {
                    "root": {
                      "$id": 1,
                      "$class": "Farm",
                      "name": "Green Hill",
                      "owner": {
                        "$id": 3,
                        "$class": "Owner",
                        "name": "Ann",
                        "farm": {"$ref": 1}
                      },
                      "animals": [
                        {
                          "$id": 6,
                          "$class": "Farm.Cow",
                          "name": "Bella",
                          "owner": {"$ref": 3}
                        },
                        {"$ref": 6}
                      ],
                      "debts": null,
                      "size": 12
                    }
                  }
                }

                """)
    }

    @Test func `writes Foundation's objects as what they are`() throws {
        let objects: [PropertyList] = [
            "$null",
            [
                "$class": .uid(2), "date": .uid(3), "text": .uid(5), "dictionary": .uid(7), "set": .uid(9), "real": 1.5,
                "float": .real32(0.1), "nan": .real(.nan), "bytes": .data(Data([0xFF])), "$$key": true,
                "missing": .uid(99),
                "plain": ["a": [1]], "keys": .uid(11), "class": .uid(2),
            ],
            HandMade.classEntry("Thing", "NSObject"),
            ["$class": .uid(4), "NS.time": 86400.0], HandMade.classEntry("NSDate", "NSObject"),
            ["$class": .uid(6), "NS.string": "mutable"], HandMade.classEntry("NSMutableString", "NSString", "NSObject"),
            ["$class": .uid(8), "NS.keys": [.uid(5)], "NS.objects": [1]],
            HandMade.classEntry("NSDictionary", "NSObject"),
            ["$class": .uid(10), "NS.objects": [1, 2]], HandMade.classEntry("NSSet", "NSObject"),
            ["$class": .uid(8), "NS.keys": [7], "NS.objects": ["seven"]],
        ]
        #expect(
            String(decoding: try result(HandMade.archive(objects).data(), "json"), as: UTF8.self) == """
                {
                  "$archiver": "NSKeyedArchiver",
                  "$top": {
                    "root": {
                      "$class": "Thing",
                      "date": {"$date": "2001-01-02T00:00:00Z"},
                      "text": "mutable",
                      "dictionary": {
                        "mutable": 1
                      },
                      "set": {
                        "$class": "NSSet",
                        "$elements": [
                          1,
                          2
                        ]
                      },
                      "real": 1.5,
                      "float": 0.1,
                      "nan": {"$real": "nan"},
                      "bytes": {"$data": "/w=="},
                      "$$key": true,
                      "missing": {"$damaged": "The keyed archive is damaged: uid 99 is referenced, but there are only 12 objects"},
                      "plain": {
                        "a": [
                          1
                        ]
                      },
                      "keys": {
                        "$entries": [
                          [
                            7,
                            "seven"
                          ]
                        ]
                      },
                      "class": {"$describedClass": "Thing"}
                    }
                  }
                }

                """)
    }

    @Test func `puts values that would be nested too deep at the end`() throws {
        // A chain of 1000 objects.
        let count = 1000
        var objects: [PropertyList] = ["$null", HandMade.classEntry("Link", "NSObject")]
        for number in 0..<count {
            objects.append([
                "$class": .uid(1), "number": .integer(Int128(number)),
                "next": .uid(UInt32(number + 3) % UInt32(count + 2)),
            ])
        }
        let archive = HandMade.archive(objects, top: ["root": .uid(2)])
        let json = try result(archive.data(), "json")
        let tree = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        let rest = try #require(tree["$objects"] as? [[String: Any]])
        var byID: [Int: [String: Any]] = [:]
        for object in rest { byID[try #require(object["$id"] as? Int)] = object }
        var link = try #require(tree["$top"] as? [String: Any])["root"] as? [String: Any]
        var numbers: [Int] = []
        while let found = link {
            if let reference = found["$ref"] as? Int {
                link = byID[reference]
                continue
            }
            numbers.append(try #require(found["number"] as? Int))
            link = found["next"] as? [String: Any]
        }
        #expect(numbers == Array(0..<count))
    }

    @Test func `makes a tree of a property list`() throws {
        let list: PropertyList = ["a": [1, .real32(0.5), .uid(4)], "$b": .set([]), "c": .null, "d": .data(Data([1]))]
        let run = try converted(list.data(), "--to", "json", "--compact")
        #expect(run.output == #"{"a":[1,0.5,{"$uid":4}],"$$b":{"$set":[]},"c":null,"d":{"$data":"AQ=="}}"# + "\n")
    }

    @Test func `makes a tree of a typedstream, and nothing else`() throws {
        let run = try converted(HandMade.typedStream, "--to", "json")
        #expect(
            run.output == """
                {
                  "$typedstream": {
                    "version": 4,
                    "system": 1000,
                    "byteOrder": "littleEndian"
                  },
                  "$top": [
                    "hi"
                  ]
                }

                """)
        for form in ["binary", "xml", "json-lossless"] {
            let run = try converted(HandMade.typedStream, "--to", form)
            #expect(run.status == 2)
            #expect(run.errors.contains("can be converted to “json” only"))
        }
    }
}
