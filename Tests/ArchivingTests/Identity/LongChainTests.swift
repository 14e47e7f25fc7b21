// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `A chain of 10 000 instances` {
    private final class Link: Codable {
        let number: Int
        @Reference var next: Link?

        init(_ number: Int, next: Link?) {
            self.number = number
            self.next = next
        }
    }

    private final class Plain: Codable {
        let number: Int
        var next: Plain?

        init(_ number: Int, next: Plain?) {
            self.number = number
            self.next = next
        }
    }

    private static let count = 10_000

    /// Lets go of a chain link by link: Swift itself would release it recursively.
    private static func unlink<Instance: AnyObject>(
        _ first: Instance?, _ next: ReferenceWritableKeyPath<Instance, Instance?>
    ) {
        var link = first
        while let current = link {
            link = current[keyPath: next]
            current[keyPath: next] = nil
        }
    }

    @Test func `of annotated references comes back in order, on a stack of 512 KB`() throws {
        let numbers = try onThread(stackSize: 512 << 10) { () -> [Int] in
            let chain = (0..<Self.count).reversed().reduce(nil as Link?) { Link($1, next: $0) }
            defer { Self.unlink(chain, \.next) }
            let first = try ArchiveDecoder().decode(Link.self, from: ArchiveEncoder().encode(chain))
            var numbers: [Int] = []
            var link: Link? = first
            while let current = link {
                numbers.append(current.number)
                link = current.next
            }
            Self.unlink(first, \.next)
            return numbers
        }
        #expect(numbers == Array(0..<Self.count))
    }

    @Test func `of plain references is encoded on a stack of 512 KB, and decoding it there is an error with a path`()
        throws
    {
        let error = try onThread(stackSize: 512 << 10) { () -> CodingFailure in
            let chain = (0..<Self.count).reversed().reduce(nil as Plain?) { Plain($1, next: $0) }
            defer { Self.unlink(chain, \.next) }
            let data = try ArchiveEncoder().encode(chain)
            return try failure { try ArchiveDecoder().decode(Plain.self, from: data) }
        }
        #expect(error.kind == .dataCorrupted)
        #expect(error.path.hasPrefix("next.next"))
        #expect(error.says("nested"))
    }
}
