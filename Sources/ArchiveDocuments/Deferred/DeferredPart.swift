// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The value of a `Deferred` property, which is decoded when it is read.
final class DeferredPart<Value>: ArchivedPart, @unchecked Sendable {
    private let decode: (OpenArchive.Part) throws -> Value
    private let isUnchanged: (OpenArchive.Part, Value) throws -> Bool
    /// The value, if it is loaded.
    private var value: Value?

    init(
        _ origin: OpenArchive.Part, decode: @escaping (OpenArchive.Part) throws -> Value,
        isUnchanged: @escaping (OpenArchive.Part, Value) throws -> Bool
    ) {
        self.decode = decode
        self.isUnchanged = isUnchanged
        super.init(origin)
    }

    deinit {
        if value != nil { origin.archive.removeLoaded(ObjectIdentifier(self)) }
    }

    var isLoaded: Bool { locked { value != nil } }

    /// Returns the value, decoded if it is not loaded; nil if that fails or has failed before.
    var valueForReading: Value? {
        let known = locked { value }
        return known != nil || error != nil ? known : ifReadable { try load() }
    }

    /// Returns the value, decoded if it is not loaded.
    func load() throws -> Value {
        if let known = locked({ value }) { return known }
        return try reading {
            // Another thread may have loaded it.
            if let known = locked({ value }) { return known }
            let loaded = try decode(origin)
            locked { value = loaded }
            origin.archive.addLoaded(self)
            record(nil)
            return loaded
        }
    }

    /// Releases the value if it is equal to the one in the archive.
    func unload() throws {
        guard let known = locked({ value }) else { return }
        guard try isUnchanged(origin, known) else { throw ArchiveDocumentError(.partChanged) }
        release()
    }
}

extension DeferredPart: LoadedPart {
    func release() {
        origin.archive.removeLoaded(ObjectIdentifier(self))
        // Released outside of the lock, since the program's own code may run.
        let released = locked { () -> Value? in
            defer { value = nil }
            return value
        }
        withExtendedLifetime(released) {}
    }
}
