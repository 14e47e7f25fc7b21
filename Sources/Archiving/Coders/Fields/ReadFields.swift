// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The declared fields of a type in one archive that is being read.
final class ReadFields {
    let plan: FieldPlan
    let count: Int
    /// The references of the keys of the fields in the archive, -1 for those that are not known yet. The last one is the key of the
    /// class.
    private let keys: PlainTable<Int>
    /// The fields of other references: another copy of a key, or a former key. -1 for a key that no field has.
    private var others: [Int: Int] = [:]
    /// Whether the archive has keys that are equal to those of fields only by Unicode's rules.
    private var hasEqualKeys = false
    /// A bit for each field, up to the number of bits.
    private let all: UInt64
    /// A new value, whose fields replace those of an instance that is cleared.
    fileprivate lazy var initial = InitialValue.of(plan.type)

    /// The number of fields up to which a bit for each is used.
    private static var bitCount: Int { UInt64.bitWidth }

    init(_ plan: FieldPlan) {
        self.plan = plan
        count = plan.fields.count
        keys = PlainTable(repeating: -1, count: count + 1)
        all = count < Self.bitCount ? 1 &<< UInt64(count) &- 1 : .max
    }

    /// Forgets the state of one archive.
    func reset() {
        for field in 0...count { keys[field] = -1 }
        if !others.isEmpty { others = [:] }
        hasEqualKeys = false
    }
}

extension ReadFields {
    /// A key that no field has, and the key of the class.
    private static var none: Int { -1 }
    private static var classKey: String { "$class" }
    /// A former key of a field, or one that is equal to its key only by Unicode's rules: these follow.
    private static var alias: Int { -2 }

    /// Sets the fields of the value at `address` to those of the value of `decoding`.
    ///
    /// Usually the keys are in the order of the fields. Then each costs one comparison.
    @inline(__always)
    func read(_ address: ValueAddress, from decoding: DecodingFrame) throws {
        let mark = decoding.session.requests == nil ? nil : decoding.session.mark
        try decoding.loadFields()
        guard count <= Self.bitCount else { return try readMany(address, from: decoding, mark) }
        let list = decoding.archive.list
        let (keyStart, valueStart, entryCount) = (decoding.fields.keys, decoding.fields.values, decoding.fields.count)
        if entryCount > count &+ 1 { try decoding.countFields(entryCount) }
        var seen: UInt64 = 0
        var next = 0
        for position in 0..<entryCount {
            let key = list.reference(position, in: keyStart)
            var field = next
            while field <= count, keys[field] != key { field &+= 1 }
            if field >= count {
                if field == count { continue }
                field = try find(key, next, decoding)
                if field < 0 { continue }
            }
            next = field &+ 1
            guard seen & 1 &<< UInt64(field) == 0 else { continue }
            seen |= 1 &<< UInt64(field)
            decoding.fields.next = position &+ 1
            do {
                let reference = list.reference(position, in: valueStart)
                try plan.fields.withElement(at: field) { try $0.read(address, decoding, reference) }
            } catch {
                try decoding.postpone(field, of: self, position, after: error)
            }
        }
        if seen != all { try readAbsent(seen, address, decoding) }
        if let mark { try recordRequests(seen, decoding, since: mark) }
    }

    /// Returns the field of a key whose reference is not known; a negative number if there is none.
    @inline(never)
    private func find(_ key: Int, _ next: Int, _ decoding: DecodingFrame) throws -> Int {
        // Usually it is one of the next fields, or the class at the end.
        if !decoding.fields.isDictionary {
            var field = next
            while field <= count {
                if keys[field] < 0, decoding.isKey(key, field < count ? plan.archivedKeys[field] : Self.classKey) {
                    keys[field] = key
                    return field < count ? field : Self.none
                }
                field += 1
            }
        }
        return try others[key] ?? findByName(key, decoding)
    }

    private func findByName(_ key: Int, _ decoding: DecodingFrame) throws -> Int {
        guard let name = try decoding.fieldName(key) else { return note(key, Self.none) }
        guard let position = plan.positions[ExactText(name)] else {
            guard plan.hasEqualKey(name) else { return note(key, Self.none) }
            hasEqualKeys = true
            return note(key, Self.alias)
        }
        if position.rank > 0 { return note(key, Self.alias) }
        if keys[position.field] >= 0 { return note(key, position.field) }
        keys[position.field] = key
        return position.field
    }

    /// Returns whether the key at the reference `key` is that of a field, or a former key of one.
    func isRequested(_ key: Int, _ decoding: DecodingFrame) throws -> Bool {
        for field in 0..<count where keys[field] == key { return true }
        let field = try others[key] ?? findByName(key, decoding)
        return field >= 0 || field == Self.alias
    }

    private func note(_ key: Int, _ field: Int) -> Int {
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var changed = others
        others = [:]
        changed[key] = field
        others = changed
        return field
    }

    /// Sets the fields that `seen` does not have: to the value of a former key, or to the value of an absent field.
    @inline(never)
    private func readAbsent(_ seen: UInt64, _ address: ValueAddress, _ decoding: DecodingFrame) throws {
        for field in 0..<count where seen & 1 &<< UInt64(field) == 0 { try readAbsent(field, address, decoding) }
    }

    /// The keys under which a field is looked up that has not its own.
    private func otherKeys(of field: FieldDeclaration) -> [String] {
        hasEqualKeys ? [field.key] + field.aliases : field.aliases
    }

    private func readAbsent(_ field: Int, _ address: ValueAddress, _ decoding: DecodingFrame) throws {
        let declaration = plan.fields[field]
        for alias in otherKeys(of: declaration) {
            if let position = try decoding.position(ofField: alias) {
                return try read(field, at: position, address, decoding)
            }
        }
        if !declaration.setAbsent(address) { throw decoding.notFound(ArchiveKey(stringValue: declaration.key)) }
    }

    /// Sets the field with the number `field` to the value at `position`.
    func read(_ field: Int, at position: Int, _ address: ValueAddress, _ decoding: DecodingFrame) throws {
        decoding.fields.next = position + 1
        let reference = decoding.archive.list.reference(position, in: decoding.fields.values)
        do {
            try plan.fields[field].read(address, decoding, reference)
        } catch {
            try decoding.postpone(field, of: self, position, after: error)
        }
    }

    /// Sets a field that was postponed.
    func readAgain(_ field: Int, at position: Int, _ address: ValueAddress, _ decoding: DecodingFrame) throws {
        decoding.fields.next = position + 1
        try plan.fields[field].read(
            address, decoding, decoding.archive.list.reference(position, in: decoding.fields.values))
    }

    /// The position of a field of a value of a former version.
    static var migrated: Int { -1 }

    /// Sets the fields of a value of a former version to those in `container`.
    fileprivate func read(
        _ address: ValueAddress, fromMigrated container: KeyedDecodingContainer<ArchiveKey>,
        _ decoding: DecodingFrame
    ) throws {
        for field in 0..<count {
            do {
                try plan.fields[field].decode(address, from: container)
            } catch {
                try decoding.postpone(field, of: self, Self.migrated, after: error)
            }
        }
    }

    /// Sets the fields of a type that has too many for a bit each.
    @inline(never)
    private func readMany(
        _ address: ValueAddress, from decoding: DecodingFrame, _ mark: DecodingMeter.Mark?
    ) throws {
        try decoding.countFields(decoding.fields.count + count)
        var absent: [Int] = []
        for field in 0..<count {
            if let position = try decoding.position(ofField: plan.fields[field].key) {
                try read(field, at: position, address, decoding)
            } else {
                absent.append(field)
            }
        }
        for field in absent { try readAbsent(field, address, decoding) }
        if let mark { try recordRequests(0, decoding, since: mark) }
    }

    /// Clears the fields of the instance at `address`: each gets the value that `init()` sets.
    func clear(_ address: ValueAddress) {
        initial.with { initial in
            for field in plan.fields { field.copy(address, from: initial) }
        }
    }
}

// MARK: - Structs

/// Reads structs by their fields.
enum FieldsForm<Value: ArchivedFields>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        let known = decoder.session.type(Value.self)
        var result = Value()
        try ValueAddress.with(&result) { address in
            try decoder.withDecoder(known, value, step) { try $0.readFields(known, address) }
        }
        // Nothing but declared fields may have instances whose own fields are not read.
        try decoder.fillIfNeeded()
        try result.didFinishDecoding()
        return result
    }
}

// MARK: - Instances

/// A class with declared fields in one decoding.
final class FieldsClass<Value: AnyObject & ArchivedFields>: DecodingClass<Value> {
    override func makeUnfilled() -> AnyObject { Value() }

    override func makeUnfilled(_ object: AnyObject) -> () -> Void {
        let (plan, copy) = (fields?.plan, Value())
        Self.copyFields(plan, of: object, to: copy)
        clear(object)
        return { Self.copyFields(plan, of: copy, to: object) }
    }

    private static func copyFields(_ plan: FieldPlan?, of source: AnyObject, to target: AnyObject) {
        var (source, target) = (source, target)
        ValueAddress.with(&source) { source in
            ValueAddress.with(&target) { target in
                for field in plan?.fields ?? [] { field.copy(target, from: source) }
            }
        }
    }

    /// Returns an instance that is complete at once, except for the instances to which it refers.
    override func read(_ decoder: ProgramDecoder) throws -> AnyObject {
        var object: AnyObject = Value()
        try ValueAddress.with(&object) { try decoder.readFields(self, $0) }
        try didFinish(object)
        return object
    }

    override func didFinish(_ object: AnyObject) throws {
        var object = Reinterpretation.instance(object, as: Value.self)
        try object.didFinishDecoding()
    }

    override func clear(_ object: AnyObject) {
        var object = object
        ValueAddress.with(&object) { fields?.clear($0) }
    }
}

extension ProgramDecoder {
    /// Sets the declared fields of the value at `address`, which is of the type `type`, to those of the decoder's value.
    @inline(__always)
    func readFields(_ type: DecodingType, _ address: ValueAddress) throws {
        guard let fields = type.fields else { preconditionFailure("\(type.type) has no declared fields") }
        if type.facts.migrations != nil, try readMigratedFields(type, address) { return }
        decoding.isInFields = true
        try fields.read(address, from: decoding)
    }

    /// Sets the declared fields of a value of a former version.
    ///
    /// - Returns: Whether it is one.
    @inline(never)
    private func readMigratedFields(_ type: DecodingType, _ address: ValueAddress) throws -> Bool {
        guard let fields = type.fields, let migrations = type.facts.migrations, try needsMigration(migrations) else {
            return false
        }
        // The steps are code of the program.
        if decoding.session.unfilled.isPostponing { throw ProgramValue.error }
        guard let container = try migratedContainer(type) else { return false }
        decoding.isInFields = true
        try fields.read(address, fromMigrated: container, decoding)
        try decoding.recordRequestsIfNeeded(type.type)
        return true
    }

    /// Sets all declared fields of an instance of a former version, except those that are postponed in turn.
    func readMigratedFields(
        of type: DecodingType, _ owner: InstanceTable.Index, _ address: ValueAddress
    ) throws {
        guard let fields = type.fields, let container = try migratedContainer(type) else { return }
        decoding.isInFields = true
        try decoding.session.unfilled.postponing(true, of: owner) {
            try fields.read(address, fromMigrated: container, decoding)
        }
        try decoding.recordRequestsIfNeeded(type.type)
    }

    /// Returns the migrated fields of the decoder's value; nil if it has the current version.
    private func migratedContainer(_ type: DecodingType) throws -> KeyedDecodingContainer<ArchiveKey>? {
        guard let migrations = type.facts.migrations else { return nil }
        return try migratedDecoder(migrations)?.container(keyedBy: ArchiveKey.self)
    }

    /// Sets a field that was postponed, of a value of a former version. The migrations are repeated.
    @inline(never)
    func readMigratedFieldAgain(_ field: Int, of type: DecodingType, _ address: ValueAddress) throws {
        guard let fields = type.fields, let container = try migratedContainer(type) else { return }
        decoding.isInFields = true
        try fields.plan.fields[field].decode(address, from: container)
    }
}
