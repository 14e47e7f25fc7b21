// MARK: - Waiting values

extension ArchiveDecoding {
    /// Returns whether a reference to `value`, requested as `known`, can be resolved later.
    func canAwait(_ known: DecodingType, _ value: ArchivedValue) -> Bool {
        known.isClass && value.uid != 0 && session.top != nil
    }

    /// Adds `value` to the waiting work.
    func addWaiting(_ value: WaitingValue) {
        reading.awaited.values.append(value)
        reading.awaited.append(.unprepared(value.number))
    }
}
