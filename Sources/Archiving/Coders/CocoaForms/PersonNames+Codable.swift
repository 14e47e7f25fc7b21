// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The form of `Value`, which is PersonNameComponents.
///
/// Its own Codable form has no phonetic representation, and no other way to set one is known without naming the type.
/// Such a name is an error in both directions, because it would come back without it.
enum PersonNameForm<Value: Codable>: CodedShape {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard !Mirror(reflecting: value).children.contains(where: { $0.label == "phoneticRepresentation" }) else {
            throw EncodingError.phoneticName(value, path: encoding.keys(step))
        }
        let fields = try PlainFields(of: value)
        return encoding.graph.personName(ArchivedPersonName.keys.map { fields.text($0.property) })
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        let name = try decoder.undamaged(decoder.archive.personName(value), at: step)
        guard let name else {
            return try decoder.otherForm(of: Value.self, value, at: step) { try $0.value(Value.self) }
        }
        guard !name.isPhonetic else { throw DecodingError.phoneticName(path: decoder.path(step)) }
        var fields = PlainFields()
        for (entry, part) in zip(ArchivedPersonName.keys, name.parts) {
            if let part { fields.append(entry.property, part) }
        }
        return try fields.value(of: Value.self)
    }
}
