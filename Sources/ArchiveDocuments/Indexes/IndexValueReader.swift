// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Reads the values of a property for an index, in place.
class IndexValueReader {
    /// Returns the value at `reference`.
    ///
    /// - Throws: `FetchDoubt` if it has another form than encoders write.
    func value(_ reference: Int, _ reader: FetchReader) throws -> ArchiveIndexValue { throw FetchDoubt.error }

    static func make(_ type: any ArchiveIndexKey.Type) -> IndexValueReader {
        if let optional = type as? any IndexedOptional.Type { return OptionalReader(make(optional.wrappedType)) }
        // The raw value is the order, and what the archive has.
        if let raw = (type as? any RawRepresentable.Type).flatMap({ rawType($0) }) { return make(raw) }
        return reader(type)
    }

    private static func rawType<Raw: RawRepresentable>(_ type: Raw.Type) -> (any ArchiveIndexKey.Type)? {
        Raw.RawValue.self as? any ArchiveIndexKey.Type
    }

    private static func reader<Key: ArchiveIndexKey>(_ type: Key.Type) -> IndexValueReader { LeafReader<Key>() }
}

private final class OptionalReader: IndexValueReader {
    private let wrapped: IndexValueReader

    init(_ wrapped: IndexValueReader) { self.wrapped = wrapped }

    override func value(_ reference: Int, _ reader: FetchReader) throws -> ArchiveIndexValue {
        reader.contents.isStoredNil(reference)
            ? ArchiveIndexValue(value: .null) : try wrapped.value(reference, reader)
    }
}

private final class LeafReader<Key: ArchiveIndexKey>: IndexValueReader {
    private let leaf = FetchLeaf<Key>.make()

    override func value(_ reference: Int, _ reader: FetchReader) throws -> ArchiveIndexValue {
        guard let leaf else { throw FetchDoubt.error }
        return try leaf.value(reference, reader).archiveIndexValue
    }
}

/// An optional type of keys, as a metatype.
private protocol IndexedOptional {
    static var wrappedType: any ArchiveIndexKey.Type { get }
}

extension Optional: IndexedOptional where Wrapped: ArchiveIndexKey {
    static var wrappedType: any ArchiveIndexKey.Type { Wrapped.self }
}
