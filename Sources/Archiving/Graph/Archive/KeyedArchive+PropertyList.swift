// MARK: - Property lists

extension KeyedArchive {
    /// The archive that is the property list `list`, which may have been read from a file or made by hand.
    ///
    /// ```swift
    /// let archive = try KeyedArchive([
    ///     "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
    ///     "$objects": ["$null", "Bella"],
    /// ])
    /// archive.root.string    // "Bella"
    /// ```
    ///
    /// - Throws: `KeyedArchiveError` where the list is no keyed archive: its `$version`, `$objects` or `$top` are missing or
    ///   something else than they have to be. Also where it is nested deeper than 512 levels or larger than 4 GiB.
    /// - Complexity: O(*n*), where *n* is the number of values in the list.
    public init(_ list: PropertyList) throws(KeyedArchiveError) {
        let bytes: UnsafeMutableRawBufferPointer
        do throws(PropertyListError) {
            bytes = try PropertyListFolding.binary(of: list, sharesLeaves: true)
        } catch {
            throw KeyedArchiveError(error)
        }
        try self.init(ArchiveStorage(owning: bytes))
    }

    /// The whole archive as a property list: `$version`, `$archiver`, `$top`, `$objects` and what else its root has, in the
    /// order of the file. References stay uids.
    ///
    /// Nothing is lost: an archive that is made of the list, or of the list's bytes in the binary format, has the same
    /// objects under the same uids, and every dictionary its keys in the same order, keys that occur twice included. What
    /// XML does not hold is told at `PropertyList.data(format:)`.
    ///
    /// - Throws: `KeyedArchiveError` where the archive is damaged, has a dictionary with a key that is no string, is nested
    ///   deeper than 512 levels, or unfolds to more than 16 MiB and 128 times its size.
    /// - Complexity: O(*n*), where *n* is the number of bytes that the archive unfolds to.
    public func propertyList() throws(KeyedArchiveError) -> PropertyList {
        source.expectWalk()
        return try source.propertyList(source.contents.list.top)
    }
}

extension KeyedArchive.Value {
    /// The value as it is stored: of an object its dictionary, with its class under `$class` and uids that are not followed;
    /// of `top` what was encoded by key; null where the value is nil.
    ///
    /// ```swift
    /// try archive.root.propertyList()
    /// // { "name": uid 2, "age": 4, "$class": uid 3 }
    /// ```
    ///
    /// - Throws: As `KeyedArchive.propertyList()`, and where the reference that led here leads nowhere.
    /// - Complexity: O(*n*), where *n* is the number of values in this one; what it refers to does not count.
    public func propertyList() throws(KeyedArchiveError) -> PropertyList {
        if let damage { throw damage }
        guard !isNull else { return .null }
        switch place {
        case .slot(let uid):
            let contents = source.contents
            return try source.propertyList(contents.object(inSlot: Int(uid)))
        case .inline(let reference): return try source.propertyList(reference)
        case .top:
            do throws(PropertyListError) {
                let contents = source.contents
                return try PropertyListUnfolding.value(
                    of: contents.top, in: contents.list, byteCount: source.stored.storage.bytes.count)
            } catch {
                throw KeyedArchiveError(error)
            }
        }
    }
}

extension ArchiveSource {
    /// What the object `reference` of the property list is.
    fileprivate func propertyList(_ reference: Int) throws(KeyedArchiveError) -> PropertyList {
        do throws(PropertyListError) {
            return try PropertyListUnfolding.value(
                at: reference, of: contents.list, byteCount: stored.storage.bytes.count)
        } catch {
            throw KeyedArchiveError(error)
        }
    }
}
