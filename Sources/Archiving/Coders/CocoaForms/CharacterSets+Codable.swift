// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

enum CharacterSetForm<Value: Codable>: CodedShape {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard let bytes = try PlainFields(of: value).blobs.first, let bitmap = CharacterBitmap(bytes) else {
            throw EncodingError.unknownParts(value)
        }
        return encoding.graph.characterSet(bitmap)
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        let found = try decoder.undamaged(decoder.archive.characters(value), at: step)
        let bitmap: CharacterBitmap
        if let found {
            bitmap = try self.bitmap(found.members, isInverted: found.isInverted, value, in: decoder, at: step)
        } else {
            // CharacterSet does not check its own form, so it is checked here.
            let bytes = try decoder.otherForm(of: Value.self, value, at: step) { try OwnForm(from: $0).bitmap }
            bitmap = try checked(CharacterBitmap(bytes), in: decoder, at: step)
        }
        let bytes = bitmap.bytes
        // A set can be much larger than its form in the archive.
        try decoder.countVisits(bytes.count / CharacterBitmap.bytesPerVisit)
        var fields = PlainFields()
        fields.append("bitmap", Data(bytes))
        return try fields.value(of: Value.self)
    }

    private struct OwnForm: Decodable {
        var bitmap: Data
    }

    private static func bitmap(
        _ members: ArchivedCharacters, isInverted: Bool, _ value: ArchivedValue, in decoder: DecodingFrame,
        at step: CodingPathStep
    ) throws -> CharacterBitmap {
        var bitmap: CharacterBitmap
        switch members {
        case .builtIn(_, let bytes?): return try checked(CharacterBitmap(bytes), in: decoder, at: step)
        case .builtIn(let number, nil):
            guard let bytes = LoadedFoundation.bitmap(ofCharacterSet: number) else {
                throw DecodingError.invalid(path: decoder.path(step)) {
                    "Found Foundation's character set \(number), whose members are not in the archive, at"
                        + " \($0). This program cannot look them up: it needs the full"
                        + " Foundation as a dynamic library, and the set has to be one of 1 to 15"
                }
            }
            bitmap = try checked(CharacterBitmap(bytes), in: decoder, at: step)
        case .range(let range): bitmap = CharacterBitmap(range)
        case .string(let text):
            let string = try String.leaf(text, in: decoder, at: step)
            bitmap = CharacterBitmap(string.unicodeScalars)
        case .bitmap(let bytes): bitmap = try checked(CharacterBitmap(bytes), in: decoder, at: step)
        case .unknown:
            throw DecodingError(
                .mismatch(
                    Value.self, found: "a character set of GNUstep's own (uid \(value.uid))", path: decoder.path(step)))
        }
        if isInverted { bitmap.invert() }
        return bitmap
    }

    private static func checked(
        _ bitmap: CharacterBitmap?, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> CharacterBitmap {
        if let bitmap { return bitmap }
        throw DecodingError.invalid(path: decoder.path(step)) {
            "Found a character set at \($0) whose bitmap has another form than planes of"
                + " 8192 bytes"
        }
    }
}
