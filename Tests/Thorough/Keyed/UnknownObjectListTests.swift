// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A list of types with UnknownObject` {
    /// Objects of Foundation's classes, and their names.
    private static let data = Result<Data, any Error> {
        try handmadeArchive(
            top: [
                "list": .uid(1), "table": .uid(2), "set": .uid(3), "path": .uid(4), "date": .uid(5), "number": .uid(6),
                "own": .uid(7), "text": .uid(8), "ordered": .uid(9), "null": .uid(17),
            ], ["NS.objects": [.uid(8), .uid(5)], "$class": .uid(10)],
            ["NS.keys": [.uid(8)], "NS.objects": [.uid(8)], "$class": .uid(11)],
            ["NS.objects": [.uid(8)], "$class": .uid(12)],
            ["NSIndexPathLength": 1, "NSIndexPathValue": 3, "$class": .uid(13)],
            ["NS.time": 5.0, "$class": .uid(14)], ["NS.number": 5, "$class": .uid(15)], ["a": 1, "$class": .uid(16)],
            "text", ["NS.object.0": .uid(8), "$class": .uid(18)], classEntry("NSArray"), classEntry("NSDictionary"),
            classEntry("NSSet"), classEntry("NSIndexPath"), classEntry("NSDate"), classEntry("NSNumber", "NSValue"),
            classEntry("MyThing"), ["$class": .uid(19)], classEntry("NSOrderedSet"), classEntry("NSNull"))
    }

    private func unarchiver() throws -> KeyedUnarchiver { try KeyedUnarchiver(forReadingFrom: Self.data.get()) }

    @Test(
        arguments: [
            "list": "NSArray", "table": "NSDictionary", "set": "NSSet", "path": "NSIndexPath", "date": "NSDate",
            "number": "NSNumber", "own": "MyThing", "ordered": "NSOrderedSet",
        ])
    func `takes an object of any class`(key: String, className: String) throws {
        let object = try unarchiver().decodeObject(of: [UnknownObject.self], forKey: key)
        #expect((object as? UnknownObject)?.value.className == className)
    }

    @Test func `takes what another type of the list has as that type`() throws {
        let unarchiver = try unarchiver()
        let list = try unarchiver.decodeArray(of: [UnknownObject.self, String.self], forKey: "list")
        #expect(list?[0] as? String == "text" && (list?[1] as? UnknownObject)?.value.className == "NSDate")
        let types: [any Any.Type] = [UnknownObject.self, [Any].self, Date.self, String.self]
        let values = try unarchiver.decodeObject(of: types, forKey: "list") as? [Any]
        #expect(values?[0] as? String == "text" && values?[1] as? Date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(try unarchiver.decodeObject(of: [UnknownObject.self, Int.self], forKey: "number") as? Int == 5)
        #expect(try unarchiver.decodeObject(of: [UnknownObject.self], forKey: "null") == nil)
    }

    @Test func `does not take leaves, and its error is a sentence`() throws {
        let unarchiver = try unarchiver()
        let error = try keyedFailure { try unarchiver.decodeObject(of: [UnknownObject.self], forKey: "text") }
        #expect(error.code == "classNotAllowed" && error.path == "text")
        #expect(error.says("the string \"text\"", "where only UnknownObject is allowed."))
    }

    @Test func `without it says in a sentence what is allowed`() throws {
        let sentences: [(types: [any Any.Type], sentence: String)] = [
            ([], "where the call's list allows nothing."), ([Int.self], "where only Int is allowed."),
            ([Int.self, Bool.self], "where only Int and Bool are allowed."),
            ([Int.self, Bool.self, Date.self], "where only Int, Bool and Date are allowed."),
        ]
        let unarchiver = try unarchiver()
        for (types, sentence) in sentences {
            #expect(try keyedFailure { try unarchiver.decodeObject(of: types, forKey: "text") }.says(sentence))
        }
    }

    @Test func `is the suggestion in the error of a call without a list`() throws {
        let error = try keyedFailure { try unarchiver().decodeObject(forKey: "list") }
        #expect(error.code == "classNotAllowed" && error.path == "list")
        #expect(error.says("NSArray", "names no allowed type", "decodeObject(of:forKey:)"))
    }
}
