// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - New instances

extension DecodingFrame {
    /// Creates the instance of a class with declared fields for `value`. Its fields are read later.
    ///
    /// - Parameters:
    ///   - entry: The entry of the instance, whose state is unknown.
    ///   - path: The coding path of the reference.
    func makeUnfilled(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: InstanceTable.Index, at path: CodingPathTable.Index
    ) throws -> AnyObject {
        try countVisits(1)
        session.keep(1)
        if session.observer != nil, let known = session.earlierInstance(value.uid, as: type.identity, entry) {
            return known
        }
        let object = session.observer == nil ? type.makeUnfilled() : formerInstance(type, value.uid) ?? type.makeUnfilled()
        let index = instances.enter(unfilled: object, value.uid, as: type.identity, entry)
        session.unfilled.append(index, value.node, type, path: path)
        if session.observer != nil { session.noteDecoded(value.uid, index) }
        return object
    }

    /// Returns the instance of an earlier state of the file for the object `uid`, whose fields have their initial values.
    private func formerInstance(_ type: DecodingType, _ uid: UInt32) -> AnyObject? {
        guard let object = session.observer?.formerInstance(uid, as: type.identity) else { return nil }
        session.noteRestoration(type.makeUnfilled(object))
        return object
    }

    /// Reads the plain fields of all instances that were created without them, and then the postponed ones, unless these are being
    /// read: then code of the program gets instances whose own postponed fields are not set yet.
    ///
    /// An error fails the whole decoding: other values may have an instance with incomplete fields.
    ///
    /// - Parameter mark: Reads the fields that were postponed since then in any case: elements are going to be hashed.
    @inline(never)
    func fillInstances(after mark: UnfilledInstances.Mark? = nil) throws {
        let unfilled = session.unfilled
        let start = session.mark
        do {
            try fillPending()
            if unfilled.isFinishing {
                if let mark { try finishFields(after: mark) }
            } else {
                try unfilled.finishing { try finishFields(after: UnfilledInstances.Mark()) }
            }
            session.keep(since: start)
        } catch {
            session.fail(error)
            throw error
        }
    }

    /// Reads the plain fields of all instances that were created without them.
    private func fillPending() throws {
        guard session.unfilled.hasPending else { return }
        try session.unfilled.postponing(true) {
            while session.unfilled.hasPending {
                try withDecoder(nil, .null, at: CodingPathTable.root) { decoder in
                    repeat { try decoder.fillRun() } while session.unfilled.hasPending && decoder.isReturned
                }
            }
        }
    }

    /// Reads the fields that were postponed after `mark`: first those whose values code of the program creates, then those with
    /// elements to be hashed.
    private func finishFields(after mark: UnfilledInstances.Mark) throws {
        let unfilled = session.unfilled
        while let field = unfilled.postponed.take(after: mark.postponed) ?? unfilled.hashed.take(after: mark.hashed) {
            try checkStack()
            try unfilled.postponing(false) {
                let number = field.isWhole ? nil : Int(field.number)
                try read(field) { try $0.postpone(number, at: Int(field.position), after: $1) }
            }
            try fillPending()
        }
    }

    /// Reads a postponed field of an instance that is not released. Calls `failed` with an error, which leaves nothing.
    fileprivate func read(
        _ field: PostponedFields.Field, failed: (DecodingFrame, any Error) throws -> Void
    ) throws {
        let type = session.unfilled.reader(of: field)
        guard var owner = instances.completeInstance(field.owner), let fields = type.fields else { return }
        try withDecoder(type, object(field.uid), at: field.path) { decoder in
            let decoding = decoder.decoding
            let (mark, values) = (session.mark, session.awaited.values.count)
            do {
                try ValueAddress.with(&owner) { address in
                    if field.isWhole {
                        try session.unfilled.postponing(true, of: field.owner) {
                            try decoder.readMigratedFields(of: type, address)
                        }
                    } else if field.position == ReadFields.migrated {
                        try decoder.readMigratedFields(Int(field.number), of: type, address)
                    } else {
                        try decoding.loadFields()
                        decoding.isInFields = true
                        try fields.read(Int(field.number), at: Int(field.position), address, decoding)
                    }
                }
                session.awaited.keepLent(after: values)
            } catch {
                session.leaveNothing(since: mark, after: error)
                try failed(decoding, error)
            }
        }
    }
}

extension ProgramDecoder {
    /// Reads the fields of the next instances that have the same reader, until the program holds this decoder.
    fileprivate func fillRun() throws {
        let (decoding, unfilled) = (decoding, decoding.session.unfilled)
        let instances = decoding.instances
        guard let (number, type) = unfilled.nextReader, let fields = type.fields
        else { preconditionFailure("An instance without declared fields waits for them") }
        var isFirst = true
        while let (item, outer) = unfilled.begin(ofReader: number) {
            defer { unfilled.end(outer) }
            guard var object = instances.completeInstance(item.entry) else { continue }
            let uid = instances.entry(item.entry).uid
            let value = try item.node.map { ArchivedValue(node: $0, uid: uid, isNull: false) } ?? decoding.object(uid)
            if isFirst {
                prepare(type, value, .found(at: item.path))
                isFirst = false
            } else {
                decoding.prepareNext(value, at: item.path)
            }
            if let migrations = type.facts.migrations, try needsMigration(migrations) {
                // The steps are code of the program.
                decoding.postpone(nil, at: ReadFields.migrated, of: type)
                continue
            }
            try ValueAddress.with(&object) { address in
                decoding.isInFields = true
                try fields.read(address, from: decoding)
            }
            if !isReturned { return }
        }
    }
}

// MARK: - Postponed fields

/// Why a declared field is read later, in an error that a value in it throws.
enum Postponement: Error {
    /// Code of the program creates the value.
    case isProgramValue
    /// It is a conditional reference to an instance that no other reference has requested so far.
    case isConditional

    /// The first error, allocated once.
    static let programValue: any Error = isProgramValue
}

extension DecodingFrame {
    /// Throws an error that postpones the declared field around the value, which code of the program creates.
    @inline(__always)
    func postponeProgramValue() throws {
        if isInFields, session.unfilled.isPostponing { throw Postponement.programValue }
    }

    /// Postpones the field with the number `number` until the other fields of all instances are set, if code of the program creates
    /// the value; until an instance is complete to which it refers; or, if it has elements to be hashed, until all fields are set.
    /// `error` says so; another one is thrown again.
    @inline(never)
    func postpone(_ number: Int?, at position: Int, after error: any Error) throws {
        let reason = error as? Postponement
        let cycle = reason == nil ? CycleReference(in: error) : nil
        guard reason != nil || cycle != nil, let type = ownType, type.isClass, session.top != nil,
            case .complete = instances.state(value.uid, as: type.identity)
        else { throw error }
        if case .isProgramValue? = reason { return postpone(number, at: position, of: type) }
        if let cycle, !instances.isInProgress(cycle.target), cycle.target != session.unfilled.current { throw error }
        session.dismiss(error)
        let field = postponedField(number, at: position, of: type)
        if let cycle, !instances.isInProgress(cycle.target) { return session.unfilled.hashed.append(field) }
        let waiting = WaitingDeclaredField(field, session)
        if let cycle {
            session.awaited.values.append(waiting)
            instances.wait(for: cycle.target, waiting)
        } else {
            session.awaited.conditional.append(waiting)
        }
    }

    /// Postpones a field of the value, an instance of the class `type`, whose value code of the program creates.
    ///
    /// - Parameter number: The number of the field; nil for all fields.
    fileprivate func postpone(_ number: Int?, at position: Int, of type: DecodingType) {
        session.unfilled.postponed.append(postponedField(number, at: position, of: type))
    }

    private func postponedField(_ number: Int?, at position: Int, of type: DecodingType) -> PostponedFields.Field {
        PostponedFields.Field(
            owner: instances.index(value.uid, type.identity), uid: value.uid,
            reader: session.unfilled.number(of: type), path: pathIndex(.root),
            number: number.map { UInt32(truncatingIfNeeded: $0) } ?? .max, position: Int32(clamping: position))
    }
}

/// A declared field of an instance that waits for another instance.
private final class WaitingDeclaredField: WaitingValue {
    private let field: PostponedFields.Field
    /// The session, which owns the waiting values.
    private unowned let session: DecodingSession

    init(_ field: PostponedFields.Field, _ session: DecodingSession) {
        self.field = field
        self.session = session
    }

    override func finish() throws -> InstanceTable.Index? {
        guard let top = session.top else { return nil }
        var target: InstanceTable.Index?
        try top.read(field) { _, error in
            guard let cycle = CycleReference(in: error), session.instances.isInProgress(cycle.target) else {
                throw error
            }
            session.dismiss(error)
            target = cycle.target
        }
        if target == nil, session.unfilled.isIncomplete { try top.fillInstances() }
        return target
    }
}
