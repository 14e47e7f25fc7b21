// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// A struct of an app that draws.
private struct Layer: Codable, Equatable {
    var name = "back"
    var frame = CGRect(x: 1, y: 2.5, width: 640, height: 480)
    var origin = CGPoint(x: -0.1, y: 1e21)
    var size = CGSize(width: 1.0 / 3, height: 0)
    var anchor: CGPoint?
    var selection = NSRange(location: 3, length: 4)
    var points = [CGPoint(x: 0, y: 0), CGPoint(x: 3, y: 4)]
    var named = ["a": CGRect(x: 0, y: 0, width: 1, height: 1)]
    var ranges = [NSRange(location: NSNotFound, length: 0)]
    var corners: Set = [CGSize(width: 5, height: 6)]
}

/// The same as a class of Cocoa's, which asks Foundation's coder for its values.
final class CocoaLayer: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    var frame = CGRect.zero
    var origin = CGPoint.zero
    var size = CGSize.zero
    var selection: NSValue?
    var points: [NSValue] = []
    var ranges: [NSValue] = []

    fileprivate init(_ layer: Layer) {
        (frame, origin, size) = (layer.frame, layer.origin, layer.size)
        selection = NSValue(range: layer.selection)
        points = layer.points.map { NSValue(point: $0) }
        ranges = layer.ranges.map { NSValue(range: $0) }
    }

    init?(coder: NSCoder) {
        frame = coder.decodeRect(forKey: "frame")
        origin = coder.decodePoint(forKey: "origin")
        size = coder.decodeSize(forKey: "size")
        selection = coder.decodeObject(of: NSValue.self, forKey: "selection")
        points = coder.decodeObject(of: [NSArray.self, NSValue.self], forKey: "points") as? [NSValue] ?? []
        ranges = coder.decodeObject(of: [NSArray.self, NSValue.self], forKey: "ranges") as? [NSValue] ?? []
    }

    func encode(with coder: NSCoder) {
        coder.encode(frame, forKey: "frame")
        coder.encode(origin, forKey: "origin")
        coder.encode(size, forKey: "size")
        coder.encode(selection, forKey: "selection")
        coder.encode(points as NSArray, forKey: "points")
        coder.encode(ranges as NSArray, forKey: "ranges")
    }
}

private struct Drawn: Codable, Equatable {
    var frame: CGRect
    var origin: CGPoint
    var size: CGSize
    var selection: NSRange
    var points: [CGPoint]
    var ranges: [NSRange]
}

/// What `coder` writes and reads like a Cocoa class.
private final class Widget: Coding {
    var frame: CGRect
    var ranges: [NSRange]

    init(frame: CGRect, ranges: [NSRange]) { (self.frame, self.ranges) = (frame, ranges) }

    init(coder: KeyedUnarchiver) throws {
        frame = try coder.decode(CGRect.self, forKey: "frame")
        ranges = try coder.decode([NSRange].self, forKey: "ranges")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(frame, forKey: "frame")
        try coder.encode(ranges, forKey: "ranges")
    }
}

@Suite(.inTurn) struct `Points, sizes, rectangles and ranges of Foundation` {
    @Test(arguments: PropertyListFormat.allCases)
    func `come back from both coders`(format: PropertyListFormat) throws {
        #expect(try roundTrip(Layer(), format: format) == Layer())
        let unarchiver = try unarchiver { archiver in
            try archiver.encode(Layer(), forKey: "layer")
            try archiver.encode(CGRect(x: 1, y: 2, width: 3, height: 4), forKey: "rect")
            try archiver.encodeNext(CGPoint(x: 5, y: 6))
            try archiver.encode(Widget(frame: Layer().frame, ranges: Layer().ranges), forKey: "widget")
        }
        #expect(try unarchiver.decode(Layer.self, forKey: "layer") == Layer())
        #expect(try unarchiver.decode(CGRect.self, forKey: "rect") == CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect(try unarchiver.decodeRect(forKey: "rect") == (1, 2, 3, 4))
        #expect(try unarchiver.decodeNext(CGPoint.self) == CGPoint(x: 5, y: 6))
        #expect(try unarchiver.decode(Widget.self, forKey: "widget").frame == Layer().frame)
        #expect(try unarchiver.decodeIfPresent(CGRect.self, forKey: "none") == nil)
    }

    @Test func `come back alone, and exactly`() throws {
        for number in [0, -0.0, 0.1, 1.0 / 3, 1e-7, 1e16, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity] {
            let rect = CGRect(x: number, y: -number, width: number, height: 1)
            #expect(try roundTrip(rect) == rect)
            #expect(try roundTrip([rect.origin]) == [rect.origin])
        }
        #expect(try roundTrip(CGPoint(x: CGFloat.nan, y: 1)).x.isNaN)
        #expect(try roundTrip(NSRange(location: 7, length: 0)) == NSRange(location: 7, length: 0))
    }

    @Test func `are text under a key, and objects of NSValue in collections`() throws {
        struct Shape: Codable {
            var frame = CGRect(x: 1, y: 2.5, width: 3, height: 4)
            var points = [CGPoint(x: 0, y: 0)]
            var range = NSRange(location: 1, length: 2)
        }
        #expect(
            try archiveText(Shape()) == """
                Shape{frame: @"{{1, 2.5}, {3, 4}}", points: NSArray[NSValue{NS.pointval: @"{0, 0}", NS.special: 1}], \
                range: NSValue{NS.rangeval.location: @1, NS.rangeval.length: @2, NS.special: 4}}
                """)
    }

    @Test func `are read by Foundation's coder`() throws {
        let data = try ArchiveEncoder().encode(Layer())
        let name = try #require(KeyedArchive(data).root.className)
        let layer = try withFoundationUnarchiver(of: data, classes: [name: CocoaLayer.self]) {
            try #require($0.decodeObject(of: CocoaLayer.self, forKey: "root"))
        }
        #expect(layer.frame == Layer().frame && layer.origin == Layer().origin && layer.size == Layer().size)
        #expect(layer.selection?.rangeValue == Layer().selection)
        #expect(layer.points.map(\.pointValue) == Layer().points)
        #expect(layer.ranges.map(\.rangeValue) == Layer().ranges)
        let archiver = KeyedArchiver()
        try archiver.encode(Layer().frame, forKey: "frame")
        try withFoundationUnarchiver(of: archiver.finishEncoding()) {
            #expect($0.decodeRect(forKey: "frame") == Layer().frame)
        }
    }

    @Test func `are read from what Foundation's coder writes`() throws {
        let data = foundationArchive(of: CocoaLayer(Layer()))
        let wanted = Drawn(
            frame: Layer().frame, origin: Layer().origin, size: Layer().size, selection: Layer().selection,
            points: Layer().points, ranges: Layer().ranges)
        #expect(try ArchiveDecoder().decode(Drawn.self, from: data) == wanted)
        let values: NSDictionary = [
            "frame": NSValue(rect: wanted.frame), "origin": NSValue(point: wanted.origin),
            "size": NSValue(size: wanted.size), "selection": NSValue(range: wanted.selection),
            "points": wanted.points.map { NSStringFromPoint($0) },
            "ranges": wanted.ranges.map { NSValue(range: $0) },
        ]
        let dictionary = foundationArchive(of: values)
        #expect(try ArchiveDecoder().decode(Drawn.self, from: dictionary) == wanted)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: dictionary)
        #expect(try unarchiver.decode(Drawn.self, forKey: "root") == wanted)
    }

    @Test func `are read from the form in which they encode themselves`() throws {
        let data = try handmadeArchive(
            ["NS.objects": [.uid(2), .uid(3)], "$class": .uid(6)],
            ["NS.objects": [.uid(4), .uid(5)], "$class": .uid(7)],
            ["NS.objects": [.uid(5), .uid(4)], "$class": .uid(7)], 1.5, 2.0, classEntry("NSArray"),
            classEntry("Foundation.CGPoint"))
        #expect(
            try ArchiveDecoder().decode([CGPoint].self, from: data) == [CGPoint(x: 1.5, y: 2), CGPoint(x: 2, y: 1.5)])
    }

    @Test func `are found by lists of types`() throws {
        let unarchiver = try unarchiver { archiver in
            try archiver.encodeObject(CGSize(width: 1, height: 2), forKey: "size")
            try archiver.encodeObject([NSRange(location: 1, length: 2), CGPoint(x: 3, y: 4)] as [Any], forKey: "mixed")
            try archiver.encodeObject(IndexSet([1, 3]), forKey: "indexes")
        }
        let types: [any Any.Type] = [CGPoint.self, CGSize.self, NSRange.self, IndexSet.self, [Any].self]
        #expect(
            try unarchiver.decodeObject(of: types, forKey: "size") as? CGSize == CGSize(width: 1, height: 2))
        let mixed = try #require(try unarchiver.decodeArray(of: types, forKey: "mixed"))
        #expect(mixed[0] as? NSRange == NSRange(location: 1, length: 2) && mixed[1] as? CGPoint == CGPoint(x: 3, y: 4))
        #expect(try unarchiver.decodeObject(of: types, forKey: "indexes") as? IndexSet == IndexSet([1, 3]))
        #expect(unarchiver.archivedClassName(forKey: "indexes") == "NSIndexSet")
        #expect(
            try keyedFailure { try unarchiver.decodeObject(of: [CGRect.self], forKey: "size") }.code
                == "classNotAllowed")
    }

    @Test(
        arguments: [
            (.uid(3), "NSValue"), ("{1}", "{1}"), ("{{0, 0}, {1, 1}}", "{{0"), ("", "string"), (5, "5"),
            (["NS.pointval": "{1, x}", "$class": .uid(4)], "NSValue"),
        ] as [(PropertyList, String)])
    func `are an error where something else is`(value: PropertyList, word: String) throws {
        struct Place: Codable { var at: CGPoint }
        let data = try handmadeArchive(
            ["at": value, "$class": .uid(2)], classEntry("Place"),
            ["NS.sizeval": "{1, 2}", "NS.special": 2, "$class": .uid(4)], classEntry("NSValue"))
        let error = try failure(decoding: Place.self, from: data)
        #expect(error.kind == .typeMismatch && error.path == "at" && error.says(word, "CGPoint"))
    }

    @Test func `are an error where a range has no place in an archive, or is damaged`() throws {
        let error = try failure { try ArchiveEncoder().encode(["a": NSRange(location: -1, length: 2)]) }
        #expect(error.kind == .invalidValue && error.path == "a" && error.says("-1", "NSRange"))
        let data = try handmadeArchive(
            ["NS.rangeval.location": "x", "NS.rangeval.length": 2, "NS.special": 4, "$class": .uid(2)],
            classEntry("NSValue"))
        #expect(try failure(decoding: NSRange.self, from: data).kind == .dataCorrupted)
    }

    @Test(.needs(.corpus)) func `are read from files of SpriteKit, as Foundation reads their texts`() throws {
        let archive = try KeyedArchive(Corpus.data(Corpus.name("29c30d2e7d")))
        var counts = [0, 0, 0]
        for object in archive.objects where object.className == "NSValue" {
            if let text = object["NS.pointval"]?.string {
                #expect(try object.decode(CGPoint.self) == NSPointFromString(text))
                counts[0] += 1
            } else if let text = object["NS.sizeval"]?.string {
                #expect(try object.decode(CGSize.self) == NSSizeFromString(text))
                counts[1] += 1
            } else if let text = object["NS.rectval"]?.string {
                #expect(try object.decode(CGRect.self) == NSRectFromString(text))
                counts[2] += 1
            }
        }
        #expect(counts.allSatisfy { $0 > 0 })
    }
}
