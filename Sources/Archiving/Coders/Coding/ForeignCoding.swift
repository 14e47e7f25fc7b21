// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A `Coding` class whose instances represent objects of unknown classes.
protocol ForeignCoding: Coding {
    /// Writes the dictionary of the instance, with its class, and returns the reference to it.
    func contents(in archiver: KeyedArchiver) throws -> ArchiveGraph.Reference
}

extension KeyedUnarchiver {
    /// The state that all instances of foreign objects in the archive share.
    var foreignObjects: ForeignObjects {
        if let known = session.foreign { return known }
        let made = ForeignObjects(session.stored)
        session.foreign = made
        return made
    }

    /// The object in progress.
    var decodedObject: ArchivedValue { frame.value }

    /// The coding path of the object in progress.
    var decodedPath: [any CodingKey] { frame.path() }
}
