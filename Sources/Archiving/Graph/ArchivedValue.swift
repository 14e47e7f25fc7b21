/// A value as it lies in an archive: what a reference leads to when uids are followed.
struct ArchivedValue: BitwiseCopyable {
    var node: Node
    /// The uid that led here. 0 for what stands inline, and for nil.
    var uid: UInt32
    /// Whether this is nil: uid 0, or an object that is the string "$null".
    var isNull: Bool

    /// The nil that stands for what is not there.
    static let null = ArchivedValue(node: Node(kind: .null, count: 0, payload: 0), uid: 0, isNull: true)
}
