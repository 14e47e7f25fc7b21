// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// `Coding` classes, for readings.
enum KeyedCodingClasses: CodingClasses {
    static func isCoding(_ type: any Any.Type) -> Bool { conformance(of: type, to: (any Coding.Type).self) != nil }

    static func decodedType(of type: any Any.Type) -> any Any.Type {
        conformance(of: type, to: (any Coding.Type).self)?.unarchivedClass ?? type
    }

    static func isForeign(_ type: any Any.Type) -> Bool {
        conformance(of: type, to: (any ForeignCoding.Type).self) != nil
    }
}

extension GraphReading {
    convenience init(_ stored: StoredArchive, _ settings: consuming ReadingSettings) {
        self.init(stored, settings, KeyedCodingClasses.self)
    }
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
