/// What a decoder knows of the value that it stands for.
struct DecodingFrame: CodingFrame {
    /// The decoder whose frame this is.
    var decoder: Unmanaged<ArchiveDecoding>?
    var value = ArchivedValue.null
    /// Nil for the values of `$top`, and for Foundation containers.
    var type: UnsafeMutablePointer<DecodingType>?
    /// The frame of the value that this one is a part of. It outlives this one's use, or is kept by `keptParent`.
    var parent: UnsafeMutablePointer<DecodingFrame>?
    var keptParent: ArchiveDecoding?
    var step = CodingPathStep.root
    var path = CodingPathTable.root
    /// Whether the decoder is for the superclass's part of the value that `parent` stands for.
    var isSuperclassPart = false
    /// Whether the value is an object of its class, whose single value is under `$0`: a class instance, or a polymorphic
    /// value.
    var isObject = false
    /// Whether the value is decoded once more, to learn what its initializer does.
    var isRehearsal = false
    /// Whether the value is known to be an object with fields, and no dictionary.
    var hasFields = false
    /// The fields of a keyed container. Their count is -1 until somebody asks for them.
    var fields = ArchivedFields()
    private var positions = FieldPositions()
    /// Whether the value was read as a number or a string and nothing more.
    var readLeaf = false
    /// The decoder for values inside this one, used again and again.
    var spare: ArchiveDecoding?
    /// `spare`, for use without a reference count.
    var spareReference: Unmanaged<ArchiveDecoding>?
    /// Whether keyed containers are lent, since somebody takes them back when the value is complete.
    var lendsContainers = false
    /// The keyed containers that were lent, the last one first.
    var lent: Unmanaged<ReusableContainer>?
    /// Whether `spare` is in use. A value that is decoded from this decoder's containers meanwhile needs another one.
    var isSpareBusy = false
    /// Whether the value that was decoded last with the spare decoder was a leaf.
    var spareReadLeaf = false
}

extension DecodingFrame {
    static func make(in arena: inout Arena) -> UnsafeMutablePointer<DecodingFrame> {
        let frame = arena.take(1, of: DecodingFrame.self) ?? .allocate(capacity: 1)
        frame.initialize(to: DecodingFrame())
        return frame
    }

    /// Forgets the fields of the value before.
    @inline(__always)
    mutating func forgetFields() {
        fields.count = -1
        positions.removeAll()
    }

    /// The position of the field whose key has `number`; nil where there is none.
    mutating func position(
        of number: KeyNames.Number, in state: UnsafeMutablePointer<GraphReadingState>
    ) throws(KeyedArchiveError) -> Int? {
        try fields.position(of: number, &positions, in: state)
    }
}

// MARK: - Around

extension UnsafeMutablePointer where Pointee == DecodingFrame {
    /// The frame of the innermost value around this one, itself included, for which `condition` holds.
    func innermost(where condition: (DecodingFrame) -> Bool) -> UnsafeMutablePointer<DecodingFrame>? {
        var frame: UnsafeMutablePointer<DecodingFrame>? = self
        while let next = frame {
            if condition(next.pointee) { return next }
            frame = next.pointee.parent
        }
        return nil
    }

    /// The frame of the class instance whose decoder, or whose superclass's part, this is; nil where it is that of
    /// something else.
    var instance: UnsafeMutablePointer<DecodingFrame>? {
        var frame = self
        while frame.pointee.isSuperclassPart, let parent = frame.pointee.parent { frame = parent }
        // Not by a property of the frame, for which all of it would be copied.
        return frame.pointee.isObject && frame.pointee.type?.pointee.kind == .instance ? frame : nil
    }

    /// A uid that stands for a value and for a value inside it; nil where there is none.
    func repeatedUID() -> UInt32? {
        var uids: Set<UInt32> = []
        var frame: UnsafeMutablePointer<DecodingFrame>? = self
        while let next = frame {
            let uid = next.pointee.value.uid
            // A single value stands at the place of the value that it is.
            if uid != 0, next.pointee.step.kind != .none, !uids.insert(uid).inserted { return uid }
            frame = next.pointee.parent
        }
        return nil
    }
}
