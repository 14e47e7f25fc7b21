// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

final class EncodingFields {
    let plan: FieldPlan
    /// The keys of the fields, 0 for those that no object has had.
    private let keys: PlainTable<ArchiveGraph.Reference>
    private let pathNumber: UInt32
    /// A new value, with which fields that may be omitted are compared.
    private lazy var initial: any ArchivedFields = plan.type.init()

    init(_ plan: FieldPlan, _ session: EncodingSession) {
        self.plan = plan
        keys = PlainTable(repeating: 0, count: plan.fields.count)
        pathNumber = session.paths.number(of: plan.fields.map(\.key))
    }

    func reset() { keys.fill(0) }

    @inline(__always)
    fileprivate func encode(
        _ address: ValueAddress, _ type: EncodingType, into slot: ArchiveGraph.Slot, in encoding: EncodingFrame
    ) throws {
        let (plan, graph) = (plan, encoding.graph)
        let (fieldKeys, references) = (encoding.fieldKeys, encoding.references)
        for field in 0..<plan.fields.count {
            if plan.hasDefaults, isDefault(field, address) { continue }
            encoding.fieldStep = .field(field, of: pathNumber)
            let reference = try plan.fields.withElement(at: field) { try $0.write(address, encoding) }
            if reference == 0 { continue }
            let key = keys[field]
            fieldKeys.append(key != 0 ? key : newKey(field, graph))
            references.append(reference)
        }
        fieldKeys.append(ArchivePrologue.classKey)
        let known = type.knownClassUID
        references.append(known != 0 ? known : type.classUID(in: graph))
        let object = fieldKeys.withSpan { keys in references.withSpan { graph.list.append(keys: keys, values: $0) } }
        graph.fill(slot, with: object)
        encoding.removeFields()
    }

    @inline(never)
    private func newKey(_ field: Int, _ graph: ArchiveGraph) -> ArchiveGraph.Reference {
        let key = graph.userKey(plan.fields[field].key)
        keys[field] = key
        return key
    }

    @inline(never)
    private func isDefault(_ field: Int, _ address: ValueAddress) -> Bool {
        let field = plan.fields[field]
        return field.isOmittedIfDefault && initial.withAddress { field.isDefault(address, $0) }
    }
}

extension EncodingFrame {
    @inline(__always)
    func removeFields() {
        fieldKeys.removeAll()
        references.removeAll()
    }
}

// MARK: - Structs

final class FieldsEncoding<Value: ArchivedFields>: TypedValueFunction<Value, EncodingFrame, EncodingType>,
    @unchecked Sendable
{
    override func call(
        _ value: Value, _ encoder: EncodingFrame, _ type: EncodingType, _ place: UInt64
    ) throws -> ArchiveGraph.Reference {
        guard let fields = type.fields else { preconditionFailure("\(type.type) has no declared fields") }
        let slot = encoder.graph.reserveSlot()
        return try encoder.encodeWritten(slot.uid, type, at: EncodingPlace(place).step) { encoding in
            try ValueAddress.with(borrowing: value) { try fields.encode($0, type, into: slot, in: encoding) }
        }
    }
}

// MARK: - Instances

final class FieldsWriter: InstanceWriter {
    private let encoding: EncodingFrame
    private let type: EncodingType

    init(_ type: EncodingType, _ session: EncodingSession) {
        self.type = type
        encoding = session.frame
        super.init(in: session)
    }

    override func writePending(of session: EncodingSession, _ count: inout Int) throws {
        let encoding = encoding
        defer { encoding.path = CodingPathTable.root }
        do {
            var next = try session.nextPendingInstance(of: number, &count)
            while let first = next { next = try write(first, session, encoding, &count) }
        } catch {
            encoding.removeFields()
            throw error
        }
    }

    /// Writes the contents of `first`, and of the next instances of the same class.
    ///
    /// - Returns: The first instance of another class; nil if there is none.
    private func write(
        _ first: PendingInstance, _ session: EncodingSession, _ encoding: EncodingFrame, _ count: inout Int
    ) throws -> PendingInstance? {
        let own: AnyClass = Swift.type(of: first.object)
        let record = own == type.type ? type : session.type(ofSubclass: own, type)
        guard let fields = record.fields else { preconditionFailure("\(own) has no declared fields") }
        var instance = first
        repeat {
            encoding.path = instance.path
            var object = instance.object
            try ValueAddress.with(&object) { try fields.encode($0, record, into: instance.slot, in: encoding) }
            guard let another = try session.nextPendingInstance(of: number, &count) else { return nil }
            instance = another
        } while Swift.type(of: instance.object) == own
        return instance
    }
}

// MARK: - Values of fields

// Each function returns the reference to the value.

extension EncodingFrame {
    @usableFromInline
    func field<Value: Encodable>(_ value: Value) throws -> UInt32 {
        try reference(to: value, type: session.type(Value.self), at: fieldStep, inline: true)
    }

    func field<Object: AnyObject & Encodable>(instance object: Object) throws -> UInt32 {
        if let known = session.instances.uid(of: object) { return known }
        return try session.newReference(to: object, session.type(Object.self), pathIndex(fieldStep))
    }

    func field<Object: AnyObject & Encodable>(conditional object: Object) throws -> UInt32 {
        session.extras.observer?.pin(object)
        return try session.instances.uid(of: object) ?? conditionalReference(to: object, at: fieldStep)
    }

    func field<Object: AnyObject & Encodable>(instances objects: [Object]) throws -> UInt32 {
        if objects.count == 0 { return graph.emptyArray() }
        return try session.reference(toCollection: Reinterpretation.objects(objects), session.type(Object.self)) {
            pathIndex(fieldStep)
        } _: {
            graph.fill($0, array: $1)
        }
    }
}
