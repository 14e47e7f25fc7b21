// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A collection that a program can receive empty, and that gets its elements later in the same storage.
protocol FillableCollection: Collection {
    /// Whether the elements, or the keys, may be instances, so that their hashes depend on other objects.
    static var hashesInstances: Bool { get }

    /// Creates an empty collection with a storage of its own, which has room for `capacity` elements.
    static func empty(capacity: Int) -> Self

    mutating func fill(with elements: Self)

    mutating func removeElements()

    var isFound: Bool { get }
}

// MARK: - Collections of the standard library

extension FillableCollection where Self: RangeReplaceableCollection {
    static var hashesInstances: Bool { false }

    static func empty(capacity: Int) -> Self {
        var elements = Self()
        elements.reserveCapacity(capacity)
        return elements
    }

    mutating func fill(with elements: Self) { append(contentsOf: elements) }
    mutating func removeElements() { removeAll(keepingCapacity: true) }
    var isFound: Bool { true }
}

extension Array: FillableCollection {}
extension ContiguousArray: FillableCollection {}

extension Set: FillableCollection {
    static var hashesInstances: Bool { mayHoldInstances(Element.self) }
    static func empty(capacity: Int) -> Self { Set(minimumCapacity: capacity) }
    mutating func fill(with elements: Self) { for element in elements { insert(element) } }
    mutating func removeElements() { removeAll(keepingCapacity: true) }
    var isFound: Bool { allSatisfy { contains($0) } }
}

extension Dictionary: FillableCollection {
    /// A key that is coded as a coding key holds no instance.
    static var hashesInstances: Bool {
        mayHoldInstances(Key.self) && (!(Key.self is any CodingKeyRepresentable.Type) || Key.self is AnyClass)
    }

    static func empty(capacity: Int) -> Self { Dictionary(minimumCapacity: capacity) }
    mutating func fill(with elements: Self) { for (key, value) in elements { self[key] = value } }
    mutating func removeElements() { removeAll(keepingCapacity: true) }
    var isFound: Bool { keys.allSatisfy { index(forKey: $0) != nil } }
}

/// Returns whether values of `type` are neither numbers nor strings, which hold no references.
private func mayHoldInstances(_ type: any Any.Type) -> Bool {
    type != String.self && type != Bool.self && !(type is any Numeric.Type)
}

// MARK: - Waiting

/// A collection that an initializer has received empty, because one of its elements refers back to an instance in progress.
///
/// It is filled when that instance is complete, in the storage that the program has stored: every initializer that can have seen the
/// empty collection has returned by then. It belongs to the innermost value whose initializer has requested it, and is withdrawn if
/// that fails.
private final class WaitingCollection<Elements: FillableCollection>: WaitingValue {
    private unowned let session: DecodingSession
    private let path: CodingPathTable.Index
    /// The storage that the program has; nil after the collection is withdrawn.
    private var storage: LentStorage<Elements>?
    private let capacity: Int
    private let decode: () throws -> Elements?

    init(
        _ storage: LentStorage<Elements>, capacity: Int, in session: DecodingSession, at path: CodingPathTable.Index,
        decode: @escaping () throws -> Elements?
    ) {
        self.storage = storage
        self.capacity = capacity
        self.session = session
        self.path = path
        self.decode = decode
        super.init(isHashed: Elements.hashesInstances)
    }

    override func finish() throws -> DecodedInstanceTable.Index? {
        guard owner != 0 else { return nil }
        return try session.unlessInProgress {
            let mark = session.awaited.values.count
            guard let elements = try decode(), owner != 0, let storage else { return }
            guard elements.count <= capacity else {
                throw ArchivingError(.damaged, path: session.codingPath(path)) {
                    "The collection at \($0) has more elements than when it was first read: another program has changed"
                        + " the file. Open it again"
                }
            }
            owner = 0
            // What is in the elements belongs to the complete instance that has the collection.
            session.awaited.keepLent(after: mark)
            switch storage.change({ $0.fill(with: elements) }) {
            case .one:
                if isHashed { session.checkLater(at: path) { storage.read { $0.isFound } ?? true } }
            case .none: throw lost("has dropped it, or stored another value that it made from it")
            case .several: throw lost("has stored it in several places")
            }
        }
    }

    override var isWanted: Bool { storage?.isHeld ?? false }
    override var isNeededLater: Bool { true }
    override func observe() { storage?.observe() }
    override func clear() { _ = storage?.change { $0.removeElements() } }

    override func withdraw() {
        owner = 0
        storage = nil
    }

    private func lost(_ what: String) -> ArchivingError {
        let type: any Any.Type = Elements.self
        return ArchivingError(.cycle, path: session.codingPath(path)) {
            "The \(type) at \($0) leads back to an instance that was being decoded, so an initializer received it"
                + " empty, to be filled later, and \(what). Declare the property as @References, or store the decoded collection"
                + " unchanged in one property"
        }
    }
}

extension DecodingSession {
    /// Returns whether the innermost instance in progress can receive a collection that waits for the one with the entry `target`.
    ///
    /// Others have an instance that has published itself, and a value that is archived once is copied.
    func mayWait(for target: DecodedInstanceTable.Index) -> Bool {
        guard instances.isUnpublished(target), let owner = instances.innermost else { return false }
        return instances.isUnpublished(owner) && instances.object(owner).type is AnyClass
    }

    /// Returns an empty collection that waits for the target of `cycle`; nil if the runtime has another layout of collections.
    ///
    /// - Parameters:
    ///   - capacity: The number of elements that it will have at most.
    ///   - path: The coding path of the collection.
    ///   - decode: Decodes the collection; returns nil if the decoding is over.
    func emptyCollection<Elements: FillableCollection>(
        waitingFor cycle: CycleReference, capacity: Int, at path: CodingPathTable.Index,
        decode: @escaping () throws -> Elements?
    ) -> Elements? {
        let empty = Elements.empty(capacity: max(1, capacity))
        guard let owner = instances.innermost, let storage = LentStorage(of: empty) else { return nil }
        let value = WaitingCollection(storage, capacity: capacity, in: self, at: path, decode: decode)
        value.owner = owner
        let mark = mark
        keep(4)
        awaited.values.append(value)
        awaited.lent.append(AwaitedWork.Loan(value: value, mark: mark))
        instances.wait(for: cycle.target, value)
        hashed.noteOpenReference(to: cycle.target)
        openCycles.remove(cycle)
        return empty
    }

    /// Returns the instance in progress that `body`, which decodes a waiting value, refers back to; nil if the value
    /// is decoded.
    func unlessInProgress(_ body: () throws -> Void) throws -> DecodedInstanceTable.Index? {
        do {
            try body()
            return nil
        } catch {
            guard let cycle = CycleReference(in: error), instances.isInProgress(cycle.target) else {
                throw error
            }
            openCycles.remove(cycle)
            hashed.noteOpenReference(to: cycle.target)
            return cycle.target
        }
    }

    /// Withdraws the collections that a value which fails with `error` has received since `mark`. A complete instance keeps its own.
    @inline(never)
    func withdrawCollections(since mark: DecodingMeter.Mark, after error: any Error) {
        let lent = awaited.takeLent(since: mark)
        if lent.isEmpty { return }
        // The whole decoding fails if they cannot be counted.
        _ = meter.take(lent.count)
        let withdrawn = lent.filter { $0.owner != 0 && !instances.isComplete($0.owner) }
        for value in withdrawn { value.withdraw() }
        if !withdrawn.isEmpty, mayDepend(on: error) { awaited.knownFailure = error }
    }

    /// Whether `error` may be that of an initializer to which a collection was empty.
    private func mayDepend(on error: any Error) -> Bool {
        switch error {
        case is CycleReference, DecodingError.keyNotFound, DecodingError.typeMismatch, DecodingError.valueNotFound:
            false
        default: CycleReference(in: error) == nil && ArchivingError(in: error)?.code != .limit
        }
    }
}

// MARK: - Requests

/// A collection, or a wrapper around one, that an initializer can receive empty.
protocol FilledLater {
    /// Returns the empty collection for `value`, which waits for the target of `cycle`; nil if it cannot wait.
    static func emptyValue(
        waitingFor cycle: CycleReference, for value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self?
}

extension DecodingFrame {
    /// Returns an empty collection for `value`, whose elements refer back to an instance in progress, as `error` says. It is filled
    /// when that instance is complete.
    ///
    /// - Throws: `error`, as the program receives it, if it is another one, or if the value is no collection, or if a declared field around it waits instead.
    @inline(never)
    func emptyValue<Value>(
        of type: Value.Type, after error: any Error, for value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        guard !session.openCycles.isEmpty, let form = type as? any FilledLater.Type,
            let cycle = CycleReference(in: error), session.top != nil, !isInFieldOfInstance,
            session.mayWait(for: cycle.target),
            let empty = try form.emptyValue(waitingFor: cycle, for: value, in: self, at: step) as? Value
        else {
            // Only the library receives the errors of declared fields.
            throw isInFields ? error : DecodingError.converted(error)
        }
        return empty
    }

    /// Returns an empty collection for `value`, which waits for the target of `cycle`.
    ///
    /// - Parameter decode: Decodes the collection.
    func emptyCollection<Elements: FillableCollection>(
        _ type: Elements.Type, waitingFor cycle: CycleReference, for value: ArchivedValue, at step: CodingPathStep,
        decode: @escaping (DecodingFrame) throws -> Elements
    ) throws -> Elements? {
        // The entries of an object with fields are those of a dictionary.
        let count = (try? referringElements(of: value, at: step).count) ?? value.node.count
        // The archive determines the capacity, which is reserved before the elements are decoded.
        if count > archive.capacity(for: Elements.Element.self) {
            try countVisits(count * max(1, MemoryLayout<Elements.Element>.stride / 16))
        }
        let path = pathIndex(step)
        // The session owns the waiting values, and these closures with them.
        return session.emptyCollection(waitingFor: cycle, capacity: count, at: path) { [unowned session] in
            guard let top = session.top else { return nil }
            return try top.with(nil, .null, at: path, decode)
        }
    }

    func referringElements(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedElements {
        // The test for a dictionary has to read the class entry. It comes after the usual form.
        if let elements = archive.usualElements(of: value) { return elements }
        return try dictionary(value, at: step)?.values ?? elements(of: value, at: step)
    }

    /// Whether the value belongs to a declared field of an instance whose fields are being read, with only declared fields in
    /// between. That field waits: code of the program could catch the error that postpones it.
    var isInFieldOfInstance: Bool {
        var decoding = self
        guard isInFields else { return false }
        while decoding.ownType?.isClass != true {
            guard let parent = decoding.parent, parent.isInFields else { return false }
            decoding = parent
        }
        return decoding.value.uid != 0
    }
}

extension FilledLater where Self: FillableCollection & NativelyDecodable, Decoded == Self {
    static func emptyValue(
        waitingFor cycle: CycleReference, for value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self? {
        try decoder.emptyCollection(Self.self, waitingFor: cycle, for: value, at: step) {
            try read(value, in: $0, at: .root)
        }
    }
}

extension Array: FilledLater where Element: Decodable {}
extension ContiguousArray: FilledLater where Element: Decodable {}
extension Set: FilledLater where Element: Decodable {}
extension Dictionary: FilledLater where Key: Decodable, Value: Decodable {}

extension TransparentWrapper where Self: NativelyDecodable, Decoded == Self {
    static func emptyValue(
        waitingFor cycle: CycleReference, for value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self? {
        guard let type = Wrapped.self as? any FillableCollection.Type else { return nil }
        func empty<Elements: FillableCollection>(_ type: Elements.Type) throws -> Self? {
            try decoder.emptyCollection(type, waitingFor: cycle, for: value, at: step) {
                Reinterpretation.same(try read(value, in: $0, at: .root).wrappedValue, as: type)
            }.map { Self(wrappedValue: Reinterpretation.same($0, as: Wrapped.self)) }
        }
        return try empty(type)
    }
}
