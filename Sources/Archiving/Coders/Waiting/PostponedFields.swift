// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Declared fields that are read after the plain fields of all instances, first in, first out: those whose values code of the program
/// creates, and those whose elements are hashed.
final class PostponedFields {
    struct Field: BitwiseCopyable {
        /// The entry of the owner in the table of instances.
        let owner: InstanceTable.Index
        let uid: UInt32
        /// The number of the owner's reader in `UnfilledInstances`.
        let reader: UInt32
        /// The coding path of the owner.
        let path: CodingPathTable.Index
        /// The number of the field; that of all bits for all fields of the owner.
        let number: UInt32
        /// The position of its value among those of the object; negative if the value is not there.
        let position: Int32
        /// Whether it is being read, or was read.
        fileprivate var isTaken = false

        /// Whether all fields of the owner are postponed.
        var isWhole: Bool { number == .max }

        init(
            owner: InstanceTable.Index, uid: UInt32, reader: UInt32, path: CodingPathTable.Index, number: Int?,
            position: Int
        ) {
            self.owner = owner
            self.uid = uid
            self.reader = reader
            self.path = path
            self.number = number.map { UInt32(truncatingIfNeeded: $0) } ?? .max
            self.position = Int32(clamping: position)
        }
    }

    private let fields = PlainTable<Field>()
    /// The number of leading fields that are taken.
    private var begunCount = 0

    /// The number of fields that were ever postponed.
    var count: Int { fields.count }

    /// Whether there are fields that are not taken.
    var isEmpty: Bool { begunCount == fields.count }

    func append(_ field: Field) { fields.append(field) }

    /// Takes the first field that is not taken, after the first `mark` ones.
    func take(after mark: Int) -> Field? {
        var position = max(mark, begunCount)
        while position < fields.count, fields[position].isTaken { position += 1 }
        let field = position < fields.count ? fields[position] : nil
        if field != nil { fields[position].isTaken = true }
        while begunCount < fields.count, fields[begunCount].isTaken { begunCount += 1 }
        return field
    }

    func removeAll() {
        if fields.count > 0 { fields.removeAll(keepingCapacity: 64) }
        begunCount = 0
    }
}
