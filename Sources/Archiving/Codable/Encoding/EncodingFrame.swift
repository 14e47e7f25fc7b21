/// The data that an encoder collects for its value.
struct EncodingFrame: CodingFrame, ~Copyable {
    typealias Reference = ArchiveGraph.Reference

    enum Form {
        case undecided, keyed, unkeyed, single
    }

    /// The class of an object in the archive: that of its type, or of a Foundation container.
    enum ObjectClass {
        case type, array, set, dictionary
    }

    /// The encoder of this frame.
    var encoder: Unmanaged<ArchiveEncoding>?
    /// nil for the values of `$top`, and for Foundation containers.
    var type: UnsafeMutablePointer<EncodingType>?
    /// The class of the object in the archive if it is not `type`: a subclass, or the superclass in `super`.
    var archivedType: (any Any.Type)?
    var objectClass = ObjectClass.type
    var form = Form.undecided
    /// Whether a scalar can be stored inline in the value's place.
    var inline = false
    /// Whether the value is always an object of its class in its slot: a class instance or a polymorphic value.
    var isObject = false
    /// The class entry of an object that another value began, if there is neither `type` nor `archivedType`.
    var keptClassUID: Reference = 0
    /// The slot of the object. The uid is 0 if it has none yet.
    var slot = ArchiveGraph.Slot(index: 0, uid: 0)
    /// The value that a single value container encoded; 0 before.
    var single: Reference = 0
    var entries: EntryList
    /// Encoders for nested containers and superclasses.
    var nested: [Nested] = []
    /// Whether this is the frame of a superclass's part.
    var isSuperclassPart = false
    /// Whether another value has replaced this one.
    var isReplaced = false
    /// The frame of the surrounding value. It outlives the use of this frame, or `keptParent` retains its encoder.
    var parent: UnsafeMutablePointer<EncodingFrame>?
    var keptParent: ArchiveEncoding?
    var step = CodingPathStep.root
    /// The value's entry in the table of paths; `root` if it has none yet.
    var path = CodingPathTable.root
    /// The reused encoder for nested values.
    var spare: ArchiveEncoding?
    /// `spare`, for use without reference counting.
    var spareReference: Unmanaged<ArchiveEncoding>?
    /// Whether keyed containers are lent, because a caller takes them back after the value is complete.
    var lendsContainers = false
    /// The lent keyed containers, the last one first.
    var lent: Unmanaged<ReusableContainer>?
    /// Whether `spare` is in use. Another value that is encoded at the same time needs another encoder.
    var isSpareBusy = false

    struct Nested {
        var encoder: ArchiveEncoding?
        /// The index of the result in the references of the entries.
        var position: Int
        /// 0 in an unkeyed container.
        var key: Reference
    }

    private init(references: consuming PlainArray<Reference>) {
        entries = EntryList(references: references)
    }

    /// The number of references that a frame holds without more memory.
    private static var initialReferences: Int { 24 }

    /// Creates a frame together with its first references.
    static func make(in arena: inout Arena) -> UnsafeMutablePointer<EncodingFrame> {
        let frame = arena.take(1, of: EncodingFrame.self) ?? .allocate(capacity: 1)
        frame.initialize(to: EncodingFrame(references: PlainArray(capacity: initialReferences, in: &arena)))
        return frame
    }

    /// Prepares the frame for the next value.
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
        entries.removeAll()
        parent = nil
        path = CodingPathTable.root
    }
}

// MARK: - Collecting

extension EncodingFrame {
    /// Sets the value for `key`. It replaces an earlier value, as in other encoders.
    @inline(__always)
    mutating func set(_ key: Reference, to value: Reference) {
        if let position = entries.set(key, to: value), !nested.isEmpty { replaceNested(at: position) }
    }

    /// Replaces the encoders for the part at `position` with an encoded value.
    ///
    /// A superclass's part that the program still holds is written later, and replaces the value in the end.
    @inline(never)
    private mutating func replaceNested(at position: Int) {
        for index in nested.indices.reversed() where nested[index].position == position {
            let isHeld = !isKnownUniquelyReferenced(&nested[index].encoder)
            if isHeld, nested[index].encoder?.frame.pointee.isSuperclassPart == true { continue }
            drop(nested.remove(at: index), isHeld: isHeld)
        }
    }

    /// Discards the encoders for the part at `position`.
    mutating func dropNested(at position: Int) {
        for index in nested.indices.reversed() where nested[index].position == position {
            let isHeld = !isKnownUniquelyReferenced(&nested[index].encoder)
            drop(nested.remove(at: index), isHeld: isHeld)
        }
    }

    /// Releases an encoder whose value is not written. One that the program still holds is closed with the archive.
    private func drop(_ replaced: Nested, isHeld: Bool) {
        guard isHeld, let encoder = replaced.encoder else { return }
        encoder.frame.pointee.isReplaced = true
        encoder.frame.pointee.keptParent = encoder.frame.pointee.parent?.pointee.encoder?.takeUnretainedValue()
        encoder.core.pointee.postpone(encoder)
    }
}
