// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Without @testable: what is used here has to be public.
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The public surface` {
    private func isSendable(_: some Sendable) {}

    @Test func `has an encoder and a decoder that are values`() throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = .xml
        encoder.outputFormatting = .sortedKeys
        encoder.outputFormatting = []
        encoder.classes.register(Int.self, name: "Number", aliases: ["Integer"])
        encoder.userInfo = [:]
        var decoder = ArchiveDecoder()
        decoder.classes = encoder.classes
        decoder.limits.nesting = 7
        decoder.limits.work = 70
        decoder.userInfo = [:]
        isSendable(encoder)
        isSendable(decoder)
        isSendable(encoder.classes)
        isSendable(decoder.limits)
        let data: Data = try encoder.encode(["a": 1])
        let again: [String: Int] = try decoder.decode([String: Int].self, from: data)
        #expect(again == ["a": 1])
        let limits = DecodingLimits()
        #expect(limits.nesting >= 1000)
        #expect(limits.work == nil)
        #expect(limits.objects >= 5_000_000)
        #expect(Set([limits, decoder.limits]).count == 2)
    }

    @Test func `has option sets and formats that compare`() {
        #expect(ArchiveEncoder.OutputFormatting.sortedKeys.rawValue != 0)
        #expect(ArchiveEncoder.OutputFormatting([]).isEmpty)
        #expect(PropertyListFormat.binary != PropertyListFormat.xml)
        #expect(PropertyListFormat.allCases.count == 2)
    }

    @Test func `has property lists as values`() throws {
        let list: PropertyList = ["a": [1, 2.5, "x", true], "uid": .uid(3)]
        isSendable(list)
        #expect(try PropertyList(list.data(format: .xml)) == list)
        #expect(try PropertyList(ArchiveEncoder().encode(7))["$objects"]?[1] == 7)
    }

    @Test func `works under generic code that knows only Encoder and Decoder`() throws {
        struct Relay<Value: Codable>: Codable {
            var value: Value
            init(_ value: Value) { self.value = value }
            init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
            func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
        }
        // Each asks its encoder itself, so that the archive's own forms for these types are passed by.
        #expect(try roundTrip(Relay([1, 2])).value == [1, 2] as [Int])
        #expect(try roundTrip(Relay(["a": 1])).value == ["a": 1])
        #expect(try roundTrip(Relay([7: "x"])).value == [7: "x"])
        #expect(try roundTrip(Relay(Set(["x"]))).value == ["x"])
        #expect(try roundTrip(Relay(Int?.some(3))).value == 3)
        #expect(try roundTrip(Relay(Int?.none)).value == nil)
        #expect(try roundTrip([Relay("text")])[0].value == "text")
        #expect(try roundTrip(["k": Relay(2.5)])["k"]?.value == 2.5)
        #expect(try roundTrip(Relay([[Relay(true)]])).value[0][0].value)
        #expect(try roundTrip(Relay(UInt64.max)).value == .max)
    }

    @Test func `lets an existential encode itself`() throws {
        let values: [any Encodable] = [1, "x", [2.5], ["k": true], Int?.none]
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        }
        #expect(try archiveText(value) == #"Encoding[@1, @"x", NSArray[@2.5], NSDictionary[@"k": @true], NSNull{}]"#)
        for (value, text) in zip(values, ["@1", #"@"x""#, "NSArray[@2.5]", #"NSDictionary[@"k": @true]"#, "nil"]) {
            #expect(try archiveText(value) == text)
        }
    }
}
