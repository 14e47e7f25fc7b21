// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The steps of decoding one instance, for all ways of coding: begin, read, complete or abandon, and set the values that waited
// for it.

extension DecodingSession {
    /// Decodes the instance of the object `uid`, enters it in the table of instances, and finishes the values that
    /// waited for it.
    ///
    /// - Parameters:
    ///   - identity: The type of the instance.
    ///   - entry: Its entry in the table, whose state is unknown; 0 if it has none yet.
    ///   - reader: The reader that decodes it again, if references can wait for it.
    ///   - read: Creates the instance, and says whether it is the replacement of another one.
    ///   - fail: Returns the error to throw for an instance that failed, with `failed(_:_:_:at:)`. A closure for its path
    ///     would be created for every instance.
    ///   - check: Throws if the limits or the stack prevent the values that waited from being finished. It is called
    ///     only if a value has waited.
    /// - Returns: The instance, which the table retains.
    @inline(__always)
    func makeInstance(
        _ uid: UInt32, as identity: any Any.Type, _ entry: DecodedInstanceTable.Index,
        by reader: DecodingType?,
        read: (DecodedInstanceTable.Index) throws -> (object: AnyObject, isReplacement: Bool),
        fail: (DecodedInstanceTable.Index, any Error) -> any Error,
        check: () throws -> Void
    ) throws -> AnyObject {
        if observer != nil, let known = earlierInstance(uid, as: identity, entry) { return known }
        let mark = mark
        let index = instances.begin(uid, as: identity, entry)
        // Not one tuple, which would be another reference to the instance.
        let object: AnyObject
        let isReplacement: Bool
        do {
            (object, isReplacement) = try read(index)
        } catch {
            if !awaited.lent.isEmpty { withdrawCollections(since: mark, after: error) }
            throw fail(index, error)
        }
        // The table has the only reference, and returns another one.
        let waiting = instances.complete(index, with: consume object, isReplacement: isReplacement)
        let complete = instances.lastCompleted
        if observer != nil {
            noteDecoded(uid, index)
            requests?.keep(since: mark)
        }
        if waiting != WaitingValues.none || awaited.hasLeftOver {
            try finish(awaited.takeLeftOver(of: index, before: waiting), of: index, check: check)
        }
        keep(since: mark)
        return complete
    }

    /// The program's instance of the object `uid`, which another part of the archive was decoded with, entered in the
    /// table of instances.
    @inline(never)
    func earlierInstance(
        _ uid: UInt32, as identity: any Any.Type, _ entry: DecodedInstanceTable.Index
    ) -> AnyObject? {
        guard let known = observer?.instance(uid, as: identity) else { return nil }
        // Only references can have waited for an instance that was not begun, and they get it here.
        instances.complete(instances.begin(uid, as: identity, entry), with: known)
        return known
    }

    /// Records an instance that failed with `error`.
    ///
    /// - Parameters:
    ///   - reader: The reader that decodes it again, if references can wait for it.
    ///   - path: The coding path of the reference that requests it.
    /// - Returns: The error to throw.
    @inline(never)
    func failed(
        _ index: DecodedInstanceTable.Index, _ error: any Error, _ reader: DecodingType?,
        at path: () -> CodingPathTable.Index
    ) -> any Error {
        // The entry, and the path to it.
        keep(1)
        let failed = instances.abandon(index)
        var error = error
        if var cycle = CycleReference(in: error) {
            openCycles.blocked[index] = cycle
            if reader != nil, cycle.target == index, cycle.targetPath == nil {
                cycle.targetPath = path()
                error = ArchivingError(cycle)
            }
        }
        giveUp(index, failed, error, reader, path: path)
        return error
    }

    /// Finishes the values `waiting`, which waited for the instance with the entry `index`.
    ///
    /// An error fails the whole decoding: other objects have the instance, and it is incomplete. If a value belongs to another complete
    /// instance, which the program may have dropped, it fails the decoding at the end.
    @inline(never)
    private func finish(
        _ waiting: [WaitingValues.Number], of index: DecodedInstanceTable.Index, check: () throws -> Void
    ) throws {
        if waiting.isEmpty { return }
        do {
            try check()
        } catch {
            fail(error)
            throw error
        }
        for number in waiting {
            do {
                try finish(number)
            } catch {
                if let value = awaited.values[number], value.owner != index, instances.isComplete(value.owner),
                    ArchivingError(in: error)?.code != .limit
                {
                    awaited.failures.append(.init(error: error) { value.isWanted })
                    continue
                }
                fail(error)
                throw error
            }
        }
    }

    /// Records the waiting values of an instance that failed with `error`.
    ///
    /// - Parameters:
    ///   - reader: The reader of the instance, if references can wait for it.
    ///   - path: The coding path of the reference that requested it.
    private func giveUp(
        _ index: DecodedInstanceTable.Index, _ failed: DecodedInstanceTable.Progress, _ error: any Error,
        _ reader: DecodingType?,
        path: () -> CodingPathTable.Index
    ) {
        if failed.publication == .handedOut { fail(error) }
        // The values that waited for it are set when it is decoded after all, or at the end.
        if failed.waiting != WaitingValues.none { awaited.leave(failed.waiting, of: index) }
        if instances.entry(index).awaited != 0, let reader {
            awaited.append(.awaited(reader, uid: failed.uid, path: path()))
        }
    }
}
