// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A theatre's programme, with the structure of the well-known `citm_catalog.json`: dictionaries by name and by number.
struct Catalog: Codable, Equatable {
    var areaNames: [Int: String]
    var seatCategoryNames: [Int: String]
    var subjectNames: [String: String]
    var topicSubTopics: [String: [Int]]
    var venues: [String: Venue]
    var events: [String: Event]
    var performances: [Int: Performance]
}

struct Venue: Codable, Equatable {
    var name: String
    var city: String
    var capacity: Int
    var location: Location
}

struct Event: Codable, Equatable {
    var id: Int
    var name: String
    var subtitle: String?
    var description: String?
    var logo: String?
    var subjectCode: Int?
    var topicIDs: [Int]
    var subTopicIDs: [Int]
}

struct Performance: Codable, Equatable {
    struct Price: Codable, Equatable {
        var amount: Int
        var audienceSubCategoryID: Int
        var seatCategoryID: Int
    }

    struct SeatCategory: Codable, Equatable {
        struct Area: Codable, Equatable {
            var areaID: Int
            var blockIDs: [Int]
        }

        var seatCategoryID: Int
        var areas: [Area]
    }

    var id: Int
    var eventID: Int
    var venueCode: String
    var name: String?
    var logo: String?
    var seatMapImage: String?
    /// Milliseconds since 1970.
    var start: Int64
    var prices: [Price]
    var seatCategories: [SeatCategory]
}

extension Catalog {
    /// The programme has 184 events and 243 performances, like the original.
    static func example(seed: UInt64) -> Catalog {
        var random = SplitMix64(seed: seed)
        let areas = identifiers(count: 60, above: 205_705_990, &random)
        let seatCategories = identifiers(count: 64, above: 338_937_230, &random)
        let topics = identifiers(count: 40, above: 324_846_090, &random)
        let subTopics = identifiers(count: 90, above: 337_184_260, &random)
        let events = identifiers(count: 184, above: 138_586_340, &random)
        let venueCodes = ["PLEYEL_PLEYEL", "OPERA_GARNIER", "CITE_GRANDE_SALLE", "THÉÂTRE_DE_LA_VILLE", "ODÉON"]

        func named(_ identifiers: [Int], _ names: [String]) -> [Int: String] {
            dictionary(identifiers) { _ in random.choice(names) }
        }

        func performance(_ identifier: Int) -> Performance {
            let offered = random.choices(seatCategories, count: 2..<8)
            return Performance(
                id: identifier,
                eventID: random.choice(events),
                venueCode: random.choice(venueCodes),
                logo: random.chance(percent: 40) ? "/images/UE0AAAAACEKo\(random.integer(in: 0..<64))AAAVD" : nil,
                start: 1_372_701_600_000 + Int64(random.integer(in: 0..<2_000)) * 900_000,
                prices: offered.map { category in
                    Performance.Price(
                        amount: random.integer(in: 4..<40) * 2_500,
                        audienceSubCategoryID: 337_100_890,
                        seatCategoryID: category)
                },
                seatCategories: offered.map { category in
                    Performance.SeatCategory(
                        seatCategoryID: category,
                        areas: random.choices(areas, count: 2..<16).map {
                            Performance.SeatCategory.Area(
                                areaID: $0, blockIDs: random.chance(percent: 10) ? [random.choice(areas)] : [])
                        })
                }
            )
        }

        return Catalog(
            areaNames: named(areas, areaNames),
            seatCategoryNames: named(seatCategories, (1...9).map { "\($0)ère catégorie" }),
            subjectNames: dictionary((1...48).map { "SUBJECT_\($0)" }) { _ in random.choice(titles) },
            topicSubTopics: dictionary(topics.map(String.init)) { _ in random.choices(subTopics, count: 1..<12) },
            venues: dictionary(venueCodes) { code in
                Venue(
                    name: code.lowercased(), city: "Paris", capacity: random.integer(in: 2..<30) * 100,
                    location: Location(
                        latitude: random.decimal(in: 48.8..<48.9), longitude: random.decimal(in: 2.2..<2.5)))
            },
            events: dictionary(events.map(String.init)) { identifier in
                Event(
                    id: Int(identifier) ?? 0,
                    name: random.choices(titles, count: 1..<4).joined(separator: " / "),
                    subtitle: random.chance(percent: 15) ? random.choice(titles) : nil,
                    logo: random.chance(percent: 60) ? "/images/UE0AAAAACEKo\(identifier)AAAVD" : nil,
                    topicIDs: random.choices(topics, count: 1..<5),
                    subTopicIDs: random.choices(subTopics, count: 1..<7))
            },
            performances: dictionary(identifiers(count: 243, above: 138_586_341, &random), performance)
        )
    }

    private static func identifiers(count: Int, above start: Int, _ random: inout SplitMix64) -> [Int] {
        var identifier = start
        return (0..<count).map { _ in
            identifier += random.integer(in: 1..<40)
            return identifier
        }
    }

    /// A dictionary with a value for each key. Of equal keys, the first applies.
    private static func dictionary<Key, Value>(_ keys: [Key], _ value: (Key) -> Value) -> [Key: Value] {
        Dictionary(keys.map { ($0, value($0)) }) { first, _ in first }
    }

    private static let areaNames = [
        "Arrière-scène central", "1er balcon central", "2ème balcon jardin", "Parterre cour", "Loge cour", "Corbeille",
        "1er balcon bergerie cour", "Deuxième balcon", "Orchestre", "Fauteuil d'orchestre", "Strapontin", "Galerie",
    ]

    private static let titles = [
        "Orchestre Philharmonique de Radio France", "Chœur de l'Opéra", "Symphonie nº 5 de Gustav Mahler", "Récital",
        "Berliner Philharmoniker", "Concert anniversaire", "Quatuor Borodine", "La Traviata", "Das Rheingold",
        "Antonín Dvořák: Rusalka", "Boléro", "Jazz à la Villette", "Ciné-concert", "Musique de chambre", "Gospel",
        "Les Talens Lyriques", "Saison 2013-2014", "Œuvres pour piano", "Nuit de la guitare", "Cycle Beethoven",
    ]
}
