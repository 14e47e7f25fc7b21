// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// What documents know of coding. Ordinary calls have no observer.

/// Observes the decoding of an archive that stays open: it has the instances that the program decoded from it before.
package protocol ReadingObserver: AnyObject, Sendable {
    var source: ArchiveSource { get }
    var keepsInstances: Bool { get }

    func beginDecoding()
    func endDecoding()

    func instance(_ uid: UInt32) -> AnyObject?
    func instance(_ uid: UInt32, as type: any Any.Type) -> AnyObject?
    /// The program's instance of an earlier state of the file for the object `uid`, which becomes the instance of that object.
    func formerInstance(_ uid: UInt32, as type: any Any.Type) -> AnyObject?
    func enter(_ decoded: [DecodedInstance])
    /// Objects with the unknown class name `name` are decoded as `type`.
    func note(_ name: String, for type: any Any.Type)

    /// Returns the observer of the requested keys of a decoding; nil if keys that the program does not request are of no interest.
    func requestObserver(_ meter: DecodingMeter, slotCount: Int) -> (any RequestObserver)?
}

package struct DecodedInstance {
    package let object: AnyObject
    package let uid: UInt32
    package let type: any Any.Type

    package init(object: AnyObject, uid: UInt32, type: any Any.Type) {
        (self.object, self.uid, self.type) = (object, uid, type)
    }
}

package protocol RequestObserver: AnyObject {
    /// The fields `run` are requested. The observer may number the record of them.
    func note(_ run: Range<Int>, of fields: inout ObjectFields)
    /// The program gets another keyed container of an object.
    func noteContainer(of fields: inout ObjectFields)
    /// The fields that were requested from the present container of an object are not: the request has failed.
    func forgetAttempt(of fields: ObjectFields)
    /// The decoding of the object `uid` is complete.
    ///
    /// - Parameters:
    ///   - type: The decoded type; nil for a nested container.
    ///   - hasUnkeyedValues: Whether `$0` and the like are values of the program.
    func record(
        _ uid: UInt32, _ fields: ObjectFields, of type: (any Any.Type)?, hasUnkeyedValues: Bool,
        in contents: ArchiveContents
    ) throws(KeyedArchiveError)
    /// The decoding of the object `uid` is complete, and has not requested the keys at the references `keys`. Those of the format
    /// may be among them.
    func record(
        _ uid: UInt32, keys: [Int], of type: (any Any.Type)?, in contents: ArchiveContents
    ) throws(KeyedArchiveError)
    /// A decoding of the object `uid` has requested all of its keys.
    func noteComplete(_ uid: UInt32)
    /// The requests since `mark` belong to an instance, which is complete.
    func keep(since mark: DecodingMeter.Mark)
    /// The request around those since `mark` has failed.
    func forget(since mark: DecodingMeter.Mark)
    func finish(isComplete: Bool)
}

/// Observes the writing of an archive that updates another one: objects of that one may not be written again.
package protocol WritingObserver: AnyObject {
    /// Returns the reference to an instance that is not written because it has not changed; nil for others.
    func reference(toUnmarked object: AnyObject, in graph: ArchiveGraph) -> ArchiveGraph.Reference?
    /// Returns the reference to the object `uid` of the archive that `archive` observes, if that is the updated one.
    func reference(
        to uid: UInt32, of archive: any ReadingObserver, in graph: ArchiveGraph
    ) -> ArchiveGraph.Reference?
    /// A property that does not keep its instance alive refers to `object`, and would not find it again after it was released.
    func pin(_ object: AnyObject)
}

// MARK: - Sessions

final class OpenReading {
    let observer: any ReadingObserver
    /// Nil if keys that the program does not request are of no interest.
    let requests: (any RequestObserver)?
    /// The entries of the instances that were completed since decoding began. The table of instances may release one of them
    /// before the decoding ends.
    let decoded = ValueList<(uid: UInt32, entry: DecodedInstanceTable.Index)>()
    /// Restores the fields of instances of an earlier state of the file, if the decoding fails.
    let restorations = ValueList<() -> Void>()

    init(_ observer: any ReadingObserver, _ requests: (any RequestObserver)?) {
        self.observer = observer
        self.requests = requests
    }
}

extension DecodingSession {
    func observer(_ make: (ArchiveSource, ReadingSettings) -> any ReadingObserver) -> any ReadingObserver {
        if let observer { return observer }
        let made = make(ArchiveSource(stored, format: .binary), settings)
        made.beginDecoding()
        let reading = OpenReading(made, nil)
        openReading = reading
        instances.visitComplete { reading.decoded.append(($0, $1)) }
        return made
    }

    func begin(for observer: any ReadingObserver) {
        openReading = OpenReading(observer, observer.requestObserver(meter, slotCount: archive.slotCount))
        observer.beginDecoding()
    }

    @inline(never)
    func noteDecoded(_ uid: UInt32, _ entry: DecodedInstanceTable.Index) { openReading?.decoded.append((uid, entry)) }

    func noteRestoration(_ restore: @escaping () -> Void) { openReading?.restorations.append(restore) }
}

// MARK: - Parts

extension DecodingFrame {
    /// Returns the observer of the archive, which `make` makes if there is none, if `value` can be decoded later, on its own. Otherwise
    /// loads its contents, and returns nil.
    package func observer(
        deferring value: ArchivedValue, at step: CodingPathStep,
        _ make: (ArchiveSource, ReadingSettings) -> any ReadingObserver
    ) throws -> (any ReadingObserver)? {
        // nil is either a value or an error. A value inside another object, and one of a trial decoding, must be decoded at once.
        if !isNil(value), value.uid != 0, session.top != nil { return session.observer(make) }
        try undamaged(archive.loadContents(of: value), at: step)
        return nil
    }

    /// The value, which is a stored property inside the module, so that accesses need no exclusivity check.
    package var ownValue: ArchivedValue { value }

    /// Decodes the object `uid` of the archive; returns nil if it is an object of an unknown class that is skipped.
    package func decodePart<Value: Decodable>(_ type: Value.Type, _ uid: UInt32) throws -> Value? {
        let known = session.type(type)
        let value = try object(uid)
        return try isSkipped(known, value, at: .root) ? nil : decode(type, known, from: value, at: .root)
    }

    package func decodePart<Value: Decodable>(_ type: Value.Type, at reference: Int) throws -> Value {
        let value = try contents(at: .root) { archive throws(KeyedArchiveError) in try archive.value(reference) }
        return try decode(type, session.type(type), from: value, at: .root)
    }
}

extension EncodingFrame {
    package var isDeepCopy: Bool { session.extras.purpose == .copy }

    /// Returns a reference to the object `uid` of the archive that `archive` observes: to a copy of its contents, unless the archive is
    /// updated. Referenced objects are encoded if the program has them.
    package func reference(
        toObject uid: UInt32, of archive: any ReadingObserver, at step: CodingPathStep
    ) throws -> Reference {
        if let known = session.extras.observer?.reference(to: uid, of: archive, in: graph) { return known }
        do {
            return try session.transcription(of: archive.source).reference(to: uid) { uid in
                guard let instance = archive.instance(uid) else { return nil }
                return try reference(toInstance: instance, at: step)
            }
        } catch let error as KeyedArchiveError {
            let path = keys(step)
            throw EncodingError.invalid(path, path: path, underlying: error) {
                "The deferred value at \($1) is not loaded, and cannot be copied because its archive is damaged:"
                    + " \(error.description). Assign another value"
            }
        }
    }
}

/// The encoding of an archive that a document compares with its file: objects that the program does not have, or has not changed, are
/// slots without contents.
package struct UpdatingEncoding: ~Copyable {
    private let encoding: RootEncoding
    private var session: EncodingSession { encoding.session }

    /// - Parameters:
    ///   - observer: The observer, if objects of an archive are not written again.
    ///   - hasMarks: Whether the observer may name slots of instances without conditional references.
    ///   - hasChecksum: Whether the archive gets a checksum, whatever the encoder requests.
    package init(
        _ encoder: ArchiveEncoder, for observer: (any WritingObserver)?, hasMarks: Bool, hasChecksum: Bool
    ) {
        encoding = RootEncoding(encoder)
        encoding.session.graph.hasChecksum = hasChecksum
        encoding.session.changeExtras { $0.observer = observer }
        if hasMarks { encoding.session.conditionals.expectOtherSlots() }
    }

    package func encodeRoot(_ root: some Encodable) throws { try session.encodeRoot(root) }

    package func encodeInstances(_ instances: some Sequence<AnyObject>) throws {
        try session.encodeInstances(instances)
    }

    // MARK: - Instances

    package var slotCount: Int { session.graph.slots.count }
    package var instanceCount: Int { session.instances.count }

    /// Returns an instance, and the uid of its object; 0 if the number of the object is that of the instance before.
    package func instance(at index: Int) -> (object: AnyObject, uid: UInt32?) {
        (session.instances[index].object, session.graph.uid(session.instances.uid(at: index)))
    }

    package func has(_ object: AnyObject) -> Bool { session.instances.uid(of: object) != nil }

    /// Returns the position of `object`, which is probably at `index`, and the uid of its object; nil if it is not encoded.
    package func place(of object: AnyObject, probably index: Int) -> (index: Int, uid: UInt32)? {
        guard let index = session.instances.index(of: object, probably: index),
            let uid = session.graph.uid(session.instances.uid(at: index))
        else { return nil }
        return (index, uid)
    }

    package var conditionalCount: Int { session.conditionals.all.count }

    package func conditionalInstance(at index: Int) -> (object: AnyObject, uid: UInt32) {
        let (object, slot) = session.conditionals.all[index]
        return (object, slot.index)
    }

    // MARK: - Types

    package var classTypes: [UInt32: any Any.Type] { session.graph.classTypes }

    package var defaultNames: [String] {
        let graph = session.graph
        return graph.writtenTypes.filter { graph.classes.hasDefaultName($0) }.map { ClassRegistry.swiftName(of: $0) }
    }

    // MARK: - Finishing

    /// Finishes the archive.
    ///
    /// - Parameter root: The root, for an error.
    /// - Throws: `EncodingError` if types must be registered and are not, unless `allowsAll` is true.
    package func finish(_ root: some Encodable, allowsAll: Bool) throws -> ArchiveSource {
        let unregistered = allowsAll ? [] : session.graph.unregisteredTypes
        let classes = session.graph.classes
        let bytes = try session.finish()
        let archive = ArchiveSource(try StoredArchive(decoding: ArchiveStorage(bytes)), format: .binary)
        if let unregistered = UnregisteredTypes(unregistered, classes, in: KeyedArchive(archive)) {
            throw EncodingError.invalid(root, path: unregistered.path) { _, _ in unregistered.sentence }
        }
        return archive
    }

    package static func error(_ error: any Error, encoding root: some Encodable) -> any Error {
        (error as? PropertyListError).map { EncodingError.notWritable(root, $0) }
            ?? EncodingError.converted(error, root)
    }
}
