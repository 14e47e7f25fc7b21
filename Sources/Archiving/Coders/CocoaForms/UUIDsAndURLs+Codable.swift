// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - UUIDs

extension UUID: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        withBytes { graph.uuid($0) }
    }
}

extension UUID: DecodableArrayElement {
    enum ArrayForm: LeafArrayDecoding { typealias Element = UUID }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> UUID {
        let bytes = try decoder.undamaged(decoder.archive.uuid(value), at: step())
        guard let bytes else { return try string(value, in: decoder, at: step()) }
        return UUID(bytes)
    }

    @inline(never)
    private static func string(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> UUID {
        guard !value.isNull, value.node.kind == .ascii else { throw decoder.mismatch(UUID.self, value, step) }
        let text = try decoder.string(value, at: step)
        guard let uuid = UUID(uuidString: text) else {
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found the string \"\(text.prefix(40))\", which is not a UUID"
            }
        }
        return uuid
    }
}

// MARK: - URLs

extension URL: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        guard let base = baseURL else {
            return graph.url(relativeString, base: ArchiveGraph.null)
        }
        // Foundation keeps a base URL in its absolute form, without a base of its own.
        let baseUID = graph.url(base.absoluteString, base: ArchiveGraph.null)
        return graph.url(relativeString, base: baseUID)
    }
}

extension URL: DecodableArrayElement {
    enum ArrayForm: LeafArrayDecoding { typealias Element = URL }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> URL {
        let parts = try decoder.undamaged(decoder.archive.url(value), at: step())
        guard let (relative, base) = parts else { return try otherURL(value, in: decoder, at: step()) }
        if base.isNull, let url = URL(string: relative) { return url }
        return try url(value, in: decoder, at: step())
    }

    /// Decodes a URL that is stored as a string, or in the form of other encoders.
    @inline(never)
    private static func otherURL(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> URL {
        let text = try decoder.undamaged(decoder.archive.text(value), at: step)
        guard let text else { return try decoder.otherForm(of: URL.self, value, at: step) { try URL(from: $0) } }
        guard let url = URL(string: text) else {
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found the string \"\(text.prefix(80))\", which is not a URL"
            }
        }
        return url
    }

    @inline(never)
    private static func url(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> URL {
        let texts = try decoder.undamaged(decoder.archive.urlTexts(value), at: step)
        guard let texts else { throw decoder.mismatch(URL.self, value, step) }
        do throws(InvalidURL) {
            return try URL(archivedTexts: texts)
        } catch {
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found the string \"\(error.text.prefix(80))\", which is not a URL"
            }
        }
    }
}
