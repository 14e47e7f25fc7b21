// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension ArchiveDocument {
    var indexWriter: IndexWriter {
        IndexWriter(
            decoder: decoder, types: fetchedTypes.all, hasUnreachedInstances: file?.hasUnreachedInstances ?? false)
    }
}

/// The classes with indexes that a program has fetched instances of: the next save writes their indexes, also if none of their
/// instances is loaded.
struct FetchedTypes {
    private var types: [ObjectIdentifier: any ArchiveIndexed.Type] = [:]

    mutating func insert(_ type: any Any.Type) {
        guard let type = type as? any ArchiveIndexed.Type else { return }
        types[ObjectIdentifier(type)] = type
    }

    var all: [any ArchiveIndexed.Type] { Array(types.values) }
}
