/// A value in an archive: the target of a reference with resolved uids.
package struct ArchivedValue: BitwiseCopyable {
    package var node: Node
    /// The uid of the value; 0 for an inline value and for nil.
    package var uid: UInt32
    /// Whether the value is nil: uid 0, or an object that is the string "$null".
    package var isNull: Bool

    package init(node: Node, uid: UInt32, isNull: Bool) {
        self.node = node
        self.uid = uid
        self.isNull = isNull
    }

    /// The nil that represents an absent value.
    package static let null = ArchivedValue(node: Node(kind: .null, count: 0, payload: 0), uid: 0, isNull: true)
}
