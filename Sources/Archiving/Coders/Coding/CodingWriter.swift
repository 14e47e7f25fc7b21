// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Writes instances of a class by their `encode(with:)`.
class CodingWriter: InstanceWriter {
    /// Returns the instance that is archived for `object`, an instance of the class that has no uid.
    ///
    /// - Parameter path: The coding path of the reference.
    func archivedInstance(
        for object: AnyObject, in archiver: KeyedArchiver, path: () -> CodingPathTable.Index
    ) throws -> ArchivedInstance {
        preconditionFailure("CodingWriter is abstract")
    }

    /// Appends the references to `objects`, the elements of the value under `key`, to the archiver's table of elements.
    func appendReferences(
        to objects: [AnyObject], in archiver: KeyedArchiver, at key: ArchiveGraph.Reference
    ) throws {
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

    override init(in session: EncodingSession) {
        isForeign = Object.self is any ForeignCoding.Type
        super.init(in: session)
    }

    /// Returns `object`, which was referenced as an instance of the class.
    @inline(__always)
    private func instance(_ object: AnyObject) -> Object { Reinterpretation.instance(object, as: Object.self) }

    override func archivedInstance(
        for object: AnyObject, in archiver: KeyedArchiver, path: () -> CodingPathTable.Index
    ) throws -> ArchivedInstance {
        try archiver.archivedInstance(for: instance(object), number, path: path)
    }

    override func appendReferences(
        to objects: [AnyObject], in archiver: KeyedArchiver, at key: ArchiveGraph.Reference
    ) throws {
        let session = archiver.session
        let (instances, paths, elements) = (session.instances, session.paths, session.elements)
        var path: CodingPathTable.Index?
        for index in 0..<objects.count {
            let object = objects[index]
            if let known = instances.uid(of: object) {
                elements.append(known)
                continue
            }
            let collection = path ?? archiver.pathIndex(key)
            path = collection
            switch answer(of: object, in: archiver) {
            case .itself:
                let place = paths.append(.index(index), to: collection)
                elements.append(session.newInstance(consume object, writer: number, path: place))
            case .other(let own):
                let reference = try reference(to: object, own, in: archiver) {
                    session.path(.index(index), in: collection)
                }
                elements.append(reference)
            }
        }
    }

    /// Asks `object` for its replacement. It is a function of its own, since its caller would retain the object once more.
    @inline(never)
    private func answer(of object: AnyObject, in archiver: KeyedArchiver) -> KeyedArchiver.Answer {
        archiver.answer(of: instance(object))
    }

    /// Returns the reference to `object`, an instance that has no uid and the answer `answer`.
    @inline(never)
    private func reference(
        to object: AnyObject, _ answer: (any Coding)??, in archiver: KeyedArchiver, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        try archiver.session.reference(to: object, path: path) {
            try archiver.archivedInstance(for: instance(object), number, answer: answer, path: path)
        }
    }

    override func writePending(of session: EncodingSession, _ count: inout Int) throws {
        let archiver = session.archiver
        let references = archiver.references
        while let instance = try session.nextPendingInstance(of: number, &count) {
            try write(instance, in: archiver, references)
        }
    }

    @inline(__always)
    private func write(
        _ instance: PendingInstance, in archiver: KeyedArchiver, _ references: PlainTable<ArchiveGraph.Reference>
    ) throws {
        let object = self.instance(instance.object)
        if isForeign, let foreign = object as? any ForeignCoding {
            return try archiver.write(foreign: foreign, instance)
        }
        try archiver.write(
            instance, references, encode: { try object.encode(with: archiver) },
            classUID: { classUID(of: object, in: archiver) })
        if archiver.hasDelegate { archiver.didEncode(object) }
    }

    @inline(__always)
    private func classUID(of object: Object, in archiver: KeyedArchiver) -> ArchiveGraph.Reference {
        let archivedClass = object.archivedClass
        if lastClassUID != 0, lastClass == archivedClass { return lastClassUID }
        return classUID(of: archivedClass, in: archiver)
    }

    @inline(never)
    private func classUID(of archivedClass: any Coding.Type, in archiver: KeyedArchiver) -> ArchiveGraph.Reference {
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
