/// The state of an unarchiver while values are decoded by key, at a fixed address.
struct KeyedUnarchivingState: ~Copyable {
    /// The innermost object in progress, or `$top`. The caller that decodes it stores it.
    var object: UnsafeMutablePointer<UnarchivedObject>
    private let top: UnsafeMutablePointer<UnarchivedObject>
    var keys = KeyCache(filledWith: UnarchivedKey())
    /// The depth of nested decoding calls.
    var callDepth = 0
    /// The depth of nested objects in progress.
    var depth = 0
    var isFinished = false
    var types: PointerTable<UnarchivedType>
    /// The delegate's types for class entries, by uid, if a list determined the allowed types.
    var supplied: [UInt32: (any Any.Type)?] = [:]
    /// Instances without a uid, which no other object references.
    var detached: [AnyObject] = []

    init(_ shared: UnsafeMutablePointer<GraphReadingState>) {
        types = PointerTable(in: &shared.pointee.arena)
        let value = ArchivedValue(node: shared.pointee.archive.top, uid: 0, isNull: false)
        top = .allocate(capacity: 1)
        top.initialize(to: UnarchivedObject(value, shared.pointee.archive))
        object = top
    }

    deinit {
        top.deinitialize(count: 1)
        top.deallocate()
    }

    /// Forgets the types of class entries.
    mutating func forgetClasses() {
        if !supplied.isEmpty { supplied = [:] }
        types.visitRecords { $0.pointee.matches.reset() }
    }
}

/// The state of a key in one archive.
struct UnarchivedKey: BitwiseCopyable, Equatable {
    /// The number of the key's name, mangled as in objects. 0 until it is requested.
    var number: KeyNames.Number = 0
    /// The reference to the key at its last occurrence. -1 for none.
    var reference = -1
}

/// An object that is decoded by key, or `$top`.
struct UnarchivedObject {
    let value: ArchivedValue
    var fields: ArchivedFields
    private var positions = FieldPositions()
    /// The number of values without a key that were decoded so far.
    var nonKeyedCount = 0
    /// The coding path of the object.
    let path: CodingPathTable.Index
    /// The class of the instance; nil for `$top`.
    let type: (any Any.Type)?
    /// The types that calls inside without a type may create: the requested class, or a list.
    let allowed: AllowedTypes

    /// `$top`.
    init(_ top: ArchivedValue, _ archive: ArchiveContents) {
        self.init(top, archive, path: CodingPathTable.root, type: nil, allowed: .unlisted)
    }

    @inline(__always)
    init(
        _ value: ArchivedValue, _ archive: ArchiveContents, path: CodingPathTable.Index, type: (any Any.Type)?,
        allowed: AllowedTypes
    ) {
        self.value = value
        self.path = path
        self.type = type
        self.allowed = allowed
        let node = value.node
        fields = ArchivedFields(
            keys: node.payload, values: node.payload &+ node.count &* archive.list.referenceSize, count: node.count,
            isDictionary: false)
    }

    /// Returns to the first field.
    mutating func forgetPosition() {
        fields.next = 0
    }

    /// The position of the field whose key has `number`; nil if there is none.
    mutating func position(
        of number: KeyNames.Number, in state: UnsafeMutablePointer<GraphReadingState>
    ) throws(KeyedArchiveError) -> Int? {
        try fields.position(of: number, &positions, in: state)
    }
}

/// The types that a call may create, and the calls inside it that name no type.
enum AllowedTypes {
    /// No call has named a type.
    case unlisted
    /// A class and those that inherit from it.
    case type(any Any.Type)
    case list([any Any.Type])
}
