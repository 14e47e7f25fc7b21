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
    /// The class entry that an object keeps which another value began, where there is neither `type` nor `archivedType`.
    var keptClassUID: Reference = 0
    /// The slot of the object; its uid is 0 until it has one.
    var slot = ArchiveGraph.Slot(index: 0, uid: 0)
    /// What was written through a single value container. 0 until then.
    var single: Reference = 0
    /// Whether `single` is a number, a boolean or a string, which depends on nothing but the value.
    var singleIsLeaf = false
    var entries: EntryList
    /// Encoders for nested containers and superclasses.
    var nested: [Nested] = []
    /// Whether this is the frame of a superclass's part.
    var isSuperclassPart = false
    /// Whether something else stands in the place that the value was to have.
    var isReplaced = false
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
    /// Whether keyed containers are lent, since somebody takes them back when the value is complete.
    var lendsContainers = false
    /// The keyed containers that were lent, the last one first.
    var lent: Unmanaged<ReusableContainer>?
    /// Whether `spare` is in use. A value that is encoded into this encoder meanwhile needs another one.
    var isSpareBusy = false
    /// Whether the value that was encoded last with the spare encoder was a leaf.
    var spareWroteLeaf = false

    struct Nested {
        var encoder: ArchiveEncoding?
        /// Where in the entries' references the result belongs.
        var position: Int
        /// 0 in an unkeyed container.
        var key: Reference
    }

    private init(references: consuming PlainArray<Reference>) {
        entries = EntryList(references: references)
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
        keptClassUID = 0
        objectClass = .type
        form = .undecided
        isObject = false
        slot = ArchiveGraph.Slot(index: 0, uid: 0)
        single = 0
        singleIsLeaf = false
        entries.removeAll()
        parent = nil
        path = CodingPathTable.root
    }
}

// MARK: - Collecting

extension EncodingFrame {
    /// Enters `value` under `key`. What was under that key before is replaced, as other encoders do.
    @inline(__always)
    mutating func set(_ key: Reference, to value: Reference) {
        if let position = entries.set(key, to: value), !nested.isEmpty { replaceNested(at: position) }
    }

    /// Lets a value that was encoded take the place of the encoders for the part at `position`.
    ///
    /// A superclass's part that somebody still holds comes later, and takes the place of the value in the end.
    @inline(never)
    private mutating func replaceNested(at position: Int) {
        for index in nested.indices.reversed() where nested[index].position == position {
            let isHeld = !isKnownUniquelyReferenced(&nested[index].encoder)
            if isHeld, nested[index].encoder?.frame.pointee.isSuperclassPart == true { continue }
            drop(nested.remove(at: index), isHeld: isHeld)
        }
    }

    /// Gives up the encoders for the part at `position`.
    mutating func dropNested(at position: Int) {
        for index in nested.indices.reversed() where nested[index].position == position {
            let isHeld = !isKnownUniquelyReferenced(&nested[index].encoder)
            drop(nested.remove(at: index), isHeld: isHeld)
        }
    }

    /// Lets go of an encoder whose value will not be written; one that somebody still holds is closed with the archive.
    private func drop(_ replaced: Nested, isHeld: Bool) {
        guard isHeld, let encoder = replaced.encoder else { return }
        encoder.frame.pointee.isReplaced = true
        encoder.frame.pointee.keptParent = encoder.frame.pointee.parent?.pointee.encoder?.takeUnretainedValue()
        encoder.core.pointee.postpone(encoder)
    }
}
