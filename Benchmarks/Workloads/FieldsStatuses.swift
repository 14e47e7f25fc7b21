// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The page of `Timeline` with declared fields.
struct FieldsTimeline: ArchivedFields, Equatable {
    var statuses: [FieldsStatus] = []

    static let fields = FieldList<FieldsTimeline> {
        Field("statuses", \.statuses)
    }
}

extension FieldsTimeline {
    init(_ value: Timeline) {
        statuses = value.statuses.map(FieldsStatus.init)
    }
}

/// A status of the page.
struct FieldsStatus: ArchivedFields, Equatable {
    var createdAt = ""
    var id: Int64 = 0
    var identifier = ""
    var text = ""
    var source = ""
    var truncated = false
    var inReplyToStatus: Int64?
    var inReplyToUser: Int64?
    var inReplyToScreenName: String?
    var user = FieldsUser()
    var coordinates: FieldsCoordinates?
    var place: FieldsPlace?
    var retweetCount = 0
    var favoriteCount = 0
    var entities = FieldsEntities()
    var favorited = false
    var retweeted = false
    var possiblySensitive: Bool?
    var language = ""

    static let fields = FieldList<FieldsStatus> {
        Field("created_at", \.createdAt)
        Field("id", \.id)
        Field("id_str", \.identifier)
        Field("text", \.text)
        Field("source", \.source)
        Field("truncated", \.truncated)
        Field("in_reply_to_status_id", \.inReplyToStatus)
        Field("in_reply_to_user_id", \.inReplyToUser)
        Field("in_reply_to_screen_name", \.inReplyToScreenName)
        Field("user", \.user)
        Field("coordinates", \.coordinates)
        Field("place", \.place)
        Field("retweet_count", \.retweetCount)
        Field("favorite_count", \.favoriteCount)
        Field("entities", \.entities)
        Field("favorited", \.favorited)
        Field("retweeted", \.retweeted)
        Field("possibly_sensitive", \.possiblySensitive)
        Field("lang", \.language)
    }
}

extension FieldsStatus {
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
        user = FieldsUser(value.user)
        coordinates = value.coordinates.map(FieldsCoordinates.init)
        place = value.place.map(FieldsPlace.init)
        retweetCount = value.retweetCount
        favoriteCount = value.favoriteCount
        entities = FieldsEntities(value.entities)
        favorited = value.favorited
        retweeted = value.retweeted
        possiblySensitive = value.possiblySensitive
        language = value.language
    }
}

/// The author of a status.
struct FieldsUser: ArchivedFields, Equatable {
    var id: Int64 = 0
    var identifier = ""
    var name = ""
    var screenName = ""
    var location = ""
    var description = ""
    var url: String?
    var protected = false
    var followersCount = 0
    var friendsCount = 0
    var listedCount = 0
    var favouritesCount = 0
    var statusesCount = 0
    var createdAt = ""
    var utcOffset: Int?
    var timeZone: String?
    var geoEnabled = false
    var verified = false
    var language = ""
    var profileBackgroundColor = ""
    var profileBackgroundImage = ""
    var profileImage = ""
    var profileBanner: String?
    var profileLinkColor = ""
    var profileTextColor = ""
    var profileUsesBackgroundImage = false
    var defaultProfile = false
    var following: Bool?

    static let fields = FieldList<FieldsUser> {
        Field("id", \.id)
        Field("id_str", \.identifier)
        Field("name", \.name)
        Field("screen_name", \.screenName)
        Field("location", \.location)
        Field("description", \.description)
        Field("url", \.url)
        Field("protected", \.protected)
        Field("followers_count", \.followersCount)
        Field("friends_count", \.friendsCount)
        Field("listed_count", \.listedCount)
        Field("favourites_count", \.favouritesCount)
        Field("statuses_count", \.statusesCount)
        Field("created_at", \.createdAt)
        Field("utc_offset", \.utcOffset)
        Field("time_zone", \.timeZone)
        Field("geo_enabled", \.geoEnabled)
        Field("verified", \.verified)
        Field("lang", \.language)
        Field("profile_background_color", \.profileBackgroundColor)
        Field("profile_background_image_url", \.profileBackgroundImage)
        Field("profile_image_url", \.profileImage)
        Field("profile_banner_url", \.profileBanner)
        Field("profile_link_color", \.profileLinkColor)
        Field("profile_text_color", \.profileTextColor)
        Field("profile_use_background_image", \.profileUsesBackgroundImage)
        Field("default_profile", \.defaultProfile)
        Field("following", \.following)
    }
}

extension FieldsUser {
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
}

/// The coordinates of a status.
struct FieldsCoordinates: ArchivedFields, Equatable {
    var type = ""
    var coordinates: [Double] = []

    static let fields = FieldList<FieldsCoordinates> {
        Field("type", \.type)
        Field("coordinates", \.coordinates)
    }
}

extension FieldsCoordinates {
    init(_ value: Coordinates) {
        type = value.type
        coordinates = value.coordinates
    }
}

/// The place of a status.
struct FieldsPlace: ArchivedFields, Equatable {
    var id = ""
    var name = ""
    var country = ""

    static let fields = FieldList<FieldsPlace> {
        Field("id", \.id)
        Field("name", \.name)
        Field("country", \.country)
    }
}

extension FieldsPlace {
    init(_ value: Place) {
        id = value.id
        name = value.name
        country = value.country
    }
}

/// The references in a status.
struct FieldsEntities: ArchivedFields, Equatable {
    var hashtags: [FieldsHashtag] = []
    var urls: [FieldsLink] = []
    var mentions: [FieldsMention] = []

    static let fields = FieldList<FieldsEntities> {
        Field("hashtags", \.hashtags)
        Field("urls", \.urls)
        Field("user_mentions", \.mentions)
    }
}

extension FieldsEntities {
    init(_ value: Entities) {
        hashtags = value.hashtags.map(FieldsHashtag.init)
        urls = value.urls.map(FieldsLink.init)
        mentions = value.mentions.map(FieldsMention.init)
    }
}

/// A hashtag of a status.
struct FieldsHashtag: ArchivedFields, Equatable {
    var text = ""
    var indices: [Int] = []

    static let fields = FieldList<FieldsHashtag> {
        Field("text", \.text)
        Field("indices", \.indices)
    }
}

extension FieldsHashtag {
    init(_ value: Entities.Hashtag) {
        text = value.text
        indices = value.indices
    }
}

/// A link in a status.
struct FieldsLink: ArchivedFields, Equatable {
    var url = ""
    var expandedURL = ""
    var displayURL = ""
    var indices: [Int] = []

    static let fields = FieldList<FieldsLink> {
        Field("url", \.url)
        Field("expanded_url", \.expandedURL)
        Field("display_url", \.displayURL)
        Field("indices", \.indices)
    }
}

extension FieldsLink {
    init(_ value: Entities.Link) {
        url = value.url
        expandedURL = value.expandedURL
        displayURL = value.displayURL
        indices = value.indices
    }
}

/// A user mentioned in a status.
struct FieldsMention: ArchivedFields, Equatable {
    var screenName = ""
    var name = ""
    var id: Int64 = 0
    var identifier = ""
    var indices: [Int] = []

    static let fields = FieldList<FieldsMention> {
        Field("screen_name", \.screenName)
        Field("name", \.name)
        Field("id", \.id)
        Field("id_str", \.identifier)
        Field("indices", \.indices)
    }
}

extension FieldsMention {
    init(_ value: Entities.Mention) {
        screenName = value.screenName
        name = value.name
        id = value.id
        identifier = value.identifier
        indices = value.indices
    }
}
