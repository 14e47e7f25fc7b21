// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The declared fields of a type in one archive that is being written.
final class WrittenFields {
    let plan: FieldPlan
    private let writes: [FieldPlan.WriteFunction]
    private let hasDefaults: Bool
    /// The keys of the fields, 0 for those that no object has had.
    private let keys: PlainTable<ArchiveGraph.Reference>
    /// The number of the fields' names in the table of paths.
    private let pathNumber: UInt32
    /// A new value, with which fields that may be omitted are compared.
    private lazy var initial = InitialValue.of(plan.type)

    init(_ plan: FieldPlan, _ session: EncodingSession) {
        self.plan = plan
        writes = plan.writes
        hasDefaults = plan.hasDefaults
        keys = PlainTable(repeating: 0, count: plan.fields.count)
        pathNumber = session.paths.number(of: plan.fields.map(\.key))
    }

    /// Forgets the keys of one archive.
    func reset() { keys.fill(0) }
}

extension WrittenFields {
    /// Collects the keys of the fields of the value at `address` and the references to their values, without those of omitted fields.
    @inline(__always)
    func collect(_ address: ValueAddress, in encoding: EncodingFrame) throws {
        try writes.withSpan { writes in
            try writes.forEachInPlace { write, field in
                if hasDefaults, isDefault(field, address) { return }
                encoding.fieldStep = .field(field, of: pathNumber)
                let reference = try write.call(address, encoding)
                if reference == 0 { return }
                let key = keys[field]
                encoding.fieldKeys.append(key != 0 ? key : newKey(field, encoding.graph))
                encoding.references.append(reference)
            }
        }
    }

    @inline(never)
    private func newKey(_ field: Int, _ graph: ArchiveGraph) -> ArchiveGraph.Reference {
        let key = graph.userKey(plan.fields[field].key)
        keys[field] = key
        return key
    }

    /// Returns whether the field with the number `field` is omitted because it has its default.
    @inline(never)
    private func isDefault(_ field: Int, _ address: ValueAddress) -> Bool {
        guard let isDefault = plan.fields[field].isDefault else { return false }
        return initial.with { isDefault(address, $0) }
    }
}

extension EncodingFrame {
    /// Encodes the fields of the value at `address`, which is of the type `type`, into the object of `slot`.
    @inline(__always)
    func encode(
        _ fields: WrittenFields, of address: ValueAddress, _ type: EncodingType, into slot: ArchiveGraph.Slot
    ) throws {
        try fields.collect(address, in: self)
        fieldKeys.append(ArchivePrologue.classKey)
        let known = type.knownClassUID
        references.append(known != 0 ? known : type.classUID(in: graph))
        let object = fieldKeys.withSpan { keys in references.withSpan { graph.list.append(keys: keys, values: $0) } }
        graph.fill(slot, with: object)
        removeFields()
    }

    /// Removes the collected fields.
    @inline(__always)
    func removeFields() {
        fieldKeys.removeAll()
        references.removeAll()
    }
}

// MARK: - Values

/// Encodes structs by their fields.
final class FieldsEncoding<Value: ArchivedFields>: TypedValueFunction<Value, EncodingFrame, EncodingType>,
    @unchecked Sendable
{
    override func call(
        _ value: Value, _ encoder: EncodingFrame, _ type: EncodingType, _ place: UInt64
    ) throws -> ArchiveGraph.Reference {
        try ValueAddress.with(borrowing: value) {
            try encoder.encode(fields: $0, type, at: EncodingPlace(place).step)
        }
    }
}

extension EncodingFrame {
    /// Encodes the struct at `address`, a part of this encoding's value, and returns the reference to it.
    fileprivate func encode(
        fields address: ValueAddress, _ type: EncodingType, at step: CodingPathStep
    ) throws -> Reference {
        guard let fields = type.fields else { preconditionFailure("\(type.type) has no declared fields") }
        let slot = graph.reserveSlot()
        return try encodeWritten(slot.uid, type, at: step) { try $0.encode(fields, of: address, type, into: slot) }
    }
}

// MARK: - Instances

/// Writes instances of a class by their declared fields.
final class FieldsWriter: InstanceWriter {
    /// The frame of the instances.
    private let encoding: EncodingFrame
    private let type: EncodingType
    /// The record of the subclass that the last instance of a subclass had.
    private var subclass: EncodingType?

    init(_ type: EncodingType, _ session: EncodingSession) {
        self.type = type
        encoding = session.frame
        super.init(in: session)
    }

    override func writePending(of session: EncodingSession, _ count: inout Int) throws {
        var instance = try session.nextPendingInstance(of: number, &count)
        defer { encoding.path = CodingPathTable.root }
        do {
            while let begun = instance {
                let type = record(of: begun.object)
                guard let fields = type.fields else { preconditionFailure("\(type.type) has no declared fields") }
                instance = try write(begun, fields, type, session, &count)
            }
        } catch {
            encoding.removeFields()
            throw error
        }
    }

    /// Writes the contents of `first`, and of the next instances of the same class.
    ///
    /// - Returns: The first instance of another class; nil if there is none.
    private func write(
        _ first: PendingInstance, _ fields: WrittenFields, _ type: EncodingType, _ session: EncodingSession,
        _ count: inout Int
    ) throws -> PendingInstance? {
        let encoding = encoding
        let own: AnyClass = Swift.type(of: first.object)
        var instance = first
        while true {
            encoding.path = instance.path
            var object = instance.object
            try ValueAddress.with(&object) { try encoding.encode(fields, of: $0, type, into: instance.slot) }
            guard let another = try session.nextPendingInstance(of: number, &count) else { return nil }
            guard Swift.type(of: another.object) == own else { return another }
            instance = another
        }
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
        let found = encoding.session.type(encodable)
        subclass = found
        return found
    }
}
