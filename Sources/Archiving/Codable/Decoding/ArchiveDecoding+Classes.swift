// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension ArchiveDecoding: ObjectDecoder {
    static var otherClassRule: OtherClassRule { .structural }

    static func matches(of record: DecodingType) -> ClassMatches<DecodingType> { record.matches }

    func record(registered type: any Any.Type) -> DecodingType? { session.type(registered: type) }

    func recordWithoutClass(
        _ requested: DecodingType, _ value: ArchivedValue, _ step: CodingPathStep
    ) -> DecodingType { requested }

    func suppliedType(_ name: String, _ chain: [String]) -> (any Any.Type)? { nil }

    func reader(of type: DecodingType) -> InstanceReader {
        type.coding.map { session.unarchiver.record($0) } ?? type
    }
}

// MARK: - Objects of foreign classes

/// Finds out whether a value has anything of an object of a foreign class.
///
/// A type may read objects of any class. If all of its keys are optional, an object that has none of them would become an
/// empty value without an error. Such an object must therefore have a name of the type.
extension ArchiveDecoding {
    /// Notes that a key with `number` was requested and is absent.
    func noteMissed(_ number: KeyNames.Number?) {
        var fields = fields
        let index = fields.noteMissed()
        self.fields = fields
        if let index { session.missedKeys[index] = number ?? 0 }
    }

    /// Notes that the program knows a present key without having decoded it.
    func noteSeen() { fields.missedCount = -1 }

    /// Throws an error if the class of the value has no name of `type`.
    @inline(never)
    func checkClass(_ type: any Any.Type) throws {
        guard let uid = try classUID(of: value, .root),
            uid != ownType?.namedClassUID
        else { return }
        let classes = reading.settings.classes
        let names = try undamaged(
            [archive.className(uid)] + archive.classChain(uid) + archive.classFallbacks(uid), at: .root)
        let isNamed = names.contains { classes.isName($0, of: type) || classes.isSimilarName($0, of: type) }
        guard !isNamed, classes.unknownClasses != .decodeAsRequested else {
            ownType?.namedClassUID = uid
            return
        }
        let missed = session.keyNames(missed: Int(fields.missedCount))
        throw CodableErrors.foreignClass(
            names[0], of: value, requested: type, missed: missed, present: fields.firstKeyNames(in: archive),
            path: path())
    }
}
