// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A property wrapper with the value as its only stored property, which is coded in place of it.
protocol TransparentWrapper: FilledLater {
    associatedtype Wrapped

    init(wrappedValue: Wrapped)
    var wrappedValue: Wrapped { get }
}

// MARK: - Archives

extension NativelyDecodable where Self: Decodable, Decoded == Self {
    /// Creates the value that `decoder` decodes from an archive; nil if it is another decoder.
    init?(inArchive decoder: any Decoder) throws {
        guard let archive = DecodingFrame.behind(decoder) else { return nil }
        self = try archive.decode(Self.self, from: archive.value, at: .root)
    }
}

// MARK: - Keyed containers

// The generic types select the general overloads, so that the overloads for wrappers do not recurse.

extension KeyedDecodingContainer {
    package func decodeValue<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(type, forKey: key)
    }
}

extension KeyedEncodingContainer {
    package mutating func encodeValue(_ value: some Encodable, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}
