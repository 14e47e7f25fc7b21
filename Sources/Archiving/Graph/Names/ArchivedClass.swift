// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A class as an archive describes it: its own name, and the chain of superclasses up to `NSObject`.
package struct ArchivedClass: Equatable, Sendable {
    package var name: String
    /// The names of the superclasses, without the root class.
    package var superclasses: [String]
    /// The versions of the class and its superclasses, in that order; empty if all are 0.
    var versions: [Int] = []
    /// `$classhints`: names that a reader can use instead if it does not know the class.
    var fallbacks: [String] = []

    /// The last name of `$classes`, which Foundation's readers expect for every class.
    package static let rootName = "NSObject"

    package init(_ name: String, inheritingFrom superclasses: [String] = []) {
        self.name = name
        self.superclasses = superclasses
    }

    package init(_ type: any Any.Type, in classes: ClassRegistry) {
        var chain = [type]
        while let next = (chain[chain.count - 1] as? AnyClass).flatMap({ _getSuperclass($0) }) { chain.append(next) }
        var superclasses = chain.dropFirst().map { classes.name(for: $0) }
        // On platforms other than Apple's, the name of the root class has a module prefix.
        if let last = superclasses.last, last == Self.rootName || last == "Foundation.NSObject" {
            superclasses.removeLast()
        }
        self.init(classes.name(for: type), inheritingFrom: superclasses)
        let versions = chain.prefix(superclasses.count + 1).map { archiveDescription(of: $0)?.archiveVersion ?? 0 }
        if versions.contains(where: { $0 != 0 }) { self.versions = versions }
        fallbacks = archiveDescription(of: type)?.archiveFallbacks ?? []
    }
}

extension ArchivedClass: ExpressibleByStringLiteral {
    package init(stringLiteral name: String) { self.init(name) }
}

extension ArchivedClass {
    static let array = ArchivedClass("NSArray")
    static let set = ArchivedClass("NSSet")
    static let dictionary = ArchivedClass("NSDictionary")
    static let string = ArchivedClass("NSString")
    static let date = ArchivedClass("NSDate")
    static let uuid = ArchivedClass("NSUUID")
    static let url = ArchivedClass("NSURL")
}

/// The names of a type and its superclasses without a registry, computed once per process.
final class TypeNames: Sendable {
    let type: any Any.Type
    let archivedClass: ArchivedClass

    private init(_ type: any Any.Type) {
        self.type = type
        archivedClass = ArchivedClass(type, in: ClassRegistry())
    }

    private static let known = MetatypeCache<TypeNames>(.archivedClass)

    static func names(of type: any Any.Type) -> TypeNames {
        known.facts(of: type) { TypeNames(type) }
    }
}

final class ClassEntry {
    let names: TypeNames
    /// The uid of the entry. 0 until the first object of the type is complete.
    fileprivate(set) var uid: BinaryPropertyListWriter.Reference = 0

    init(_ names: TypeNames) { self.names = names }
}

extension ArchiveGraph {
    /// Returns the uid of the class entry of `type`. Writes the entry on first use.
    func classUID(of type: any Any.Type) -> Reference { uid(of: classEntry(of: type)) }

    /// Returns the class entry of `type`, which may be written later.
    func classEntry(of type: any Any.Type) -> ClassEntry { classEntries.record(of: type) ?? makeClassEntry(type) }

    func uid(of entry: ClassEntry) -> Reference {
        if entry.uid == 0 { entry.uid = newClassUID(of: entry.names) }
        return entry.uid
    }

    @inline(never)
    private func newClassUID(of names: TypeNames) -> Reference {
        if classes.isEmpty { return newClassUID(names.archivedClass) }
        return newClassUID(ArchivedClass(names.type, in: classes))
    }

    private func makeClassEntry(_ type: any Any.Type) -> ClassEntry {
        let entry = ClassEntry(TypeNames.names(of: type))
        classEntries.enter(entry, for: type)
        return entry
    }

    func resetClassEntries() {
        for entry in classEntries.records { entry.uid = 0 }
    }

    var writtenTypes: [any Any.Type] { classEntries.records.filter { $0.uid != 0 }.map(\.names.type) }

    var unregisteredTypes: [any Any.Type] {
        classes.unregisteredTypes == .fail ? writtenTypes.filter { !classes.isRegistered($0) } : []
    }

    var classTypes: [UInt32: any Any.Type] {
        var types = foreignClassTypes
        for entry in classEntries.records where entry.uid != 0 {
            if let uid = uid(entry.uid) { types[uid] = entry.names.type }
        }
        return types
    }
}

package enum KeyedArchiveFormat {
    package static let version = 100_000
    package static let archiver = "NSKeyedArchiver"
    /// `NS.mantissa.bo`: Cocoa's `NSByteOrder`.
    static let littleEndian = 1
    static let bigEndian = 2
    /// The key of the root object in `$top`, Cocoa's `NSKeyedArchiveRootObjectKey`.
    package static let rootKey = "root"
    /// The key of the indexes in the root of the file, which only documents have.
    package static let indexesKey = "$indexes"
    /// The maximum number of keys of a class entry, of names in `$classes`, and of bytes in a class name. Real classes have
    /// fewer. Without these limits, each object of a hostile archive could have a class as long as the archive.
    package static let classEntryLimit = 64
    package static let superclassLimit = 128
    package static let classNameLimit = 16 << 10
}

/// The handling of keys that start with "$", which the format reserves.
///
/// A program's key that starts with "$" has another "$" in front in the archive.
enum KeyMangling {
    static func archivedKey(_ name: String) -> String { name.utf8.first == UInt8(ascii: "$") ? "$" + name : name }

    /// Returns the program's key for `name` in an archive; `nil` for a key of the format.
    static func userKey(_ name: String) -> String? {
        // Compares code units, because the character "$" may have a combining mark.
        guard name.utf8.first == UInt8(ascii: "$") else { return name }
        let rest = name.utf8.dropFirst()
        return rest.first == UInt8(ascii: "$") ? String(decoding: rest, as: UTF8.self) : nil
    }
}
