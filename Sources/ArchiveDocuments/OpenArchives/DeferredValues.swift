// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A value that an archive decodes later: a part of an open archive, which reads its contents when the program needs them.
package protocol PartDecodable: DeferredDecodable {
    /// The type of the value in the archive.
    associatedtype Contents: Decodable

    /// Creates a value with `contents`, which were decoded at once.
    init(contents: Contents)

    /// Creates a value whose contents are `part`.
    init(part: OpenArchive.Part)
}

/// A value that an archive may have decoded later.
package protocol PartEncodable: FrameEncodable {
    /// The type of the value in the archive.
    associatedtype Contents: Encodable

    /// The contents, decoded if they are not loaded.
    var contents: Contents { get }

    /// Returns the part of an open archive with the contents, or nil if they are loaded.
    ///
    /// - Parameter path: The coding path of the value, for an error.
    /// - Throws: An error if the value can be encoded neither as the part nor as its contents.
    func unloadedPart(at path: () -> [any CodingKey]) throws -> OpenArchive.Part?

    /// Decodes the contents if they are not loaded.
    func load() throws
}

extension OpenArchive {
    /// A part of the archive that is decoded on its own.
    package struct Part: Sendable {
        package let archive: OpenArchive
        /// The uid of the object.
        package let uid: UInt32

        package init(archive: OpenArchive, uid: UInt32) {
            self.archive = archive
            self.uid = uid
        }
    }
}

// MARK: - Decoding

extension PartDecodable {
    /// Returns the value of `decoder`, as `init(from:)` has to create it. With a decoder of another kind, its contents are
    /// decoded at once.
    package static func decoded(from decoder: any Decoder) throws -> Self {
        if let archive = DecodingFrame.behind(decoder) {
            return try archive.decodeItself(Self.self)
        }
        return Self(contents: try decoder.singleValueContainer().decode(Contents.self))
    }

    package static func decoded(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self {
        let observer = try decoder.observer(deferring: value, at: step) { OpenArchive($0, $1) }
        guard let archive = observer as? OpenArchive else {
            return Self(contents: try decoder.decode(Contents.self, from: value, at: step))
        }
        return Self(part: OpenArchive.Part(archive: archive, uid: value.uid))
    }
}

// MARK: - Encoding

extension PartEncodable {
    /// Encodes the value into `encoder`, as `encode(to:)` has to. An archive gets unloaded contents as a copy; other
    /// encoders load them.
    package func encodeContents(to encoder: any Encoder) throws {
        if try unloadedPart(at: { encoder.codingPath }) != nil, !EncodingFrame.isBehind(encoder) { try load() }
        var container = encoder.singleValueContainer()
        try EncodingFrame.isBehind(encoder) ? container.encode(self) : container.encode(contents)
    }

    package static func encoded(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if let part = try value.unloadedPart(at: { encoding.keys(step) }) {
            // A deep copy has its own instances.
            if encoding.isDeepCopy {
                try value.load()
            } else {
                return try encoding.reference(toObject: part.uid, of: part.archive, at: step)
            }
        }
        return try encoding.reference(to: value.contents, at: step, inline: inline)
    }
}
