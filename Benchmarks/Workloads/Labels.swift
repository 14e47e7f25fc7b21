// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The articles of a shop with dictionaries of strings: attributes by name, and titles by language.
struct LabelledShop: Codable, Equatable {
    struct Article: Codable, Equatable {
        var id: Int
        var attributes: [String: String]
        var titles: [String: String]
    }

    var articles: [Article]
    /// The names of attributes, by language and key.
    var attributeNames: [String: [String: String]]
}

extension LabelledShop {
    static func example(count: Int, seed: UInt64) -> LabelledShop {
        var random = SplitMix64(seed: seed)
        let articles = (1...count).map { id in
            var attributes = ["sku": "A-\(random.integer(in: 0..<10_000_000))"]
            for _ in 0..<random.integer(in: 4..<12) {
                attributes[random.choice(attributes.count < 6 ? common : rare)] = random.choice(values)
            }
            let word = random.choice(nouns)
            let titles = languages.map { ($0, "\(random.choice(values)) \(word) \(random.integer(in: 1..<400))") }
            return Article(
                id: id, attributes: attributes, titles: Dictionary(uniqueKeysWithValues: titles.prefix(1 + id % 4)))
        }
        let names = languages.map { language in
            (language, Dictionary(uniqueKeysWithValues: (common + rare).map { ($0, "\($0) (\(language))") }))
        }
        return LabelledShop(articles: articles, attributeNames: Dictionary(uniqueKeysWithValues: names))
    }

    private static let languages = ["en", "de", "fr", "日本語"]
    private static let common = ["colour", "material", "size", "weight", "brand", "country", "season", "care"]
    private static let rare = [
        "voltage", "socket", "thread", "capacity", "sole", "lining", "pattern", "wood", "finish", "blade", "grip",
        "lens",
    ]
    private static let values = [
        "red", "blue", "green", "black", "ivory", "oak", "walnut", "steel", "brass", "wool", "cotton", "linen", "large",
        "small", "medium", "summer", "winter", "hand wash only", "do not iron", "Österreich", "España", "中国", "Italia",
        "a finish that is matt on the outside and glossy on the inside",
    ]
    private static let nouns = [
        "chair", "lamp", "table", "knife", "coat", "boot", "shelf", "scarf", "kettle", "mirror",
    ]
}
