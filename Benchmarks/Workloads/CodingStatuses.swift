// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The page of `Timeline`, with all structs as classes by `Coding`.
final class CodingTimeline: Coding {
    let statuses: [CodingStatus]

    init(_ value: Timeline) {
        statuses = value.statuses.map(CodingStatus.init)
    }

    init(coder: KeyedUnarchiver) throws {
        statuses = try coder.decode([CodingStatus].self, forKey: "statuses")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(statuses, forKey: "statuses")
    }

    /// Returns whether two pages have equal contents.
    static func isFaithful(original: CodingTimeline, decoded: CodingTimeline, sharing: Bool) -> Bool {
        contents(of: original) == contents(of: decoded)
    }
}

/// A status of the page.
final class CodingStatus: Coding {
    let createdAt: String
    let id: Int64
    let identifier: String
    let text: String
    let source: String
    let truncated: Bool
    let inReplyToStatus: Int64?
    let inReplyToUser: Int64?
    let inReplyToScreenName: String?
    let user: CodingUser
    let coordinates: CodingCoordinates?
    let place: CodingPlace?
    let retweetCount: Int
    let favoriteCount: Int
    let entities: CodingEntities
    let favorited: Bool
    let retweeted: Bool
    let possiblySensitive: Bool?
    let language: String

    init(_ value: Status) {
        createdAt = value.createdAt
        id = value.id
        identifier = value.identifier
        text = value.text
        source = value.source
        truncated = value.truncated
        inReplyToStatus = value.inReplyToStatus
        inReplyToUser = value.inReplyToUser
        inReplyToScreenName = value.inReplyToScreenName
        user = CodingUser(value.user)
        coordinates = value.coordinates.map(CodingCoordinates.init)
        place = value.place.map(CodingPlace.init)
        retweetCount = value.retweetCount
        favoriteCount = value.favoriteCount
        entities = CodingEntities(value.entities)
        favorited = value.favorited
        retweeted = value.retweeted
        possiblySensitive = value.possiblySensitive
        language = value.language
    }

    init(coder: KeyedUnarchiver) throws {
        createdAt = try coder.decode(String.self, forKey: "created_at")
        id = try coder.decode(Int64.self, forKey: "id")
        identifier = try coder.decode(String.self, forKey: "id_str")
        text = try coder.decode(String.self, forKey: "text")
        source = try coder.decode(String.self, forKey: "source")
        truncated = try coder.decodeBool(forKey: "truncated")
        inReplyToStatus = try coder.decodeIfPresent(Int64.self, forKey: "in_reply_to_status_id")
        inReplyToUser = try coder.decodeIfPresent(Int64.self, forKey: "in_reply_to_user_id")
        inReplyToScreenName = try coder.decodeIfPresent(String.self, forKey: "in_reply_to_screen_name")
        user = try coder.decode(CodingUser.self, forKey: "user")
        coordinates = try coder.decodeIfPresent(CodingCoordinates.self, forKey: "coordinates")
        place = try coder.decodeIfPresent(CodingPlace.self, forKey: "place")
        retweetCount = try coder.decodeInteger(forKey: "retweet_count")
        favoriteCount = try coder.decodeInteger(forKey: "favorite_count")
        entities = try coder.decode(CodingEntities.self, forKey: "entities")
        favorited = try coder.decodeBool(forKey: "favorited")
        retweeted = try coder.decodeBool(forKey: "retweeted")
        possiblySensitive = try coder.decodeIfPresent(Bool.self, forKey: "possibly_sensitive")
        language = try coder.decode(String.self, forKey: "lang")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(createdAt, forKey: "created_at")
        coder.encode(id, forKey: "id")
        coder.encode(identifier, forKey: "id_str")
        coder.encode(text, forKey: "text")
        coder.encode(source, forKey: "source")
        coder.encode(truncated, forKey: "truncated")
        coder.encode(inReplyToStatus, forKey: "in_reply_to_status_id")
        coder.encode(inReplyToUser, forKey: "in_reply_to_user_id")
        coder.encode(inReplyToScreenName, forKey: "in_reply_to_screen_name")
        try coder.encode(user, forKey: "user")
        try coder.encode(coordinates, forKey: "coordinates")
        try coder.encode(place, forKey: "place")
        coder.encode(retweetCount, forKey: "retweet_count")
        coder.encode(favoriteCount, forKey: "favorite_count")
        try coder.encode(entities, forKey: "entities")
        coder.encode(favorited, forKey: "favorited")
        coder.encode(retweeted, forKey: "retweeted")
        coder.encode(possiblySensitive, forKey: "possibly_sensitive")
        coder.encode(language, forKey: "lang")
    }
}

/// The author of a status.
final class CodingUser: Coding {
    let id: Int64
    let identifier: String
    let name: String
    let screenName: String
    let location: String
    let description: String
    let url: String?
    let protected: Bool
    let followersCount: Int
    let friendsCount: Int
    let listedCount: Int
    let favouritesCount: Int
    let statusesCount: Int
    let createdAt: String
    let utcOffset: Int?
    let timeZone: String?
    let geoEnabled: Bool
    let verified: Bool
    let language: String
    let profileBackgroundColor: String
    let profileBackgroundImage: String
    let profileImage: String
    let profileBanner: String?
    let profileLinkColor: String
    let profileTextColor: String
    let profileUsesBackgroundImage: Bool
    let defaultProfile: Bool
    let following: Bool?

    init(_ value: User) {
        id = value.id
        identifier = value.identifier
        name = value.name
        screenName = value.screenName
        location = value.location
        description = value.description
        url = value.url
        protected = value.protected
        followersCount = value.followersCount
        friendsCount = value.friendsCount
        listedCount = value.listedCount
        favouritesCount = value.favouritesCount
        statusesCount = value.statusesCount
        createdAt = value.createdAt
        utcOffset = value.utcOffset
        timeZone = value.timeZone
        geoEnabled = value.geoEnabled
        verified = value.verified
        language = value.language
        profileBackgroundColor = value.profileBackgroundColor
        profileBackgroundImage = value.profileBackgroundImage
        profileImage = value.profileImage
        profileBanner = value.profileBanner
        profileLinkColor = value.profileLinkColor
        profileTextColor = value.profileTextColor
        profileUsesBackgroundImage = value.profileUsesBackgroundImage
        defaultProfile = value.defaultProfile
        following = value.following
    }

    init(coder: KeyedUnarchiver) throws {
        id = try coder.decode(Int64.self, forKey: "id")
        identifier = try coder.decode(String.self, forKey: "id_str")
        name = try coder.decode(String.self, forKey: "name")
        screenName = try coder.decode(String.self, forKey: "screen_name")
        location = try coder.decode(String.self, forKey: "location")
        description = try coder.decode(String.self, forKey: "description")
        url = try coder.decodeIfPresent(String.self, forKey: "url")
        protected = try coder.decodeBool(forKey: "protected")
        followersCount = try coder.decodeInteger(forKey: "followers_count")
        friendsCount = try coder.decodeInteger(forKey: "friends_count")
        listedCount = try coder.decodeInteger(forKey: "listed_count")
        favouritesCount = try coder.decodeInteger(forKey: "favourites_count")
        statusesCount = try coder.decodeInteger(forKey: "statuses_count")
        createdAt = try coder.decode(String.self, forKey: "created_at")
        utcOffset = try coder.decodeIfPresent(Int.self, forKey: "utc_offset")
        timeZone = try coder.decodeIfPresent(String.self, forKey: "time_zone")
        geoEnabled = try coder.decodeBool(forKey: "geo_enabled")
        verified = try coder.decodeBool(forKey: "verified")
        language = try coder.decode(String.self, forKey: "lang")
        profileBackgroundColor = try coder.decode(String.self, forKey: "profile_background_color")
        profileBackgroundImage = try coder.decode(String.self, forKey: "profile_background_image_url")
        profileImage = try coder.decode(String.self, forKey: "profile_image_url")
        profileBanner = try coder.decodeIfPresent(String.self, forKey: "profile_banner_url")
        profileLinkColor = try coder.decode(String.self, forKey: "profile_link_color")
        profileTextColor = try coder.decode(String.self, forKey: "profile_text_color")
        profileUsesBackgroundImage = try coder.decodeBool(forKey: "profile_use_background_image")
        defaultProfile = try coder.decodeBool(forKey: "default_profile")
        following = try coder.decodeIfPresent(Bool.self, forKey: "following")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(id, forKey: "id")
        coder.encode(identifier, forKey: "id_str")
        coder.encode(name, forKey: "name")
        coder.encode(screenName, forKey: "screen_name")
        coder.encode(location, forKey: "location")
        coder.encode(description, forKey: "description")
        coder.encode(url, forKey: "url")
        coder.encode(protected, forKey: "protected")
        coder.encode(followersCount, forKey: "followers_count")
        coder.encode(friendsCount, forKey: "friends_count")
        coder.encode(listedCount, forKey: "listed_count")
        coder.encode(favouritesCount, forKey: "favourites_count")
        coder.encode(statusesCount, forKey: "statuses_count")
        coder.encode(createdAt, forKey: "created_at")
        coder.encode(utcOffset, forKey: "utc_offset")
        coder.encode(timeZone, forKey: "time_zone")
        coder.encode(geoEnabled, forKey: "geo_enabled")
        coder.encode(verified, forKey: "verified")
        coder.encode(language, forKey: "lang")
        coder.encode(profileBackgroundColor, forKey: "profile_background_color")
        coder.encode(profileBackgroundImage, forKey: "profile_background_image_url")
        coder.encode(profileImage, forKey: "profile_image_url")
        coder.encode(profileBanner, forKey: "profile_banner_url")
        coder.encode(profileLinkColor, forKey: "profile_link_color")
        coder.encode(profileTextColor, forKey: "profile_text_color")
        coder.encode(profileUsesBackgroundImage, forKey: "profile_use_background_image")
        coder.encode(defaultProfile, forKey: "default_profile")
        coder.encode(following, forKey: "following")
    }
}

/// The coordinates of a status.
final class CodingCoordinates: Coding {
    let type: String
    let coordinates: [Double]

    init(_ value: Coordinates) {
        type = value.type
        coordinates = value.coordinates
    }

    init(coder: KeyedUnarchiver) throws {
        type = try coder.decode(String.self, forKey: "type")
        coordinates = try coder.decode([Double].self, forKey: "coordinates")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(type, forKey: "type")
        try coder.encode(coordinates, forKey: "coordinates")
    }
}

/// The place of a status.
final class CodingPlace: Coding {
    let id: String
    let name: String
    let country: String

    init(_ value: Place) {
        id = value.id
        name = value.name
        country = value.country
    }

    init(coder: KeyedUnarchiver) throws {
        id = try coder.decode(String.self, forKey: "id")
        name = try coder.decode(String.self, forKey: "name")
        country = try coder.decode(String.self, forKey: "country")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(id, forKey: "id")
        coder.encode(name, forKey: "name")
        coder.encode(country, forKey: "country")
    }
}

/// The references in a status.
final class CodingEntities: Coding {
    let hashtags: [CodingHashtag]
    let urls: [CodingLink]
    let mentions: [CodingMention]

    init(_ value: Entities) {
        hashtags = value.hashtags.map(CodingHashtag.init)
        urls = value.urls.map(CodingLink.init)
        mentions = value.mentions.map(CodingMention.init)
    }

    init(coder: KeyedUnarchiver) throws {
        hashtags = try coder.decode([CodingHashtag].self, forKey: "hashtags")
        urls = try coder.decode([CodingLink].self, forKey: "urls")
        mentions = try coder.decode([CodingMention].self, forKey: "user_mentions")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(hashtags, forKey: "hashtags")
        try coder.encode(urls, forKey: "urls")
        try coder.encode(mentions, forKey: "user_mentions")
    }
}

/// A hashtag of a status.
final class CodingHashtag: Coding {
    let text: String
    let indices: [Int]

    init(_ value: Entities.Hashtag) {
        text = value.text
        indices = value.indices
    }

    init(coder: KeyedUnarchiver) throws {
        text = try coder.decode(String.self, forKey: "text")
        indices = try coder.decode([Int].self, forKey: "indices")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(text, forKey: "text")
        try coder.encode(indices, forKey: "indices")
    }
}

/// A link in a status.
final class CodingLink: Coding {
    let url: String
    let expandedURL: String
    let displayURL: String
    let indices: [Int]

    init(_ value: Entities.Link) {
        url = value.url
        expandedURL = value.expandedURL
        displayURL = value.displayURL
        indices = value.indices
    }

    init(coder: KeyedUnarchiver) throws {
        url = try coder.decode(String.self, forKey: "url")
        expandedURL = try coder.decode(String.self, forKey: "expanded_url")
        displayURL = try coder.decode(String.self, forKey: "display_url")
        indices = try coder.decode([Int].self, forKey: "indices")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(url, forKey: "url")
        coder.encode(expandedURL, forKey: "expanded_url")
        coder.encode(displayURL, forKey: "display_url")
        try coder.encode(indices, forKey: "indices")
    }
}

/// A user mentioned in a status.
final class CodingMention: Coding {
    let screenName: String
    let name: String
    let id: Int64
    let identifier: String
    let indices: [Int]

    init(_ value: Entities.Mention) {
        screenName = value.screenName
        name = value.name
        id = value.id
        identifier = value.identifier
        indices = value.indices
    }

    init(coder: KeyedUnarchiver) throws {
        screenName = try coder.decode(String.self, forKey: "screen_name")
        name = try coder.decode(String.self, forKey: "name")
        id = try coder.decode(Int64.self, forKey: "id")
        identifier = try coder.decode(String.self, forKey: "id_str")
        indices = try coder.decode([Int].self, forKey: "indices")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(screenName, forKey: "screen_name")
        coder.encode(name, forKey: "name")
        coder.encode(id, forKey: "id")
        coder.encode(identifier, forKey: "id_str")
        try coder.encode(indices, forKey: "indices")
    }
}
