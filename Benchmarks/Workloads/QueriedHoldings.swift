// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation

/// Holdings whose classes declare their fields, so that a fetch evaluates predicates in place. The archived form is that of
/// `Holdings`.
final class QueriedHoldings: ArchivedFields, ArchiveDescribing {
    static var archiveName: String { "Holdings" }

    var name = ""
    @Deferred var shelves: [QueriedShelf] = []

    init() {}

    static let fields = FieldList<QueriedHoldings> {
        Field("name", \.name)
        Field("shelves", \._shelves)
    }
}

final class QueriedShelf: ArchivedFields, ArchiveDescribing {
    static var archiveName: String { "Shelf" }

    var room = ""
    @Deferred var books: [QueriedBook] = []

    init() {}

    static let fields = FieldList<QueriedShelf> {
        Field("room", \.room)
        Field("books", \._books)
    }
}

final class QueriedBook: ArchivedFields, ArchiveDescribing, ArchiveIndexed {
    static var archiveName: String { Book.archiveName }

    var title = ""
    var author: QueriedAuthor?
    var pages = 0
    var price = 0.0
    var added = Date(timeIntervalSinceReferenceDate: 0)

    init() {}

    static let fields = FieldList<QueriedBook> {
        Field("title", \.title)
        Field("author", \.author)
        Field("pages", \.pages)
        Field("price", \.price)
        Field("added", \.added)
    }
    static let indexes = [ArchiveIndex<QueriedBook>(\.pages, \.added)]
}

final class QueriedAuthor: ArchivedFields, ArchiveDescribing {
    static var archiveName: String { Author.archiveName }

    var name = ""
    var country = ""

    init() {}

    static let fields = FieldList<QueriedAuthor> {
        Field("name", \.name)
        Field("country", \.country)
    }
}
