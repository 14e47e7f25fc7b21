// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An object that is decoded by key, or `$top`.
///
/// Every decoded object has its own, and outer ones are kept meanwhile, so these are plain bytes. The unarchiver has the parts
/// that allocate. Up to 128 bytes are copied without a call, so the properties are in an order without gaps.
struct UnarchivedObject: BitwiseCopyable {
    var fields: ObjectFields
    /// The uid of the object; 0 for `$top`, and for an object without a uid.
    let uid: UInt32
    /// The coding path of the object.
    let path: CodingPathTable.Index
    /// The number of values without a key that were decoded so far.
    var nonKeyedCount = 0
    /// The class of the instance; nil for `$top`.
    let type: (any Any.Type)?
    /// The types that calls inside without a type may create: the requested class, or a list.
    let allowed: AllowedTypes

    /// `$top`.
    init(topOf archive: ArchiveContents) {
        self.init(
            ArchivedValue(node: archive.top, uid: 0, isNull: false), archive, path: CodingPathTable.root, type: nil,
            allowed: .unlisted)
    }

    @inline(__always)
    init(
        _ value: ArchivedValue, _ archive: ArchiveContents, path: CodingPathTable.Index, type: (any Any.Type)?,
        allowed: AllowedTypes
    ) {
        uid = value.uid
        self.path = path
        self.type = type
        self.allowed = allowed
        let node = value.node
        fields = ObjectFields(
            keys: node.payload, values: node.payload &+ node.count &* archive.list.referenceSize, count: node.count,
            isDictionary: false)
    }

    /// The object, which is a dictionary.
    var value: ArchivedValue {
        ArchivedValue(
            node: Node(kind: .dictionary, count: fields.count, payload: fields.keys), uid: uid, isNull: false)
    }
}

/// The place of a value, from which its coding path is created when an error or an instance needs it.
///
/// A closure that creates the path would retain the unarchiver for every value.
enum ValuePlace: BitwiseCopyable {
    /// The field of the object in progress that was found last.
    case field
    /// A part of the collection at a path.
    case part(CodingPathStep, of: CodingPathTable.Index)
    /// The value with an entry in the table of paths.
    case path(CodingPathTable.Index)
}

/// The state of a key in one archive.
struct UnarchivedKey: BitwiseCopyable, Equatable {
    /// The number of the key's name, mangled as in objects. 0 until it is requested.
    var number: KeyNames.Number = 0
    /// The reference to the key at its last occurrence. -1 for none.
    var reference = -1
}

/// The types that a call may create, and the calls inside it that name no type.
enum AllowedTypes: BitwiseCopyable {
    /// No call has named a type.
    case unlisted
    /// A class and those that inherit from it.
    case type(any Any.Type)
    /// A list, by its number in the unarchiver.
    case list(Int)
}

/// The lists of types that the calls of one unarchiver have passed.
struct AllowedLists {
    private var lists: [[any Any.Type]] = []
    private var numbers: [[ObjectIdentifier]: Int] = [:]

    subscript(number: Int) -> [any Any.Type] { lists[number] }

    /// Returns the number of the list `types`. Equal lists have one number.
    mutating func number(of types: [any Any.Type]) -> Int {
        let key = types.map { ObjectIdentifier($0) }
        if let known = numbers[key] { return known }
        numbers[key] = lists.count
        lists.append(types)
        return lists.count - 1
    }
}
