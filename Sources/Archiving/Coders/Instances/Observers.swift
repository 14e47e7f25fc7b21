// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// What documents know of coding. Ordinary calls have no observer.

/// Observes the decoding of an archive that stays open: it has the instances that the program decoded from it before.
package protocol ReadingObserver: AnyObject, Sendable {
    var source: ArchiveSource { get }
    /// Whether the observer retains the instances that are decoded.
    var keepsInstances: Bool { get }

    /// A decoding begins on the calling thread.
    func beginDecoding()
    /// The last decoding that began on the calling thread ends.
    func endDecoding()

    /// The program's instance of the object `uid`, of any type.
    func instance(_ uid: UInt32) -> AnyObject?
    /// The program's instance of the object `uid` as `type`.
    func instance(_ uid: UInt32, as type: any Any.Type) -> AnyObject?
    /// The program's instance of an earlier state of the file for the object `uid`, which becomes the instance of that object.
    func formerInstance(_ uid: UInt32, as type: any Any.Type) -> AnyObject?
    /// Instances are complete.
    func enter(_ decoded: [DecodedInstance])
    /// Objects with the unknown class name `name` are decoded as `type`.
    func note(_ name: String, for type: any Any.Type)

    /// Returns the observer of the requested keys of a decoding; nil if keys that the program does not request are of no interest.
    func requestObserver(_ meter: DecodingMeter, slotCount: Int) -> (any RequestObserver)?
}

/// A completed instance.
package struct DecodedInstance {
    package let object: AnyObject
    package let uid: UInt32
    /// The type of the instance.
    package let type: any Any.Type

    package init(object: AnyObject, uid: UInt32, type: any Any.Type) {
        (self.object, self.uid, self.type) = (object, uid, type)
    }
}

/// Observes which keys one decoding requests.
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
    /// The decoding ends.
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

/// The reading of an archive whose parts are decoded later.
final class OpenReading {
    let observer: any ReadingObserver
    /// Nil if keys that the program does not request are of no interest.
    let requests: (any RequestObserver)?
    /// The entries of the instances that were completed since decoding began. The table of instances may release one of them
    /// before the decoding ends.
    let decoded = ValueList<(uid: UInt32, entry: InstanceTable.Index)>()
    /// Restores the fields of instances of an earlier state of the file, if the decoding fails.
    let restorations = ValueList<() -> Void>()

    init(_ observer: any ReadingObserver, _ requests: (any RequestObserver)?) {
        self.observer = observer
        self.requests = requests
    }
}

extension DecodingSession {
    /// Returns the observer of the decoding; `make` makes it if there is none.
    func observer(_ make: (ArchiveSource, ReadingSettings) -> any ReadingObserver) -> any ReadingObserver {
        if let observer { return observer }
        let made = make(ArchiveSource(stored, format: .binary), settings)
        made.beginDecoding()
        let reading = OpenReading(made, nil)
        openReading = reading
        instances.visitComplete { reading.decoded.append(($0, $1)) }
        return made
    }

    /// Begins to decode a part of the archive of `observer`, whose other parts were decoded before.
    func begin(for observer: any ReadingObserver) {
        openReading = OpenReading(observer, observer.requestObserver(meter, slotCount: archive.slotCount))
        observer.beginDecoding()
    }

    /// Records a complete instance, if deferred parts may refer to it.
    @inline(never)
    func noteDecoded(_ uid: UInt32, _ entry: InstanceTable.Index) { openReading?.decoded.append((uid, entry)) }

    /// Records how to restore an instance of an earlier state of the file, if the decoding fails.
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

    /// Decodes the object `uid` of the archive; returns nil if it is an object of an unknown class that is skipped.
    package func decodePart<Value: Decodable>(_ type: Value.Type, _ uid: UInt32) throws -> Value? {
        let known = session.type(type)
        let value = try object(uid)
        return try isSkipped(known, value, at: .root) ? nil : decode(type, known, from: value, at: .root)
    }

    /// Decodes the value at `reference` in the list of the archive.
    package func decodePart<Value: Decodable>(_ type: Value.Type, at reference: Int) throws -> Value {
        let value = try contents(at: .root) { archive throws(KeyedArchiveError) in try archive.value(reference) }
        return try decode(type, session.type(type), from: value, at: .root)
    }
}

extension EncodingFrame {
    /// Whether the archive is read once, for a copy of the graph.
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
