// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A page of search results, with the structure of the well-known `twitter.json`: many fields, many of them absent, text in many
/// languages, and few distinct strings.
struct Timeline: Codable, Equatable {
    var statuses: [Status]
}

struct Status: Codable, Equatable {
    var createdAt: String
    var id: Int64
    var identifier: String
    var text: String
    var source: String
    var truncated: Bool
    var inReplyToStatus: Int64?
    var inReplyToUser: Int64?
    var inReplyToScreenName: String?
    var user: User
    var coordinates: Coordinates?
    var place: Place?
    var retweetCount: Int
    var favoriteCount: Int
    var entities: Entities
    var favorited: Bool
    var retweeted: Bool
    var possiblySensitive: Bool?
    var language: String

    enum CodingKeys: String, CodingKey {
        case createdAt = "created_at"
        case id
        case identifier = "id_str"
        case text
        case source
        case truncated
        case inReplyToStatus = "in_reply_to_status_id"
        case inReplyToUser = "in_reply_to_user_id"
        case inReplyToScreenName = "in_reply_to_screen_name"
        case user
        case coordinates
        case place
        case retweetCount = "retweet_count"
        case favoriteCount = "favorite_count"
        case entities
        case favorited
        case retweeted
        case possiblySensitive = "possibly_sensitive"
        case language = "lang"
    }

    /// Explicit because the service writes null for an absent answer, place or coordinates. The synthesized method omits them, as
    /// in all other types here.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(id, forKey: .id)
        try container.encode(identifier, forKey: .identifier)
        try container.encode(text, forKey: .text)
        try container.encode(source, forKey: .source)
        try container.encode(truncated, forKey: .truncated)
        try container.encode(inReplyToStatus, forKey: .inReplyToStatus)
        try container.encode(inReplyToUser, forKey: .inReplyToUser)
        try container.encode(inReplyToScreenName, forKey: .inReplyToScreenName)
        try container.encode(user, forKey: .user)
        try container.encode(coordinates, forKey: .coordinates)
        try container.encode(place, forKey: .place)
        try container.encode(retweetCount, forKey: .retweetCount)
        try container.encode(favoriteCount, forKey: .favoriteCount)
        try container.encode(entities, forKey: .entities)
        try container.encode(favorited, forKey: .favorited)
        try container.encode(retweeted, forKey: .retweeted)
        try container.encodeIfPresent(possiblySensitive, forKey: .possiblySensitive)
        try container.encode(language, forKey: .language)
    }
}

struct User: Codable, Equatable {
    var id: Int64
    var identifier: String
    var name: String
    var screenName: String
    var location: String
    var description: String
    var url: String?
    var protected: Bool
    var followersCount: Int
    var friendsCount: Int
    var listedCount: Int
    var favouritesCount: Int
    var statusesCount: Int
    var createdAt: String
    var utcOffset: Int?
    var timeZone: String?
    var geoEnabled: Bool
    var verified: Bool
    var language: String
    var profileBackgroundColor: String
    var profileBackgroundImage: String
    var profileImage: String
    var profileBanner: String?
    var profileLinkColor: String
    var profileTextColor: String
    var profileUsesBackgroundImage: Bool
    var defaultProfile: Bool
    var following: Bool?

    enum CodingKeys: String, CodingKey {
        case id
        case identifier = "id_str"
        case name
        case screenName = "screen_name"
        case location
        case description
        case url
        case protected
        case followersCount = "followers_count"
        case friendsCount = "friends_count"
        case listedCount = "listed_count"
        case favouritesCount = "favourites_count"
        case statusesCount = "statuses_count"
        case createdAt = "created_at"
        case utcOffset = "utc_offset"
        case timeZone = "time_zone"
        case geoEnabled = "geo_enabled"
        case verified
        case language = "lang"
        case profileBackgroundColor = "profile_background_color"
        case profileBackgroundImage = "profile_background_image_url"
        case profileImage = "profile_image_url"
        case profileBanner = "profile_banner_url"
        case profileLinkColor = "profile_link_color"
        case profileTextColor = "profile_text_color"
        case profileUsesBackgroundImage = "profile_use_background_image"
        case defaultProfile = "default_profile"
        case following
    }
}

struct Coordinates: Codable, Equatable {
    var type: String
    var coordinates: [Double]
}

struct Place: Codable, Equatable {
    var id: String
    var name: String
    var country: String
}

/// The references in a status. `indices` are the first and the last character of their text.
struct Entities: Codable, Equatable {
    struct Hashtag: Codable, Equatable {
        var text: String
        var indices: [Int]
    }

    struct Link: Codable, Equatable {
        var url: String
        var expandedURL: String
        var displayURL: String
        var indices: [Int]

        enum CodingKeys: String, CodingKey {
            case url
            case expandedURL = "expanded_url"
            case displayURL = "display_url"
            case indices
        }
    }

    struct Mention: Codable, Equatable {
        var screenName: String
        var name: String
        var id: Int64
        var identifier: String
        var indices: [Int]

        enum CodingKeys: String, CodingKey {
            case screenName = "screen_name"
            case name
            case id
            case identifier = "id_str"
            case indices
        }
    }

    var hashtags: [Hashtag]
    var urls: [Link]
    var mentions: [Mention]

    enum CodingKeys: String, CodingKey {
        case hashtags
        case urls
        case mentions = "user_mentions"
    }
}
