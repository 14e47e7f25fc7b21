// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TestSupport
import Testing

@Suite(.inTurn)
struct `Codes of errors` {
    private static let propertyList: [(String, PropertyListError.Code)] = [
        ("notAPropertyList", .notAPropertyList), ("damaged", .damaged), ("limit", .limit),
        ("unrepresentableInXML", .unrepresentableInXML),
    ]

    private static let keyedArchive: [(String, KeyedArchiveError.Code)] = [
        ("notAnArchive", .notAnArchive), ("damaged", .damaged), ("limit", .limit),
        ("notFound", .notFound), ("wrongKind", .wrongKind),
    ]

    @Test(arguments: propertyList)
    func `of property lists have their names`(name: String, code: PropertyListError.Code) {
        #expect("\(code)" == name)
    }

    @Test(arguments: keyedArchive)
    func `of keyed archives have their names`(name: String, code: KeyedArchiveError.Code) {
        #expect("\(code)" == name)
    }

    @Test func `differ from each other`() {
        #expect(Set(Self.propertyList.map(\.1)).count == Self.propertyList.count)
        #expect(Set(Self.keyedArchive.map(\.1)).count == Self.keyedArchive.count)
    }
}
