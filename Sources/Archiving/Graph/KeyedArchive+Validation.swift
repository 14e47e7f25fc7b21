// MARK: - All at once

extension KeyedArchive {
    /// Goes through the whole archive, and throws the first thing that is wrong with it.
    ///
    /// Every object of the property list is read; every reference and every uid is checked to lead to one, every object to
    /// have a class that is described, every dictionary to have as many keys as values, and containers to be nested no
    /// deeper than 512 levels and not to contain themselves. Objects may refer to each other in circles: that is what
    /// archives are for. What is not checked is whether a class can read what its objects have.
    ///
    /// - Throws: `KeyedArchiveError`.
    /// - Complexity: O(*n*), where *n* is the number of references.
    public func validate() throws(KeyedArchiveError) {
        if let first = problems(limit: 1).first { throw first }
    }

    /// What is wrong with the archive; empty where nothing is.
    ///
    /// - Parameter limit: The number of problems after which no more are looked for.
    /// - Complexity: O(*n*), where *n* is the number of references.
    public func problems(limit: Int = 100) -> [KeyedArchiveError] {
        var validation = ArchiveValidation(source.contents, limit: limit)
        validation.run()
        return validation.problems
    }
}

private struct ArchiveValidation: ~Copyable {
    private let contents: ArchiveContents
    private let limit: Int
    private(set) var problems: [KeyedArchiveError] = []
    /// The containers of the property list that are known to be sound, with all that is in them.
    private var checked: BitSet
    /// Those that are being checked, each inside the one before it.
    private var open: BitSet
    private var frames: [Frame] = []
    /// Class entries that are known to be sound.
    private var classes: BitSet

    /// A container whose contents are being checked.
    private struct Frame {
        let reference: Int
        let node: Node
        var position = 0
    }

    init(_ contents: ArchiveContents, limit: Int) {
        self.contents = contents
        self.limit = limit
        checked = BitSet(count: contents.list.objectCount)
        open = BitSet(count: contents.list.objectCount)
        classes = BitSet(count: contents.slotCount)
    }

    private var isFull: Bool { problems.count >= limit }

    private mutating func check(_ body: (borrowing ArchiveValidation) throws(KeyedArchiveError) -> Void) {
        guard !isFull else { return }
        do throws(KeyedArchiveError) { try body(self) } catch { problems.append(error) }
    }

    mutating func run() {
        for position in 0..<contents.top.referenceCount {
            checkContainers(contents.list.reference(position, in: contents.top.payload), uid: nil)
        }
        for slot in 0..<contents.slotCount where !isFull {
            let uid = UInt32(truncatingIfNeeded: slot)
            checkContainers(contents.list.reference(slot, in: contents.slots), uid: uid)
            // What uid 0 holds is nil, whatever it is.
            guard slot > 0 else { continue }
            check { validation throws(KeyedArchiveError) in _ = try validation.contents.object(uid) }
            checkClass(uid)
        }
        // What nothing refers to.
        for reference in 0..<contents.list.objectCount where !isFull && !checked.contains(reference) {
            check { validation throws(KeyedArchiveError) in _ = try validation.contents.node(reference) }
        }
    }

    /// Checks the object `reference` of the property list, and what is in it.
    private mutating func checkContainers(_ reference: Int, uid: UInt32?) {
        enter(reference, uid)
        while let frame = frames.last {
            guard frame.position < frame.node.referenceCount, !isFull else {
                frames.removeLast()
                open.remove(frame.reference)
                _ = checked.insert(frame.reference)
                continue
            }
            frames[frames.count - 1].position += 1
            let next = contents.list.reference(frame.position, in: frame.node.payload)
            if frame.node.kind == .dictionary, frame.position < frame.node.count {
                checkKey(next, uid)
            }
            enter(next, uid)
        }
    }

    private mutating func enter(_ reference: Int, _ uid: UInt32?) {
        if reference < contents.list.objectCount, checked.contains(reference) { return }
        var container: Node?
        check { validation throws(KeyedArchiveError) in
            let node = try validation.contents.node(reference)
            if node.kind == .uid {
                let target: UInt32
                do throws(PropertyListError) {
                    target = try validation.contents.list.objects.uid(node)
                } catch {
                    throw KeyedArchiveError(error)
                }
                let count = validation.contents.slotCount
                if Int(target) >= count { throw KeyedArchiveError(.uidOutOfRange(uid: target, count: count)) }
            }
            if node.referenceCount > 0 { container = node }
        }
        guard let container else {
            if reference < contents.list.objectCount { _ = checked.insert(reference) }
            return
        }
        guard !open.contains(reference), frames.count < PropertyListLimits.nesting else {
            let levels = PropertyListLimits.nesting
            return check { _ throws(KeyedArchiveError) in throw KeyedArchiveError(.nested(uid: uid, levels: levels)) }
        }
        _ = open.insert(reference)
        frames.append(Frame(reference: reference, node: container))
    }

    private mutating func checkKey(_ reference: Int, _ uid: UInt32?) {
        guard let key = try? contents.node(reference), key.kind != .ascii, key.kind != .utf16 else { return }
        check { _ throws(KeyedArchiveError) in throw KeyedArchiveError(.nonStringKey(uid: uid)) }
    }

    /// Checks the class of the object `uid`, and what that says of its contents.
    private mutating func checkClass(_ uid: UInt32) {
        guard let value = try? contents.object(uid), let classUID = try? contents.classUID(of: value.node) else {
            return
        }
        guard Int(classUID) < contents.slotCount else { return }  // reported already
        if !classes.contains(Int(classUID)) {
            guard (try? contents.className(classUID)) != nil else {
                return check { _ throws(KeyedArchiveError) in
                    throw KeyedArchiveError(.missingClass(uid: uid, classUID: classUID))
                }
            }
            _ = classes.insert(Int(classUID))
        }
        check { validation throws(KeyedArchiveError) in
            guard try validation.contents.mayBeCollection(value.node) else { return }
            if try validation.contents.dictionary(value) == nil { _ = try validation.contents.elements(of: value) }
        }
    }
}
