// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - UUIDs

extension ArchiveGraph {
    func uuid(_ bytes: RawSpan) -> Reference {
        let slot = reserveSlot()
        if cocoaNames.uuidKey == 0 { cocoaNames.uuidKey = key("NS.uuidbytes") }
        let data = list.append(data: bytes)
        if cocoaNames.uuidClass == 0 { cocoaNames.uuidClass = classUID(.uuid) }
        fill(slot, key: cocoaNames.uuidKey, value: data, classUID: cocoaNames.uuidClass)
        return slot.uid
    }
}

extension ArchiveContents {
    @inline(never)
    package func uuid(_ value: ArchivedValue) throws(KeyedArchiveError) -> StoredBytes? {
        // Faster for a UUID with the same key as an earlier one.
        let bytes = try firstValue(of: value.node, ifKeyIs: notes?.uuidKey)
        if let bytes, bytes.kind == .data, bytes.count == 16 { return try countedBytes(bytes) }
        var entries = entries(of: value)
        var found = try entries.bytes("NS.uuidbytes")
        if found == nil { found = try entries.bytes("uuid") }
        if let found, found.count != 16 { throw entries.damaged("NS.uuidbytes", "data of 16 bytes") }
        if let key = firstKey(of: value.node, ifNamed: "NS.uuidbytes") { notes?.uuidKey = key }
        return found
    }
}

// MARK: - URLs

extension ArchiveGraph {
    /// Writes the NSURL `relative`, relative to the URL with the uid `base` or to none (`null`), and returns its uid.
    func url(_ relative: String, base: Reference) -> Reference {
        let slot = reserveSlot()
        if cocoaNames.baseKey == 0 { cocoaNames.baseKey = key("NS.base") }
        if cocoaNames.relativeKey == 0 { cocoaNames.relativeKey = key("NS.relative") }
        let relative = string(relative)
        if cocoaNames.urlClass == 0 { cocoaNames.urlClass = classUID(.url) }
        let names = cocoaNames
        fill(slot, (names.baseKey, base), (names.relativeKey, relative), classUID: names.urlClass)
        return slot.uid
    }
}

extension ArchiveContents {
    func url(_ value: ArchivedValue) throws(KeyedArchiveError) -> (relative: String, base: ArchivedValue)? {
        var entries = entries(of: value)
        guard let relative = try entries.text("NS.relative") else { return nil }
        return (relative, try entries["NS.base"] ?? .null)
    }

    /// The maximum length of a chain of base URLs. Real URLs have fewer, and the bases of Foundation's URLs have no base.
    private static var urlBaseLimit: Int { 16 }

    package func urlTexts(_ value: ArchivedValue) throws(KeyedArchiveError) -> [String]? {
        guard var (relative, base) = try url(value) else { return nil }
        var texts = [relative]
        var next = value
        while !base.isNull {
            guard texts.count <= Self.urlBaseLimit else {
                let sentence =
                    "The URL \"\(texts[0].prefix(80))\" has more than \(Self.urlBaseLimit) bases, each relative to the next"
                throw KeyedArchiveError(.other(.damaged, uid: value.uid, sentence: sentence))
            }
            guard let parts = try url(base) else { throw entries(of: next).damaged("NS.base", "a URL") }
            next = base
            (relative, base) = parts
            texts.append(relative)
        }
        return texts
    }

    package func foundationURL(_ value: ArchivedValue) throws(KeyedArchiveError) -> URL? {
        var url: URL?
        for text in try urlTexts(value)?.reversed() ?? [] {
            url = URL(string: text, relativeTo: url)
            guard url != nil else {
                throw entries(of: value).damaged("NS.relative", "a URL: \"\(text.prefix(80))\"")
            }
        }
        return url
    }

    /// Returns the text of `value`, or the one that JSON has for it: the absolute text of a URL, or the digits of a UUID; `nil` if it
    /// is none of them.
    func textOrOtherForm(_ value: ArchivedValue) throws(KeyedArchiveError) -> String? {
        if let text = try text(value) { return text }
        guard value.node.kind == .dictionary else { return nil }
        if let texts = try urlTexts(value) {
            return texts.count == 1 ? texts[0] : try? foundationURL(value)?.absoluteString
        }
        return try uuid(value).map { UUID($0).uuidString }
    }
}
