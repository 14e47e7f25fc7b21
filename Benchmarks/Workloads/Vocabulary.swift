// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The words and phrases of statuses.
enum Vocabulary {
    /// Weighted by repetition.
    static let languages = ["en", "en", "en", "en", "ja", "ja", "ja", "de", "fr", "es", "ru"]

    /// Returns random phrases of a language, joined as the language joins words.
    static func text(in language: String, length: Range<Int>, _ random: inout SplitMix64) -> String {
        random.choices(phrases[language] ?? [], count: length).joined(separator: language == "ja" ? "" : " ")
    }

    private static let phrases = [
        "en": [
            "just", "reading about", "the new", "keyed archives", "and I", "can't believe", "how good", "this is",
            "today",
            "with my friends", "in the rain", "again", "coffee", "before", "the match", "\"finally\"", "lol", "👍", "☕️",
            "one more time", "so happy", "— really", "who knew?", "never again", "thanks for", "sharing",
            "good morning",
        ],
        "ja": [
            "今日は", "とても", "楽しかった", "です", "。", "名前:", "前田あゆみ", "さん", "の", "第一印象:", "なんか怖っ!", "友達", "一緒に",
            "東京", "ライブ", "ありがとう", "ございます", "♪", "明日", "も", "頑張ろう", "!!", "新しい", "写真", "(笑)", "電車", "寒い",
        ],
        "de": [
            "heute", "schönes Wetter", "für", "alle", "Grüße aus", "München", "und", "später", "noch", "ein Käffchen",
            "mit", "der Straßenbahn", "übrigens", "nicht schlecht", "wieder", "zu spät", "der Zug", "natürlich",
        ],
        "fr": [
            "aujourd'hui", "très", "content", "d'être", "à la maison", "avec", "le café", "déjà", "l'été", "ça va",
            "oui",
            "voilà", "un peu", "de soleil", "enfin", "le match", "était", "génial", "où", "ça",
        ],
        "es": [
            "mañana", "el año", "nuevo", "¡qué", "bonito!", "con", "mis amigos", "en", "la playa", "señor", "gracias",
            "por todo", "hoy", "fútbol", "otra vez", "niños", "y", "corazón",
        ],
        "ru": [
            "сегодня", "очень", "хорошо", "и", "мы", "идём", "домой", "спасибо", "за", "вечер", "друзья", "в Москве",
            "снег", "опять", "новый", "год", "кофе", "утром",
        ],
    ]

    static let sources = [
        "<a href=\"http://twitter.com/download/iphone\" rel=\"nofollow\">Twitter for iPhone</a>",
        "<a href=\"http://twitter.com/download/android\" rel=\"nofollow\">Twitter for Android</a>",
        "<a href=\"http://twitter.com\" rel=\"nofollow\">Twitter Web Client</a>",
        "<a href=\"https://about.twitter.com/products/tweetdeck\" rel=\"nofollow\">TweetDeck</a>",
        "<a href=\"http://bufferapp.com\" rel=\"nofollow\">Buffer</a>",
    ]

    static let names = [
        "ayuu", "kirin", "rick", "thomas", "lena", "marie", "pablo", "olga", "yuki", "hana", "max", "swift", "farmer",
        "noriko", "anna", "luc", "ivan", "takuya", "ben", "sofia",
    ]

    static let places = [
        Place(id: "5a110d312052166f", name: "San Francisco, CA", country: "United States"),
        Place(id: "3078869807f9dd36", name: "Berlin", country: "Deutschland"),
        Place(id: "5d838f7a011f4a2d", name: "東京都", country: "日本"),
        Place(id: "09f6a7707f18e0b1", name: "Paris", country: "France"),
        Place(id: "07e9c7d1954fff64", name: "Málaga", country: "España"),
    ]

    static let timeZones = [
        (name: "Tokyo", offset: 32_400), (name: "Berlin", offset: 7_200), (name: "London", offset: 3_600),
        (name: "Pacific Time (US & Canada)", offset: -25_200), (name: "Moscow", offset: 14_400),
    ]

    static let hashtags = ["swift", "NowPlaying", "写真", "東京", "football", "фото", "travel", "été", "LHC", "winter"]
    static let hosts = ["www.example.com", "news.example.org", "blog.example.net", "photos.example.jp"]
    static let colors = ["C0DEED", "0084B4", "ACDED6", "DBE9ED", "FFFFFF", "1A1B1F", "9A4E1C", "642D8B"]
}
