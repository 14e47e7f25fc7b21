// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - XML

extension Mutator {
    static let textMutations: [Mutation] = [
        onTokens("a token less") { tokens, generator in tokens.remove(at: generator.below(tokens.count)) },
        onTokens("a token twice") { tokens, generator in
            let position = generator.below(tokens.count)
            tokens.insert(tokens[position], at: generator.below(tokens.count))
        },
        onTokens("two tokens change places") { tokens, generator in
            tokens.swapAt(generator.below(tokens.count), generator.below(tokens.count))
        },
        onTokens("another tag") { tokens, generator in
            let tags = tokens.indices.filter { tokens[$0].first == UInt8(ascii: "<") }
            guard let position = tags.randomElement(using: &generator) else { return }
            tokens[position] = Array(anyTag(using: &generator).utf8)
        },
        onTokens("another text") { tokens, generator in
            let texts = tokens.indices.filter { tokens[$0].first != UInt8(ascii: "<") }
            guard let position = texts.randomElement(using: &generator) else { return }
            tokens[position] = Array(anyText(using: &generator).utf8)
        },
        onTokens("a text in front") { tokens, generator in
            let new = Array(anyText(using: &generator).utf8)
            tokens.insert(new, at: generator.below(tokens.count))
        },
        onTokens("a tag more") { tokens, generator in
            tokens.insert(Array(anyTag(using: &generator).utf8), at: generator.below(tokens.count))
        },
        onTokens("elements that are nested deep") { tokens, generator in
            let (levels, position) = (generator.pick([10, 511, 512, 600]), generator.below(tokens.count))
            let tag = generator.pick(["<array>", "<dict><key>k</key>", "<dict>", "<plist>", "<string>"])
            tokens.insert(contentsOf: Array(repeating: Array(tag.utf8), count: levels), at: position)
        },
        onTokens("cut off") { tokens, generator in tokens.removeLast(1 + generator.below(tokens.count)) },
        Mutation("another encoding", .text) { bytes, generator in
            guard bytes.first == UInt8(ascii: "<") else { return nil }
            let isBig = generator.once(in: 2)
            let units = bytes.flatMap { isBig ? [0 as UInt8, $0] : [$0, 0] }
            let mark: [UInt8] = generator.once(in: 4) ? [] : isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]
            return generator.once(in: 4) ? [0xEF, 0xBB, 0xBF] + bytes : mark + units
        },
        Mutation("a byte of the text", .text) { bytes, generator in
            guard bytes.first == UInt8(ascii: "<") else { return nil }
            var bytes = bytes
            bytes[generator.below(bytes.count)] = generator.pick(
                Array("<>&;/\"'! ?-]x0\n".utf8) + [0, 0x80, 0xC3, 0xFF])
            return bytes
        },
    ]

    private static func anyTag(using generator: inout Generator) -> String {
        let names = [
            "plist", "dict", "array", "key", "string", "integer", "real", "date", "data", "true", "false", "set",
            "null",
        ]
        let name = generator.pick(names)
        let tags = [
            "<\(name)>", "</\(name)>", "<\(name)/>", "<\(name) a=\"b>\">", "<!-- \(name) -->", "<![CDATA[\(name)]]>",
            "<?\(name) ?>", "<!DOCTYPE \(name) [<!ENTITY a \"b\">]>", "<\(name)", "<", "<!--", "<![CDATA[",
        ]
        return generator.pick(tags)
    }

    private static func anyText(using generator: inout Generator) -> String {
        let texts = [
            "&lt;", "&#65;", "&#x110000;", "&#xD800;", "&#0;", "&#99999999999999999999;", "&a;", "&", "&amp", "]]>",
            "0x", "-0x8000000000000000", "99999999999999999999", "-1", "1e400", "nan", "+infinity", "1_000",
            "2001-13-41T25:61:61Z", "9999999-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "2001-01-01", "A", "AQ=",
            "====",
            "AQIDBA", "CF$UID", "$objects", "$class", "\u{0}", "\u{FFFD}", String(repeating: "A", count: 1000), "",
            String(generator.next()),
        ]
        return generator.pick(texts)
    }

    private static func onTokens(
        _ name: String, _ body: @escaping @Sendable (inout [[UInt8]], inout Generator) -> Void
    ) -> Mutation {
        Mutation(name, .text) { bytes, generator in
            var tokens = tokens(bytes)
            guard bytes.first == UInt8(ascii: "<"), !tokens.isEmpty else { return nil }
            body(&tokens, &generator)
            return Array(tokens.joined())
        }
    }

    /// The tags of a text, and what is between them.
    private static func tokens(_ bytes: [UInt8]) -> [[UInt8]] {
        var tokens: [[UInt8]] = []
        var start = 0
        for (position, byte) in bytes.enumerated() {
            let end = byte == UInt8(ascii: "<") ? position : byte == UInt8(ascii: ">") ? position + 1 : start
            if end > start {
                tokens.append(Array(bytes[start..<end]))
                start = end
            }
        }
        if start < bytes.count { tokens.append(Array(bytes[start...])) }
        return tokens
    }
}
