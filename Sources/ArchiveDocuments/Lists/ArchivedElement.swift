// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// An element or a value of a list or dictionary, which may be in an archive.
final class ArchivedElement<Element: Codable>: PartEncodable {
    private enum State {
        case archived(OpenArchive.Part)
        case loaded(Element)
    }

    private var state: State

    init(_ part: OpenArchive.Part) { state = .archived(part) }

    init(_ element: Element) { state = .loaded(element) }

    /// The element after `load()`.
    var contents: Element? {
        if case .loaded(let element) = state { element } else { nil }
    }

    func load() throws {
        guard case .archived(let part) = state else { return }
        if part.archive.isDecodingHere { throw ArchiveDocumentError(.tooEarly) }
        try part.archive.withDecodingLock {
            guard let element = try part.archive.decode(Element.self, [part.uid]).first else { return }
            state = .loaded(element)
        }
    }

    func unloadedPart(at path: () -> [any CodingKey]) throws -> OpenArchive.Part? {
        if case .archived(let part) = state { part } else { nil }
    }

    func encode(to encoder: any Encoder) throws { try encodeContents(to: encoder) }
}
