import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The end of an unkeyed container` {
    @Test(arguments: [.objects, .packed] as [KeyedArchiver.NumericArrays])
    func `has nothing present, of any type`(numericArrays: KeyedArchiver.NumericArrays) throws {
        var encoder = ArchiveEncoder()
        encoder.numericArrays = numericArrays
        try decoding(encoder.encode([7])) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(try container.decodeIfPresent(Int.self) == 7)
            #expect(try container.decodeIfPresent([Int].self) == nil)
            #expect(try container.decodeIfPresent([String: Int].self) == nil)
            #expect(try container.decodeIfPresent(Date.self) == nil)
            #expect(try container.decodeIfPresent(Int.self) == nil)
            #expect(try container.decodeIfPresent(String.self) == nil)
            #expect(throws: DecodingError.self) { try container.decode([Int].self) }
            #expect(throws: DecodingError.self) { try container.decodeNil() }
        }
    }
}
