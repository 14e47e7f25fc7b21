// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization

/// An archive that stays open after a value was decoded from it, and decodes deferred parts when they are first read.
///
/// It finds the decoded instances that the program still has, so that parts that are decoded later refer to them. It
/// does not retain them.
///
/// Sendable: the instances are entered and found under a lock, and the rest does not change.
package final class OpenArchive: ReadingObserver, @unchecked Sendable {
    /// The archive. Saving replaces it by another one with the same uids.
    package var source: ArchiveSource {
        get { currentSource.withLock { $0 } }
        set { currentSource.withLock { $0 = newValue } }
    }
    private let currentSource: Mutex<ArchiveSource>
    let settings: ReadingSettings
    /// The names that types have in the archive.
    package var classes: ClassRegistry { settings.classes }
    /// The `userInfo` of the decoders that `init(from:)` receives.
    package var userInfo: [CodingUserInfoKey: any Sendable] { settings.userInfo }
    /// The handler of errors in parts that are read without `try`.
    package var errorHandler: (@Sendable (any Error) -> Void)? { settings.deferredErrorHandler }

    /// The foreign names that objects of a type have in the archive.
    private let otherNames = Mutex<[ObjectIdentifier: OtherNames]>([:])
    /// The uids of the program's parts, with the number of parts of each, and their error if they could not be read.
    private let parts = Mutex<[UInt32: (count: Int, error: (any Error)?)]>([:])
    private let loaded = Mutex<[ObjectIdentifier: WeakPart]>([:])
    private var instances = LiveInstances()
    private let instancesLock = Mutex(())
    /// The instances of an earlier state of the file that the program still has. Protected by `instancesLock`.
    private var former = LiveInstances()
    /// Whether there were any when the file was read again.
    private let hasFormer = Atomic(false)
    private let hasInstances = Atomic(false)
    /// Held while a part is decoded, so that two parts that reference one object get one instance.
    private let lock = Mutex(())
    /// The keys of decoded objects that the program has not requested.
    private let unknown = Mutex(UnknownKeys())
    /// Whether keys that the program does not request are recorded.
    package let keepsUnknownKeys: Bool
    /// The threads that are decoding the archive. The program's own code may read a part on them.
    private let decodingThreads = Mutex<[UInt]>([])

    init(_ source: ArchiveSource, _ settings: ReadingSettings, keepsUnknownKeys: Bool = false) {
        self.keepsUnknownKeys = keepsUnknownKeys
        currentSource = Mutex(source)
        self.settings = settings
    }
}

// MARK: - One decoding at a time

extension OpenArchive {
    /// Whether the calling thread is decoding the archive. No part can be decoded on this thread meanwhile: it would
    /// not find the incomplete instances.
    package var isDecodingHere: Bool { decodingThreads.withLock { $0.contains(Platform.currentThread) } }

    package func beginDecoding() {
        decodingThreads.withLock { $0.append(Platform.currentThread) }
    }

    package func endDecoding() {
        decodingThreads.withLock { threads in
            if let place = threads.lastIndex(of: Platform.currentThread) { threads.remove(at: place) }
        }
    }

    /// Runs `body` to decode a part, one thread at a time. Do not call it on a thread that is decoding the archive.
    package func withDecodingLock(_ body: () throws -> Void) throws {
        try lock.withLock { _ in try body() }
    }
}

// MARK: - Parts

extension OpenArchive {
    /// Records that the program has a part for the object `uid`: the object is needed even if the archive does not
    /// reference it.
    package func addPart(_ uid: UInt32) {
        parts.withLock { $0[uid, default: (0, nil)].count += 1 }
    }

    /// Records that a part was deallocated.
    package func removePart(_ uid: UInt32) {
        parts.withLock { parts in
            parts[uid, default: (1, nil)].count -= 1
            if let part = parts[uid], part.count <= 0 { parts[uid] = nil }
        }
    }

    /// Records that a part could not be read, or that it was read if `error` is nil.
    package func recordError(_ error: (any Error)?, of uid: UInt32) {
        parts.withLock { $0[uid]?.error = error }
    }

    /// The errors of the program's parts that could not be read, by their uids.
    package var partErrors: [UInt32: any Error] { parts.withLock { $0.compactMapValues(\.error) } }

    /// The uids of the program's parts.
    package var partUIDs: [UInt32] { parts.withLock { Array($0.keys) } }

    /// Records that the value of `part` is loaded.
    package func addLoaded(_ part: any LoadedPart) {
        loaded.withLock { $0[ObjectIdentifier(part)] = WeakPart(part: part) }
    }

    /// Records that a part with a loaded value has released it, or is being deallocated.
    package func removeLoaded(_ id: ObjectIdentifier) { loaded.withLock { $0[id] = nil } }

    /// The parts with loaded values.
    package var loadedParts: [any LoadedPart] { loaded.withLock { $0.values.compactMap(\.part) } }
}

/// A part of an archive whose value is loaded, and can be loaded again.
package protocol LoadedPart: AnyObject, Sendable {
    func release()
}

private struct WeakPart: Sendable {
    weak var part: (any LoadedPart)?
}

// MARK: - Unknown keys

extension OpenArchive {
    package func requestObserver(_ meter: DecodingMeter, slotCount: Int) -> (any RequestObserver)? {
        keepsUnknownKeys ? RequestedKeys(self, meter, slotCount: slotCount) : nil
    }

    /// The keys of decoded objects that the program has not requested.
    package var unknownKeys: UnknownKeys { unknown.withLock { $0 } }

    /// Changes the record of the keys that the program has not requested.
    package func changeUnknownKeys(_ change: (inout sending UnknownKeys) -> Void) { unknown.withLock { change(&$0) } }
}

// MARK: - Names

extension OpenArchive {
    /// Names that no program has registered, and that objects decoded as `type` have in the archive.
    struct OtherNames {
        let type: any Any.Type
        var names: [String]
    }

    /// Records that objects with the unknown class name `name` are decoded as `type`.
    package func note(_ name: String, for type: any Any.Type) {
        otherNames.withLock { others in
            var known = others[ObjectIdentifier(type)] ?? OtherNames(type: type, names: [])
            if !known.names.contains(name) { known.names.append(name) }
            others[ObjectIdentifier(type)] = known
        }
    }

    /// Returns whether a part of the archive was decoded as `type` from objects with the unknown class name `name`.
    func hasOtherName(_ name: String, for type: any Any.Type) -> Bool {
        otherNames.withLock { $0[ObjectIdentifier(type)]?.names.contains(name) ?? false }
    }

    /// The registry `classes`, in which types without a registered name have their first other name in the archive, so that a save
    /// does not rename objects. A name that several types have is none of theirs.
    func addingNames(to classes: ClassRegistry) -> ClassRegistry {
        var classes = classes
        let others = otherNames.withLock { Array($0.values) }
        let counts = Dictionary(others.flatMap(\.names).map { ($0, 1) }, uniquingKeysWith: +)
        for other in others {
            if let name = other.names.first, counts[name] == 1 { classes.addName(name, for: other.type) }
        }
        return classes
    }
}

// MARK: - Instances

extension OpenArchive {
    package func enter(_ decoded: [DecodedInstance]) {
        guard !decoded.isEmpty else { return }
        withInstances { instances in
            instances.reserve(decoded.count)
            for instance in decoded { instances.insert(instance.object, instance.uid, as: instance.type) }
        }
        hasInstances.store(true, ordering: .releasing)
    }

    /// Retains the instances that are decoded from now on.
    ///
    /// - Parameter findsUIDs: Whether their uids are needed soon, so that `uid(of:)` is O(1) from the beginning.
    package func keepInstances(findsUIDs: Bool = false) {
        withInstances { instances in
            instances.keepsInstances = true
            if findsUIDs { instances.noteAll() }
        }
    }

    /// Whether the archive retains the instances that are decoded.
    package var keepsInstances: Bool { withInstances { $0.keepsInstances } }

    /// Stops retaining instances.
    package func stopKeepingInstances() {
        withInstances { instances in
            instances.keepsInstances = false
            instances.letGoOfAll()
        }
    }

    /// Stops retaining the instances of these objects. An instance that is found later is retained again.
    package func letGo(of uids: [UInt32]) {
        withInstances { instances in
            for uid in uids { instances.letGo(of: uid) }
        }
    }

    /// Retains the instances of these objects again, if the program still has them.
    package func keep(_ uids: [UInt32]) {
        withInstances { instances in
            for uid in uids { _ = instances.instance(uid) }
        }
    }

    /// Forgets the instances of objects that are no longer in the archive.
    package func forgetInstances(where isGone: (UInt32) -> Bool) {
        withInstances { $0.remove(where: isGone) }
    }

    /// The instance of the object `uid` as `type`, if the program still has it.
    package func instance(_ uid: UInt32, as type: any Any.Type) -> AnyObject? {
        guard hasInstances.load(ordering: .acquiring) else { return nil }
        return withInstances { $0.instance(uid, as: type) }
    }

    /// The instance of the object `uid` of any type, if the program still has it.
    package func instance(_ uid: UInt32) -> AnyObject? {
        guard hasInstances.load(ordering: .acquiring) else { return nil }
        return withInstances { $0.instance(uid) }
    }

    /// The uid of the object of which `instance` is an instance; nil if there is none.
    ///
    /// - Complexity: O(1), but the first call is O(*n*), where *n* is the number of instances.
    package func uid(of instance: AnyObject) -> UInt32? { withInstances { $0.uid(of: instance) } }

    /// The uid of the object of an instance of the class `type`, if any is known.
    func example(of type: AnyClass) -> UInt32? { withInstances { $0.example(of: type) } }

    /// Observes the instances of `old`, an earlier state of the file, whose types `isIncluded` accepts: they may become the instances of
    /// the objects with the same uids, and instances that `old` lacks.
    func observeInstances(
        of old: OpenArchive, and added: [DecodedInstance], where isIncluded: (any Any.Type) -> Bool
    ) {
        let instances = old.withInstances { $0.instances(where: isIncluded) } + added.filter { isIncluded($0.type) }
        let earlier = old.withInstances { _ in old.former.instances(where: isIncluded) }
        guard !instances.isEmpty || !earlier.isEmpty else { return }
        withInstances { _ in
            former.reserve(instances.count)
            // Those of the last state are entered last, and replace earlier ones.
            for instance in earlier + instances { former.insert(instance.object, instance.uid, as: instance.type) }
        }
        hasFormer.store(true, ordering: .releasing)
    }

    package func formerInstance(_ uid: UInt32, as type: any Any.Type) -> AnyObject? {
        guard hasFormer.load(ordering: .acquiring) else { return nil }
        return withInstances { _ in former.instance(uid, as: type) }
    }

    /// The instances that the program has, one for each object, with its uid.
    package var liveInstances: [LiveInstance] { withInstances { $0.all } }

    private func withInstances<Result>(_ body: (inout LiveInstances) -> Result) -> Result {
        var result: Result?
        var released: [AnyObject] = []
        instancesLock.withLock { _ in
            result = body(&instances)
            released = instances.takeReleased() + former.takeReleased()
        }
        // Instances are deallocated outside the lock, since their own code may run.
        withExtendedLifetime(released) {}
        guard let result else { preconditionFailure("The lock did not run its body") }
        return result
    }
}

// MARK: - Updating

/// An archive that the archive in progress updates: unloaded objects are not written again.
final class UpdatedArchive: WritingObserver {
    let archive: OpenArchive
    /// The slots that represent objects of the updated archive, by their uids there.
    private var slots: [UInt32: ArchiveGraph.Slot] = [:]

    private var pinned: Set<ObjectIdentifier> = []
    /// The instances that are written, if only these and new ones are; nil if all are.
    private let marked: Set<ObjectIdentifier>?

    init(_ archive: OpenArchive, marked: Set<ObjectIdentifier>? = nil) {
        self.archive = archive
        self.marked = marked
    }

    package func reference(toUnmarked object: AnyObject, in graph: ArchiveGraph) -> ArchiveGraph.Reference? {
        guard let marked, !marked.contains(ObjectIdentifier(object)), let uid = archive.uid(of: object) else {
            return nil
        }
        return reference(to: uid, in: graph)
    }

    package func reference(
        to uid: UInt32, of archive: any ReadingObserver, in graph: ArchiveGraph
    ) -> ArchiveGraph.Reference? {
        archive === self.archive ? reference(to: uid, in: graph) : nil
    }

    /// The reference to the object `uid` of the updated archive: a slot without contents.
    func reference(to uid: UInt32, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        if let known = slots[uid] { return known.uid }
        let slot = graph.reserveSlot()
        slots[uid] = slot
        return slot.uid
    }

    package func pin(_ object: AnyObject) { pinned.insert(ObjectIdentifier(object)) }

    func isPinned(_ object: AnyObject) -> Bool { pinned.contains(ObjectIdentifier(object)) }

    /// Calls `body` with each slot that represents an object, and the object's uid in the updated archive.
    func visitReferences(_ body: (_ slot: UInt32, _ uid: UInt32) -> Void) {
        for (uid, slot) in slots { body(slot.index, uid) }
    }
}
