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
        if session.open != nil, let known = session.earlierInstance(value.uid, as: type.identity, entry) {
            return known
        }
        let object = session.open == nil ? type.makeUnfilled() : formerInstance(type, value.uid) ?? type.makeUnfilled()
        let index = instances.enter(unfilled: object, value.uid, as: type.identity, entry)
        session.unfilled.append(index, value.node, type, path: path)
        if session.open != nil { session.noteDecoded(value.uid, index) }
        return object
    }

    /// Returns the instance of an earlier state of the file for the object `uid`, whose fields have their initial values.
    private func formerInstance(_ type: DecodingType, _ uid: UInt32) -> AnyObject? {
        guard let object = session.open?.formerInstance(uid, as: type.identity) else { return nil }
        session.restorations.append(type.makeUnfilled(object))
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
            try read(field)
            try fillPending()
        }
    }

    /// Reads a postponed field.
    private func read(_ field: PostponedFields.Field) throws {
        let unfilled = session.unfilled
        let type = unfilled.reader(of: field)
        guard var owner = instances.completeInstance(field.owner) else { return }
        try unfilled.postponing(false) {
            try ValueAddress.with(&owner) { try readField(field, of: type, $0) }
        }
    }

    private func readField(_ field: PostponedFields.Field, of type: DecodingType, _ address: ValueAddress) throws {
        guard let fields = type.fields else { return }
        try withDecoder(type, object(field.uid), at: field.path) { decoder in
            let decoding = decoder.decoding
            let (number, position) = (Int(field.number), Int(field.position))
            let (mark, values) = (session.mark, session.awaited.values.count)
            if field.isWhole { return try decoder.readMigratedFields(of: type, field.owner, address) }
            do {
                if position >= 0 {
                    try decoding.loadFields()
                    decoding.isInFields = true
                    try fields.readAgain(number, at: position, address, decoding)
                } else {
                    try decoder.readMigratedFieldAgain(number, of: type, address)
                }
                session.awaited.keepLent(after: values)
            } catch {
                session.leaveNothing(since: mark, after: error)
                try decoding.postpone(number, of: fields, position, after: error)
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
                prepare(type, value, at: item.path)
                isFirst = false
            } else {
                decoding.prepareNext(value, at: item.path)
            }
            if let migrations = type.facts.migrations, try needsMigration(migrations) {
                // The steps are code of the program.
                decoding.postpone(nil, of: type, at: ReadFields.migrated)
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
