// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A class that codes itself, refers to its parent conditionally, and publishes itself.
public class Folder: Coding, Thing {
    var name: String
    var size = 0
    var folders: [Folder] = []
    weak var parent: Folder?

    /// An empty folder.
    public init(_ name: String) { self.name = name }

    func add(_ folder: Folder) {
        folders.append(folder)
        folder.parent = self
    }

    /// Reads the folder, and those that are in it.
    public required init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        size = try coder.decodeInteger(forKey: "size")
        coder.publish(self)
        folders = try coder.decode([Folder].self, forKey: "folders")
        parent = try coder.decodeIfPresent(Folder.self, forKey: "parent")
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        coder.encode(size, forKey: "size")
        try coder.encode(folders, forKey: "folders")
        try coder.encodeConditional(parent, forKey: "parent")
    }

    /// Never called: archives write and read the class as the `Coding` class that it is.
    public required init(from decoder: any Decoder) throws { throw NoCodable() }

    /// Never called.
    public func encode(to encoder: any Encoder) throws { throw NoCodable() }

    private struct NoCodable: Error {}
}

/// A subclass, which has to be registered to be made; others may read it as its superclass.
public final class Disk: Folder, ArchiveDescribing {
    /// The fallback names of the class.
    public static let archiveFallbacks = ["Volume", "Folder"]

    var label: String?
    var spare: Folder?

    /// An empty disk.
    public override init(_ name: String) { super.init(name) }

    /// Reads both parts.
    public required init(coder: KeyedUnarchiver) throws {
        label = try coder.decodeIfPresent(String.self, forKey: "label")
        try super.init(coder: coder)
        spare = try coder.decodeIfPresent(Disk.self, forKey: "spare")
    }

    /// Never called.
    public required init(from decoder: any Decoder) throws { try super.init(from: decoder) }

    /// Writes both parts.
    public override func encode(with coder: KeyedArchiver) throws {
        try super.encode(with: coder)
        if let label { coder.encode(label, forKey: "label") }
        try coder.encode(spare, forKey: "spare")
    }
}

/// A class that refers to others by references that are resolved later.
public final class Stop: Coding {
    let name: String
    @Reference var next: Stop?
    @WeakReference var disk: Folder?

    init(_ name: String) { self.name = name }

    /// Reads the name and the references.
    public init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        _next = try coder.decode(Reference<Stop>.self, forKey: "next")
        _disk = try coder.decode(WeakReference<Folder>.self, forKey: "disk")
    }

    /// Writes the name and the references.
    public func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encode(next, forKey: "next")
        try coder.encodeConditional(disk, forKey: "disk")
    }
}

/// A class that codes values of every kind, by key and without.
public final class Record: Coding {
    var flag = true
    var byte: UInt8 = 255
    var wide = UInt64.max
    var ratio: Float = 0.5
    var real = -1.25
    var text: String? = "text"
    var data: Data? = Data([1, 2, 3])
    var date: Date? = Date(timeIntervalSinceReferenceDate: 3)
    var bytes: [UInt8]? = [7, 8, 9]
    var point = (x: 1.0, y: 2.0)
    var rectangle = (x: 0.0, y: 0.0, width: 640.0, height: 480.0)
    var corner: Corner? = Corner(x: 1, y: 2)
    var numbers = [1, 2, 3]
    var stops: [String: Stop] = [:]
    var rows = Coded<[[Stop]]>(wrappedValue: [])
    var stop: Stop?
    var queue: [Int] = [4, 5]

    init() {}

    /// Reads everything, the queue without keys.
    public init(coder: KeyedUnarchiver) throws {
        flag = try coder.decodeBool(forKey: "flag")
        byte = try coder.decodeIfPresent(UInt8.self, forKey: "byte") ?? 0
        wide = try coder.decode(UInt64.self, forKey: "wide")
        ratio = try coder.decodeFloat(forKey: "ratio")
        real = try coder.decodeDouble(forKey: "$real")
        text = try coder.decodeIfPresent(String.self, forKey: "text")
        data = try coder.decodeIfPresent(Data.self, forKey: "data")
        date = try coder.decodeIfPresent(Date.self, forKey: "date")
        bytes = try coder.decodeBytes(forKey: "bytes", minimumLength: 1)
        point = try coder.decodePoint(forKey: "point")
        rectangle = try coder.decodeRect(forKey: "rectangle")
        corner = try coder.decodeIfPresent(Corner.self, forKey: "corner")
        numbers = try coder.decode([Int].self, forKey: "numbers")
        stops = try coder.decode([String: Stop].self, forKey: "stops")
        rows = try coder.decode(Coded<[[Stop]]>.self, forKey: "rows")
        stop = try coder.decodeIfPresent(Stop.self, forKey: "stop")
        queue = []
        for _ in 0..<min(16, max(0, try coder.decodeNext(Int.self))) { queue.append(try coder.decodeNext(Int.self)) }
        _ = (coder.containsValue(forKey: "text"), coder.allKeys.count, coder.archivedClassName(forKey: "stop"))
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: KeyedArchiver) throws {
        coder.encode(flag, forKey: "flag")
        coder.encode(byte, forKey: "byte")
        coder.encode(wide, forKey: "wide")
        coder.encode(ratio, forKey: "ratio")
        coder.encode(real, forKey: "$real")
        coder.encode(text, forKey: "text")
        coder.encode(data, forKey: "data")
        coder.encode(date, forKey: "date")
        if let bytes { coder.encodeBytes(bytes, forKey: "bytes") }
        coder.encodePoint(x: point.x, y: point.y, forKey: "point")
        coder.encodeRect(
            x: rectangle.x, y: rectangle.y, width: rectangle.width, height: rectangle.height, forKey: "rectangle")
        try coder.encode(corner, forKey: "corner")
        try coder.encode(numbers, forKey: "numbers")
        try coder.encode(stops, forKey: "stops")
        try coder.encode(rows, forKey: "rows")
        try coder.encode(stop, forKey: "stop")
        coder.encodeNext(queue.count)
        for number in queue { coder.encodeNext(number) }
    }
}
