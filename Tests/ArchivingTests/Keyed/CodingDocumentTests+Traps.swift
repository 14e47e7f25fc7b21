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

    // MARK: The document itself

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func lines(of url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
            let code = line.range(of: "  // ").map { line[..<$0.lowerBound] } ?? line
            return code.trimmingCharacters(in: .whitespaces)
        }
    }

    @Test("shows no line of code that is not compiled here")
    func snippets() throws {
        let document = Self.folder.appendingPathComponent("../../../docs/coding.md").standardized
        var tested: Set<String> = []
        for suffix in ["", "+Graphs", "+Names", "+Secure", "+Traps", "+Values"] {
            tested.formUnion(
                try Self.lines(of: Self.folder.appendingPathComponent("CodingDocumentTests\(suffix).swift")))
        }
        var isCode = false
        var count = 0
        var missing: [String] = []
        for line in try Self.lines(of: document) {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
            } else if isCode, !line.hasPrefix("print(") {
                // What is printed there is expected here.
                if !tested.contains(line) { missing.append(line) }
                count += 1
            }
        }
        #expect(missing == [])
        #expect(count > 150)
    }
}
