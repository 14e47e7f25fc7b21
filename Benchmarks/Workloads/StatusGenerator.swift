// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension Timeline {
    /// Statuses of about 400 users. A few users write most of them.
    static func example(count: Int, seed: UInt64) -> Timeline {
        var random = SplitMix64(seed: seed)
        let users = (0..<400).map { _ in User.example(&random) }
        return Timeline(statuses: (0..<count).map { _ in Status.example(by: users, &random) })
    }
}

extension Status {
    fileprivate static func example(by users: [User], _ random: inout SplitMix64) -> Status {
        let language = random.choice(Vocabulary.languages)
        let repliedTo = random.chance(percent: 20) ? random.choice(users) : nil
        let links = (0..<random.integer(in: 0..<3)).map { _ in Entities.Link.example(&random) }
        let id = random.identifier()
        return Status(
            createdAt: random.date(),
            id: id,
            identifier: String(id),
            text: Vocabulary.text(in: language, length: 4..<14, &random),
            source: random.choice(Vocabulary.sources),
            truncated: false,
            inReplyToStatus: repliedTo == nil ? nil : random.identifier(),
            inReplyToUser: repliedTo?.id,
            inReplyToScreenName: repliedTo?.screenName,
            user: users[min(random.integer(in: 0..<users.count), random.integer(in: 0..<users.count))],
            coordinates: random.chance(percent: 4)
                ? Coordinates(
                    type: "Point", coordinates: [random.decimal(in: -180..<180), random.decimal(in: -90..<90)]) : nil,
            place: random.chance(percent: 5) ? random.choice(Vocabulary.places) : nil,
            retweetCount: random.integer(in: 0..<random.choice([1, 10, 3_000])),
            favoriteCount: random.integer(in: 0..<random.choice([1, 10, 500])),
            entities: Entities(
                hashtags: random.choices(Vocabulary.hashtags, count: 0..<3).map {
                    Entities.Hashtag(text: $0, indices: random.span(length: $0.count + 1))
                },
                urls: links,
                mentions: random.choices(users, count: 0..<3).map {
                    Entities.Mention(
                        screenName: $0.screenName, name: $0.name, id: $0.id, identifier: $0.identifier,
                        indices: random.span(length: $0.screenName.count + 1))
                }),
            favorited: random.chance(percent: 5),
            retweeted: random.chance(percent: 5),
            possiblySensitive: links.isEmpty ? nil : random.chance(percent: 3),
            language: language
        )
    }
}

extension User {
    fileprivate static func example(_ random: inout SplitMix64) -> User {
        let language = random.choice(Vocabulary.languages)
        let id = Int64(random.integer(in: 10_000..<2_900_000_000))
        let screenName = random.choice(Vocabulary.names) + "_\(random.integer(in: 0..<10_000))"
        let zone = random.chance(percent: 60) ? random.choice(Vocabulary.timeZones) : nil
        let image = "http://pbs.twimg.com/profile_images/\(random.identifier())/\(screenName)_normal.jpeg"
        return User(
            id: id,
            identifier: String(id),
            name: Vocabulary.text(in: language, length: 1..<3, &random),
            screenName: screenName,
            location: random.chance(percent: 50) ? random.choice(Vocabulary.places).name : "",
            description: Vocabulary.text(in: language, length: 0..<12, &random),
            url: random.chance(percent: 30) ? random.shortLink() : nil,
            protected: false,
            followersCount: random.integer(in: 0..<random.choice([500, 20_000, 900_000])),
            friendsCount: random.integer(in: 0..<2_000),
            listedCount: random.integer(in: 0..<40),
            favouritesCount: random.integer(in: 0..<6_000),
            statusesCount: random.integer(in: 0..<80_000),
            createdAt: random.date(),
            utcOffset: zone?.offset,
            timeZone: zone?.name,
            geoEnabled: random.chance(percent: 30),
            verified: random.chance(percent: 3),
            language: language,
            profileBackgroundColor: random.choice(Vocabulary.colors),
            profileBackgroundImage: "http://abs.twimg.com/images/themes/theme\(random.integer(in: 1..<20))/bg.png",
            profileImage: image,
            profileBanner: random.chance(percent: 60)
                ? "https://pbs.twimg.com/profile_banners/\(id)/\(random.integer(in: 1_340_000_000..<1_409_000_000))"
                : nil,
            profileLinkColor: random.choice(Vocabulary.colors),
            profileTextColor: "333333",
            profileUsesBackgroundImage: true,
            defaultProfile: random.chance(percent: 50),
            following: random.chance(percent: 10) ? false : nil
        )
    }
}

extension Entities.Link {
    fileprivate static func example(_ random: inout SplitMix64) -> Entities.Link {
        let page = "\(random.choice(Vocabulary.hosts))/articles/\(random.integer(in: 1_000..<999_999))"
        return Entities.Link(
            url: random.shortLink(), expandedURL: "http://\(page).html", displayURL: page,
            indices: random.span(length: 22))
    }
}

// MARK: - Parts

extension SplitMix64 {
    /// An identifier of the magnitude of 2014: about 5 × 10¹⁷.
    fileprivate mutating func identifier() -> Int64 {
        505_874_800_000_000_000 + Int64(integer(in: 0..<100_000_000_000_000))
    }

    fileprivate mutating func shortLink() -> String {
        "http://t.co/" + String(next() >> 12, radix: 36)
    }

    fileprivate mutating func date() -> String {
        let day = choice(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
        let month = choice(["Jan", "Mar", "Apr", "Jun", "Aug", "Sep", "Nov"])
        let time = "\(twoDigits(0..<24)):\(twoDigits(0..<60)):\(twoDigits(0..<60))"
        return "\(day) \(month) \(twoDigits(1..<29)) \(time) +0000 20\(twoDigits(7..<15))"
    }

    private mutating func twoDigits(_ range: Range<Int>) -> String {
        let digits = String(integer(in: range))
        return digits.count < 2 ? "0" + digits : digits
    }

    /// The first and the last index of a part of a text.
    fileprivate mutating func span(length: Int) -> [Int] {
        let start = integer(in: 0..<110)
        return [start, start + length]
    }
}
