// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The type of the objects of a class entry, for readers that read their fields in place.
package final class StoredClass {
    package let type: any Any.Type
    private let plan: FieldPlan
    private lazy var initial: any ArchivedFields = plan.type.init()

    init(_ type: any Any.Type, _ plan: FieldPlan) {
        self.type = type
        self.plan = plan
    }

    package enum Match {
        case none
        case fields(StoredClass)
        /// The decoder has to create them: they are of a former version, declare no fields, or have an unknown class.
        case decoded
    }

    package struct Field {
        /// The key, and then the former ones, as archives have them.
        package let keys: [String]
        fileprivate let declaration: FieldDeclaration
    }

    package func field(_ keyPath: AnyKeyPath) -> Field? { Self.field(keyPath, in: plan) }

    package static func field(_ keyPath: AnyKeyPath, declaredBy type: any Any.Type) -> Field? {
        FieldPlan.plan(ifDeclaredBy: type).flatMap { field(keyPath, in: $0) }
    }

    private static func field(_ keyPath: AnyKeyPath, in plan: FieldPlan) -> Field? {
        guard let declaration = plan.fields.first(where: { $0.keyPath() == keyPath }) else { return nil }
        return Field(
            keys: declaration.keys.map { KeyMangling.archivedKey($0) },
            declaration: declaration)
    }

    /// Returns the value of the property `keyPath` in an object without its field; nil if that is an error.
    package func absentValue<Root, Value>(of field: Field, _ keyPath: KeyPath<Root, Value>) -> Value? {
        initial.withAddress { field.declaration.setAbsent($0) ? $0[as: Root.self][keyPath: keyPath] : nil }
    }
}

extension ReadingSettings {
    /// Returns contents of `source` for a reader of many objects, with the limits of one decoding.
    package func contents(of source: ArchiveSource) -> ArchiveContents {
        let contents = source.contents
        return contents.metered(by: limits.meter(forByteCount: contents.byteCount), noting: ReadingNotes())
    }

    /// Returns how objects of the class entry `uid` are read as instances of the class `requested`.
    ///
    /// - Parameter hasOtherName: Whether objects with an unknown class name were decoded as `requested`.
    package func match(
        ofClass uid: UInt32, as requested: any Any.Type, in contents: ArchiveContents,
        hasOtherName: (String) -> Bool
    ) throws(KeyedArchiveError) -> StoredClass.Match {
        switch try contents.classKind(uid) {
        case .elements, .dictionary: return .none
        case .fields, .value: break
        }
        let name = try contents.className(uid)
        let registered = classTypes[uid] ?? classes.type(named: name)
        if let known = registered ?? (classes.isName(name, of: requested) ? requested : nil) {
            return known == requested || inherits(known, from: requested) ? try match(of: known, uid, contents) : .none
        }
        if classes.isSubclass(try contents.classChain(uid), of: requested) { return .decoded }
        if hasOtherName(name) { return try match(of: requested, uid, contents) }
        let types = try contents.classFallbacks(uid).lazy.compactMap { self.classes.type(named: $0) }
        return types.first.map { inherits($0, from: requested) } ?? false ? .decoded : .none
    }

    private func match(
        of type: any Any.Type, _ uid: UInt32, _ contents: ArchiveContents
    ) throws(KeyedArchiveError) -> StoredClass.Match {
        guard let plan = FieldPlan.plan(ifDeclaredBy: type) else { return .decoded }
        if let migrating = archiveDescription(of: type) as? any ArchiveMigrating.Type {
            let version = try contents.classVersion(of: type, uid, in: classes)
            guard version == migrating.archiveVersion else { return .decoded }
        }
        return .fields(StoredClass(type, plan))
    }
}
