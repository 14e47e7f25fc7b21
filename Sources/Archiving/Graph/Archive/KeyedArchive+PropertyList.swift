// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Property lists

extension KeyedArchive {
    /// Creates an archive from the property list `list`, which may come from a file or from the program.
    ///
    /// ```swift
    /// let archive = try KeyedArchive([
    ///     "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
    ///     "$objects": ["$null", "Bella"],
    /// ])
    /// archive.root.string    // "Bella"
    /// ```
    ///
    /// - Throws: `KeyedArchiveError` if the list is not a keyed archive, is nested deeper than 512 levels, or is larger than 4
    ///   GiB. The `$version`, `$objects` and `$top` of an archive must exist and have the right types.
    /// - Complexity: O(*n*), where *n* is the number of values in the list.
    public init(_ list: PropertyList) throws(KeyedArchiveError) {
        try self.init(ArchiveStorage(KeyedArchiveError.converting(list.sealedBytes())))
    }

    /// Returns the whole archive as a property list: `$version`, `$archiver`, `$top`, `$objects` and all other entries of its
    /// root, in the order of the file. References remain uids.
    ///
    /// The conversion is lossless: an archive created from the list, or from the list's bytes in the binary format, has the
    /// same objects under the same uids. Dictionaries keep the order of their keys, including duplicates.
    /// `PropertyList.data(format:)` describes the values that XML cannot represent.
    ///
    /// - Throws: `KeyedArchiveError` if the archive is damaged, has a dictionary with a key that is not a string, or is nested
    ///   deeper than 512 levels. Also if it expands to more than 16 MiB plus 128 times its size.
    /// - Complexity: O(*n*), where *n* is the number of bytes in the expanded archive.
    public func propertyList() throws(KeyedArchiveError) -> PropertyList {
        source.expectWalk()
        return try source.propertyList(source.contents.list.top)
    }
}

extension KeyedArchive.Value {
    /// Returns the value as it is stored.
    ///
    /// An object is returned as its dictionary, with its class under `$class` and with unresolved uids. `top` is returned as
    /// the values that were encoded by key, and nil as null.
    ///
    /// ```swift
    /// try archive.root.propertyList()
    /// // { "name": uid 2, "age": 4, "$class": uid 3 }
    /// ```
    ///
    /// - Throws: The errors of `KeyedArchive.propertyList()`, and an error if the reference to this value is invalid.
    /// - Complexity: O(*n*), where *n* is the number of values in this one, excluding referenced objects.
    public func propertyList() throws(KeyedArchiveError) -> PropertyList {
        if let damage { throw damage }
        guard !isNull else { return .null }
        switch place {
        case .slot(let uid):
            let contents = source.contents
            return try source.propertyList(contents.object(inSlot: Int(uid)))
        case .inline(let reference): return try source.propertyList(reference)
        case .top:
            let (contents, byteCount) = (source.contents, source.stored.storage.bytes.count)
            return try KeyedArchiveError.converting(
                PropertyListUnfolding.value(of: contents.top, in: contents.list, byteCount: byteCount))
        }
    }
}

extension ArchiveSource {
    fileprivate func propertyList(_ reference: Int) throws(KeyedArchiveError) -> PropertyList {
        try KeyedArchiveError.converting(
            PropertyListUnfolding.value(at: reference, of: contents.list, byteCount: stored.storage.bytes.count))
    }
}
