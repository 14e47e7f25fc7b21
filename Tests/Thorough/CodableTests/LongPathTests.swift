import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An error deep inside` {
    /// One of a chain, the last of which encodes what it may not.
    final class Link: Encodable {
        let next: Link?

        init(before next: Link?) { self.next = next }

        private enum CodingKeys: CodingKey { case next }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(next, forKey: .next)
            if next == nil {
                var single = encoder.singleValueContainer()
                try single.encode(1)
            }
        }
    }

    private func error(behind count: Int) throws -> CodingFailure {
        var chain = Link(before: nil)
        for _ in 0..<count { chain = Link(before: chain) }
        return try failure { try ArchiveEncoder().encode(chain) }
    }

    private func path(_ count: Int) -> String { Array(repeating: "next", count: count).joined(separator: ".") }

    @Test func `shows the first and the last keys of a long path`() throws {
        let error = try error(behind: 3000)
        #expect(error.path == path(3000))
        #expect(error.says("at \"\(path(8)) … 2984 more keys … \(path(8))\" was encoded"))
        #expect(error.text.utf8.count < 500)
    }

    @Test(arguments: [1, 16, 17])
    func `shows all keys of a short one`(count: Int) throws {
        #expect(try error(behind: count).says("at \"\(path(count))\" was encoded"))
    }

    @Test func `says how deep values are nested that have no keys`() throws {
        let text = try onThread(stackSize: 512 << 10) {
            func value() -> Encoding {
                Encoding { encoder in
                    var single = encoder.singleValueContainer()
                    try single.encode(value())
                }
            }
            return try failure { try ArchiveEncoder().encode(value()) }.text
        }
        let depth = text.split(separator: " ").compactMap { Int($0) }.first
        #expect(try #require(depth) >= 32)
        #expect(text.hasPrefix("The value is nested \(depth ?? 0) levels deep, and the stack has no room for more."))
    }
}
