// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension KeyedUnarchiver: ObjectDecoder {
    var typeInProgress: (any Any.Type)? { current.type }

    /// The delegate's type for an unknown class.
    func suppliedType(_ name: String, _ chain: [String]) -> (any Any.Type)? {
        delegate?.unarchiver(self, cannotDecodeObjectOfClassName: name, originalClasses: chain)
    }

    @inline(never)
    func unread(_ failure: ValueFailure, _ place: ValuePlace) -> ArchivingError { unread(failure, pathIndex(place)) }
}

// MARK: - Unknown classes

extension KeyedUnarchiver {
    /// Returns whether `value`, which is requested as `requested`, is skipped: an object of an unknown class, if the
    /// registry's policy is `.skip`.
    @inline(__always)
    func isSkipped<Object: Coding>(
        _ requested: Object.Type, _ value: ArchivedValue, at place: ValuePlace
    ) throws -> Bool {
        session.settings.classes.unknownClasses == .skip
            ? try isUnknownObject(record(requested), value, place) : false
    }

    /// Returns whether the class of the object that `reference` references, requested as `requested`, is unknown.
    @inline(never)
    func isUnknown(
        _ requested: DecodingType, _ reference: Int, at place: ValuePlace
    ) throws -> Bool {
        let value = try undamaged(archive.value(reference), at: pathIndex(place))
        return try isUnknownObject(requested, value, place)
    }
}
