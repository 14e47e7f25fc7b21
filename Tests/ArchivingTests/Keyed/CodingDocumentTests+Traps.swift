import Archiving
import Foundation
import Testing

/// What the document calls mistakes of the program, and whether it says what is tested here.
extension CodingDocumentTests {
    @Test("says that encoding after finishEncoding() traps")
    func encodingTooLate() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let archiver = KeyedArchiver()
            archiver.encode(1, forKey: "one")
            _ = try archiver.finishEncoding()
            archiver.encode(2, forKey: "two")
        }
        #expect(result.said("finishEncoding()"))
    }

    @Test("says that finishEncoding() traps within encode(with:)")
    func finishingTooEarly() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Hasty: Coding {
                init() {}
                init(coder: KeyedUnarchiver) throws {}
                func encode(with coder: KeyedArchiver) throws { _ = try coder.finishEncoding() }
            }
            _ = try KeyedArchiver.archivedData(withRootObject: Hasty())
        }
        #expect(result.said("finishEncoding"))
    }

    @Test("says that decoding after finishDecoding() traps")
    func decodingTooLate() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let archiver = KeyedArchiver()
            archiver.encode(1, forKey: "one")
            let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
            coder.finishDecoding()
            _ = try coder.decodeInteger(forKey: "one")
        }
        #expect(result.said("finishDecoding"))
    }

    @Test("says that publishing another instance traps")
    func publishingAnother() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Impostor: Coding {
                init() {}
                init(coder: KeyedUnarchiver) throws { coder.publish(Impostor()) }
                func encode(with coder: KeyedArchiver) throws {}
            }
            let data = try KeyedArchiver.archivedData(withRootObject: Impostor())
            _ = try KeyedUnarchiver.unarchivedObject(of: Impostor.self, from: data)
        }
        #expect(result.said("publish"))
    }
}
