// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension KeyedArchive {
    /// Validates the whole archive, and throws the first problem.
    ///
    /// The method reads every object of the property list and checks that:
    ///
    /// - every reference and every uid is in range;
    /// - the class of every object is described;
    /// - every dictionary has as many keys as values;
    /// - the containers of the property list do not contain themselves, and are nested at most 512 levels deep from its root.
    ///
    /// Objects may refer to each other in cycles. The method does not check whether a class can decode the contents of its
    /// objects.
    ///
    /// - Throws: `KeyedArchiveError`.
    /// - Complexity: O(*n*), where *n* is the number of references.
    public func validate() throws(KeyedArchiveError) {
        if let first = problems(limit: 1).first { throw first }
    }

    /// Returns the problems of the archive; empty if the archive is valid.
    ///
    /// - Parameter limit: The maximum number of problems. The check ends at this number.
    /// - Complexity: O(*n*), where *n* is the number of references.
    public func problems(limit: Int = 100) -> [KeyedArchiveError] {
        source.expectWalk()
        var validation = ArchiveValidation(source.contents, limit: limit)
        validation.run()
        return validation.problems
    }
}

private struct ArchiveValidation: ~Copyable {
    private let contents: ArchiveContents
    private let limit: Int
    private(set) var problems: [KeyedArchiveError] = []
    /// The objects of the property list that have been checked, with all their contents.
    private var checked: BitSet
    private var open: BitSet
    /// The number of levels of containers in each container, including itself.
    private var heights: [Int: Int] = [:]
    private var frames: [Frame] = []
    private var budget: Int

    private struct Frame {
        let reference: Int
        let node: Node
        /// The object that contains it; `nil` outside of `$objects`.
        let uid: UInt32?
        var position = 0
        var height = 1
    }

    init(_ contents: ArchiveContents, limit: Int) {
        self.contents = contents
        self.limit = limit
        budget = contents.referenceLimit
        checked = BitSet(count: contents.list.objectCount)
        open = BitSet(count: contents.list.objectCount)
    }

    private var isFull: Bool { problems.count >= limit || budget < 0 }

    private mutating func add(_ error: KeyedArchiveError) {
        if !isFull { problems.append(error) }
    }

    mutating func run() {
        check(contents.list.top)
        // Unreferenced objects.
        for reference in 0..<contents.list.objectCount where !isFull && !checked.contains(reference) {
            check(reference)
        }
    }

    private mutating func check(_ reference: Int) {
        enter(reference, uid: nil)
        while let frame = frames.last {
            guard frame.position < frame.node.referenceCount, !isFull else {
                leave(frame)
                continue
            }
            frames[frames.count - 1].position += 1
            let next = contents.list.reference(frame.position, in: frame.node.payload)
            if frame.node.kind == .dictionary, frame.position < frame.node.count { checkKey(next, frame.uid) }
            let isSlot = frame.node.kind == .array && frame.node.payload == contents.slots
            if isSlot { checkSlot(next, UInt32(truncatingIfNeeded: frame.position)) }
            enter(next, uid: isSlot ? UInt32(truncatingIfNeeded: frame.position) : frame.uid)
        }
    }

    private mutating func leave(_ frame: Frame) {
        frames.removeLast()
        open.remove(frame.reference)
        _ = checked.insert(frame.reference)
        if frame.height > 1 { heights[frame.reference] = frame.height }
        note(height: frame.height, uid: frame.uid)
    }

    private mutating func note(height: Int, uid: UInt32?) {
        guard let place = frames.indices.last else { return }
        frames[place].height = max(frames[place].height, height + 1)
    }

    private mutating func enter(_ reference: Int, uid: UInt32?) {
        if reference < contents.list.objectCount {
            if checked.contains(reference) { return enterChecked(reference, uid) }
            if open.contains(reference) { return addNested(uid) }
        }
        let node: Node
        do throws(KeyedArchiveError) {
            node = try contents.node(reference)
            if node.kind == .uid { try checkTarget(of: node) }
        } catch {
            if reference < contents.list.objectCount { _ = checked.insert(reference) }
            return add(error)
        }
        guard node.referenceCount > 0 else {
            _ = checked.insert(reference)
            return
        }
        if node.kind == .dictionary { checkClass(of: node, uid) }
        guard frames.count < PropertyListLimits.nesting else { return addNested(uid) }
        guard budget >= node.referenceCount else {
            add(KeyedArchiveError(.limit(.init("references"), contents.referenceLimit)))
            budget = -1
            return
        }
        budget -= node.referenceCount
        _ = open.insert(reference)
        frames.append(Frame(reference: reference, node: node, uid: uid))
    }

    /// Checks a container again that was checked before, because it may be nested too deeply here.
    private mutating func enterChecked(_ reference: Int, _ uid: UInt32?) {
        guard let node = try? contents.node(reference), node.referenceCount > 0 else { return }
        let height = heights[reference] ?? 1
        if frames.count + height > PropertyListLimits.nesting { addNested(uid) }
        note(height: height, uid: uid)
    }

    private mutating func addNested(_ uid: UInt32?) {
        add(KeyedArchiveError(.nested(uid: uid, levels: PropertyListLimits.nesting)))
    }

    private func checkTarget(of node: Node) throws(KeyedArchiveError) {
        let uid = try contents.uid(node)
        guard Int(uid) < contents.slotCount else {
            throw KeyedArchiveError(.uidOutOfRange(uid: uid, count: contents.slotCount))
        }
    }

    private mutating func checkKey(_ reference: Int, _ uid: UInt32?) {
        guard let key = try? contents.node(reference), key.kind != .ascii, key.kind != .utf16 else { return }
        add(KeyedArchiveError(.nonStringKey(uid: uid)))
    }

    /// Checks that the object `uid` is not a uid itself. Uid 0 is nil, whatever it holds.
    private mutating func checkSlot(_ reference: Int, _ uid: UInt32) {
        if uid > 0, let node = try? contents.node(reference), node.kind == .uid {
            add(KeyedArchiveError(.uidBehindUID(uid: uid)))
        }
    }

    private mutating func checkClass(of node: Node, _ uid: UInt32?) {
        guard let found = try? contents.classUID(of: node), Int(found) < contents.slotCount else { return }
        let uid = uid ?? 0
        guard (try? contents.className(found)) != nil else {
            return add(KeyedArchiveError(.missingClass(uid: uid, classUID: found)))
        }
        if !contents.hasSoundChain(found) {
            let sentence =
                "The keyed archive is damaged: $classes of the class entry at uid \(found) is not a list of names"
            return add(KeyedArchiveError(.other(.damaged, uid: found, sentence: sentence)))
        }
        let value = ArchivedValue(node: node, uid: uid, isNull: false)
        do throws(KeyedArchiveError) {
            if try contents.dictionary(value) == nil, try contents.mayBeCocoa(node) {
                _ = try contents.elements(of: value)
            }
        } catch {
            add(error)
        }
    }
}

extension ArchiveContents {
    /// Returns whether the class entry `uid` has either a list of names or no `$classes`.
    fileprivate func hasSoundChain(_ uid: UInt32) -> Bool {
        guard let entry = try? classEntry(uid), let chain = try? value(of: "$classes", in: entry) else { return true }
        guard chain.node.kind == .array, chain.node.count > 0 else { return false }
        // The class itself. Every object of the class uses this name.
        guard let first = try? node(list.reference(0, in: chain.node.payload)) else { return false }
        return first.kind == .ascii || first.kind == .utf16
    }
}
