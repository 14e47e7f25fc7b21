/// The declared fields of a type in one archive that is being written.
final class WrittenFields {
    let plan: FieldPlan
    let count: Int
    /// The keys of the fields, 0 for those that no object has had. The last one is the key of the class.
    let keys: PlainTable<ArchiveGraph.Reference>
    /// Whether some key is 0.
    fileprivate var hasNewKeys = true
    /// The number of the fields' names in the table of paths.
    let pathNumber: UInt32
    /// A new value, with which fields that may be omitted are compared.
    private lazy var initial = InitialValue.of(plan.type)

    init(_ plan: FieldPlan, _ writing: GraphWriting) {
        self.plan = plan
        count = plan.fields.count
        keys = PlainTable(repeating: 0, count: count)
        keys.append(ArchivePrologue.classKey)
        pathNumber = writing.paths.number(of: plan.fields.map(\.key))
    }

    /// Forgets the keys of one archive.
    func reset() {
        for field in 0..<count { keys[field] = 0 }
        hasNewKeys = true
    }
}

extension ArchiveEncoding {
    /// Encodes the fields of the value at `address` into the object of `slot`.
    ///
    /// - Parameter classUID: Returns the uid of the class entry, when the fields are complete.
    @inline(__always)
    func encode(
        _ fields: WrittenFields, of address: ValueAddress, into slot: ArchiveGraph.Slot,
        classUID: () -> Reference
    ) throws {
        let isDense = try collect(fields, of: address)
        let classUID = classUID()
        guard isDense else { return fill(slot, sparse: fields, classUID: classUID) }
        references.append(classUID)
        graph.fill(
            slot,
            with: fields.keys.withSpan { keys in
                references.withSpan { graph.list.append(keys: keys, values: $0) }
            })
        references.removeAll()
    }

    /// Collects the references to the values of the fields, 0 for omitted ones.
    ///
    /// - Returns: Whether no field is omitted, and all keys are known.
    @inline(__always)
    func collect(_ fields: WrittenFields, of address: ValueAddress) throws -> Bool {
        let plan = fields.plan
        var isDense = true
        for field in 0..<fields.count {
            fieldStep = .field(field, of: fields.pathNumber)
            let reference =
                plan.hasDefaults && fields.isDefault(field, address) ? 0 : try plan.writes[field](address, self)
            references.append(reference)
            if reference == 0 { isDense = false }
        }
        return isDense && !fields.hasNewKeys
    }

    /// Fills the slot of an object that has not all fields, or of the first one that has a field.
    @inline(never)
    private func fill(_ slot: ArchiveGraph.Slot, sparse fields: WrittenFields, classUID: Reference) {
        var pairs = pairs(of: fields)
        pairs += [ArchivePrologue.classKey, classUID]
        graph.fill(slot, with: graph.list.append(pairs: pairs))
        references.removeAll()
    }

    /// The keys and values, alternating, of the collected fields.
    func pairs(of fields: WrittenFields) -> [Reference] {
        var pairs: [Reference] = []
        pairs.reserveCapacity(2 * fields.count + 2)
        for field in 0..<fields.count where references[field] != 0 {
            pairs.append(fields.key(field, in: graph))
            pairs.append(references[field])
        }
        fields.noteKeys()
        return pairs
    }
}

extension WrittenFields {
    /// Returns the key of the field with the number `field`.
    fileprivate func key(_ field: Int, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        if keys[field] == 0 { keys[field] = graph.userKey(plan.fields[field].key) }
        return keys[field]
    }

    /// Determines whether all keys are known.
    fileprivate func noteKeys() {
        if hasNewKeys { hasNewKeys = (0..<count).contains { keys[$0] == 0 } }
    }

    /// Returns whether the field with the number `field` is omitted because it has its default.
    @inline(never)
    fileprivate func isDefault(_ field: Int, _ address: ValueAddress) -> Bool {
        guard let isDefault = plan.fields[field].isDefault else { return false }
        return initial.with { isDefault(address, $0) }
    }
}

// MARK: - Values

/// Encodes structs by their fields.
final class FieldsEncoding<Value: ArchivedFields>: TypedValueFunction<Value, ArchiveEncoding, EncodingType>,
    @unchecked Sendable
{
    override func call(
        _ value: Value, _ encoder: ArchiveEncoding, _ type: EncodingType, _ place: UInt64
    ) throws -> ArchiveGraph.Reference {
        var value = value
        return try ValueAddress.with(&value) {
            try encoder.encode(fields: $0, type, at: EncodingPlace(place).step)
        }
    }
}

extension ArchiveEncoding {
    /// Encodes the struct at `address`, a part of this encoding's value, and returns the reference to it.
    fileprivate func encode(
        fields address: ValueAddress, _ type: EncodingType, at step: CodingPathStep
    ) throws -> Reference {
        guard let fields = type.fields else { preconditionFailure("\(type.type) has no declared fields") }
        return try encodeObject(at: step) { encoding in
            let slot = graph.reserveSlot()
            try encoding.encode(fields, of: address, into: slot) { type.classUID(in: graph) }
            return slot.uid
        }
    }
}

// MARK: - Instances

/// Writes instances of a class by their declared fields.
final class FieldsWriter: InstanceWriter {
    /// The encoding of the instances. The graph releases the writer when the core is closed.
    private let encoding: ArchiveEncoding
    private let type: EncodingType
    /// The record of the subclass that the last instance of a subclass had.
    private var subclass: EncodingType?

    init(_ type: EncodingType, _ core: EncodingCore) {
        self.type = type
        encoding = core.encoderOfFields
        super.init(in: core.writing)
    }

    override func write(_ instance: PendingInstance) throws {
        let type = record(of: instance.object)
        guard let fields = type.fields else { preconditionFailure("\(type.type) has no declared fields") }
        encoding.path = instance.path
        var object = instance.object
        do {
            try ValueAddress.with(&object) {
                try encoding.encode(fields, of: $0, into: instance.slot) { type.classUID(in: encoding.graph) }
            }
        } catch {
            encoding.references.removeAll()
            throw error
        }
    }

    override func collect(_ object: AnyObject, into entries: PlainTable<ArchiveGraph.Reference>) throws -> Bool {
        guard let fields = record(of: object).fields else { return false }
        var object = object
        defer { encoding.references.removeAll() }
        _ = try ValueAddress.with(&object) { try encoding.collect(fields, of: $0) }
        for reference in encoding.pairs(of: fields) { entries.append(reference) }
        return true
    }

    /// Returns the record of the class of `object`.
    @inline(__always)
    private func record(of object: AnyObject) -> EncodingType {
        let own: AnyClass = Swift.type(of: object)
        return own == type.type ? type : record(ofSubclass: own)
    }

    @inline(never)
    private func record(ofSubclass own: AnyClass) -> EncodingType {
        if let subclass, subclass.type == own { return subclass }
        guard let encodable = own as? any Encodable.Type else { return type }
        let found = encoding.core.type(encodable)
        subclass = found
        return found
    }
}
