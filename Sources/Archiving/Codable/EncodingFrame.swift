/// What an encoder collects for the value that it stands for.
struct EncodingFrame: CodingFrame, ~Copyable {
    typealias Reference = ArchiveGraph.Reference

    enum Form {
        case undecided, keyed, unkeyed, single
    }

    /// Which class an object is written as: its type's, or that of a Foundation container.
    enum ObjectClass {
        case type, array, set, dictionary
    }

    /// The encoder whose frame this is.
    var encoder: Unmanaged<ArchiveEncoding>?
    /// Nil for the values of `$top`, and for Foundation containers.
    var type: UnsafeMutablePointer<EncodingType>?
    /// The class that the object is written as, where it is not `type`: a subclass, or the superclass in `super`.
    var archivedType: (any Any.Type)?
    var objectClass = ObjectClass.type
    var form = Form.undecided
    /// Whether a scalar may stand as it is in the place that the value will have.
    var inline = false
    /// Whether the value is an object of its class, in the slot that it has, whatever it encodes: a class instance, or a
    /// polymorphic value.
    var isObject = false
    /// The slot of the object; its uid is 0 until it has one.
    var slot = ArchiveGraph.Slot(index: 0, uid: 0)
    /// What was written through a single value container. 0 until then.
    var single: Reference = 0
    /// Whether `single` is a number, a boolean or a string, which depends on nothing but the value.
    var singleIsLeaf = false
    /// Keys and values in turn, or elements.
    var references: PlainArray<Reference>
    /// A bit for each key; a key is surely new where its bit is not set.
    private var keyBits: UInt64 = 0
    /// The positions of keys, where there are many.
    private var keyPositions: [Reference: Int] = [:]
    /// Encoders for nested containers and superclasses.
    var nested: [Nested] = []
    /// The frame of the value that this one is a part of. It outlives this one's use, or is kept by `keptParent`.
    var parent: UnsafeMutablePointer<EncodingFrame>?
    var keptParent: ArchiveEncoding?
    var step = CodingPathStep.root
    /// The value's entry in the table of paths; `root` while it has none.
    var path = CodingPathTable.root
    /// The encoder for values inside this one, used again and again.
    var spare: ArchiveEncoding?
    /// `spare`, for use without a reference count.
    var spareReference: Unmanaged<ArchiveEncoding>?
    /// Whether `spare` is in use. A value that is encoded into this encoder meanwhile needs another one.
    var isSpareBusy = false
    /// Whether the value that was encoded last with the spare encoder was a leaf.
    var spareWroteLeaf = false

    struct Nested {
        var encoder: ArchiveEncoding?
        /// Where in `references` the result belongs.
        var position: Int
        /// 0 in an unkeyed container.
        var key: Reference
    }

    private init(references: consuming PlainArray<Reference>) {
        self.references = references
    }

    /// References that a frame has room for before it needs more memory.
    private static var initialReferences: Int { 24 }

    /// A new frame, together with its first references.
    static func make(in arena: inout Arena) -> UnsafeMutablePointer<EncodingFrame> {
        let frame = arena.take(1, of: EncodingFrame.self) ?? .allocate(capacity: 1)
        frame.initialize(to: EncodingFrame(references: PlainArray(capacity: initialReferences, in: &arena)))
        return frame
    }

    /// Makes ready for the next value.
    @inline(__always)
    mutating func reset() {
        type = nil
        archivedType = nil
        objectClass = .type
        form = .undecided
        isObject = false
        slot = ArchiveGraph.Slot(index: 0, uid: 0)
        single = 0
        singleIsLeaf = false
        references.removeAll()
        keyBits = 0
        if !keyPositions.isEmpty { keyPositions = [:] }
        parent = nil
        path = CodingPathTable.root
    }
}

// MARK: - Collecting

extension EncodingFrame {
    @inline(__always)
    mutating func append(_ element: Reference) {
        references.append(element)
    }

    /// Enters `value` under `key`. What was under that key before is replaced, as other encoders do.
    @inline(__always)
    mutating func set(_ key: Reference, to value: Reference) {
        let bit: UInt64 = 1 &<< UInt64(key & 63)
        if keyBits & bit != 0, replace(key, with: value) { return }
        keyBits |= bit
        references.append(key)
        references.append(value)
    }

    /// Whether there may be a value under `key`.
    mutating func mayHave(_ key: Reference) -> Bool {
        keyBits & 1 &<< UInt64(key & 63) != 0 && position(of: key) != nil
    }

    @inline(never)
    private mutating func replace(_ key: Reference, with value: Reference) -> Bool {
        guard let position = position(of: key) else { return false }
        references[position] = value
        nested.removeAll { $0.position == position }
        return true
    }

    /// Entries up to which a key is searched one by one.
    private static var linearSearchLimit: Int { 64 }

    /// Where the value of `key` is in `references`; nil where there is none.
    mutating func position(of key: Reference) -> Int? {
        if references.count <= 2 * Self.linearSearchLimit {
            for index in stride(from: 0, to: references.count, by: 2) where references[index] == key {
                return index + 1
            }
            return nil
        }
        // Catches up with what was appended since it was last asked.
        for index in stride(from: 2 * keyPositions.count, to: references.count, by: 2) {
            keyPositions[references[index]] = index + 1
        }
        return keyPositions[key]
    }

    mutating func setSingle(_ value: Reference, isLeaf: Bool) {
        guard single == 0 else {
            preconditionFailure("A single value container takes one value, and was given a second one")
        }
        single = value
        singleIsLeaf = isLeaf
    }
}
