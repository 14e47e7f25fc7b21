/// The facts that a decoder has about its value.
struct DecodingFrame: CodingFrame {
    /// The decoder of this frame.
    var decoder: Unmanaged<ArchiveDecoding>?
    var value = ArchivedValue.null
    /// nil for the values of `$top`, and for Foundation containers.
    var type: UnsafeMutablePointer<DecodingType>?
    /// The frame of the surrounding value. It outlives the use of this frame, or `keptParent` retains its decoder.
    var parent: UnsafeMutablePointer<DecodingFrame>?
    var keptParent: ArchiveDecoding?
    var step = CodingPathStep.root
    var path = CodingPathTable.root
    /// Whether the decoder is for the superclass's part of the value of `parent`.
    var isSuperclassPart = false
    /// Whether the value is an object of its class with its single value under `$0`: a class instance or a polymorphic
    /// value.
    var isObject = false
    /// Whether the value is known to be an object with fields, not a dictionary.
    var hasFields = false
    /// The fields of a keyed container. The count is -1 until a container is requested.
    var fields = ArchivedFields()
    private var positions = FieldPositions()
    /// The reused decoder for nested values.
    var spare: ArchiveDecoding?
    /// `spare`, for use without reference counting.
    var spareReference: Unmanaged<ArchiveDecoding>?
    /// Whether keyed containers are lent, because a caller takes them back after the value is complete.
    var lendsContainers = false
    /// The lent keyed containers, the last one first.
    var lent: Unmanaged<ReusableContainer>?
    /// Whether `spare` is in use. Another value that is decoded at the same time needs another decoder.
    var isSpareBusy = false
}

extension DecodingFrame {
    static func make(in arena: inout Arena) -> UnsafeMutablePointer<DecodingFrame> {
        let frame = arena.take(1, of: DecodingFrame.self) ?? .allocate(capacity: 1)
        frame.initialize(to: DecodingFrame())
        return frame
    }

    /// Removes the fields of the previous value.
    @inline(__always)
    mutating func forgetFields() {
        fields.count = -1
        positions.removeAll()
    }

    /// Returns the position of the field whose key has `number`, or nil if it is absent.
    mutating func position(
        of number: KeyNames.Number, in state: UnsafeMutablePointer<GraphReadingState>
    ) throws(KeyedArchiveError) -> Int? {
        try fields.position(of: number, &positions, in: state)
    }
}

// MARK: - Surrounding frames

extension UnsafeMutablePointer where Pointee == DecodingFrame {
    /// Returns the innermost frame, from this one outwards, that satisfies `condition`.
    func innermost(where condition: (DecodingFrame) -> Bool) -> UnsafeMutablePointer<DecodingFrame>? {
        var frame: UnsafeMutablePointer<DecodingFrame>? = self
        while let next = frame {
            if condition(next.pointee) { return next }
            frame = next.pointee.parent
        }
        return nil
    }

    /// The frame of the class instance whose contents or superclass's part this frame decodes; nil if it is of another
    /// kind.
    var instance: UnsafeMutablePointer<DecodingFrame>? {
        var frame = self
        while frame.pointee.isSuperclassPart, let parent = frame.pointee.parent { frame = parent }
        // Accessed through the pointer: a property of the frame would copy the whole frame.
        return frame.pointee.isObject && frame.pointee.type?.pointee.kind == .instance ? frame : nil
    }

    /// Returns a uid that belongs to both a value and a value inside it, or nil if there is none.
    func repeatedUID() -> UInt32? {
        var uids: Set<UInt32> = []
        var frame: UnsafeMutablePointer<DecodingFrame>? = self
        while let next = frame {
            let uid = next.pointee.value.uid
            // A single value has the same place as the value around it.
            if uid != 0, next.pointee.step.kind != .none, !uids.insert(uid).inserted { return uid }
            frame = next.pointee.parent
        }
        return nil
    }
}
