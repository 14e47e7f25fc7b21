// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A coder that decodes objects: both do, each for its own kind of classes.
///
/// The extensions have what they share between a reference in the archive and its instance: the class, the check of a
/// replacement, and references that do not recurse.
protocol ObjectDecoder: AnyObject {
    /// The place of a value in the object in progress.
    associatedtype Place
    /// The error of a value that cannot be decoded as requested.
    associatedtype Failure: Error

    var session: DecodingSession { get }
    var archive: ArchiveContents { get }
    var instances: InstanceTable { get }
    /// The type of the value in progress; nil if it is not known.
    var typeInProgress: (any Any.Type)? { get }

    func pathIndex(_ place: Place) -> CodingPathTable.Index

    /// Creates the instance of the class of `type` for `value`.
    ///
    /// - Parameters:
    ///   - entry: The entry of the instance, whose state is unknown.
    ///   - classUID: The class entry of the value; nil if it has none.
    ///   - requested: The record of the requested class.
    func newInstance(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: InstanceTable.Index, classUID: UInt32?,
        as requested: DecodingType, at place: Place
    ) throws -> AnyObject

    /// Returns the error of the value at `place`, which cannot be decoded as requested.
    func unread(_ failure: ValueFailure, _ place: Place) -> Failure
}

// MARK: - Classes

extension ObjectDecoder {
    /// Returns the uid of the class entry of `value`, or nil if it has none.
    @inline(__always)
    func classUID(of value: ArchivedValue, _ place: Place) throws -> UInt32? {
        do throws(KeyedArchiveError) {
            return try archive.classUIDWithoutCall(of: value.node)
        } catch {
            throw unread(.damaged(error), place)
        }
    }

    /// Returns the record of the type that is created for `value` if the class of `requested` is requested: the class
    /// that its entry names, if that is registered and inherits from the requested one.
    @inline(__always)
    func actualType(
        _ requested: DecodingType, classUID uid: UInt32?, _ value: ArchivedValue, _ place: Place
    ) throws -> DecodingType {
        guard let uid else {
            // The initializer of a Codable class may read other values.
            if requested.kind == .coding { throw unread(.mismatch(requested.type, value), place) }
            return requested
        }
        return try requested.matches[uid] ?? findActualType(requested, uid, value, place)
    }

    @inline(never)
    private func findActualType(
        _ requested: DecodingType, _ uid: UInt32, _ value: ArchivedValue, _ place: Place
    ) throws -> DecodingType {
        do throws(ValueFailure) {
            let actual = try session.record(of: value, classUID: uid, as: requested)
            actual.noteClass(uid, in: archive)
            return actual
        } catch {
            throw unread(error, place)
        }
    }

    /// Returns whether the class of `value`, which is requested as `requested`, is unknown.
    @inline(never)
    func isUnknownObject(_ requested: DecodingType, _ value: ArchivedValue, _ place: Place) throws -> Bool {
        guard !value.isNull, let uid = try classUID(of: value, place) else { return false }
        do throws(ValueFailure) {
            return try session.isUnknown(classUID: uid, as: requested)
        } catch {
            throw unread(error, place)
        }
    }

    /// Returns `object`, requested as `requested`, after a check of its class: a replacement may have another one.
    @inline(__always)
    func checked(_ object: AnyObject, _ requested: DecodingType, _ place: Place) throws -> AnyObject {
        if session.hasReplacements { try checkClass(object, requested, place) }
        return object
    }

    @inline(never)
    private func checkClass(_ object: AnyObject, _ requested: DecodingType, _ place: Place) throws {
        // Values that are archived once are boxed in instances of a private class.
        guard requested.identity is AnyClass else { return }
        let failure = session.replacementFailure(object, allowedBy: [requested.identity]) {
            session.codingPath(pathIndex(place))
        }
        if let failure { throw failure }
    }
}

// MARK: - Instances

extension ObjectDecoder {
    /// Returns the instance for `value`, which has a uid and is requested as `known`. The table of instances retains it.
    func foundInstance(_ known: DecodingType, _ value: ArchivedValue, at place: Place) throws -> AnyObject {
        let entry = instances.index(value.uid, known.identity)
        if instances.isBegun(entry) { return try begunInstance(entry, known, place) }
        let classUID = try classUID(of: value, place)
        // Without a reference to the type in the table, which is usually the known one.
        if let classUID, known.matches.isFirst(known, forClass: classUID) {
            return try checked(
                newInstance(known, value, entry, classUID: classUID, as: known, at: place), known, place)
        }
        return try otherInstance(known, value, entry, classUID, place)
    }

    /// As `foundInstance(_:_:at:)`, for an object whose class may be another one than the requested class.
    @inline(never)
    private func otherInstance(
        _ known: DecodingType, _ value: ArchivedValue, _ entry: InstanceTable.Index, _ classUID: UInt32?, _ place: Place
    ) throws -> AnyObject {
        let actual = try actualType(known, classUID: classUID, value, place)
        var entry = entry
        if actual !== known {
            entry = instances.index(value.uid, actual.identity)
            if instances.isBegun(entry) { return try begunInstance(entry, known, place) }
        }
        return try checked(newInstance(actual, value, entry, classUID: classUID, as: known, at: place), known, place)
    }

    /// Returns the instance with the entry `entry`, which is complete or in progress.
    private func begunInstance(
        _ entry: InstanceTable.Index, _ known: DecodingType, _ place: Place
    ) throws -> AnyObject {
        guard case .complete(let object) = instances.state(entry) else {
            guard let published = instances.takePublished(entry) else { throw cycle(to: entry, at: place) }
            return published
        }
        session.hashed.noteEarlierInstance()
        return try checked(object, known, place)
    }
}

// MARK: - References

/// The instance that a reference refers to.
enum ReferencedInstance {
    case complete(AnyObject)
    /// It is complete when the root object is decoded.
    case awaited(AwaitedInstance)
}

extension ObjectDecoder {
    /// Returns the error of a reference to the instance with the entry `index`, which is being decoded.
    @inline(never)
    func cycle(to index: InstanceTable.Index, at place: Place) -> ArchivingError {
        ArchivingError(session.cycle(to: index, from: typeInProgress, at: pathIndex(place)))
    }

    /// Throws if an earlier attempt to decode the instance with the entry `entry` was blocked by a cycle.
    @inline(__always)
    func checkUnblocked(_ entry: InstanceTable.Index) throws {
        if entry != 0, let cycle = session.blocked(entry) { throw ArchivingError(cycle) }
    }

    /// Returns the record of the type that is created for `value`, and the state of the instance.
    func stateOfReference(
        _ requested: DecodingType, _ value: ArchivedValue, _ place: Place
    ) throws -> (DecodingType, InstanceTable.State) {
        let state = instances.state(value.uid, as: requested.identity)
        if case .complete(let object) = state {
            _ = try checked(object, requested, place)
            return (requested, state)
        }
        let uid = try classUID(of: value, place)
        if let uid, requested.matches.isFirst(requested, forClass: uid) { return (requested, state) }
        let type = try actualType(requested, classUID: uid, value, place)
        let actual = type === requested ? state : instances.state(value.uid, as: type.identity)
        if case .complete(let object) = actual { _ = try checked(object, requested, place) }
        return (type, actual)
    }

    /// Returns the instance of the class of `requested` for `value`, which has a uid, without recursion: in its current
    /// state, or to be decoded later.
    func awaitedInstance(
        _ requested: DecodingType, _ value: ArchivedValue, at place: Place
    ) throws -> ReferencedInstance {
        let (type, state) = try stateOfReference(requested, value, place)
        // What it appends to the waiting work.
        session.keep(1)
        switch state {
        case .complete(let object):
            session.hashed.noteEarlierInstance()
            return .complete(object)
        case .inProgress(let index):
            if let published = instances.takePublished(index) {
                // Not the instance itself: the reference can be cleared if the decoding fails.
                return .awaited(instances.reference(to: published))
            }
            session.hashed.noteOpenReference(to: index)
            return .awaited(instances.awaited(value.uid, as: type.identity).0)
        case .unknown:
            let (instance, isNew) = instances.awaited(value.uid, as: type.identity)
            // Elements to be hashed need it soon, even if another reference already waits for it.
            if session.hashed.isHashing {
                require(type, value, at: place)
            } else if isNew {
                session.awaited.append(.awaited(type, uid: value.uid, path: pathIndex(place)))
            }
            return .awaited(instance)
        }
    }

    /// Requests an instance that a waiting value needs.
    func requireInstance(_ requested: DecodingType, _ value: ArchivedValue, at place: Place) throws {
        let (type, state) = try stateOfReference(requested, value, place)
        if case .unknown = state { require(type, value, at: place) }
    }

    private func require(_ type: DecodingType, _ value: ArchivedValue, at place: Place) {
        session.awaited.append(.needed(type, uid: value.uid, path: pathIndex(place)))
    }

    /// Returns the contents of a weak reference to the instance for `value`: the existing instance, or an awaited one.
    /// An awaited instance is set if another reference requests it.
    func awaitedWeakInstance(
        _ requested: DecodingType, _ value: ArchivedValue, at place: Place
    ) throws -> (object: AnyObject?, awaited: AwaitedWeakInstance?) {
        let (type, state) = try stateOfReference(requested, value, place)
        // An instance of a part may be deallocated and decoded again.
        if case .complete(let object) = state, session.open == nil { return (object, nil) }
        session.keep(1)
        let instance = AwaitedWeakInstance()
        session.awaited.append(AwaitedWork.WeakRequest(awaited: instance, uid: value.uid, type: type.identity))
        return (nil, instance)
    }
}
