// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

// MARK: - Records

/// An object whose contents are what a closure encodes or decodes, so that a test shows both sides in one place.
final class Record: Coding, ArchiveDescribing {
    static let archiveName = "Record"
    /// What `RecordObject` is called by Foundation.
    static let archiveAliases = ["InteroperabilityTests.RecordObject"]

    /// What a record that is decoded does with its coder.
    @TaskLocal static var read: @Sendable (KeyedUnarchiver) throws -> Void = { _ in }

    private let write: (KeyedArchiver) throws -> Void

    init(_ write: @escaping (KeyedArchiver) throws -> Void) { self.write = write }

    init(coder: KeyedUnarchiver) throws {
        write = { _ in }
        try Self.read(coder)
    }

    func encode(with coder: KeyedArchiver) throws { try write(coder) }
}

/// The same for Foundation's coders. Foundation archives no private class.
final class RecordObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    @TaskLocal static var read: @Sendable (NSCoder) -> Any = { _ in () }
    @TaskLocal static var write: @Sendable (NSCoder) -> Void = { _ in }

    let contents: Any

    override init() { contents = () }

    init?(coder: NSCoder) { contents = Self.read(coder) }

    func encode(with coder: NSCoder) { Self.write(coder) }
}

/// Where in an archive values are encoded by key.
enum ArchivePlace: CaseIterable {
    case top
    case object
}

// MARK: - Both ways

/// What Foundation makes of what `write` encodes with our archiver, under secure coding.
func foundation<Value>(
    reads write: @escaping (KeyedArchiver) throws -> Void, in place: ArchivePlace = .object,
    _ format: PropertyListFormat = .binary, classes: [String: AnyClass] = [:],
    by read: @escaping @Sendable (NSCoder) -> Value
) throws -> Value {
    let archiver = KeyedArchiver()
    archiver.outputFormat = format
    switch place {
    case .top: try write(archiver)
    case .object: try archiver.encode(Record(write), forKey: "record")
    }
    let twins = classes.merging(["Record": RecordObject.self]) { $1 }
    return try withFoundationUnarchiver(of: archiver.finishEncoding(), classes: twins) { unarchiver in
        guard place == .object else { return read(unarchiver) }
        let record = RecordObject.$read.withValue(read) {
            unarchiver.decodeObject(of: RecordObject.self, forKey: "record")
        }
        return try #require(record?.contents as? Value)
    }
}

/// The formats in which Foundation writes archives.
let foundationFormats: [PropertyListSerialization.PropertyListFormat] = [.binary, .xml]

/// Hands to `read` what Foundation's archiver makes of `write`, in both formats: at the top, and in an object.
func withFoundationArchive(
    classes: [String: any Any.Type] = [:], _ write: @escaping @Sendable (NSCoder) -> Void,
    read: @escaping @Sendable (KeyedUnarchiver) throws -> Void
) throws {
    for format in foundationFormats {
        for place in ArchivePlace.allCases {
            let archiver = NSKeyedArchiver(requiringSecureCoding: false)
            archiver.outputFormat = format
            switch place {
            case .top: write(archiver)
            case .object: RecordObject.$write.withValue(write) { archiver.encode(RecordObject(), forKey: "record") }
            }
            archiver.finishEncoding()
            let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
            unarchiver.classes = ClassRegistry(classes)
            switch place {
            case .top: try read(unarchiver)
            case .object: _ = try Record.$read.withValue(read) { try unarchiver.decode(Record.self, forKey: "record") }
            }
            unarchiver.finishDecoding()
        }
    }
}

/// Hands to `read` what Foundation's archiver makes of `object`, in both formats; the key is "object".
func withFoundationArchive(
    of object: Any, classes: [String: any Any.Type] = [:], read: (KeyedUnarchiver) throws -> Void
) throws {
    for format in foundationFormats {
        let data = foundationArchive(of: object, forKey: "object", format: format)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.classes = ClassRegistry(classes)
        try read(unarchiver)
        unarchiver.finishDecoding()
    }
}

extension ClassRegistry {
    /// A registry of types by their names in archives.
    init(_ types: [String: any Any.Type]) {
        self.init()
        for (name, type) in types { register(type, name: name) }
    }
}
