// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Objects of Foundation's classes that Swift has no value for, written by Foundation's `NSKeyedArchiver` on this
/// machine and read by a class that is registered under the name of Foundation's.
///
/// Foundation on Linux crashes when it archives an NSError, an NSDecimalNumber or an NSMutableCharacterSet; archives of
/// those are made with plistlib (`Coding reads archives by plistlib`).
@Suite(.inTurn) struct `Coding classes replace Foundation's` {
    /// The object that Foundation archives, as one of a class that is registered under `name`.
    private func read<Object: Coding>(
        _ type: Object.Type, for name: String, and others: [String: any Any.Type] = [:], of object: Any,
        _ check: (Object) throws -> Void
    ) throws {
        var classes = others
        classes[name] = type
        try withFoundationArchive(of: object, classes: classes) { coder throws in
            #expect(coder.archivedClassName(forKey: "object") == name)
            try check(try coder.decode(type, forKey: "object"))
        }
    }

    @Test func `an NSCountedSet`() throws {
        try read(CountedSetStandIn.self, for: "NSCountedSet", of: NSCountedSet(array: ["a", "b", "a"])) {
            #expect($0.counts == ["a": 2, "b": 1])
        }
        try read(CountedSetStandIn.self, for: "NSCountedSet", of: NSCountedSet()) { #expect($0.counts.isEmpty) }
    }

    @Test func `an NSOrderedSet and an NSMutableOrderedSet`() throws {
        try read(OrderedSetStandIn.self, for: "NSOrderedSet", of: NSOrderedSet(array: ["z", "a"])) {
            #expect($0.elements == ["z", "a"])
        }
        try read(OrderedSetStandIn.self, for: "NSMutableOrderedSet", of: NSMutableOrderedSet(array: [3, 1, 2])) {
            #expect($0.elements == [3, 1, 2])
        }
    }

    @Test func `an NSNull`() throws {
        let null = NSNull()
        try read(NullStandIn.self, for: "NSNull", of: null) { _ in }
        // One instance: two are equal and differ in their hashes on Linux, which crashes Foundation's archiver.
        try withFoundationArchive(of: [null, null] as NSArray, classes: ["NSNull": NullStandIn.self]) { coder throws in
            let nulls = try coder.decode([NullStandIn].self, forKey: "object")
            #expect(nulls.count == 2 && nulls[0] === nulls[1])
        }
    }

    @Test func `an NSValue of ranges, points, sizes, rectangles and insets`() throws {
        let values: [(NSValue, ValueStandIn.Contents)] = [
            (NSValue(range: NSRange(location: 3, length: 4)), .range(location: 3, length: 4)),
            (NSValue(range: NSRange(location: .max, length: 0)), .range(location: .max, length: 0)),
            (NSValue(point: NSPoint(x: 1.5, y: -2)), .point(x: 1.5, y: -2)),
            (NSValue(size: NSSize(width: 0.1, height: 1e300)), .size(width: 0.1, height: 1e300)),
            (NSValue(rect: NSRect(x: 1, y: 2, width: 3, height: 4)), .rect(x: 1, y: 2, width: 3, height: 4)),
            (
                NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)),
                .insets(top: 1, left: 2, bottom: 3, right: 4)
            ),
        ]
        for (value, contents) in values {
            try read(ValueStandIn.self, for: "NSValue", of: value) { #expect($0.contents == contents) }
        }
    }

    @Test func `an NSAttributedString with attributes for all of it`() throws {
        let text = NSAttributedString(string: "hello", attributes: [NSAttributedString.Key("k"): "v"])
        try read(AttributedStringStandIn.self, for: "NSAttributedString", of: text) {
            #expect($0.runs == [.init(text: "hello", attributes: ["k": "v"])])
        }
    }

    @Test func `an NSMutableAttributedString with attributes for parts of it`() throws {
        let text = NSMutableAttributedString(string: "hällo world")
        text.addAttribute(NSAttributedString.Key("k"), value: "v", range: NSRange(location: 0, length: 5))
        try read(AttributedStringStandIn.self, for: "NSMutableAttributedString", of: text) {
            #expect(
                $0.runs == [.init(text: "hällo", attributes: ["k": "v"]), .init(text: " world", attributes: [:])])
        }
    }

    @Test func `an NSNotification`() throws {
        let full = NSNotification(name: .init("name"), object: "object" as NSString, userInfo: ["a": "b"])
        try read(NotificationStandIn.self, for: "NSNotification", of: full) {
            #expect($0.name == "name" && $0.object == "object" && $0.userInfo as? [String: String] == ["a": "b"])
        }
        // Foundation on Linux writes this one, and traps when it reads it.
        let bare = NSNotification(name: .init("name"), object: nil, userInfo: nil)
        try read(NotificationStandIn.self, for: "NSNotification", of: bare) {
            #expect($0.name == "name" && $0.object == nil && $0.userInfo == nil)
        }
    }

    @Test func `an NSCharacterSet in all of its forms`() throws {
        let sets: [(NSCharacterSet, CharacterSetStandIn.Contents, isInverted: Bool)] = [
            (NSCharacterSet(charactersIn: "abc"), .characters("abc"), false),
            (NSCharacterSet(range: NSRange(location: 65, length: 26)), .range(location: 65, length: 26), false),
            (CharacterSet.alphanumerics as NSCharacterSet, .builtin(10), false),
            (CharacterSet.alphanumerics.inverted as NSCharacterSet, .builtin(10), true),
            // All planes, 8192 bytes and the number of the plane for each but the first.
            (
                NSCharacterSet(charactersIn: "abc").inverted as NSCharacterSet, .bitmap(byteCount: 17 * 8193 - 1), false
            ),
        ]
        for (set, contents, isInverted) in sets {
            try read(CharacterSetStandIn.self, for: "NSCharacterSet", of: set) {
                #expect($0.contents == contents && $0.isInverted == isInverted)
            }
        }
    }

    @Test func `an NSMeasurement`() throws {
        let classes: [String: any Any.Type] = [
            "NSUnitLength": UnitStandIn.self, "NSUnitConverterLinear": ConverterStandIn.self,
        ]
        let length = NSMeasurement(doubleValue: 2.5, unit: UnitLength.kilometers)
        try read(MeasurementStandIn.self, for: "NSMeasurement", and: classes, of: length) {
            #expect($0.value == 2.5 && $0.unit.symbol == "km")
            #expect($0.unit.converter?.coefficient == 1000 && $0.unit.converter?.constant == 0)
        }
        let others: [String: any Any.Type] = [
            "NSUnitFuelEfficiency": UnitStandIn.self, "NSUnitConverterReciprocal": ConverterStandIn.self,
        ]
        let efficiency = NSMeasurement(doubleValue: 7, unit: UnitFuelEfficiency.litersPer100Kilometers)
        try read(MeasurementStandIn.self, for: "NSMeasurement", and: others, of: efficiency) {
            #expect($0.unit.symbol == "L/100km")
            #expect($0.unit.converter?.reciprocal == 1 && $0.unit.converter?.coefficient == nil)
        }
    }

    /// Only the scale is an object, and what is false has no key.
    @Test func `an NSDecimalNumberHandler`() throws {
        let handler = NSDecimalNumberHandler(
            roundingMode: .bankers, scale: 3, raiseOnExactness: true, raiseOnOverflow: false, raiseOnUnderflow: true,
            raiseOnDivideByZero: false)
        try read(DecimalHandlerStandIn.self, for: "NSDecimalNumberHandler", of: handler) {
            #expect($0.scale == 3 && $0.roundingMode == 3 && $0.raises == [true, false, true, false])
        }
    }

    @Test func `an NSURLQueryItem`() throws {
        try read(QueryItemStandIn.self, for: "NSURLQueryItem", of: NSURLQueryItem(name: "n", value: "ä b")) {
            #expect($0.name == "n" && $0.value == "ä b")
        }
        try read(QueryItemStandIn.self, for: "NSURLQueryItem", of: NSURLQueryItem(name: "n", value: nil)) {
            #expect($0.name == "n" && $0.value == nil)
        }
    }

    @Test func `arrays of C values`() throws {
        let classes = ["_NSKeyedCoderOldStyleArray": CArrayStandIn.self]
        try withFoundationArchive(classes: classes) { coder in
            var integers: [Int32] = [1, -2, .max]
            coder.encodeArray(ofObjCType: "i", count: 3, at: &integers)
            var bytes: [UInt8] = [255, 0]
            coder.encodeArray(ofObjCType: "C", count: 2, at: &bytes)
        } read: { coder throws in
            let integers = try coder.decodeNext(CArrayStandIn.self)
            #expect(integers.elements == [1, -2, Int(Int32.max)])
            #expect(integers.typeCode == "i" && integers.elementSize == 4)
            let bytes = try coder.decodeNext(CArrayStandIn.self)
            #expect(bytes.elements == [255, 0] && bytes.typeCode == "C" && bytes.elementSize == 1)
        }
    }

    @Test func `only where they are registered`() throws {
        let value = NSValue(range: NSRange(location: 3, length: 4))
        try withFoundationArchive(of: [value] as NSArray) { coder throws in
            let error = #expect(throws: ArchivingError.self) {
                try coder.decodeObject(of: [[Any].self, ValueStandIn.self], forKey: "object")
            }
            #expect(error?.debugDescription.contains("NSValue") == true)
        }
    }
}
