// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - New instances

extension ArchiveDecoding {
    /// Creates the instance of a class with declared fields for `value`. Its fields are read later.
    ///
    /// - Parameters:
    ///   - entry: The entry of the instance, whose state is unknown.
    ///   - path: The coding path of the reference.
    func makeUnfilled(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: InstanceTable.Index, at path: CodingPathTable.Index
    ) throws -> AnyObject {
        try countVisits(1)
        reading.keep(1)
        if reading.open != nil, let known = reading.earlierInstance(value.uid, as: type.identity, entry) {
            return known
        }
        let object = reading.open == nil ? type.makeUnfilled() : formerInstance(type, value.uid) ?? type.makeUnfilled()
        let index = instances.enter(unfilled: object, value.uid, as: type.identity, entry)
        reading.unfilled.append(index, value.node, type, path: path)
        if reading.open != nil { reading.noteDecoded(value.uid, index) }
        return object
    }

    /// Returns the instance of an earlier state of the file for the object `uid`, whose fields have their initial values.
    private func formerInstance(_ type: DecodingType, _ uid: UInt32) -> AnyObject? {
        guard let object = reading.open?.formerInstance(uid, as: type.identity) else { return nil }
        reading.restorations.append(type.makeUnfilled(object))
        return object
    }

    /// Reads the fields of all instances that were created without and of those that these refer to, and the postponed fields behind
    /// `value`, an instance that code of the program is given.
    ///
    /// An error fails the whole decoding: other values may have an instance with incomplete fields.
    ///
    /// - Parameter isBeforeHash: Whether only the elements of a field of `UnfilledInstances.hashed` are going to be hashed. These fields
    ///   are not read within each other then. The hashes are compared at the end.
    @inline(never)
    func fillInstances(behind value: ArchivedValue, isBeforeHash: Bool = false) throws {
        let mark = reading.mark
        do {
            let (postponed, hashed) = (reading.unfilled.postponed, reading.unfilled.hashed)
            var remaining = GraphReading.PostponedCounts(fields: postponed.count, hashed: hashed.count)
            let outer = (postponed.beginReading(above: postponed.count), hashed.beginReading(above: hashed.count))
            defer {
                postponed.endReading(outer.0)
                hashed.endReading(outer.1)
            }
            try fillPending()
            let walk =
                remaining.fields > 0 || remaining.hashed > 0 && !isBeforeHash
                ? try undamaged(reading.raisePostponed(behind: value, &remaining), at: .root) : nil
            while true {
                if let field = postponed.takeLast(above: remaining.fields) {
                    try checkStack()
                    try read(field)
                } else if !isBeforeHash, let field = hashed.takeLast(above: remaining.hashed) {
                    try checkStack()
                    try readHashed(field)
                } else {
                    break
                }
                // An inner reading may have gone further.
                remaining.fields = min(remaining.fields, postponed.count)
                remaining.hashed = min(remaining.hashed, hashed.count)
                try fillPending()
            }
            if let walk { reading.end(walk) }
            reading.keep(since: mark)
        } catch {
            reading.fail(error)
            throw error
        }
    }

    /// Reads the fields of all instances that were created without, except those that are postponed.
    private func fillPending() throws {
        guard reading.unfilled.hasPending else { return }
        try reading.unfilled.postponing(true) {
            while reading.unfilled.hasPending {
                try withDecoder(nil, .null, at: CodingPathTable.root) { decoder in
                    repeat { try decoder.fillRun() } while reading.unfilled.hasPending && decoder.isReturned
                }
            }
        }
    }

    /// Reads a postponed field with elements to be hashed.
    private func readHashed(_ field: PostponedFields.Field) throws {
        let reached = reading.unfilled.reached
        reached.begin(field.uid, at: Int(field.position))
        var isReached = false
        do {
            defer { isReached = reached.end() }
            try reading.unfilled.postponing(false) { try reading.setHashed(field.number) }
        }
        if isReached { try undamaged(reading.checkComplete(field.uid), at: .root) }
    }

    /// Reads a postponed field.
    private func read(_ field: PostponedFields.Field) throws {
        let unfilled = reading.unfilled
        guard let type = unfilled.reader(of: field) as? DecodingType,
            var owner = instances.completeInstance(field.owner)
        else { return }
        let outer = unfilled.begin(postponed: field.owner)
        defer { unfilled.end(outer) }
        try unfilled.postponing(false) {
            try ValueAddress.with(&owner) { try readField(field, of: type, $0) }
        }
    }

    private func readField(_ field: PostponedFields.Field, of type: DecodingType, _ address: ValueAddress) throws {
        guard let fields = type.fields else { return }
        let reached = reading.unfilled.reached
        var isReached = false
        try withDecoder(type, object(field.uid), at: field.path) { decoder in
            let decoding = decoder.decoding
            let (number, position) = (Int(field.number), Int(field.position))
            if position >= 0 { try decoding.loadFields() }
            reached.begin(field.uid, at: decoding.fields.isDictionary ? ReadFields.migrated : position)
            defer { isReached = reached.end() }
            if field.isWhole {
                try decoder.readMigratedFields(of: type, address)
            } else if position >= 0 {
                decoding.isInFields = true
                try fields.read(number, at: position, address, decoding)
            } else {
                do {
                    try decoder.readMigratedFieldAgain(number, of: type, address)
                } catch {
                    try decoding.postpone(number, of: fields, position, after: error)
                }
            }
        }
        if isReached { try undamaged(reading.checkComplete(field.uid), at: .root) }
    }
}

extension ProgramDecoder {
    /// Reads the fields of the next instances that have the same reader, until the program holds this decoder.
    fileprivate func fillRun() throws {
        let (decoding, unfilled) = (decoding, decoding.reading.unfilled)
        let instances = decoding.instances
        guard let (number, reader) = unfilled.nextReader, let type = reader as? DecodingType, let fields = type.fields
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
            if let migrations = type.migrations, try needsMigration(migrations) {
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
