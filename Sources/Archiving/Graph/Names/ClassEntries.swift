/// The names of a type and its superclasses without a registry, computed once per process.
final class TypeNames: Sendable {
    let type: any Any.Type
    let archivedClass: ArchivedClass

    private init(_ type: any Any.Type) {
        self.type = type
        archivedClass = ArchivedClass(type, in: ClassRegistry())
    }

    private static let known = MetatypeCache<TypeNames>()

    /// Returns the names of `type`. They live as long as the process.
    static func names(of type: any Any.Type) -> Unmanaged<TypeNames> {
        let key = TypeAddress.of(type)
        if let names = known.object(for: key) { return names }
        return known.enter(TypeNames(type), for: key)
    }
}

/// The class entries of Swift types in one archive: one for each type, shared by all coders.
struct ClassEntries: ~Copyable {
    typealias Reference = BinaryPropertyListWriter.Reference

    struct Entry: ~Copyable {
        let names: Unmanaged<TypeNames>
        /// 0 until the first object of the type is complete.
        var uid: Reference = 0
    }

    private var entries: PointerTable<Entry>

    init(in arena: inout Arena) {
        entries = PointerTable(in: &arena)
    }

    /// Releases the entries. Do not use the table afterwards.
    func releaseAll(_ arena: borrowing Arena) {
        entries.releaseAll(arena)
    }

    /// Whether the table has outgrown its initial arena.
    var hasGrown: Bool { entries.hasGrown }

    /// Removes the uids of the last archive.
    mutating func removeAll() {
        entries.visitRecords { $0.pointee.uid = 0 }
    }

    /// Returns the entry of the type with `names`.
    mutating func entry(_ names: Unmanaged<TypeNames>, in arena: inout Arena) -> UnsafeMutablePointer<Entry> {
        let key = PointerTable<Entry>.key(names._withUnsafeGuaranteedRef { $0.type })
        return entries.find(key) ?? entries.insert(key, Entry(names: names), in: &arena)
    }

    /// Calls `body` with every type that has an entry in the archive, and the uid object of the entry.
    func visit(_ body: (any Any.Type, Reference) -> Void) {
        entries.visitRecords { entry in
            guard entry.pointee.uid != 0 else { return }
            entry.pointee.names._withUnsafeGuaranteedRef { body($0.type, entry.pointee.uid) }
        }
    }
}

extension ArchiveGraph {
    /// Returns the uid of the class entry of the type with `names`. Writes the entry on first use.
    mutating func classUID(_ names: Unmanaged<TypeNames>) -> Reference {
        let entry = classEntries.entry(names, in: &arena)
        if entry.pointee.uid == 0 {
            entry.pointee.uid = names._withUnsafeGuaranteedRef { names in
                if classes.isEmpty { return newClassUID(names.archivedClass) }
                return newClassUID(ArchivedClass(names.type, in: classes))
            }
        }
        return entry.pointee.uid
    }

    /// The types of the class entries in the archive, by uid.
    var classTypes: [UInt32: any Any.Type] {
        var types = foreignClassTypes
        classEntries.visit { type, reference in
            if let uid = uid(reference) { types[uid] = type }
        }
        return types
    }
}
