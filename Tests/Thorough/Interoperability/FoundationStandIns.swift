// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

// What a program writes that has to read objects of Foundation's classes, for which Swift has no value, or none that
// it wants: a small class for each, which reads the keys of that class. None of them is ever written.

/// What all of these have in common.
protocol StandIn: Coding {}

extension StandIn {
    func encode(with coder: KeyedArchiver) throws { throw CocoaError(.coderInvalidValue) }
}

// MARK: - Collections

/// NSCountedSet: each element beside the number of its occurrences.
final class CountedSetStandIn: StandIn {
    private(set) var counts: [AnyHashable: Int] = [:]

    init(coder: KeyedUnarchiver) throws {
        for index in 0..<(try coder.decodeInteger(forKey: "NS.count")) {
            let element = try coder.decodeObject(of: [String.self, Int.self], forKey: "NS.object\(index)")
            guard let element = element as? AnyHashable else { throw CocoaError(.coderReadCorrupt) }
            counts[element] = try coder.decodeInteger(forKey: "NS.count\(index)")
        }
    }
}

/// NSOrderedSet and NSMutableOrderedSet: a key for each element, as long as there are some.
final class OrderedSetStandIn: StandIn {
    private(set) var elements: [AnyHashable] = []

    init(coder: KeyedUnarchiver) throws {
        while coder.containsValue(forKey: "NS.object.\(elements.count)") {
            let element = try coder.decodeObject(of: [String.self, Int.self], forKey: "NS.object.\(elements.count)")
            guard let element = element as? AnyHashable else { throw CocoaError(.coderReadCorrupt) }
            elements.append(element)
        }
    }
}

/// The array of C values that `encodeArray(ofObjCType:count:at:)` writes.
final class CArrayStandIn: StandIn {
    let elementSize: Int
    let typeCode: Character
    private(set) var elements: [Int] = []

    init(coder: KeyedUnarchiver) throws {
        elementSize = try coder.decodeInteger(forKey: "NS.size")
        typeCode = Character(UnicodeScalar(try coder.decodeIfPresent(UInt8.self, forKey: "NS.type") ?? 0))
        for _ in 0..<(try coder.decodeInteger(forKey: "NS.count")) { elements.append(try coder.decodeNext(Int.self)) }
    }
}

/// NSNull.
final class NullStandIn: StandIn {
    init(coder: KeyedUnarchiver) throws {}
}

// MARK: - Values

/// NSValue of the kinds that Cocoa archives.
final class ValueStandIn: StandIn {
    enum Contents: Equatable {
        case point(x: Double, y: Double)
        case size(width: Double, height: Double)
        case rect(x: Double, y: Double, width: Double, height: Double)
        case range(location: Int, length: Int)
        case insets(top: Double, left: Double, bottom: Double, right: Double)
    }

    let contents: Contents

    init(coder: KeyedUnarchiver) throws {
        switch try coder.decodeInteger(forKey: "NS.special") {
        case 1:
            let point = try coder.decodePoint(forKey: "NS.pointval")
            contents = .point(x: point.x, y: point.y)
        case 2:
            let size = try coder.decodeSize(forKey: "NS.sizeval")
            contents = .size(width: size.width, height: size.height)
        case 3:
            let rect = try coder.decodeRect(forKey: "NS.rectval")
            contents = .rect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
        case 4:
            // Two NSNumbers, not two integers within the object.
            contents = .range(
                location: try coder.decode(Int.self, forKey: "NS.rangeval.location"),
                length: try coder.decode(Int.self, forKey: "NS.rangeval.length"))
        case 12:
            contents = .insets(
                top: try coder.decodeDouble(forKey: "NS.edgeval.top"),
                left: try coder.decodeDouble(forKey: "NS.edgeval.left"),
                bottom: try coder.decodeDouble(forKey: "NS.edgeval.bottom"),
                right: try coder.decodeDouble(forKey: "NS.edgeval.right"))
        default: throw CocoaError(.coderInvalidValue)
        }
    }
}

/// NSMeasurement.
final class MeasurementStandIn: StandIn {
    let value: Double
    let unit: UnitStandIn

    init(coder: KeyedUnarchiver) throws {
        value = try coder.decodeDouble(forKey: "NS.value")
        unit = try coder.decode(UnitStandIn.self, forKey: "NS.unit")
    }
}

/// NSUnit, NSUnitLength and so on.
final class UnitStandIn: StandIn {
    let symbol: String
    let converter: ConverterStandIn?

    init(coder: KeyedUnarchiver) throws {
        symbol = try coder.decode(String.self, forKey: "NS.symbol")
        converter = try coder.decodeIfPresent(ConverterStandIn.self, forKey: "NS.converter")
    }
}

/// NSUnitConverterLinear and NSUnitConverterReciprocal.
final class ConverterStandIn: StandIn {
    let coefficient: Double?
    let constant: Double
    let reciprocal: Double?

    init(coder: KeyedUnarchiver) throws {
        coefficient = try coder.decodeIfPresent(Double.self, forKey: "NS.coefficient")
        constant = try coder.decodeDouble(forKey: "NS.constant")
        reciprocal = try coder.decodeIfPresent(Double.self, forKey: "NS.reciprocal")
    }
}

/// NSDecimalNumberHandler.
final class DecimalHandlerStandIn: StandIn {
    let scale: Int
    let roundingMode: Int
    /// Which of exactness, overflow, underflow and division by zero it raises.
    let raises: [Bool]

    init(coder: KeyedUnarchiver) throws {
        scale = try coder.decodeInteger(forKey: "NS.scale")
        roundingMode = try coder.decodeInteger(forKey: "NS.roundingmode")
        raises = try ["exactness", "overflow", "underflow", "dividebyzero"].map {
            try coder.decodeBool(forKey: "NS.raise.\($0)")
        }
    }
}

/// NSURLQueryItem.
final class QueryItemStandIn: StandIn {
    let name: String
    let value: String?

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "NS.name")
        value = try coder.decodeIfPresent(String.self, forKey: "NS.value")
    }
}

// MARK: - Texts

/// NSAttributedString and NSMutableAttributedString.
final class AttributedStringStandIn: StandIn {
    struct Run: Equatable {
        let text: String
        let attributes: [String: AnyHashable]
    }

    private(set) var runs: [Run] = []

    init(coder: KeyedUnarchiver) throws {
        let text = try coder.decode(String.self, forKey: "NSString")
        let classes: [any Any.Type] = [[Any].self, [AnyHashable: Any].self, String.self, Int.self]
        let attributes = try coder.decodeObject(of: classes, forKey: "NSAttributes")
        if let one = attributes as? [String: AnyHashable] {
            runs = [Run(text: text, attributes: one)]
            return
        }
        guard let each = attributes as? [[String: AnyHashable]] else { throw CocoaError(.coderReadCorrupt) }
        // Pairs of a run's length in UTF-16 and the number of its attributes, each as one byte in these tests.
        let pairs = try coder.decode(Data.self, forKey: "NSAttributeInfo")
        var start = text.utf16.startIndex
        for index in stride(from: 0, to: pairs.count, by: 2) {
            let end = text.utf16.index(start, offsetBy: Int(pairs[index]))
            runs.append(Run(text: String(text[start..<end]), attributes: each[Int(pairs[index + 1])]))
            start = end
        }
    }
}

/// NSCharacterSet, in the four forms that it has.
final class CharacterSetStandIn: StandIn {
    enum Contents: Equatable {
        case builtin(Int)
        case range(location: Int, length: Int)
        case characters(String)
        case bitmap(byteCount: Int)
    }

    let contents: Contents
    let isInverted: Bool

    init(coder: KeyedUnarchiver) throws {
        isInverted = try coder.decodeBool(forKey: "NSIsInverted")
        if coder.containsValue(forKey: "NSBuiltinID") {
            contents = .builtin(try coder.decodeInteger(forKey: "NSBuiltinID"))
        } else if coder.containsValue(forKey: "NSRange") {
            let range = try coder.decodeIfPresent(Int64.self, forKey: "NSRange") ?? 0
            contents = .range(location: Int(range >> 32), length: Int(range & 0xFFFF_FFFF))
        } else if let characters = try coder.decodeIfPresent(String.self, forKey: "NSString") {
            contents = .characters(characters)
        } else {
            contents = .bitmap(byteCount: try coder.decode(Data.self, forKey: "NSBitmap").count)
        }
    }
}

// MARK: - Events

/// NSError.
final class ErrorStandIn: StandIn {
    let domain: String
    let code: Int
    let userInfo: [AnyHashable: Any]?

    init(coder: KeyedUnarchiver) throws {
        domain = try coder.decode(String.self, forKey: "NSDomain")
        code = try coder.decodeInteger(forKey: "NSCode")
        userInfo = try coder.decodeDictionary(
            keysOf: [String.self], valuesOf: [String.self, Int.self], forKey: "NSUserInfo")
    }
}

/// NSNotification.
final class NotificationStandIn: StandIn {
    let name: String
    let object: String?
    let userInfo: [AnyHashable: Any]?

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "NS.name")
        object = try coder.decodeIfPresent(String.self, forKey: "NS.object")
        userInfo = try coder.decodeDictionary(keysOf: [String.self], valuesOf: [String.self], forKey: "NS.userinfo")
    }
}
