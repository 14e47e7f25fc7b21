// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The declared fields whose values are created by code of the program. They are read after all other fields, so that this code
/// finds those set.
///
/// The list is a stack. Code that is given an instance can reach further ones, and finds all of their fields set as well, except those
/// that are being read: the postponed fields behind the instance are read before. So the reading of one field may include that of
/// others. `GraphReading.raisePostponed(behind:_:)` finds them.
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
        /// The place of the next field below of the same object, plus 1; 0 if there is none.
        fileprivate var below: UInt32 = 0
        /// Whether another entry has replaced this one.
        fileprivate var isReplaced = false

        /// Whether all fields of the owner are postponed.
        var isWhole: Bool { number == .max }

        init(
            owner: InstanceTable.Index, uid: UInt32, reader: UInt32, path: CodingPathTable.Index, number: UInt32,
            position: Int
        ) {
            self.owner = owner
            self.uid = uid
            self.reader = reader
            self.path = path
            self.number = number
            self.position = Int32(clamping: position)
        }
    }

    private let fields = PlainTable<Field>()
    /// The place of the last field of each object, plus 1.
    private var places = SparseNumbers<UInt32>(limit: 0)
    /// The number of fields below all that inner readings have added; 0 if there is no inner reading.
    private(set) var base = 0

    /// The number of entries in the stack.
    @inline(__always)
    var count: Int { fields.count }

    /// Appends a field. It is read before those of other instances, and after those of the same one.
    func append(_ field: Field, slotCount: Int) {
        if places.limit < slotCount { places = SparseNumbers(limit: slotCount) }
        var start = fields.count
        while start > 0, fields[start - 1].owner == field.owner, !fields[start - 1].isReplaced { start -= 1 }
        var field = field
        field.below = start < fields.count ? fields[start].below : places[Int(field.uid)]
        for place in start..<fields.count {
            (field, fields[place]) = (fields[place], field)
            field.below = UInt32(truncatingIfNeeded: place + 1)
        }
        fields.append(field)
        places[Int(field.uid)] = UInt32(truncatingIfNeeded: fields.count)
    }

    /// Removes and returns the last field, if it is above the first `mark` ones.
    func takeLast(above mark: Int) -> Field? {
        while fields.count > mark {
            let field = fields.removeLast()
            if field.isReplaced { continue }
            places[Int(field.uid)] = field.below
            return field
        }
        return nil
    }

    func removeAll() {
        guard places.limit > 0 else { return }
        fields.removeAll(keepingCapacity: 64)
        places = SparseNumbers(limit: 0)
        base = 0
    }
}

// MARK: - Inner readings

extension PostponedFields {
    /// Begins an inner reading: the fields above the first `mark` ones belong to it.
    ///
    /// - Returns: The base to restore at its end.
    func beginReading(above mark: Int) -> Int {
        let outer = base
        if base == 0 { base = mark }
        return outer
    }

    func endReading(_ outer: Int) { base = outer }

    /// Whether there are fields of the object `uid`.
    func hasFields(_ uid: UInt32) -> Bool { Int(uid) < places.limit && places[Int(uid)] != 0 }

    /// Moves those fields of the object `uid` that are below the base to the end.
    ///
    /// - Returns: Whether other fields of the object are among the first `mark` ones.
    func raise(_ uid: UInt32, above mark: Int) -> Bool {
        guard hasFields(uid) else { return false }
        var raised: [Field] = []
        var hasOthers = false
        var place = Int(places[Int(uid)]) - 1
        // The fields above the base come first.
        var last = -1
        while place >= 0 {
            if place >= base {
                if place < mark { hasOthers = true }
                last = place
            } else {
                raised.append(fields[place])
                fields[place].isReplaced = true
            }
            place = Int(fields[place].below) - 1
        }
        guard !raised.isEmpty else { return hasOthers }
        // The chain of those that remain ends with the last of them, and continues with the raised ones.
        if last >= 0 { fields[last].below = 0 } else { places[Int(uid)] = 0 }
        for var field in raised.reversed() {
            field.below = places[Int(uid)]
            fields.append(field)
            places[Int(uid)] = UInt32(truncatingIfNeeded: fields.count)
        }
        return hasOthers
    }
}
