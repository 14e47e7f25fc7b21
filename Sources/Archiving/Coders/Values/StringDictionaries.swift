// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Dictionaries from strings to numbers, strings and arrays of strings, each in one loop that is specialised for both
// types.

/// A writer of dictionaries from strings to one type without an encoder. Each type has its own, as for `NumberArray`.
protocol DictionaryEncoding: NativelyEncodable where Encoded == [String: Value] {
    associatedtype Value

    /// Returns the reference to `value`.
    static func reference(to value: Value, in encoding: EncodingFrame) -> ArchiveGraph.Reference
}

extension DictionaryEncoding {
    static func write(
        _ dictionary: [String: Value], in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        let graph = encoding.graph
        if dictionary.isEmpty { return graph.emptyDictionary() }
        let slot = graph.reserveSlot()
        let start = graph.collected.count
        for (key, value) in dictionary {
            graph.collected.append(graph.string(key), reference(to: value, in: encoding))
        }
        graph.fill(slot, dictionary: graph.collected.suffix(from: start))
        graph.collected.truncate(to: start)
        return slot.uid
    }
}

/// A writer of dictionaries from strings to leaves.
protocol LeafDictionaryEncoding: DictionaryEncoding where Value: EncodableLeaf {}

extension LeafDictionaryEncoding {
    static var isEncodableLeaf: Bool { true }

    @inline(__always)
    static func reference(to value: Value, in encoding: EncodingFrame) -> ArchiveGraph.Reference {
        value.reference(in: encoding.graph, inline: false)
    }
}

/// A reader of dictionaries from strings to one type. Each type has its own.
protocol DictionaryDecoding: NativelyDecodable where Decoded == [String: Value] {
    associatedtype Value: Decodable

    /// Returns the value at `offset` if it has its usual form, or nil.
    static func value(at offset: Int, in archive: ArchiveContents) -> Value?

    /// Decodes `value`, in any form.
    static func value(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Value
}

/// A reader of dictionaries from strings to leaves.
protocol LeafDictionaryDecoding: DictionaryDecoding where Value: DecodableLeaf {}

extension LeafDictionaryDecoding {
    @inline(__always)
    static func value(at offset: Int, in archive: ArchiveContents) -> Value? { Value.leaf(at: offset, in: archive) }

    static func value(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Value {
        try Value.leaf(value, in: decoder, at: step)
    }
}

extension DictionaryDecoding {
    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> [String: Value] {
        guard let (keys, values) = try decoder.dictionary(value, at: step) else {
            // Fields of an object, or the alternating keys and values of other encoders.
            return try decoder.read([String: Value].self, as: Decoded.self, value, at: step)
        }
        return try decoder.with(nil, value, step) { try entries(keys, values, in: $0) }
    }

    private static func entries(
        _ keys: ArchivedElements, _ values: ArchivedElements, in decoder: DecodingFrame
    ) throws -> [String: Value] {
        try decoder.countVisits(DecodingMeter.stepsPerEntry * keys.count)
        let archive = decoder.archive
        let capacity = archive.capacity(for: (String, Value).self)
        var result = [String: Value](minimumCapacity: min(keys.count, capacity))
        for index in 0..<keys.count {
            let keyReference = keys.reference(index, in: archive)
            let step = CodingPathStep.dictionaryKey(UInt32(truncatingIfNeeded: keyReference))
            let key: String
            if let offset = archive.leafOffset(keyReference), let usual = String.leaf(at: offset, in: archive) {
                key = usual
            } else {
                key = try String.leaf(decoder.resolve(keyReference, at: step), in: decoder, at: step)
            }
            try decoder.checkHashed(key, at: step)
            let reference = values.reference(index, in: archive)
            if let offset = archive.leafOffset(reference), let usual = value(at: offset, in: archive) {
                result[key] = usual
            } else {
                result[key] = try value(decoder.resolve(reference, at: step), in: decoder, at: step)
            }
        }
        return result
    }
}
