/// A value as it lies in an archive: what a reference leads to when uids are followed.
package struct ArchivedValue: BitwiseCopyable {
    package var node: Node
    /// The uid that led here. 0 for what stands inline, and for nil.
    package var uid: UInt32
    /// Whether this is nil: uid 0, or an object that is the string "$null".
    package var isNull: Bool

    package init(node: Node, uid: UInt32, isNull: Bool) {
        self.node = node
        self.uid = uid
        self.isNull = isNull
    }

    /// The nil that stands for what is not there.
    package static let null = ArchivedValue(node: Node(kind: .null, count: 0, payload: 0), uid: 0, isNull: true)
}
