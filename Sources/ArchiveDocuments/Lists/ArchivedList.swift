// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A list whose elements are decoded from an archive one by one, when they are read.
///
/// ```swift
/// final class Diary: Codable {
///     var title: String
///     @Deferred var notes: ArchivedList<Note>
///
///     init(_ title: String, _ notes: [Note]) {
///         self.title = title
///         self.notes = ArchivedList(notes)
///     }
/// }
/// ```
///
/// ```swift
/// let document = try ArchiveDocument<Diary>(contentsOf: url)
/// let last = document.root.notes.last
/// document.root.notes.append(Note("Bought a cow"))
/// try document.save()
/// ```
///
/// Reading the last note decodes one note, and appending decodes none. The archive has an array, which other programs
/// read as `[Note]`, and in which programs with a plain array find the same elements in the same order.
///
/// The elements can be of any type with an empty value (`Emptiable`), such as a class with an `init()`.
///
/// **Reading.** The archive stays open as long as the list has elements in it. Class instances have the identity of
/// the graph: an element is the instance that another property references. A struct is decoded by each read.
///
/// **Changing.** Elements can be set, inserted and removed, without a decoding of the others. An encoder copies those
/// that are not decoded. A document writes them as references to the objects that its file has.
///
/// **Damage.** ``element(at:)`` and ``elements(in:)`` throw the error of an element that cannot be decoded. The
/// subscript returns an empty element, stores the error in ``error``, and passes it to the `deferredErrorHandler` of the
/// document. The archive keeps the element as it is, unless the program replaces it. If the program modifies it in
/// place, encoding the list throws ``ArchiveDocumentError``: the archive would lose either the element or the
/// modification.
///
/// Several tasks may read the list at the same time if its elements are `Sendable`.
public struct ArchivedList<Element: Codable & Emptiable> {
    /// Consecutive elements.
    fileprivate enum Piece {
        /// Elements in the archive, at these positions.
        case archived(Range<Int>)
        case loaded([Element])

        var count: Int {
            switch self {
            case .archived(let positions): positions.count
            case .loaded(let elements): elements.count
            }
        }
    }

    /// The array in the archive.
    private var part: ListPart<Element>?
    /// The elements, or nil if they are all elements of `part`.
    private var pieces: [Piece]?
    /// The position of the first element of each piece, and the number of elements.
    private var starts: [Int] = []
    /// Whether the program has modified elements in place that could not be read.
    private var isModifiedUnread = false

    /// Creates a list of `elements`.
    public init(_ elements: some Sequence<Element>) {
        setPieces([.loaded(Array(elements))])
    }
}

// MARK: - Reading

extension ArchivedList: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { count }

    /// The number of elements. It is 0 if the list cannot be read.
    public var count: Int { pieces != nil ? starts.last ?? 0 : archivedCount }

    private var archivedCount: Int {
        guard let part else { return 0 }
        return part.ifReadable { try part.count() } ?? 0
    }

    /// Returns the element at `position`, decoded if it is in the archive.
    ///
    /// - Throws: `DecodingError` if the archive has a value of another type, is damaged, or exceeds the limits of the
    ///   decoder; ``ArchiveDocumentError`` if the archive is being decoded on this thread; errors of `init(from:)`.
    /// - Complexity: O(*n*), where *n* is the number of decoded values, and O(log *m*) for a list that was changed in *m*
    ///   places.
    public func element(at position: Int) throws -> Element {
        let (piece, offset) = piece(at: position)
        switch piece {
        case .loaded(let elements): return elements[offset]
        case .archived(let positions): return try archived.element(at: positions.lowerBound + offset)
        }
    }

    /// Returns the elements at `positions`. Consecutive elements take less time together than one by one.
    ///
    /// - Throws: The errors of ``element(at:)``.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    public func elements(in positions: Range<Int>) throws -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(positions.count)
        var position = positions.lowerBound
        while position < positions.upperBound {
            let (piece, offset) = piece(at: position)
            let count = Swift.min(piece.count - offset, positions.upperBound - position)
            switch piece {
            case .loaded(let loaded): elements += loaded[offset..<offset + count]
            case .archived(let places):
                let first = places.lowerBound + offset
                elements += try archived.elements(at: first..<first + count)
            }
            position += count
        }
        return elements
    }

    /// The error of the last read that failed, or `nil` if none did.
    public var error: (any Error)? { part?.error }

    private var archived: ListPart<Element> {
        guard let part else { preconditionFailure("A list without an archive has no elements in it") }
        return part
    }

    /// Returns the piece with the element at `position`, and the element's offset in it.
    private func piece(at position: Int) -> (piece: Piece, offset: Int) {
        let (place, offset) = place(of: position)
        return (pieces?[place] ?? .archived(0..<archivedCount), offset)
    }

    /// Returns the number of the piece with the element at `position`, and the element's offset in it.
    private func place(of position: Int) -> (piece: Int, offset: Int) {
        precondition(
            position >= 0 && position < count, "Index \(position) is out of range: the list has \(count) elements")
        guard pieces != nil else { return (0, position) }
        // The last piece that starts at the position or before.
        var (low, high) = (0, starts.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return (low, position - starts[low])
    }

    /// Returns the element at `position`; nil if it cannot be decoded.
    private func elementIfReadable(at position: Int) -> Element? {
        switch piece(at: position) {
        case (.loaded(let elements), let offset): elements[offset]
        case (.archived(let positions), let offset):
            archived.ifReadable { try archived.element(at: positions.lowerBound + offset) }
        }
    }
}

// MARK: - Changing

extension ArchivedList: MutableCollection, RangeReplaceableCollection {
    /// Creates an empty list.
    public init() { setPieces([]) }

    /// The element at `position`, decoded if it is in the archive. It is an empty one if that fails.
    ///
    /// - Complexity: That of ``element(at:)``. The setter: O(*m*), where *m* is the number of places in which the list was
    ///   changed.
    public subscript(position: Int) -> Element {
        get { elementIfReadable(at: position) ?? Element() }
        set { replaceSubrange(position..<position + 1, with: CollectionOfOne(newValue)) }
        _modify {
            guard var element = elementIfReadable(at: position) else {
                // The element is not replaced by a modification of the empty one.
                isModifiedUnread = true
                var empty = Element()
                yield &empty
                return
            }
            defer { replaceSubrange(position..<position + 1, with: CollectionOfOne(element)) }
            yield &element
        }
    }

    /// Replaces the elements at `positions` by `elements`, without decoding any.
    ///
    /// - Complexity: O(*m* + *n*), where *m* is the number of places in which the list was changed, and *n* the number of
    ///   `elements`.
    public mutating func replaceSubrange(_ positions: Range<Int>, with elements: some Collection<Element>) {
        let count = beginChange()
        precondition(
            positions.lowerBound >= 0 && positions.upperBound <= count,
            "The range \(positions) is out of range: the list has \(count) elements")
        if replaceLoaded(positions, with: elements) { return }
        var changed: [Piece] = []
        var start = 0
        var isInserted = false
        func add(_ piece: Piece) {
            if piece.count == 0 { return }
            if case .loaded(let added) = piece, case .loaded(var last)? = changed.last {
                changed.removeLast()
                last += added
                changed.append(.loaded(last))
            } else {
                changed.append(piece)
            }
        }
        func insert() {
            if !isInserted { add(.loaded(Array(elements))) }
            isInserted = true
        }
        for piece in pieces ?? [] {
            let end = start + piece.count
            add(piece.part(0..<Swift.max(0, Swift.min(positions.lowerBound, end) - start)))
            if end >= positions.lowerBound, positions.lowerBound >= start { insert() }
            let kept = Swift.max(0, positions.upperBound - start)
            if kept < piece.count { if end > positions.lowerBound { add(piece.part(kept..<piece.count)) } }
            start = end
        }
        insert()
        setPieces(changed)
    }

    /// Appends `element`, without decoding any.
    ///
    /// - Complexity: O(1), if the list was changed at its end before.
    public mutating func append(_ element: Element) {
        let count = beginChange()
        replaceSubrange(count..<count, with: CollectionOfOne(element))
    }

    /// Prepares a change.
    ///
    /// - Returns: The number of elements.
    private mutating func beginChange() -> Int {
        guard pieces == nil else { return count }
        if let part {
            let archivedCount = part.ifReadable { try part.count() }
            isModifiedUnread = archivedCount == nil
            setPieces([.archived(0..<(archivedCount ?? 0))])
        } else {
            setPieces([])
        }
        return count
    }

    /// Replaces elements within one piece of loaded ones, or appends to it.
    ///
    /// - Returns: Whether they are.
    private mutating func replaceLoaded(_ positions: Range<Int>, with elements: some Collection<Element>) -> Bool {
        guard var pieces, pieces.count > 0 else { return false }
        var (piece, offset) = (pieces.count - 1, positions.lowerBound - starts[pieces.count - 1])
        if offset < 0 || positions.upperBound < starts[pieces.count] {
            (piece, offset) = place(of: Swift.min(positions.lowerBound, count - 1))
        }
        guard case .loaded(var loaded) = pieces[piece], offset + positions.count <= loaded.count else { return false }
        // The only reference, so that the elements are not copied.
        self.pieces = nil
        pieces[piece] = .loaded([])
        loaded.replaceSubrange(offset..<offset + positions.count, with: elements)
        let change = loaded.count
        pieces[piece] = .loaded(loaded)
        let added = change - (starts[piece + 1] - starts[piece])
        if added != 0 { for place in piece + 1..<starts.count { starts[place] += added } }
        self.pieces = pieces
        return true
    }

    private mutating func setPieces(_ pieces: [Piece]) {
        starts = [0]
        starts.reserveCapacity(pieces.count + 1)
        var end = 0
        for piece in pieces {
            end += piece.count
            starts.append(end)
        }
        self.pieces = pieces
    }
}

extension ArchivedList.Piece {
    fileprivate func part(_ offsets: Range<Int>) -> Self {
        switch self {
        case .archived(let positions):
            let first = positions.lowerBound + offsets.lowerBound
            return .archived(first..<first + offsets.count)
        case .loaded(let elements):
            return .loaded(offsets.count == elements.count ? elements : Array(elements[offsets]))
        }
    }
}

// MARK: - Conformances

extension ArchivedList: Emptiable {}

extension ArchivedList: ExpressibleByArrayLiteral {
    /// Creates a list of `elements`.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ArchivedList: @unchecked Sendable where Element: Sendable {}

extension ArchivedList: Equatable where Element: Equatable {
    /// Returns whether both lists have equal elements in the same order. Decodes them.
    public static func == (left: ArchivedList, right: ArchivedList) -> Bool { left.elementsEqual(right) }
}

extension ArchivedList: CustomStringConvertible {
    /// The number of elements.
    public var description: String { "\(count) elements" }
}

// MARK: - Coding

extension ArchivedList: Codable {
    /// Creates a list whose elements are decoded from the archive later. With another decoder, they are decoded at once.
    ///
    /// - Throws: Errors of the decoder.
    public init(from decoder: any Decoder) throws { self = try Self.decoded(from: decoder) }

    /// Encodes the list as an array. An archive gets elements that are not decoded as copies; other encoders decode them.
    ///
    /// - Throws: Errors of the encoder and of ``element(at:)``. ``ArchiveDocumentError`` if the program has modified an
    ///   element in place that could not be read.
    public func encode(to encoder: any Encoder) throws { try encodeContents(to: encoder) }
}

extension ArchivedList: PartDecodable {
    package init(contents: ListContents<Element>) { self = contents.list }

    package init(part: OpenArchive.Part) { self.part = ListPart(part) }
}

extension ArchivedList: PartEncodable {
    package var contents: ListContents<Element> { ListContents(self) }

    package func unloadedPart(at path: () -> [any CodingKey]) throws -> OpenArchive.Part? {
        if isModifiedUnread { throw ArchiveDocumentError(.unreadablePartModified, KeyedArchive.Path(path())) }
        return pieces == nil ? part?.origin : nil
    }

    /// Reads the number of elements. Each is decoded when it is encoded.
    package func load() throws { _ = try part?.count() }
}

/// The array in place of a list.
package struct ListContents<Element: Codable & Emptiable>: Codable {
    fileprivate let list: ArchivedList<Element>

    fileprivate init(_ list: ArchivedList<Element>) { self.list = list }

    package init(from decoder: any Decoder) throws {
        list = ArchivedList(try decoder.singleValueContainer().decode([Element].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let loaded = list.loadedElements {
            try container.encode(loaded)
        } else {
            try container.encode(list.elements())
        }
    }
}

extension ArchivedList {
    /// All elements, if none is in an archive.
    fileprivate var loadedElements: [Element]? {
        guard let pieces else { return part == nil ? [] : nil }
        var elements: [Element] = []
        for piece in pieces {
            guard case .loaded(let loaded) = piece else { return nil }
            elements += loaded
        }
        return elements
    }

    fileprivate func elements() throws -> [ArchivedElement<Element>] {
        var elements: [ArchivedElement<Element>] = []
        for piece in try pieces ?? [.archived(0..<(part?.count() ?? 0))] {
            switch piece {
            case .loaded(let loaded): elements += loaded.lazy.map { ArchivedElement($0) }
            case .archived(let positions):
                if let parts = try archived.parts(at: positions) {
                    elements += parts.lazy.map { ArchivedElement($0) }
                } else {
                    elements += try archived.elements(at: positions).lazy.map { ArchivedElement($0) }
                }
            }
        }
        return elements
    }
}
