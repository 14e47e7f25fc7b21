// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension AttributedText {
    /// The style of a paragraph: an NSParagraphStyle. All lengths are in points.
    public struct ParagraphStyle: Hashable, Codable, Sendable {
        /// The alignment of the text.
        public enum Alignment: CaseIterable, Sendable {
            /// At the left margin.
            case left
            /// At the right margin.
            case right
            /// Between the margins.
            case center
            /// At both margins.
            case justified
            /// That of the writing direction.
            case natural
        }

        /// The form of lines that are too long.
        public enum LineBreakMode: CaseIterable, Sendable {
            /// Another line from a word on.
            case wordWrapping
            /// Another line from a character on.
            case characterWrapping
            /// The rest is not visible.
            case clipping
            /// The start is replaced by an ellipsis.
            case truncatingHead
            /// The end is replaced by an ellipsis.
            case truncatingTail
            /// The middle is replaced by an ellipsis.
            case truncatingMiddle
        }

        /// A tab stop: an NSTextTab.
        public struct TabStop: Hashable, Sendable {
            /// The distance from the margin.
            public var location: Double
            /// The alignment of the text at the tab stop.
            public var alignment: Alignment

            /// Creates a tab stop.
            public init(_ location: Double, alignment: Alignment = .left) {
                self.location = location
                self.alignment = alignment
            }
        }

        /// A list that contains the paragraph: an NSTextList.
        public struct TextList: Hashable, Sendable {
            /// The marker of the items, such as "{disc}" or "{decimal}.".
            public var markerFormat: String
            /// The number of the first item.
            public var startingNumber: Int
            /// Whether the markers of the enclosing lists precede the marker.
            public var prependsEnclosingMarker: Bool

            /// Creates a list.
            public init(_ markerFormat: String, startingNumber: Int = 1, prependsEnclosingMarker: Bool = false) {
                self.markerFormat = markerFormat
                self.startingNumber = startingNumber
                self.prependsEnclosingMarker = prependsEnclosingMarker
            }
        }

        /// The alignment.
        public var alignment = Alignment.natural
        /// The additional distance between lines.
        public var lineSpacing = 0.0
        /// The distance after the paragraph.
        public var paragraphSpacing = 0.0
        /// The distance before the paragraph.
        public var paragraphSpacingBefore = 0.0
        /// The distance of the first line from the leading margin.
        public var firstLineHeadIndent = 0.0
        /// The distance of the other lines from the leading margin.
        public var headIndent = 0.0
        /// The end of the lines: from the leading margin if positive, from the trailing margin otherwise.
        public var tailIndent = 0.0
        /// The minimum height of a line.
        public var minimumLineHeight = 0.0
        /// The maximum height of a line; 0 for none.
        public var maximumLineHeight = 0.0
        /// The factor of the natural height of a line; 0 for none.
        public var lineHeightMultiple = 0.0
        /// The distance of the tab stops after the last one.
        public var defaultTabInterval = 0.0
        /// The form of lines that are too long.
        public var lineBreakMode = LineBreakMode.wordWrapping
        /// Whether the writing direction is that of Arabic and Hebrew script; `nil` for that of the first character with a direction.
        public var isRightToLeft: Bool?
        /// The tab stops; `nil` for those of AppKit, one every 28 points.
        public var tabStops: [TabStop]?
        /// The lists that contain the paragraph, the outermost first.
        public var textLists: [TextList] = []
        package var original = OriginalObject()

        /// Creates AppKit's default style.
        public init() {}
    }
}

// MARK: - Archives

extension AttributedText.ParagraphStyle: ArchivedAttribute {
    static var archivedClass: ArchivedClass { ArchivedClass("NSParagraphStyle") }

    private static let lengths: [(key: StaticString, length: any WritableKeyPath<Self, Double> & Sendable)] = [
        ("NSLineSpacing", \.lineSpacing), ("NSParagraphSpacing", \.paragraphSpacing),
        ("NSParagraphSpacingBefore", \.paragraphSpacingBefore), ("NSFirstLineHeadIndent", \.firstLineHeadIndent),
        ("NSHeadIndent", \.headIndent), ("NSTailIndent", \.tailIndent), ("NSMinLineHeight", \.minimumLineHeight),
        ("NSMaxLineHeight", \.maximumLineHeight), ("NSLineHeightMultiple", \.lineHeightMultiple),
        ("NSDefaultTabInterval", \.defaultTabInterval),
    ]

    init?(_ object: inout AppKitObject) throws(KeyedArchiveError) {
        self.init()
        for (key, length) in Self.lengths { self[keyPath: length] = try object.real(key) ?? 0 }
        guard let alignment = Alignment(number: try object.integer("NSAlignment")),
            let lineBreakMode = LineBreakMode(number: try object.integer("NSLineBreakMode")),
            case let direction = try object.integer("NSWritingDirection") ?? 0, (0...2).contains(direction)
        else { return nil }
        self.alignment = alignment
        self.lineBreakMode = lineBreakMode
        isRightToLeft = direction == 0 ? nil : direction == 2
        tabStops = try object.list("NSTabStops", of: TabStop.self)
        textLists = try object.list("NSTextLists", of: TextList.self) ?? []
    }

    var fields: [AppKitField] {
        var fields: [AppKitField] = [
            ("NSAlignment", .integer(alignment.number)), ("NSTabStops", tabStops.map { .list($0) } ?? .null),
        ]
        for (key, length) in Self.lengths where self[keyPath: length] != 0 {
            fields.append((key, .real(self[keyPath: length])))
        }
        if lineBreakMode != .wordWrapping { fields.append(("NSLineBreakMode", .integer(lineBreakMode.number))) }
        if let isRightToLeft { fields.append(("NSWritingDirection", .integer(isRightToLeft ? 2 : 1))) }
        if !textLists.isEmpty { fields.append(("NSTextLists", .list(textLists))) }
        return fields
    }
}

extension AttributedText.ParagraphStyle.TabStop: AppKitValue {
    static var archivedClass: ArchivedClass { ArchivedClass("NSTextTab") }

    /// The alignments by the number of the type: left, right, center, and the decimal separator.
    private static var types: [AttributedText.ParagraphStyle.Alignment] { [.left, .right, .center] }

    init?(_ object: inout AppKitObject) throws(KeyedArchiveError) {
        let type = try object.integer("NSType") ?? 0
        let number = try object.integer("NSTextAlignment")
        guard let alignment = AttributedText.ParagraphStyle.Alignment(number: number) else { return nil }
        self.init(try object.real("NSLocation") ?? 0, alignment: alignment)
        guard Self.types.indices.contains(type) else {
            object.holdsMore = true
            return
        }
        if alignment == .left { self.alignment = Self.types[type] }
        if Self.types[type] != self.alignment { object.holdsMore = true }
    }

    var fields: [AppKitField] {
        let location: AppKitField = ("NSLocation", .real(location))
        guard alignment != .left else { return [location] }
        let type = Self.types.firstIndex(of: alignment) ?? 0
        return [location, ("NSTextAlignment", .integer(alignment.number)), ("NSType", .integer(type))]
    }
}

extension AttributedText.ParagraphStyle.TextList: AppKitValue {
    static var archivedClass: ArchivedClass { ArchivedClass("NSTextList") }

    init?(_ object: inout AppKitObject) throws(KeyedArchiveError) {
        guard let markerFormat = try object.text("NSMarkerFormat") else { return nil }
        let options = try object.integer("NSOptions") ?? 0
        self.init(
            markerFormat, startingNumber: try object.integer("NSStart") ?? 1, prependsEnclosingMarker: options & 1 != 0)
        if options >> 1 != 0 { object.holdsMore = true }
    }

    var fields: [AppKitField] {
        var fields: [AppKitField] = [("NSMarkerFormat", .text(markerFormat))]
        if prependsEnclosingMarker { fields.append(("NSOptions", .integer(1))) }
        if startingNumber != 1 { fields.append(("NSStart", .integer(startingNumber))) }
        return fields
    }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    fileprivate init?(number: Int?) {
        guard Self.allCases.indices.contains(number ?? 0) else { return nil }
        self = Self.allCases[number ?? 0]
    }
}
