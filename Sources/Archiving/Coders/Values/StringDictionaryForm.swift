// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The form of dictionaries from strings to strings, each in one specialised loop without an encoder.
enum StringDictionaryForm: CodedShape {
    static func write(
        _ dictionary: [String: String], in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        let graph = encoding.graph
        if dictionary.isEmpty { return graph.emptyDictionary() }
        let slot = graph.reserveSlot()
        let start = graph.collected.count
        for (key, value) in dictionary { graph.collected.append(graph.string(key), graph.string(value)) }
        graph.fill(slot, dictionary: graph.collected.suffix(from: start))
        graph.collected.truncate(to: start)
        return slot.uid
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> [String: String] {
        guard let (keys, values) = try decoder.dictionary(value, at: step) else {
            // Fields of an object, or the alternating keys and values of other encoders.
            return try decoder.read([String: String].self, as: [String: String].self, value, at: step)
        }
        return try decoder.with(nil, value, step) { decoder in
            try decoder.countVisits(DecodingMeter.stepsPerEntry * keys.count)
            let archive = decoder.archive
            var result = [String: String](
                minimumCapacity: min(keys.count, archive.capacity(for: (String, String).self)))
            for index in 0..<keys.count {
                let reference = keys.reference(index, in: archive)
                let step = CodingPathStep.dictionaryKey(UInt32(truncatingIfNeeded: reference))
                let key = try text(reference, in: decoder, at: step)
                try decoder.checkHashed(key, at: step)
                result[key] = try text(values.reference(index, in: archive), in: decoder, at: step)
            }
            return result
        }
    }

    @inline(__always)
    private static func text(_ reference: Int, in decoder: DecodingFrame, at step: CodingPathStep) throws -> String {
        if let offset = decoder.archive.leafOffset(reference),
            let usual = String.leaf(at: offset, in: decoder.archive)
        {
            return usual
        }
        return try String.leaf(decoder.resolve(reference, at: step), in: decoder, at: step)
    }
}
