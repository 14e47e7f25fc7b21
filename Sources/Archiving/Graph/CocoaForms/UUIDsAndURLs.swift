// MARK: - UUIDs

extension ArchiveGraph {
    /// The uid of the NSUUID of 16 bytes.
    mutating func uuid(_ bytes: UnsafeRawBufferPointer) -> Reference {
        let slot = reserveSlot()
        if cocoaNames.uuidKey == 0 { cocoaNames.uuidKey = key("NS.uuidbytes") }
        let data = list.append(data: bytes)
        if cocoaNames.uuidClass == 0 { cocoaNames.uuidClass = classUID(.uuid) }
        fill(slot, key: cocoaNames.uuidKey, value: data, classUID: cocoaNames.uuidClass)
        return slot.uid
    }
}

extension ArchiveContents {
    /// The 16 bytes of an NSUUID, Apple's or GNUstep's.
    package func uuid(_ value: ArchivedValue) throws(KeyedArchiveError) -> UnsafeRawBufferPointer? {
        var entries = entries(of: value)
        var found = try entries.bytes("NS.uuidbytes")
        if found == nil { found = try entries.bytes("uuid") }
        if let found, found.count != 16 { throw entries.damaged("NS.uuidbytes", "data of 16 bytes") }
        return found
    }
}

// MARK: - URLs

extension ArchiveGraph {
    /// The uid of the NSURL `relative`, which is relative to the one with the uid `base`, or to nothing (`null`).
    mutating func url(_ relative: String, base: Reference) -> Reference {
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
    /// The text of an NSURL, and what it is relative to.
    func url(_ value: ArchivedValue) throws(KeyedArchiveError) -> (relative: String, base: ArchivedValue)? {
        var entries = entries(of: value)
        guard let relative = try entries.text("NS.relative") else { return nil }
        return (relative, try entries["NS.base"] ?? .null)
    }

    /// Bases of bases, more of which no URL has. Foundation's have none at all.
    private static var urlBaseLimit: Int { 16 }

    /// The texts of an NSURL, of what it is relative to, and so on.
    package func urlTexts(_ value: ArchivedValue) throws(KeyedArchiveError) -> [String]? {
        guard var (relative, base) = try url(value) else { return nil }
        var texts = [relative]
        var next = value
        while !base.isNull {
            guard texts.count <= Self.urlBaseLimit else {
                let sentence =
                    "The URL \"\(texts[0].prefix(80))\" has more than \(Self.urlBaseLimit) bases, one relative to the other"
                throw KeyedArchiveError(.other(.damaged, uid: value.uid, sentence: sentence))
            }
            guard let parts = try url(base) else { throw entries(of: next).damaged("NS.base", "a URL") }
            next = base
            (relative, base) = parts
            texts.append(relative)
        }
        return texts
    }
}
