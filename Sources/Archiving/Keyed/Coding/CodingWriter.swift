/// A `Coding` class while an archive is written.
struct CodingType: ~Copyable {
    /// `GraphWritingState` retains it.
    let writer: Unmanaged<CodingWriter>

    /// Forgets the state of one archive.
    func reset() { writer._withUnsafeGuaranteedRef { $0.reset() } }
}

/// Writes instances of a class by their `encode(with:)`.
class CodingWriter: InstanceWriter {
    /// The archiver outlives the encoding. A reference that Swift manages would cost reference counting at each use.
    fileprivate final let archiver: Unmanaged<KeyedArchiver>

    fileprivate init(_ archiver: KeyedArchiver) {
        self.archiver = .passUnretained(archiver)
    }

    /// The reference to the instance at `object`.
    ///
    /// - Parameter path: The coding path of the reference.
    @inline(__always)
    final func reference(
        to object: UnsafeRawPointer, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let known = archiver._withUnsafeGuaranteedRef { $0.graph.pointee.objects.uid(of: object) }
        return try known ?? newReference(to: object, path: path)
    }

    /// The reference to the instance at `object`, which has no uid yet.
    func newReference(
        to object: UnsafeRawPointer, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        preconditionFailure("CodingWriter is abstract")
    }

    /// The reference to the instance at `object` for a property that does not archive it.
    func conditionalReference(
        to object: UnsafeRawPointer, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        preconditionFailure("CodingWriter is abstract")
    }

    /// Calls `encode(with:)` of the instance at `object`.
    func encode(_ object: UnsafeRawPointer) throws {
        preconditionFailure("CodingWriter is abstract")
    }

    /// The uid of the class entry of the instance at `object`.
    func classUID(of object: UnsafeRawPointer) -> ArchiveGraph.Reference {
        preconditionFailure("CodingWriter is abstract")
    }

    /// Notifies the delegate that the instance at `object` was encoded.
    func didEncode(_ object: UnsafeRawPointer) {
        preconditionFailure("CodingWriter is abstract")
    }

    /// Forgets the state of one archive.
    func reset() {
        preconditionFailure("CodingWriter is abstract")
    }
}

final class CodingWriting<Object: Coding>: CodingWriter {
    /// The class of the last encoded instance, and the uid of its class entry. The next instance usually has the same
    /// class.
    private var lastClass: AnyClass?
    private var lastClassUID: ArchiveGraph.Reference = 0
    private let isForeign: Bool

    override init(_ archiver: KeyedArchiver) {
        isForeign = Object.self is any ForeignCoding.Type
        super.init(archiver)
    }

    /// Runs `body` with the instance at `object`, which another object retains, and the archiver.
    @inline(__always)
    private func with<Result>(
        _ object: UnsafeRawPointer, _ body: (Object, KeyedArchiver) throws -> Result
    ) rethrows -> Result {
        try Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef { object in
            try archiver._withUnsafeGuaranteedRef { try body(object, $0) }
        }
    }

    override func newReference(
        to object: UnsafeRawPointer, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        try with(object) { try $1.newReference(to: $0, at: object, self, path: path) }
    }

    override func conditionalReference(
        to object: UnsafeRawPointer, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        try with(object) { try $1.conditionalReference(to: $0, path: path) }
    }

    override func write(_ instance: PendingInstance) throws {
        if isForeign { return try writeForeign(instance) }
        try archiver._withUnsafeGuaranteedRef { try $0.write(instance, with: self) }
    }

    override func collect(
        _ object: UnsafeRawPointer, into entries: inout PlainArray<ArchiveGraph.Reference>
    ) throws -> Bool {
        if isForeign { return false }
        try archiver._withUnsafeGuaranteedRef { try $0.collect(object, with: self, into: &entries) }
        return true
    }

    override func encode(_ object: UnsafeRawPointer) throws {
        try with(object) { try $0.encode(with: $1) }
    }

    override func classUID(of object: UnsafeRawPointer) -> ArchiveGraph.Reference {
        let archivedClass = with(object) { object, _ in object.archivedClass }
        if lastClassUID != 0, lastClass == archivedClass { return lastClassUID }
        lastClass = archivedClass
        lastClassUID = archiver._withUnsafeGuaranteedRef {
            $0.graph.pointee.classUID(TypeNames.names(of: archivedClass))
        }
        return lastClassUID
    }

    override func didEncode(_ object: UnsafeRawPointer) {
        with(object) { $1.didEncode($0) }
    }

    override func reset() {
        lastClass = nil
        lastClassUID = 0
    }

    /// Writes an instance that represents an object of another class.
    @inline(never)
    private func writeForeign(_ instance: PendingInstance) throws {
        let object = Unmanaged<Object>.fromOpaque(instance.object).takeUnretainedValue()
        guard let foreign = object as? any ForeignCoding else { return }
        try archiver._withUnsafeGuaranteedRef { try $0.write(foreign: foreign, instance) }
    }
}
