// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

@testable import Archiving

/// What an archive holds, without any order, to be written in any of the orders in which it may lie there.
struct GraphModel {
    enum Value {
        case null
        case inline(PropertyList)
        case leaf(PropertyList)
        case object(Int)
        case inlineArray([Value])
    }

    enum Object {
        case instance(String, [String: Value])
        case array([Value])
        case set([Value])
        case dictionary([(Value, Value)])
    }

    var objects: [Object]
    var top: [String: Value]

    /// The archive, with slots, keys, elements and entries in an order that `generator` decides, and leaves that are
    /// sometimes there twice.
    func archive(using generator: inout some RandomNumberGenerator) throws -> Data {
        var writer = Writer(model: self)
        return try writer.archive(using: &generator)
    }

    private struct Writer {
        let model: GraphModel
        private var slots: [PropertyList] = ["$null"]
        private var slotOfObject: [UInt32] = []
        private var slotsOfLeaves: [(PropertyList, UInt32)] = []
        private var slotsOfClasses: [String: UInt32] = [:]

        init(model: GraphModel) { self.model = model }

        mutating func archive(using generator: inout some RandomNumberGenerator) throws -> Data {
            slotOfObject = Array(repeating: 0, count: model.objects.count)
            for index in model.objects.indices.shuffled(using: &generator) {
                slotOfObject[index] = UInt32(slots.count)
                slots.append("unfilled")
            }
            for index in model.objects.indices.shuffled(using: &generator) {
                slots[Int(slotOfObject[index])] = try contents(of: model.objects[index], using: &generator)
            }
            let top = try fields(model.top, className: nil, using: &generator)
            let list: PropertyList = [
                "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": .array(slots),
            ]
            return try list.data(format: .binary)
        }

        private mutating func contents(
            of object: Object, using generator: inout some RandomNumberGenerator
        ) throws -> PropertyList {
            switch object {
            case .instance(let name, let fields): return try self.fields(fields, className: name, using: &generator)
            case .array(let elements):
                return try fields(["NS.objects": .inlineArray(elements)], className: "NSArray", using: &generator)
            case .set(let elements):
                let elements = elements.shuffled(using: &generator)
                return try fields(["NS.objects": .inlineArray(elements)], className: "NSSet", using: &generator)
            case .dictionary(let entries):
                let entries = entries.shuffled(using: &generator)
                return try fields(
                    ["NS.keys": .inlineArray(entries.map(\.0)), "NS.objects": .inlineArray(entries.map(\.1))],
                    className: "NSDictionary", using: &generator)
            }
        }

        private mutating func fields(
            _ fields: [String: Value], className: String?, using generator: inout some RandomNumberGenerator
        ) throws -> PropertyList {
            var entries: [PropertyList.Dictionary.Element] = []
            for (key, value) in fields { entries.append((key, try self.value(value, using: &generator))) }
            if let className { entries.append(("$class", .uid(classSlot(className)))) }
            return .dictionary(PropertyList.Dictionary(entries.shuffled(using: &generator)))
        }

        private mutating func value(
            _ value: Value, using generator: inout some RandomNumberGenerator
        ) throws -> PropertyList {
            switch value {
            case .null: return .uid(0)
            case .inline(let scalar): return scalar
            case .object(let index): return .uid(slotOfObject[index])
            case .inlineArray(let elements):
                return .array(try elements.map { try self.value($0, using: &generator) })
            case .leaf(let scalar):
                if let known = slotsOfLeaves.first(where: { $0.0 == scalar }), Bool.random(using: &generator) {
                    return .uid(known.1)
                }
                slots.append(scalar)
                slotsOfLeaves.append((scalar, UInt32(slots.count - 1)))
                return .uid(UInt32(slots.count - 1))
            }
        }

        private mutating func classSlot(_ name: String) -> UInt32 {
            if let known = slotsOfClasses[name] { return known }
            slots.append(["$classname": .string(name), "$classes": [.string(name), "NSObject"]])
            slotsOfClasses[name] = UInt32(slots.count - 1)
            return UInt32(slots.count - 1)
        }
    }
}

/// The canonical form of an archive.
func canonical(_ archive: Data) throws -> Data {
    try CanonicalArchive.bytes(of: BinaryPropertyListReader(StoredBytes(archive))).data
}

// MARK: - Meaning

extension InspectedArchive {
    /// The contents of the archive up to `depth` references, as text: without uids, keys sorted, sets and dictionaries in the
    /// order of their contents.
    func meaning(depth: Int) -> String {
        meaning(of: list["$top"] ?? .null, depth: depth)
    }

    private func meaning(of value: PropertyList, depth: Int) -> String {
        switch value {
        case .uid(0): return "nil"
        case .uid:
            guard depth > 0, let object = follow(value) else { return "…" }
            return "@" + meaning(of: object, depth: depth - 1)
        case .array(let elements): return "\(elements.map { meaning(of: $0, depth: depth) })"
        case .dictionary(let fields):
            guard let name = className(of: value), name == "NSSet" || name == "NSDictionary" else {
                return "\(fields.map { "\($0.key): \(meaning(of: $0.value, depth: depth))" }.sorted())"
            }
            guard case .array(let elements)? = value["NS.objects"] else { return "?" }
            guard case .array(let keys)? = value["NS.keys"] else {
                return "\(elements.map { meaning(of: $0, depth: depth) }.sorted())"
            }
            let entries = zip(keys, elements).map {
                meaning(of: $0, depth: depth) + ": " + meaning(of: $1, depth: depth)
            }
            return "\(entries.sorted())"
        default: return "\(value)"
        }
    }

    /// The slots that `$top` reaches.
    var reachedSlots: Set<UInt32> {
        var reached: Set<UInt32> = [0]
        var open = [list["$top"] ?? .null]
        while let value = open.popLast() {
            switch value {
            case .uid(let uid): if reached.insert(uid).inserted { open += follow(value).map { [$0] } ?? [] }
            case .array(let elements): open += elements
            case .dictionary(let fields): open += fields.map(\.value)
            default: break
            }
        }
        return reached
    }
}
