// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// `Coding` classes, for readings.
enum KeyedCodingClasses: CodingClasses {
    static func isCoding(_ type: any Any.Type) -> Bool { type is any Coding.Type }

    static func decodedType(of type: any Any.Type) -> any Any.Type {
        (type as? any Coding.Type)?.unarchivedClass ?? type
    }

    static func isForeign(_ type: any Any.Type) -> Bool { type is any ForeignCoding.Type }

    static func reencodingCoder(_ classes: ClassRegistry) -> any ReencodingCoder {
        let archiver = KeyedArchiver(requiringSecureCoding: false)
        if !classes.isEmpty { archiver.classes = classes }
        return archiver
    }
}

extension GraphReading {
    convenience init(_ stored: StoredArchive, _ settings: consuming ReadingSettings) {
        self.init(stored, settings, KeyedCodingClasses.self)
    }
}

// MARK: - Encoding again

extension KeyedArchiver: ReencodingCoder {
    /// The encoders of Codable values, once an instance has encoded one.
    private var reencodingSession: (any ReencodingSession)? { ownSession as? any ReencodingSession }

    var isReusable: Bool {
        !hasDelegate && outputFormat == .binary && outputFormatting.isEmpty && writing.failure == nil
            && replacements.isEmpty && !isInObject && (ownSession == nil || reencodingSession?.isReusable == true)
    }

    func reset() {
        forgetArchive()
        reencodingSession?.reset()
    }

    func reference(to value: Any) -> ArchiveGraph.Reference? {
        if let object = value as? any Coding {
            return try? reference(to: object) { CodingPathTable.root }
        }
        guard let value = value as? any Encodable else { return nil }
        return try? reencodingSession?.reference(to: value)
    }
}

/// The session of the encoders of Codable values of a `ReencodingCoder`.
protocol ReencodingSession: AnyObject {
    /// Whether it can be reset.
    var isReusable: Bool { get }
    func reset()
    /// Encodes `value`, and returns the reference to it.
    func reference(to value: any Encodable) throws -> ArchiveGraph.Reference
}

// MARK: - Objects of unknown classes

/// A `Coding` class whose instances represent objects of unknown classes.
protocol ForeignCoding: Coding {
    /// Writes the dictionary of the instance, with its class, and returns the reference to it.
    func contents(in archiver: KeyedArchiver) throws -> ArchiveGraph.Reference
}

extension KeyedUnarchiver {
    /// The state that all instances of foreign objects in the archive share.
    var foreignObjects: ForeignObjects {
        if let known = reading.foreign { return known }
        let made = ForeignObjects(reading.stored)
        reading.foreign = made
        return made
    }

    /// The object in progress.
    var decodedObject: ArchivedValue { current.value }

    /// The coding path of the object in progress.
    var decodedPath: [any CodingKey] { keys(current.path) }
}
