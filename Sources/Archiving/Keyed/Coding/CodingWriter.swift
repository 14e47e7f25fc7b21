/// Writes instances of a class by their `encode(with:)`.
class CodingWriter: InstanceWriter {
    private let archiver: CoderReference<KeyedArchiver>

    fileprivate init(_ archiver: KeyedArchiver) {
        self.archiver = archiver.tables.archiver
        super.init(in: archiver.writing)
    }

    /// Returns the instance that is archived for `object`, an instance of the class that has no uid.
    ///
    /// - Parameter path: The coding path of the reference.
    func archivedInstance(
        for object: AnyObject, in archiver: KeyedArchiver, path: () -> CodingPathTable.Index
    ) throws -> ArchivedInstance {
        preconditionFailure("CodingWriter is abstract")
    }

    /// Forgets the state of one archive.
    func reset() {
        preconditionFailure("CodingWriter is abstract")
    }

    /// The archiver, which exists while an archive is written.
    @inline(__always)
    fileprivate final var usedArchiver: KeyedArchiver { archiver.used }
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

    /// Returns `object`, which was referenced as an instance of the class.
    @inline(__always)
    private func instance(_ object: AnyObject) -> Object { Reinterpretation.instance(object, as: Object.self) }

    override func archivedInstance(
        for object: AnyObject, in archiver: KeyedArchiver, path: () -> CodingPathTable.Index
    ) throws -> ArchivedInstance {
        try archiver.archivedInstance(for: instance(object), number, path: path)
    }

    override func write(_ instance: PendingInstance) throws {
        let object = self.instance(instance.object)
        let archiver = usedArchiver
        if isForeign, let foreign = object as? any ForeignCoding {
            return try archiver.write(foreign: foreign, instance)
        }
        try archiver.write(
            instance, encode: { try object.encode(with: archiver) },
            classUID: { classUID(of: object, in: archiver) })
        if archiver.hasDelegate { archiver.didEncode(object) }
    }

    override func collect(_ object: AnyObject, into entries: PlainTable<ArchiveGraph.Reference>) throws -> Bool {
        if isForeign { return false }
        let archiver = usedArchiver
        try archiver.collect(object, into: entries) { try instance(object).encode(with: archiver) }
        return true
    }

    private func classUID(of object: Object, in archiver: KeyedArchiver) -> ArchiveGraph.Reference {
        let archivedClass = object.archivedClass
        if lastClassUID != 0, lastClass == archivedClass { return lastClassUID }
        let uid = archiver.graph.classUID(of: archivedClass)
        lastClass = archivedClass
        lastClassUID = uid
        return uid
    }

    override func reset() {
        lastClass = nil
        lastClassUID = 0
    }
}
