// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension KeyedArchive {
    /// Returns the number of objects that a decoder decodes inside each other if all properties are plain, and the path to the innermost
    /// of them.
    ///
    /// ```swift
    /// let (depth, path) = archive.nesting()
    /// ```
    ///
    /// The references of plain properties, each followed when it is read, take a level of the stack each. An archive does not distinguish
    /// them from those of `@Reference` and `@References`, and of classes that declare their fields, which take none. So this is the
    /// depth for a program without them.
    ///
    /// Objects are visited in the order of their keys in the archive, and each once, like instances. A damaged value counts as one without
    /// contents.
    ///
    /// - Complexity: O(*n*), where *n* is the number of references.
    public func nesting() -> (depth: Int, path: Path) {
        let depth = ArchiveNesting(of: self, above: .max).depth
        return (depth, path(through: ArchiveNesting(of: self, above: depth - 1).excess))
    }
}

/// The nesting of the values of an archive, as a decoder meets them that follows each reference when it reads it.
///
/// An object is visited once, at the first reference to it, as a decoder decodes an instance. A collection that is shared counts for
/// each reference, without its contents.
struct ArchiveNesting {
    /// The number of objects on the deepest way from the root, with both ends.
    private(set) var depth = 0
    /// The objects on the first way that is deeper than the limit; empty if there is none.
    private(set) var excess: [UInt32] = []

    private struct Frame {
        let node: Node
        let uid: UInt32
        let classUID: UInt32?
        var position = 0
        /// The number of containers of the property list around it in the object; 0 for the object.
        let level: Int

        var isObject: Bool { level == 0 }
    }

    /// - Parameters:
    ///   - archive: The archive. Damaged values count as values without contents.
    ///   - limit: The depth above which a way is recorded.
    init(of archive: KeyedArchive, above limit: Int) {
        archive.source.expectWalk()
        let contents = archive.source.contents
        var walk = Walk(contents)
        walk.enter(contents.top, uid: 0, isObject: false)
        while let uid = walk.advance() {
            let isKnown = !walk.enter(uid)
            let reached = isKnown && contents.isCollection(uid) ? walk.depth + 1 : walk.depth
            if reached > depth { depth = reached }
            if reached > limit, excess.isEmpty { excess = walk.objects + (isKnown ? [uid] : []) }
        }
    }

    private struct Walk: ~Copyable {
        private let contents: ArchiveContents
        private var known: BitSet
        private var frames: [Frame] = []
        /// The number of objects that are being visited, each inside the one before it.
        private(set) var depth = 0
        /// The number of references that may still be read: containers of a property list may be shared.
        private var budget: Int

        init(_ contents: ArchiveContents) {
            self.contents = contents
            known = BitSet(count: contents.slotCount)
            budget = contents.referenceLimit
        }

        var objects: [UInt32] { frames.lazy.filter(\.isObject).map(\.uid) }

        /// Begins the object `uid`, if it was not met before and has contents.
        ///
        /// - Returns: Whether it was not met before.
        mutating func enter(_ uid: UInt32) -> Bool {
            guard uid != 0, Int(uid) < contents.slotCount else { return true }
            guard known.insert(Int(uid)) else { return false }
            if let object = try? contents.object(uid) { enter(object.node, uid: uid, isObject: true) }
            return true
        }

        mutating func enter(_ node: Node, uid: UInt32, isObject: Bool) {
            let level = isObject ? 0 : (frames.last?.level ?? 0) + 1
            guard node.referenceCount > 0, level <= PropertyListLimits.nesting else { return }
            guard budget >= node.referenceCount else { return }
            budget -= node.referenceCount
            let isDictionary = node.kind == .dictionary
            let classUID = isDictionary ? (try? contents.classUID(of: node)) ?? nil : nil
            frames.append(
                Frame(
                    node: node, uid: uid, classUID: classUID, position: isDictionary ? node.count : 0,
                    level: level))
            if isObject { depth += 1 }
        }

        /// Returns the next object to which the innermost container refers; nil after the last one of all.
        mutating func advance() -> UInt32? {
            while let frame = frames.last {
                guard frame.position < frame.node.referenceCount else {
                    frames.removeLast()
                    if frame.isObject { depth -= 1 }
                    continue
                }
                frames[frames.count - 1].position += 1
                let reference = contents.list.reference(frame.position, in: frame.node.payload)
                guard let node = try? contents.node(reference) else { continue }
                if node.kind == .uid {
                    // The description of the class is no value.
                    if let uid = try? contents.uid(node), uid != frame.classUID { return uid }
                } else {
                    enter(node, uid: frame.uid, isObject: false)
                }
            }
            return nil
        }
    }
}

// MARK: - Paths

extension KeyedArchive {
    /// Returns a path to the last of `objects`, each of which refers to the next one.
    func path(through objects: [UInt32]) -> Path {
        guard let first = objects.first else { return Path() }
        var path = path(to: self[uid: first]) ?? Path()
        for (owner, object) in zip(objects, objects.dropFirst()) {
            guard let step = self[uid: owner].step(to: object) else { return path }
            path.steps.append(step)
        }
        return path
    }
}

extension KeyedArchive.Value {
    fileprivate func step(to uid: UInt32) -> KeyedArchive.Path.Step? {
        var found: KeyedArchive.Path.Step?
        _ = contained { value, step in
            if value.uid == uid { found = step }
            return found != nil
        }
        return found
    }
}
