// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

final class DecodingFields {
    let plan: FieldPlan
    private let count: Int
    /// The references of the keys of the ordered fields in the archive, -1 for those that are not known yet. The last one is the
    /// key of the class.
    private let keys: PlainTable<Int>
    /// The fields of other references: another copy of a key, or `FieldPlan.other`. `none` for a key that no field has.
    private var others: [Int: Int] = [:]
    private var hasOtherKeys = false
    /// A bit for each ordered field. Of a type with other fields, it has a bit more.
    private let all: UInt64
    /// A new value, whose fields replace those of an instance that is cleared.
    private lazy var initial: any ArchivedFields = plan.type.init()

    init(_ plan: FieldPlan) {
        self.plan = plan
        count = min(plan.fields.count, FieldPlan.orderedCount)
        keys = PlainTable(repeating: -1, count: count + 1)
        all = plan.fields.count > count ? .max : 1 &<< UInt64(count) &- 1
    }

    func reset() {
        keys.fill(-1)
        if !others.isEmpty { others = [:] }
        hasOtherKeys = false
    }
}

extension DecodingFields {
    /// In place of the number of a field: a key that no field has, and the key of the class.
    private static var none: Int { -1 }
    static var migrated: Int { -1 }

    /// Sets the fields of the value at `address` to those of the value of `decoding`.
    ///
    /// Usually the keys are in the order of the fields. Then each costs one comparison.
    @inline(__always)
    func read(_ address: ValueAddress, from decoding: DecodingFrame) throws {
        let mark = decoding.session.requests == nil ? nil : decoding.session.mark
        try decoding.loadFields()
        let list = decoding.archive.list
        let (keyStart, entryCount) = (decoding.fields.keys, decoding.fields.count)
        if entryCount > count &+ 1 { try countEntries(entryCount, decoding) }
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
            try readOrPostpone(field, at: position, address, decoding)
        }
        if seen != all { try readAbsent(seen, address, decoding) }
        if let mark { try recordRequests(seen, decoding, since: mark) }
    }

    @inline(never)
    private func countEntries(_ count: Int, _ decoding: DecodingFrame) throws {
        try decoding.undamaged(decoding.session.countWork(count), at: .root)
    }

    @inline(__always)
    func read(_ field: Int, at position: Int, _ address: ValueAddress, _ decoding: DecodingFrame) throws {
        decoding.fields.next = position &+ 1
        let reference = decoding.archive.list.reference(position, in: decoding.fields.values)
        try plan.fields.withElement(at: field) { try $0.read(address, decoding, reference) }
    }

    @inline(__always)
    private func readOrPostpone(
        _ field: Int, at position: Int, _ address: ValueAddress, _ decoding: DecodingFrame
    ) throws {
        do { try read(field, at: position, address, decoding) } catch {
            try decoding.postpone(field, at: position, after: error)
        }
    }

    fileprivate func read(
        _ address: ValueAddress, fromMigrated container: KeyedDecodingContainer<ArchiveKey>,
        _ decoding: DecodingFrame
    ) throws {
        for (number, field) in plan.fields.enumerated() {
            do { try field.decode(address, from: container) } catch {
                try decoding.postpone(number, at: Self.migrated, after: error)
            }
        }
    }

    /// Clears the fields of the instance at `address`: each gets the value that `init()` sets.
    fileprivate func clear(_ address: ValueAddress) {
        initial.withAddress { plan.copy(address, from: $0) }
    }
}

// MARK: - Keys

extension DecodingFields {
    /// Returns the field of a key whose reference is not known; a negative number if there is none.
    @inline(never)
    private func find(_ key: Int, _ next: Int, _ decoding: DecodingFrame) throws -> Int {
        // Usually it is one of the next fields, or the class at the end.
        if !decoding.fields.isDictionary {
            for field in next...count where keys[field] < 0 {
                let name = field < count ? plan.archivedKeys[field] : "$class"
                guard (try? decoding.archive.isASCII(key, name)) == true else { continue }
                keys[field] = key
                return field < count ? field : Self.none
            }
        }
        return try others[key] ?? findByName(key, decoding)
    }

    private func findByName(_ key: Int, _ decoding: DecodingFrame) throws -> Int {
        let field = try decoding.fieldName(key).flatMap { plan.number(of: $0) } ?? Self.none
        if field == FieldPlan.other { hasOtherKeys = true }
        if field >= 0, keys[field] < 0 { keys[field] = key } else { others[key] = field }
        return field
    }

    /// Returns whether the key at the reference `key` is that of a field, or a former key of one.
    func isRequested(_ key: Int, _ decoding: DecodingFrame) throws -> Bool {
        for field in 0..<count where keys[field] == key { return true }
        return try others[key] ?? findByName(key, decoding) != Self.none
    }

    /// Sets the fields that `seen` does not have: to the values of other keys, or to those of absent fields.
    @inline(never)
    private func readAbsent(_ seen: UInt64, _ address: ValueAddress, _ decoding: DecodingFrame) throws {
        fields: for number in 0..<plan.fields.count where number >= count || seen & 1 &<< UInt64(number) == 0 {
            let field = plan.fields[number]
            for name in hasOtherKeys ? field.keys : [] {
                guard let position = try decoding.field(ArchiveKey(stringValue: name), nil) else { continue }
                try readOrPostpone(number, at: position, address, decoding)
                continue fields
            }
            if !field.setAbsent(address) { throw decoding.notFound(ArchiveKey(stringValue: field.key)) }
        }
    }
}

// MARK: - Structs

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

final class FieldsClass<Value: AnyObject & ArchivedFields>: DecodingClass<Value> {
    override func makeUnfilled() -> AnyObject { Value() }

    override func makeUnfilled(_ object: AnyObject) -> () -> Void {
        let plan = fields?.plan
        func copyFields(of source: AnyObject, to target: AnyObject) {
            var (source, target) = (source, target)
            ValueAddress.with(&source) { source in ValueAddress.with(&target) { plan?.copy($0, from: source) } }
        }
        let copy = Value()
        copyFields(of: object, to: copy)
        clear(object)
        return { copyFields(of: copy, to: object) }
    }

    /// Returns an instance that is complete at once, except for the instances to which it refers.
    override func read(_ decoder: ProgramDecoder) throws -> AnyObject {
        var object: AnyObject = Value()
        try ValueAddress.with(&object) { try decoder.readFields(self, $0) }
        try didFinish(&object)
        return object
    }

    override func didFinish(_ object: inout AnyObject) throws {
        try ValueAddress.with(&object) { try $0[as: Value.self].didFinishDecoding() }
    }

    override func clear(_ object: AnyObject) {
        var object = object
        ValueAddress.with(&object) { fields?.clear($0) }
    }
}

extension ProgramDecoder {
    @inline(__always)
    fileprivate func readFields(_ type: DecodingType, _ address: ValueAddress) throws {
        guard let fields = type.fields else { preconditionFailure("\(type.type) has no declared fields") }
        if let migrations = type.facts.migrations, try needsMigration(migrations) {
            // The steps are code of the program.
            if decoding.session.unfilled.isPostponing { throw Postponement.programValue }
            return try readMigratedFields(of: type, address)
        }
        decoding.isInFields = true
        try fields.read(address, from: decoding)
    }

    /// Sets the declared fields of a value of a former version. The migrations are repeated for a field that was postponed.
    ///
    /// - Parameter number: The number of the field; nil for all fields, except those that are postponed in turn.
    @inline(never)
    func readMigratedFields(_ number: Int? = nil, of type: DecodingType, _ address: ValueAddress) throws {
        guard let fields = type.fields, let migrations = type.facts.migrations,
            let container = try migratedDecoder(migrations)?.container(keyedBy: ArchiveKey.self)
        else { return }
        decoding.isInFields = true
        if let number { return try fields.plan.fields[number].decode(address, from: container) }
        try fields.read(address, fromMigrated: container, decoding)
        try decoding.recordRequestsIfNeeded(type.type)
    }
}
