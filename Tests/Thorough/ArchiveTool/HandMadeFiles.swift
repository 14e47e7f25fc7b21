// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// Archives and lists that were put together by hand, so that what the tool says of them can be worked out by hand.
enum HandMade {
    /// A farm: shared objects, a cycle, nil, a list that has an object twice, and an object that nothing refers to.
    static let farm: PropertyList = archive([
        "$null",
        ["$class": .uid(8), "name": .uid(2), "owner": .uid(3), "animals": .uid(5), "debts": .uid(0), "size": 12],
        "Green Hill",
        ["$class": .uid(9), "name": .uid(4), "farm": .uid(1)],
        "Ann",
        ["$class": .uid(10), "NS.objects": [.uid(6), .uid(6)]],
        ["$class": .uid(11), "name": .uid(7), "owner": .uid(3)],
        "Bella",
        classEntry("Farm", "NSObject"),
        classEntry("Owner", "NSObject"),
        classEntry("NSArray", "NSObject"),
        classEntry("Farm.Cow", "Farm.Animal", "NSObject"),
        "left behind",
    ])

    /// An archive of `objects`, with the object 1 under "root", or with what `top` says.
    static func archive(_ objects: [PropertyList], top: PropertyList = ["root": .uid(1)]) -> PropertyList {
        ["$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": .array(objects)]
    }

    /// The description of a class, its own name first.
    static func classEntry(_ chain: String...) -> PropertyList {
        ["$classname": .string(chain[0]), "$classes": .array(chain.map { .string($0) })]
    }

    /// An archive whose root is an NSData-like plain value that holds `data` under "document".
    static func archive(holding data: Data) -> PropertyList {
        archive(["$null", ["$class": .uid(2), "document": .data(data)], classEntry("Holder", "NSObject")])
    }

    /// A list with values of all kinds that both formats have.
    static let everyKind: PropertyList = [
        "name": "Bella", "isCow": true, "big": .integer(18_446_744_073_709_551_615),
        "least": .integer(Int128(Int64.min)), "half": 0.5, "when": .date(Date(timeIntervalSinceReferenceDate: 86400)),
        "bytes": .data(Data([0, 1, 0xFE, 0xFF])), "reference": .uid(7), "list": [1, [2, []], [:]],
    ]

    /// A list with what only the binary format has, and the values that are lost most easily.
    static let binaryOnly: PropertyList = [
        "null": .null, "set": .set([1, 2]), "float": .real32(0.1), "null byte": "a\u{0}b",
        "fraction": .date(Date(timeIntervalSinceReferenceDate: 0.25)),
        "nan": .real(.nan), "signalling": .real(Double(bitPattern: 0x7FF0_0000_0000_0001)),
        "float nan": .real32(Float(bitPattern: 0xFFC0_0001)), "infinity": .real(-.infinity), "minus zero": .real(-0.0),
        "least real": .real(.leastNonzeroMagnitude), "wide": .integer(Int128.max),
        "beyond 2^53": .integer(9_007_199_254_740_993),
    ]

    /// The typedstream of an NSString "hi" with the version 1: what Apple's writer writes, byte by byte.
    static let typedStream = Data(
        [0x04, 0x0B] + Array("streamtyped".utf8) + [0x81, 0xE8, 0x03, 0x84, 0x01] + Array("@".utf8)
            + [0x84, 0x84, 0x84, 0x08] + Array("NSString".utf8) + [0x01, 0x84, 0x84, 0x08] + Array("NSObject".utf8)
            + [0x00, 0x85, 0x84, 0x01] + Array("+".utf8) + [0x02] + Array("hi".utf8) + [0x86])
}
