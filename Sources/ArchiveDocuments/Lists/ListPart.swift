import Archiving
import Synchronization

/// An array of an archive whose elements are decoded one by one. All copies of a list share it.
///
/// Sendable if its elements are: a lock protects the mutable state.
final class ListPart<Element: Decodable & Emptiable>: @unchecked Sendable {
    /// The part of the archive with the array.
    let origin: OpenArchive.Part
    private let lock = Mutex(())
    /// The places of the elements, once they were needed.
    private var places: PartElements?
    /// All elements, if they cannot be decoded one by one.
    private var others: [Element]?
    /// The elements that the program may change, if no document keeps their instances.
    private var kept: [Int: Element] = [:]
    /// The error of the last attempt, if it failed.
    private var failure: (any Error)?

    init(_ origin: OpenArchive.Part) {
        self.origin = origin
        origin.archive.addPart(origin.uid)
    }

    deinit {
        origin.archive.removePart(origin.uid)
    }

    var error: (any Error)? { locked { failure } }

    /// Returns the number of elements.
    func count() throws -> Int {
        if let count = locked({ others?.count ?? places?.count }) { return count }
        return try reading { try self.open()?.count ?? self.others?.count ?? 0 }
    }

    /// Returns the element at `position`, which is less than the count.
    func element(at position: Int) throws -> Element {
        if let known = locked({ others?[position] ?? kept[position] }) { return known }
        return try reading { try self.decode(position) }
    }

    /// Returns the elements at `positions`, which are less than the count.
    func elements(at positions: Range<Int>) throws -> [Element] {
        try reading { try positions.map { try self.known($0) ?? self.decode($0) } }
    }

    /// Returns the part of the archive with the element at `position`; nil if the element is in memory.
    func part(at position: Int) throws -> OpenArchive.Part? {
        try reading {
            try self.open().map { places in
                let uid = try Self.undamaged { try places.uid(at: position) }
                return OpenArchive.Part(archive: self.origin.archive, uid: uid)
            }
        }
    }

    /// Forgets all elements.
    func unload() {
        let released = locked {
            defer { (others, kept) = (nil, [:]) }
            return (others, kept)
        }
        withExtendedLifetime(released) {}
    }

    private func known(_ position: Int) -> Element? { locked { others?[position] ?? kept[position] } }

    /// Returns the places of the elements in the archive as it is; nil if all elements are decoded.
    private func open() throws -> PartElements? {
        if locked({ others != nil }) { return nil }
        let source = origin.archive.source
        if let known = locked({ places }), known.areFrom(source) { return known }
        // Unknown objects that the decoder skips are no elements.
        let skipsElements = origin.archive.classes.unknownClasses == .skip
        if !skipsElements, let found = try Self.undamaged({ try PartElements(of: origin.uid, in: source) }) {
            locked { places = found }
            return found
        }
        let elements = try origin.archive.decode([Element].self, origin.uid, ifSkipped: [])
        locked { others = elements }
        return nil
    }

    private func decode(_ position: Int) throws -> Element {
        guard let places = try open() else {
            guard let element = known(position) else { throw ArchiveDocumentError(.fileChanged) }
            return element
        }
        let uid = try Self.undamaged { try places.uid(at: position) }
        let element = try origin.archive.decode(Element.self, uid, ifSkipped: Element())
        if Element.self is AnyClass, !origin.archive.keepsInstances { locked { kept[position] = element } }
        return element
    }

    /// Calls `body`, which decodes, and records its error.
    private func reading<Result>(_ body: () throws -> Result) throws -> Result {
        // Instances that are being created cannot be referenced yet. A later attempt finds them.
        if origin.archive.isDecodingHere { throw ArchiveDocumentError(.tooEarly) }
        var result: Result?
        try origin.archive.withDecodingLock {
            do {
                result = try body()
            } catch {
                locked { failure = error }
                origin.archive.recordError(error, of: origin.uid)
                throw error
            }
        }
        guard let result else { preconditionFailure("A list has neither a result nor an error") }
        return result
    }

    private static func undamaged<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as KeyedArchiveError { throw DecodingError(damaged: error) }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        lock.withLock { _ in result = body() }
        guard let result else { preconditionFailure("The lock did not run its body") }
        return result
    }
}
