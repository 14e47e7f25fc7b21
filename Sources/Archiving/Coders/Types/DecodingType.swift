// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

final class DecodingFacts: Sendable {
    let type: any Any.Type
    /// The reader of the values, if archives have their own form for the type.
    let native: (any NativelyDecodable.Type)?
    /// The function of the reader, which is not optional, so that a call needs no reference to it; one without a result if
    /// there is no reader.
    let nativeReading: NativeReading
    let kind: TypeKind
    /// The class, if `init(coder:)` creates its instances.
    let coding: (any Coding.Type)?
    /// The type, if objects of its former versions are migrated before they are decoded.
    let migrations: (any ArchiveMigrating.Type)?
    let fields: FieldPlan?
    /// Whether the values are numbers or strings, which hold no references.
    let isLeaf: Bool
    /// Whether the declaration of the type decodes its values: its fields, or its cases.
    let isDeclared: Bool
    let mayHaveVersion: Bool
    let isSecure: Bool

    private init<Value: Decodable>(_ type: Value.Type) {
        self.type = type
        let known = NativeTypes.decodable(type)
        let declarations = known == nil ? TypeDeclarations(type) : nil
        let declared = declarations?.declared
        let description = declared as? any ArchiveDescribing.Type
        mayHaveVersion = description != nil
        migrations = description as? any ArchiveMigrating.Type
        fields = declarations?.fields
        isDeclared = fields != nil || declared is any ArchivedCases.Type
        coding = declarations?.kind == .coding ? declared as? any Coding.Type : nil
        isSecure = false
        if declarations?.kind == .value {
            native = fields.map { Self.fieldsForm($0.type) } ?? (migrations == nil ? nil : MigratingForm<Value>.self)
        } else {
            native = known
        }
        nativeReading = native.map { Self.session($0) } ?? NoReading.function
        isLeaf = native?.isLeaf ?? false
        kind = native == nil ? declarations?.kind ?? .value : .native
    }

    private static func fieldsForm<Declared: ArchivedFields>(_ type: Declared.Type) -> any NativelyDecodable.Type {
        FieldsForm<Declared>.self
    }

    private static func session<Form: NativelyDecodable>(_ form: Form.Type) -> NativeReading { FormReading<Form>() }

    private static let known = MetatypeCache<DecodingFacts>(.decoding)

    init(coding type: any Coding.Type) {
        self.type = type
        native = nil
        nativeReading = NoReading.function
        kind = .coding
        coding = type
        isSecure = type.supportsSecureCoding
        mayHaveVersion = archiveDescription(of: type) != nil
        migrations = nil
        fields = nil
        isLeaf = false
        isDeclared = false
    }

    static func facts<Value: Decodable>(of type: Value.Type) -> DecodingFacts {
        known.facts(of: type) { DecodingFacts(type) }
    }
}

typealias NativeReading = ResultFunction<DecodingFrame, ArchivedValue, CodingPathStep>

private enum NoReading {
    static let function = TypedResultFunction<Never, DecodingFrame, ArchivedValue, CodingPathStep>()
}

private final class FormReading<Form: NativelyDecodable>:
    TypedResultFunction<Form.Decoded, DecodingFrame, ArchivedValue, CodingPathStep>, @unchecked Sendable
{
    override func call(_ decoder: DecodingFrame, _ value: ArchivedValue, _ step: CodingPathStep) throws
        -> Form.Decoded
    {
        try Form.read(value, in: decoder, at: step)
    }
}

/// A type in one decoding. A class has a subclass for each way to make its instances.
class DecodingType {
    final let identity: any Any.Type
    final let facts: DecodingFacts
    final let kind: TypeKind
    final let nativeReading: NativeReading
    final let isLeaf: Bool
    final let fields: DecodingFields?
    /// Whether objects of the class are decoded as the class itself if no type is registered.
    final let decodesOwnClass: Bool
    final private(set) lazy var ownClassName = TypeNames.names(of: identity).archivedClass.name
    fileprivate final unowned let session: DecodingSession
    /// For a class: the actual type for each class entry if this class is requested.
    final let matches = ClassMatches()
    /// A class entry of objects with fields, not of dictionaries. 0 for none.
    final var plainClassUID: UInt32 = 0
    /// The reference of a key that the first field of a value had, and that no collection has. -1 for none.
    final var plainKey = -1
    /// For a type with versions: a class entry, and the version of the type in it. 0 for none.
    final var versionedClassUID: UInt32 = 0
    final var version = 0

    init(_ facts: DecodingFacts, in session: DecodingSession) {
        identity = facts.type
        self.facts = facts
        self.session = session
        (kind, nativeReading, isLeaf) = (facts.kind, facts.nativeReading, facts.isLeaf)
        fields = facts.fields.map { DecodingFields($0) }
        decodesOwnClass = facts.coding.map { $0.unarchivedClass == facts.type } ?? true
    }

    final func reset() {
        plainClassUID = 0
        plainKey = -1
        versionedClassUID = 0
        fields?.reset()
        matches.reset()
    }

    final var isClass: Bool { kind == .instance || kind == .coding }
    final var type: any Any.Type { identity }

    final func noteClass(_ uid: UInt32, in archive: ArchiveContents) {
        if kind != .coding, case .fields? = try? archive.classKind(uid) { plainClassUID = uid }
    }

    func makeUnfilled() -> AnyObject { abstract() }

    /// Gives the fields of `object`, an instance that the program has, their initial values before they are read again.
    ///
    /// - Returns: A function that restores the fields.
    func makeUnfilled(_ object: AnyObject) -> () -> Void { abstract() }

    func make(_ uid: UInt32, at path: CodingPathTable.Index) throws { abstract() }

    func didFinish(_ object: inout AnyObject) throws {}

    func clear(_ object: AnyObject) {}
    func read(_ decoder: ProgramDecoder) throws -> AnyObject { abstract() }
    func read(_ unarchiver: KeyedUnarchiver) throws -> AnyObject { abstract() }
    func awakened(_ object: AnyObject, _ unarchiver: KeyedUnarchiver) throws -> (any Coding)? { abstract() }
    func instance(_ object: AnyObject) -> any Coding { abstract() }

    private func abstract() -> Never { preconditionFailure("Another kind of type than \(identity) has such instances") }
}

/// A class with `init(from:)` in one decoding. It creates the instances, after the migrations of those of former
/// versions.
class DecodingClass<Value: AnyObject & Decodable>: DecodingType {
    override func read(_ decoder: ProgramDecoder) throws -> AnyObject {
        guard let migrations = facts.migrations else { return try decoder.value(Value.self) }
        return try decoder.migrated(Value.self, migrations)
    }

    override func make(_ uid: UInt32, at path: CodingPathTable.Index) throws {
        guard let top = session.top else { return }
        try top.makeInstance(self, top.object(uid), at: path)
    }
}

final class CodingClass<Object: Coding>: DecodingType {
    init(in session: DecodingSession) { super.init(DecodingFacts(coding: Object.self), in: session) }
    override func read(_ unarchiver: KeyedUnarchiver) throws -> AnyObject { try Object(coder: unarchiver) }

    override func awakened(_ object: AnyObject, _ unarchiver: KeyedUnarchiver) throws -> (any Coding)? {
        let own = try Reinterpretation.instance(object, as: Object.self).awakeAfter(using: unarchiver)
        return own === object ? nil : own
    }

    override func instance(_ object: AnyObject) -> any Coding { Reinterpretation.instance(object, as: Object.self) }

    override func make(_ uid: UInt32, at path: CodingPathTable.Index) throws {
        try session.unarchiver.make(self, uid, at: path)
    }
}

// MARK: - In an archive

struct DecodingTypes {
    fileprivate let records = MetatypeTable<DecodingType>()
    /// The ways to decode the objects of a class if a protocol is requested.
    let makers = ValueTable<ValueMaker.Key, ValueMaker>()

    var hasGrown: Bool { records.hasGrown }

    /// Forgets the types of class entries: the names of types, or the delegate, have changed.
    func forgetClasses() {
        for type in records.records { type.matches.reset() }
        makers.removeAll()
    }

    /// Forgets the state of one archive. A record may refer to itself.
    func reset() {
        for type in records.records { type.reset() }
        makers.removeAll()
    }
}

extension DecodingSession {
    @inline(__always)
    func type<Value: Decodable>(_ type: Value.Type) -> DecodingType {
        types.records.record(of: type) ?? makeType(type)
    }

    /// Creates the record of a type. The type is dynamic, so that the function is compiled once.
    @inline(never)
    private func makeType(_ type: any Decodable.Type) -> DecodingType { make(type) }

    private func make<Value: Decodable>(_ type: Value.Type) -> DecodingType {
        let facts = DecodingFacts.facts(of: type)
        if let coding = facts.coding { return makeRecord(coding: coding) }
        let made =
            facts.kind == .instance
            ? (type as? any (AnyObject & Decodable).Type).map { makeClass($0, facts) } : nil
        let record = made ?? DecodingType(facts, in: self)
        types.records.enter(record, for: type)
        return record
    }

    @inline(__always)
    func type<Object: Coding>(coding type: Object.Type) -> DecodingType {
        types.records.record(of: type) ?? makeRecord(coding: type)
    }

    @inline(never)
    private func makeRecord<Object: Coding>(coding type: Object.Type) -> DecodingType {
        let record = CodingClass<Object>(in: self)
        types.records.enter(record, for: type)
        return record
    }

    private func makeClass<Value: AnyObject & Decodable>(_ type: Value.Type, _ facts: DecodingFacts) -> DecodingType {
        if let declared = type as? any (AnyObject & ArchivedFields).Type { return makeFieldsClass(declared, facts) }
        return DecodingClass<Value>(facts, in: self)
    }

    private func makeFieldsClass<Value: AnyObject & ArchivedFields>(
        _ type: Value.Type, _ facts: DecodingFacts
    ) -> DecodingType {
        FieldsClass<Value>(facts, in: self)
    }

    func type(registered type: any Any.Type) -> DecodingType? {
        if let coding = conformance(of: type, to: (any Coding.Type).self) { return self.type(coding: coding) }
        return (type as? any Decodable.Type).map { self.type($0) }
    }
}
