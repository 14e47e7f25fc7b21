/// What an unarchiver knows while values are decoded by key, at an address that does not move.
struct KeyedUnarchivingState: ~Copyable {
    /// What is being read, where the one who makes it keeps it: the object made innermost, or `$top`.
    var object: UnsafeMutablePointer<UnarchivedObject>
    private let top: UnsafeMutablePointer<UnarchivedObject>
    var keys = KeyCache(filledWith: UnarchivedKey())
    /// How many calls that decode objects are under way, one inside the other.
    var callDepth = 0
    /// How many objects are being made, one inside the other.
    var depth = 0
    var isFinished = false
    /// Whether an object is decoded once more, to learn what its initializer does.
    var isRehearsing = false
    var types: PointerTable<UnarchivedType>
    /// What the delegate has said of class entries, by uid, where a list said what is allowed.
    var supplied: [UInt32: (any Any.Type)?] = [:]
    /// Instances that have no uid, which nobody else refers to.
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

    /// Whether nothing outlasts the archive, and the tables still lie where they began.
    var isReusable: Bool { !types.hasGrown && supplied.isEmpty && callDepth == 0 && depth == 0 }

    /// Makes ready for another archive.
    mutating func reset() {
        keys.reset()
        forgetClasses()
        if !detached.isEmpty { detached = [] }
    }

    /// Begins with another archive.
    mutating func begin(_ archive: ArchiveContents) {
        top.pointee = UnarchivedObject(ArchivedValue(node: archive.top, uid: 0, isNull: false), archive)
        isFinished = false
    }

    /// Forgets which types class entries stand for.
    mutating func forgetClasses() {
        if !supplied.isEmpty { supplied = [:] }
        types.visitRecords { $0.pointee.matches.reset() }
    }
}

/// What is known of a key in one archive.
struct UnarchivedKey: BitwiseCopyable, Equatable {
    /// The number of the key's name, `$` mangled as objects have it. 0 while nobody has asked.
    var number: KeyNames.Number = 0
    /// The reference that stood for the key where it was found last. -1 for none.
    var reference = -1
}

/// What is being read by key: an object, or `$top`.
struct UnarchivedObject {
    let value: ArchivedValue
    var fields: ArchivedFields
    private var positions = FieldPositions()
    /// Values without a key that were decoded so far.
    var nonKeyedCount = 0
    /// Where the object was met.
    let path: CodingPathTable.Index
    /// The class that it is made as; nil for `$top`.
    let type: (any Any.Type)?
    /// What may be created inside, where a call does not say it: the class that was asked for, or a list.
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

    /// Begins with the first field again.
    mutating func forgetPosition() {
        fields.next = 0
    }

    /// The position of the field whose key has `number`; nil where there is none.
    mutating func position(
        of number: KeyNames.Number, in state: UnsafeMutablePointer<GraphReadingState>
    ) throws(KeyedArchiveError) -> Int? {
        try fields.position(of: number, &positions, in: state)
    }
}

/// What a call, and the calls inside it that do not say it themselves, may create.
enum AllowedTypes {
    /// Nobody has said it.
    case unlisted
    /// A class, and those that inherit from it.
    case type(any Any.Type)
    case list([any Any.Type])
}
