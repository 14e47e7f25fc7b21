// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A keyed archive that is laid out by hand, object by object of the property list, as no writer would lay it out: the same
/// object may be in many places and under many uids, so that a few bytes describe much.
///
/// It shares only the description of the format with the library.
package final class RawArchive {
    /// The number of an object of the property list.
    package typealias Reference = Int

    private enum Object {
        case leaf([UInt8])
        case list(marker: UInt8, [Reference])
        case dictionary([(key: Reference, value: Reference)])
        /// Another number for an object that is there already: its place in the offset table is the same.
        case alias(of: Reference)
    }

    private var objects: [Object] = []
    private var slots: [Reference] = []
    private var texts: [[UInt8]: Reference] = [:]
    private var uids: [Int: Reference] = [:]
    private var classes: [[UInt8]: Reference] = [:]
    /// What `$top` has beside "root".
    package var top: [(key: Reference, value: Reference)] = []

    package init() {
        slots = [text("$null")]
    }
}

// MARK: - Objects of the property list

extension RawArchive {
    private func add(_ object: Object) -> Reference {
        objects.append(object)
        return objects.count - 1
    }

    /// A string in ASCII, or else in UTF-16; equal ones are one object.
    package func text(_ text: String) -> Reference {
        // By its bytes: there are texts here that take long to hash.
        let key = Array(text.utf8)
        if let known = texts[key] { return known }
        let isASCII = key.allSatisfy { $0 < 0x80 }
        let bytes = isASCII ? key : text.utf16.flatMap { Self.bytes(Int($0), 2) }
        let reference = add(.leaf(Self.head(isASCII ? 0x50 : 0x60, isASCII ? bytes.count : bytes.count / 2) + bytes))
        texts[key] = reference
        return reference
    }

    package func data(_ bytes: [UInt8]) -> Reference { add(.leaf(Self.head(0x40, bytes.count) + bytes)) }

    package func integer(_ value: Int) -> Reference { add(.leaf([0x13] + Self.bytes(value, 8))) }

    package func array(_ elements: [Reference]) -> Reference { add(.list(marker: 0xA0, elements)) }

    package func dictionary(_ entries: [(key: Reference, value: Reference)]) -> Reference { add(.dictionary(entries)) }

    /// A dictionary with keys that are texts, of the class with that name if there is one.
    package func fields(_ entries: [(String, Reference)], class name: String? = nil) -> Reference {
        var entries = entries.map { (key: text($0.0), value: $0.1) }
        if let name { entries.append((text("$class"), classEntry(name))) }
        return dictionary(entries)
    }

    /// Another number for the object `reference`.
    package func alias(of reference: Reference) -> Reference { add(.alias(of: reference)) }

    /// A uid that refers to the slot `slot`.
    package func uid(_ slot: Int) -> Reference {
        if let known = uids[slot] { return known }
        uids[slot] = add(.leaf(slot < 256 ? [0x80, UInt8(slot)] : [0x83] + Self.bytes(slot, 4)))
        return uid(slot)
    }
}

// MARK: - Objects of the archive

extension RawArchive {
    /// Puts `reference` into a new slot.
    ///
    /// - Returns: A uid that refers to the slot.
    package func object(_ reference: Reference) -> Reference {
        slots.append(reference)
        return uid(slots.count - 1)
    }

    /// `count` new slots, and the uids that refer to them; `contents` is given the number of each and all uids.
    package func objects(_ count: Int, _ contents: (Int, [Reference]) -> Reference) -> [Reference] {
        let first = slots.count
        slots += Array(repeating: 0, count: count)
        let uids = (first..<first + count).map { uid($0) }
        for number in 0..<count { slots[first + number] = contents(number, uids) }
        return uids
    }

    /// A uid that refers to the class entry of the name, which is NSObject's subclass.
    package func classEntry(_ name: String) -> Reference {
        let key = Array(name.utf8)
        if let known = classes[key] { return known }
        let names = array([text(name), text("NSObject")])
        let entry = object(fields([("$classname", text(name)), ("$classes", names)]))
        classes[key] = entry
        return entry
    }

    /// A list of the class `name`.
    package func list(_ elements: [Reference], _ name: String = "NSArray") -> Reference {
        object(fields([("NS.objects", array(elements))], class: name))
    }

    /// `count` times the same element.
    package func list(of element: Reference, count: Int) -> Reference { list(Array(repeating: element, count: count)) }

    /// An NSDictionary.
    package func table(_ keys: [Reference], _ values: [Reference]) -> Reference {
        object(fields([("NS.keys", array(keys)), ("NS.objects", array(values))], class: "NSDictionary"))
    }
}

// MARK: - Bytes

extension RawArchive {
    /// The bytes of the archive whose root is `root`.
    package func data(root: Reference) -> Data {
        let top = dictionary([(key: text("root"), value: root)] + top)
        let list = fields([
            ("$version", integer(100_000)), ("$archiver", text("NSKeyedArchiver")), ("$top", top),
            ("$objects", array(slots)),
        ])
        let referenceSize = Self.width(of: objects.count)
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .leaf(let contents): bytes += contents
            case .list(let marker, let elements):
                bytes += Self.head(marker, elements.count)
                for element in elements { bytes += Self.bytes(element, referenceSize) }
            case .dictionary(let entries):
                bytes += Self.head(0xD0, entries.count)
                for entry in entries { bytes += Self.bytes(entry.key, referenceSize) }
                for entry in entries { bytes += Self.bytes(entry.value, referenceSize) }
            case .alias(let original): offsets[offsets.count - 1] = offsets[original]
            }
        }
        let table = bytes.count
        let offsetSize = Self.width(of: table)
        for offset in offsets { bytes += Self.bytes(offset, offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for figure in [objects.count, list, table] { bytes += Self.bytes(figure, 8) }
        return Data(bytes)
    }

    private static func width(of number: Int) -> Int { number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : 4 }

    /// The `size` bytes of a number, the most significant one first.
    private static func bytes(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
    }

    /// A marker with its count.
    private static func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 0x0F, 0x12] + bytes(count, 4)
    }
}

extension RawArchive {
    /// An archive whose root `body` makes.
    package static func data(_ body: (RawArchive) -> Reference) -> Data {
        let archive = RawArchive()
        return archive.data(root: body(archive))
    }
}
