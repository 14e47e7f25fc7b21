// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension ArchiveDecoding: ObjectDecoder {
    static var otherClassRule: OtherClassRule { .structural }

    static func matches(of record: DecodingType) -> ClassMatches<DecodingType> { record.matches }

    func record(registered type: any Any.Type) -> DecodingType? { reading.type(registered: type) }

    func recordWithoutClass(
        _ requested: DecodingType, _ value: ArchivedValue, _ step: CodingPathStep
    ) -> DecodingType { requested }

    func suppliedType(_ name: String, _ chain: [String]) -> (any Any.Type)? { nil }

    func reader(of type: DecodingType) -> InstanceReader {
        type.facts.coding.map { reading.unarchiver.record($0) } ?? type
    }
}
