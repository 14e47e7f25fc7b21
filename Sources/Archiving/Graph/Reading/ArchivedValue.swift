// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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

/// Why a value cannot be read as requested. The coder that requested it adds the place.
enum ValueFailure: Error {
    case damaged(KeyedArchiveError)
    /// The value has another kind than the requested type, or is nil.
    case mismatch(any Any.Type, ArchivedValue)
    /// The requested type cannot represent the number.
    case outOfRange(any Any.Type, ArchivedValue)
    /// The class of the value is neither the requested type nor allowed in its place.
    case otherClass(ClassMismatch, ArchivedValue, any Any.Type)
}

/// An object whose class is neither the requested one nor allowed in its place.
struct ClassMismatch: Error {
    /// The name of the object's class.
    var name: String
    /// The names of the class and its superclasses.
    var chain: [String] = []
    /// Whether the class is unknown.
    var isUnknown = false
}
