// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Parts

extension KeyedArchive.Value {
    /// Decodes this value, a part of the archive, as `type`.
    ///
    /// ```swift
    /// let archive = try KeyedArchive(contentsOf: url)
    /// let owner = try archive.root["owner"]!.decode(Owner.self)
    /// ```
    ///
    /// It reads only the part and the objects that the part references. Each of these objects is one instance; another
    /// call creates other instances. `top` is decoded as an object whose properties are the values that were encoded by
    /// key.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The settings of the decoder.
    /// - Returns: The decoded value.
    /// - Throws: The errors of `ArchiveDecoder.decode(_:from:)`.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    @_disfavoredOverload
    public func decode<Value: Decodable>(
        _ type: Value.Type, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> Value {
        let archived = try found { DecodingError(damaged: $0) }
        let session = try beginReading(decoder) { DecodingError(damaged: $0) }
        return try session.decode {
            try $0.decoding.decode(type, from: archived, at: .root)
        }
    }

    /// Decodes this value, a part of the archive, as an instance of a `Coding` class.
    ///
    /// - Parameters:
    ///   - type: The class of the instance, or a superclass of it if `decoder.classes` registers the class.
    ///   - decoder: The settings of the decoder.
    /// - Returns: The decoded instance.
    /// - Throws: The errors of `KeyedUnarchiver.decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of decoded objects.
    public func decode<Object: Coding>(
        _ type: Object.Type, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> Object {
        let archived = try found { ArchivingError.damaged($0, path: []) }
        let session = try beginReading(decoder) { ArchivingError.damaged($0, path: []) }
        let unarchiver = KeyedUnarchiver(session, ownsSession: true)
        defer { unarchiver.finishDecoding() }
        let instance = try unarchiver.perform { try $0.instance(session.type(coding: type), archived, at: .root) }
        return Reinterpretation.instance(instance, as: type)
    }

    private func beginReading(
        _ decoder: ArchiveDecoder, _ converted: (KeyedArchiveError) -> any Error
    ) throws -> DecodingSession {
        do throws(KeyedArchiveError) {
            return try DecodingSession.begin(source.stored, decoder.settings)
        } catch {
            throw converted(error)
        }
    }

    private func found(_ error: (KeyedArchiveError) -> any Error) throws -> ArchivedValue {
        guard let archived else { throw error(damage ?? KeyedArchiveError(.notAnArchive)) }
        return archived
    }
}

// MARK: - Archives that stay open

extension ArchiveSource {
    /// Decodes the root object. The calling thread must not be decoding the archive of `observer`.
    package func decodeRoot<Root: Decodable>(
        _ type: Root.Type, _ settings: ReadingSettings, for observer: any ReadingObserver
    ) throws -> Root {
        try session(settings).decode(for: observer) { try $0.decodeRoot(type) }
    }

    /// Calls `body` with the frame of `$top` to decode a part. The calling thread must not be decoding the archive of `observer`.
    package func decode<Value>(
        _ settings: ReadingSettings, for observer: any ReadingObserver, _ body: (DecodingFrame) throws -> Value
    ) throws -> Value {
        try session(settings).decode(for: observer) { try body($0.decoding) }
    }

    private func session(_ settings: ReadingSettings) throws -> DecodingSession {
        do throws(KeyedArchiveError) { return try DecodingSession.begin(stored, settings) } catch {
            throw DecodingError(damaged: error)
        }
    }
}
