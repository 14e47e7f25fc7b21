// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension OpenArchive {
    /// Creates an open archive for the parts of `source`, which are decoded with the settings of `decoder`.
    ///
    /// - Parameters:
    ///   - keepsUnknownKeys: Whether keys that the program does not request are recorded.
    ///   - errorHandler: The handler of errors in parts that are read without `try`.
    package convenience init(
        _ source: ArchiveSource, _ decoder: ArchiveDecoder, keepsUnknownKeys: Bool = false,
        errorHandler: (@Sendable (any Error) -> Void)? = nil
    ) {
        var settings = decoder.settings
        settings.deferredErrorHandler = errorHandler
        self.init(source, settings, keepsUnknownKeys: keepsUnknownKeys)
    }

    /// Lets instances with declared fields that were decoded from `old`, an earlier state of the file, stay the instances of objects with
    /// the same uids and classes. Their fields are set again when the objects are decoded.
    ///
    /// - Parameters:
    ///   - added: Instances that `old` lacks.
    ///   - uids: Their uids in this archive; 0 for one that is not in it.
    package func continueInstances(of old: OpenArchive, and added: [LiveInstance] = [], as uids: [UInt32] = []) {
        var known: [ObjectIdentifier: Bool] = [:]
        let added = zip(added, uids).compactMap { instance, uid in
            uid == 0 ? nil : DecodedInstance(object: instance.object, uid: uid, type: type(of: instance.object))
        }
        observeInstances(of: old, and: added) { type in
            if let hasFields = known[ObjectIdentifier(type)] { return hasFields }
            let hasFields = type is any (AnyObject & ArchivedFields).Type
            known[ObjectIdentifier(type)] = hasFields
            return hasFields
        }
    }

    /// Decodes the root object. The calling thread must not be decoding the archive.
    package func decodeRoot<Root: Decodable>(_ type: Root.Type) throws -> Root {
        try source.decodeRoot(type, settings, for: self)
    }

    /// Calls `body` with the frame of `$top` to decode a part of the archive. The calling thread must not be decoding the
    /// archive.
    private func decode<Value>(_ body: (DecodingFrame) throws -> Value) throws -> Value {
        try source.decode(settings, for: self, body)
    }

    /// Decodes the object `uid`; returns `empty` if it is an object of an unknown class that is skipped.
    package func decode<Value: Decodable>(
        _ type: Value.Type, _ uid: UInt32, ifSkipped empty: @autoclosure () -> Value
    ) throws -> Value {
        try decode(type, [uid]).first ?? empty()
    }

    /// Decodes the objects `uids`. Objects of unknown classes that are skipped are absent from the result.
    ///
    /// - Parameter reader: A reader whose limits apply to all that it decodes; nil for none.
    package func decode<Value: Decodable>(
        _ type: Value.Type, _ uids: [UInt32], for reader: ArchiveContents? = nil
    ) throws -> [Value] {
        var current: UInt32 = 0
        do {
            return try decode { top in
                let rest = top.archive.meter?.rest
                defer { reader?.takeUse(of: top.archive, since: rest) }
                return try uids.compactMap { uid in
                    current = uid
                    return try top.decodePart(type, uid)
                }
            }
        } catch let error as DecodingError {
            throw error.inside(path(to: current))
        }
    }

    /// Decodes the value at `reference`, an object of the property list, which may be in line in an object.
    ///
    /// - Parameter reader: A reader whose limits apply to all that it decodes.
    package func decode<Value: Decodable>(
        _ type: Value.Type, at reference: Int, for reader: ArchiveContents
    ) throws -> Value {
        try decode { top in
            let rest = top.archive.meter?.rest
            defer { reader.takeUse(of: top.archive, since: rest) }
            return try top.decodePart(type, at: reference)
        }
    }

    private func path(to uid: UInt32) -> [any CodingKey] {
        KeyedArchive(source).path(to: source.object(uid))?.codingPath ?? []
    }
}

extension ArchiveContents {
    /// Counts what the reader of `other` has counted since `rest` remained.
    fileprivate func takeUse(of other: ArchiveContents, since rest: DecodingMeter.Rest?) {
        guard let rest, let own = other.meter else { return }
        meter?.takeUse(of: own, since: rest)
    }
}

// MARK: - Reading in place

extension OpenArchive {
    /// Returns contents of the archive for a reader of many objects, with the limits of one decoding.
    package func contentsForReading() -> ArchiveContents { settings.contents(of: source) }

    package func match(
        ofClass uid: UInt32, as requested: any Any.Type, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> StoredClass.Match {
        try settings.match(ofClass: uid, as: requested, in: contents) { hasOtherName($0, for: requested) }
    }
}
