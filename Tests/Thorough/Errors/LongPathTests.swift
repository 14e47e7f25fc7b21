// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

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

    /// The number of keys at each end of a path that are shown.
    private static let shownCount = [any CodingKey].shownKeyCount

    private func path(_ count: Int) -> String { Array(repeating: "next", count: count).joined(separator: ".") }

    @Test func `shows the first and the last keys of a long path`() throws {
        let error = try error(behind: 3000)
        let (end, left) = (path(Self.shownCount), 3000 - 2 * Self.shownCount)
        let shown = "\(end).… \(left) more keys ….\(end)"
        #expect(error.path == shown)
        #expect(error.says("at \"\(shown)\" was encoded"))
        #expect(error.text.utf8.count < 500)
    }

    /// 40 keys "next" and the dots between them are 199 bytes.
    @Test(arguments: [1, 2 * shownCount, 2 * shownCount + 1, 40])
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
        #expect(try #require(depth) >= StackGuard.freeDepth)
        #expect(text.contains("The value is nested \(depth ?? 0) levels deep, and the stack has no room for more."))
    }
}
