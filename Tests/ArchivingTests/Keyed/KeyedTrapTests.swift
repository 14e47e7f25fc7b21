// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `Programming errors with coders` {
    enum Late: String, CaseIterable, Codable {
        case scalar, text, null, bytes, point, object, knownObject, objects, conditional, value, any, nextScalar,
            nextObject, nextValue

        func encode(_ known: CodedItem, to archiver: KeyedArchiver) throws {
            switch self {
            case .scalar: archiver.encode(1, forKey: "late")
            case .text: archiver.encode("late", forKey: "late")
            case .null: archiver.encodeNil(forKey: "late")
            case .bytes: archiver.encodeBytes([1], forKey: "late")
            case .point: archiver.encodePoint(x: 1, y: 2, forKey: "late")
            case .object: try archiver.encode(CodedItem("late", 1), forKey: "late")
            case .knownObject: try archiver.encode(known, forKey: "late")
            case .objects: try archiver.encode([known], forKey: "late")
            case .conditional: try archiver.encodeConditional(known, forKey: "late")
            case .value: try archiver.encode(["late": 1], forKey: "late")
            case .any: try archiver.encodeObject(["late", 1] as [Any], forKey: "late")
            case .nextScalar: archiver.encodeNext(1)
            case .nextObject: try archiver.encodeNext(known)
            case .nextValue: try archiver.encodeNext(["late": 1])
            }
        }
    }

    #if compiler(>=6.3)  // an exit test captures values
        @Test(arguments: Late.allCases)
        func `stop the program that encodes after finishEncoding`(late: Late) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [late] in
                let archiver = KeyedArchiver()
                let item = CodedItem("item", 1)
                try archiver.encode(item, forKey: "item")
                try archiver.encode([1], forKey: "value")
                _ = try archiver.finishEncoding()
                // An error would end the process as well.
                try? late.encode(item, to: archiver)
                exit(0)
            }
            #expect(result.said("finishEncoding()"))
        }
    #endif

    #if compiler(>=6.3)  // an exit test captures values
        @Test func `stop the program whose encode(with:) ends the archive`() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let archiver = KeyedArchiver()
                let scribe = Scribe { coder in _ = try coder.finishEncoding() }
                try? archiver.encode(scribe, forKey: "item")
                exit(0)
            }
            #expect(result.said("finishEncoding()"))
        }
    #endif

    @Test func `stop the program whose encode(to:) of an instance ends the archive`() async {
        final class Finisher: Encodable {
            private let archiver: KeyedArchiver

            init(_ archiver: KeyedArchiver) { self.archiver = archiver }

            func encode(to encoder: any Encoder) throws { _ = try archiver.finishEncoding() }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let archiver = KeyedArchiver()
            try? archiver.encode(Finisher(archiver), forKey: "item")
            exit(0)
        }
        #expect(result.said("finishEncoding()"))
    }

    @Test func `stop the program that encodes with an encoder whose encode(to:) has returned`() async {
        struct Part: Encodable {
            let leave: (any Encoder) -> Void
            func encode(to encoder: any Encoder) { leave(encoder) }
        }
        struct Whole: Encodable {
            func encode(to encoder: any Encoder) throws {
                var kept: (any Encoder)?
                var container = encoder.unkeyedContainer()
                try container.encode(Part { kept = $0 })
                _ = kept?.unkeyedContainer()
            }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try? ArchiveEncoder().encode(Whole())
            exit(0)
        }
        #expect(result.said("after the encode(to:) that received it had returned"))
    }

    #if compiler(>=6.3)  // an exit test captures values
        @Test(arguments: [true, false])
        func `stop the program that encodes with an archiver of ArchiveEncoder after its call`(fails: Bool) async {
            struct Refusal: Error {}
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [fails] in
                var kept: KeyedArchiver?
                let scribe = Scribe { coder in
                    kept = coder
                    if fails { throw Refusal() }
                }
                _ = try? ArchiveEncoder().encode(Coded(scribe))
                kept?.encode(1, forKey: "late")
                exit(0)
            }
            #expect(result.said("ArchiveEncoder"))
        }
    #endif

    enum LateRead: String, CaseIterable, Codable {
        case scalar, required, present, object, knownObject, objects, value, any, contains, next, reference

        func decode(from unarchiver: KeyedUnarchiver) throws {
            switch self {
            case .scalar: _ = try unarchiver.decodeInteger(forKey: "count")
            case .required: _ = try unarchiver.decode(Int.self, forKey: "count")
            case .present: _ = try unarchiver.decodeIfPresent(String.self, forKey: "missing")
            case .object: _ = try unarchiver.decode(CodedItem.self, forKey: "other")
            case .knownObject: _ = try unarchiver.decode(CodedItem.self, forKey: "item")
            case .objects: _ = try unarchiver.decode([CodedItem].self, forKey: "items")
            case .value: _ = try unarchiver.decode([Int].self, forKey: "numbers")
            case .any: _ = try unarchiver.decodeObject(of: [CodedItem.self], forKey: "item")
            case .contains: _ = unarchiver.containsValue(forKey: "item")
            case .next: _ = try unarchiver.decodeNext(Int.self)
            case .reference: _ = try unarchiver.decode(Reference<CodedItem>.self, forKey: "item")
            }
        }
    }

    #if compiler(>=6.3)  // an exit test captures values
        @Test(arguments: LateRead.allCases)
        func `stop the program that decodes after finishDecoding`(late: LateRead) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [late] in
                let unarchiver = try unarchiver { archiver in
                    let item = CodedItem("item", 1)
                    archiver.encode(1, forKey: "count")
                    try archiver.encode(item, forKey: "item")
                    try archiver.encode(CodedItem("other", 2), forKey: "other")
                    try archiver.encode([item], forKey: "items")
                    try archiver.encode([1], forKey: "numbers")
                    archiver.encodeNext(1)
                }
                _ = try unarchiver.decode(CodedItem.self, forKey: "item")
                unarchiver.finishDecoding()
                try? late.decode(from: unarchiver)
                exit(0)
            }
            #expect(result.said("finishDecoding()"))
        }
    #endif

    #if compiler(>=6.3)  // an exit test captures values
        @Test(arguments: ["another class", "the top"])
        func `stop the program that publishes something else than what is decoded`(kind: String) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kind] in
                let data = try KeyedPlace.object.archive { $0.encode(1, forKey: "number") }
                let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
                let item = CodedItem("item", 1)
                if kind == "the top" { unarchiver.publish(item) }
                unarchiver.userInfo[ScribeReader.key] = ScribeReader { $0.publish(item) }
                _ = try? unarchiver.decode(Scribe.self, forKey: "root")
                exit(0)
            }
            #expect(result.said("publish"))
        }
    #endif
}
