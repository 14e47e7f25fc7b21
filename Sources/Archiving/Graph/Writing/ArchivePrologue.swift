// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The first objects of every archive, which are copied from a template.
///
/// The references are the positions in this list. The table of keys does not contain them: a program's keys never start with a
/// single "$", and a program's key "root" is another string object.
enum ArchivePrologue {
    typealias Reference = BinaryPropertyListWriter.Reference

    /// "$null", the contents of slot 0.
    static let nullText: Reference = 0
    static let null: Reference = 1
    static let classKey: Reference = 2
    static let classNameKey: Reference = 3
    static let classesKey: Reference = 4
    /// "NSObject", the last class of every class chain.
    static let rootClassName: Reference = 5
    static let versionKey: Reference = 6
    static let version: Reference = 7
    static let archiverKey: Reference = 8
    static let topKey: Reference = 9
    static let objectsKey: Reference = 10
    static let archiver: Reference = 11
    /// The key of the root object in `$top`.
    static let rootKey: Reference = 12

    static let objects: WrittenObjects = {
        let list = BinaryPropertyListWriter()
        _ = list.append("$null")
        _ = list.append(uid: 0)
        for name in ["$class", "$classname", "$classes", ArchivedClass.rootName, "$version"] {
            _ = list.append(name)
        }
        _ = list.append(Int64(KeyedArchiveFormat.version))
        for name in ["$archiver", "$top", "$objects", KeyedArchiveFormat.archiver, KeyedArchiveFormat.rootKey] {
            _ = list.append(name)
        }
        return list.takeObjects()
    }()

    static var count: Int { objects.offsets.count }
}
