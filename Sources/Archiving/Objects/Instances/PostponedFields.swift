/// The declared fields whose values are created by code of the program. They are read after all other fields, so that this code
/// finds those set.
///
/// The list is a stack. Code that is given an instance can reach further ones, and finds all of their fields set as well, except those
/// that are being read: the postponed fields behind the instance are read before. So the reading of one field may include that of
/// others. `GraphReading.raise(behind:above:)` finds them.
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

        /// Whether it stands for all fields of the owner.
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

    /// A field that is being read.
    private struct Progress: BitwiseCopyable {
        let uid: UInt32
        let position: Int32
        /// The place of the outer field of the same object, plus 1; 0 if there is none.
        let outer: UInt32
        /// Whether the object was reached from the value.
        var isReached = false
    }

    private let fields = PlainTable<Field>()
    private let inProgress = PlainTable<Progress>()
    /// The place of the last field of each object in `fields`, and in `inProgress`, plus 1.
    private var places = SparseNumbers<UInt32>(limit: 0)
    private var progressPlaces = SparseNumbers<UInt32>(limit: 0)
    /// The number of the last walk that has visited an object; `complete` for an instance behind which everything is complete.
    private var visits = SparseNumbers<UInt32>(limit: 0)
    /// Whether the fields that each walk has found are still being read, by the number of the walk minus 1.
    private let openWalks = PlainTable<Bool>()
    /// The number of fields below all that inner readings have added; 0 if there is no inner reading.
    private(set) var base = 0

    private static var complete: UInt32 { .max }

    /// The number of entries in the stack.
    @inline(__always)
    var count: Int { fields.count }

    /// Appends a field. It is read before those that are there.
    func append(_ field: Field, slotCount: Int) {
        if places.limit < slotCount { restart(slotCount) }
        var field = field
        field.below = places[Int(field.uid)]
        fields.append(field)
        places[Int(field.uid)] = UInt32(truncatingIfNeeded: fields.count)
    }

    private func restart(_ slotCount: Int) {
        places = SparseNumbers(limit: slotCount)
        progressPlaces = SparseNumbers(limit: slotCount)
        visits = SparseNumbers(limit: slotCount)
        openWalks.removeAll(keepingCapacity: 64)
    }

    /// Lets the fields from `start` be read in the order in which they were appended.
    func reverse(from start: Int) {
        var (low, high) = (start, fields.count - 1)
        while low < high {
            (fields[low], fields[high]) = (fields[high], fields[low])
            low += 1
            high -= 1
        }
        for place in start..<fields.count {
            // They are of one object.
            fields[place].below = place > start ? UInt32(truncatingIfNeeded: place) : fields[fields.count - 1].below
        }
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
        inProgress.removeAll(keepingCapacity: 64)
        base = 0
        restart(0)
    }
}

// MARK: - Fields that are being read

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

    /// Begins with the field of the object `uid` whose value is at `position`; a negative one if it is not at one.
    func begin(_ uid: UInt32, at position: Int) {
        inProgress.append(
            Progress(uid: uid, position: Int32(clamping: position), outer: progressPlaces[Int(uid)]))
        progressPlaces[Int(uid)] = UInt32(truncatingIfNeeded: inProgress.count)
    }

    /// Ends the field that was begun last.
    ///
    /// - Returns: Whether its object was reached from its value.
    func end() -> Bool {
        let progress = inProgress.removeLast()
        progressPlaces[Int(progress.uid)] = progress.outer
        return progress.isReached
    }

    /// Whether a field of the object `uid` is being read. Notes that the object was reached.
    fileprivate func isInProgress(_ uid: UInt32) -> Bool {
        var place = progressPlaces[Int(uid)]
        guard place != 0 else { return false }
        while place != 0 {
            inProgress[Int(place) - 1].isReached = true
            place = inProgress[Int(place) - 1].outer
        }
        return true
    }

    /// Whether the field of the object `uid` whose value is at `position` is being read.
    fileprivate func isInProgress(_ uid: UInt32, at position: Int) -> Bool {
        var place = progressPlaces[Int(uid)]
        while place != 0 {
            let progress = inProgress[Int(place) - 1]
            if Int(progress.position) == position { return true }
            place = progress.outer
        }
        return false
    }
}

// MARK: - Walks

extension PostponedFields {
    fileprivate func beginWalk() -> UInt32 {
        openWalks.append(true)
        return UInt32(truncatingIfNeeded: openWalks.count)
    }

    /// Ends the walk `walk`: the fields that it has found are read.
    fileprivate func endWalk(_ walk: UInt32) { openWalks[Int(walk) - 1] = false }

    fileprivate enum Visit {
        case first, again
        /// The fields behind the object, which another walk has found, are being read.
        case open
        /// Everything behind the object was complete.
        case complete
    }

    /// Notes that the walk `walk` has reached the object `uid`.
    fileprivate func visit(_ uid: UInt32, _ walk: UInt32) -> Visit {
        let last = visits[Int(uid)]
        if last == walk { return .again }
        if last == Self.complete { return .complete }
        if last != 0, openWalks[Int(last) - 1] { return .open }
        visits[Int(uid)] = walk
        return .first
    }

    /// Notes that everything behind the instance of the object `uid` is complete.
    fileprivate func noteComplete(_ uid: UInt32) { visits[Int(uid)] = Self.complete }

    fileprivate func hasFields(_ uid: UInt32) -> Bool { places[Int(uid)] != 0 }

    /// Moves those fields of the object `uid` that are below the base to the end.
    ///
    /// - Returns: Whether other fields of the object are among the first `mark` ones.
    fileprivate func raise(_ uid: UInt32, above mark: Int) -> Bool {
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

extension GraphReading {
    /// The objects that were visited behind a value.
    struct Walk {
        fileprivate let number: UInt32
        fileprivate var visited: [UInt32] = []
        /// Whether it has reached an object whose postponed fields an outer walk has found.
        fileprivate var isInOpen = false
        /// Whether it has reached only objects that are complete except for postponed fields.
        fileprivate var isComplete = true
    }

    /// Moves the postponed fields behind `value` to the end, so that they are read next. Call `end(_:)` afterwards.
    ///
    /// - Parameter mark: On return, the number of fields that may remain.
    func raisePostponed(behind value: ArchivedValue, above mark: inout Int) throws(KeyedArchiveError) -> Walk? {
        // A walk would load the parts of the file that the program has not requested.
        guard archive.list.isPresent else {
            mark = 0
            return nil
        }
        var found: [UInt32] = []
        let walk = try walk(behind: value) { found.append($0) }
        let postponed = unfilled.postponed
        var needsOthers = walk.isInOpen
        for uid in found where postponed.raise(uid, above: mark) { needsOthers = true }
        if needsOthers { mark = min(mark, postponed.base) }
        return walk
    }

    /// Ends a walk after the fields that it has found are read.
    func end(_ walk: Walk) {
        unfilled.postponed.endWalk(walk.number)
        guard walk.isComplete, !walk.isInOpen else { return }
        for uid in walk.visited where instances.hasComplete(uid) { unfilled.postponed.noteComplete(uid) }
    }

    /// Notes that everything behind the object `uid` is complete, if it is.
    func checkComplete(_ uid: UInt32) throws(KeyedArchiveError) {
        guard archive.list.isPresent, let value = try? archive.object(uid) else { return }
        var hasPostponed = false
        var walk = try walk(behind: value) { _ in hasPostponed = true }
        if hasPostponed { walk.isComplete = false }
        end(walk)
    }

    /// Visits all objects behind `value`, iteratively, except through fields that are being read.
    ///
    /// - Parameter found: Called with each object that has postponed fields.
    private func walk(behind value: ArchivedValue, _ found: (UInt32) -> Void) throws(KeyedArchiveError) -> Walk {
        let postponed = unfilled.postponed
        let number = postponed.beginWalk()
        var walk = Walk(number: number)
        var remaining: [ArchivedValue] = []
        if value.uid == 0 { remaining.append(value) } else { enter(value.uid) }

        func enter(_ uid: UInt32) {
            guard uid != 0 else { return }
            let visit = postponed.visit(uid, number)
            if visit == .open { walk.isInOpen = true }
            if visit == .first || visit == .complete, postponed.hasFields(uid) { found(uid) }
            guard visit == .first else { return }
            walk.visited.append(uid)
            let isInProgress = instances.isOnlyInProgress(uid)
            if postponed.isInProgress(uid) || isInProgress { walk.isComplete = false }
            if !isInProgress, let object = try? archive.object(uid), object.node.referenceCount > 0 {
                remaining.append(ArchivedValue(node: object.node, uid: uid, isNull: false))
            }
        }

        while let value = remaining.popLast() {
            let node = value.node
            try countWork(node.referenceCount)
            let start = node.kind == .dictionary ? node.count : 0
            for position in start..<node.referenceCount {
                if value.uid != 0, postponed.isInProgress(value.uid, at: position - start) { continue }
                let reference = archive.list.reference(position, in: node.payload)
                guard let part = try? archive.node(reference) else { continue }
                if part.kind == .uid {
                    if let uid = archive.uid(at: reference) { enter(uid) }
                } else if part.referenceCount > 0 {
                    remaining.append(ArchivedValue(node: part, uid: 0, isNull: false))
                }
            }
        }
        return walk
    }
}
