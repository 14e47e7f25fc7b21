import Foundation
import TestSupport
import Testing

@testable import Archiving

/// A session that is kept for the next call must not bring a chain of coders with it that only its first thread's stack
/// was large enough to take down.
@Suite(.inTurn) struct `A deep value's coders` {
    /// A value that is nothing but another one: nesting without objects.
    indirect enum Wrapped: Codable {
        case value(Int)
        case wrapped(Wrapped)

        init(depth: Int) {
            self = .value(1)
            for _ in 0..<depth { self = .wrapped(self) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .value(let value): try container.encode(value)
            case .wrapped(let inner): try container.encode(inner)
            }
        }

        init(from decoder: any Decoder) throws {
            let depth = decoder.userInfo[.named("remaining")] as? Countdown
            let container = try decoder.singleValueContainer()
            self =
                depth?.next() == true
                ? .wrapped(try container.decode(Wrapped.self)) : .value(try container.decode(Int.self))
        }
    }

    final class Countdown: @unchecked Sendable {
        private var count: Int

        init(_ count: Int) { self.count = count }

        func next() -> Bool {
            count -= 1
            return count >= 0
        }
    }

    struct Failing: Codable {
        init() {}
        init(from decoder: any Decoder) throws { throw Failure() }
        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    @Test func `are not left to a thread with a small stack`() throws {
        #expect(20_000 > StackGuard.reusableDepth)
        let small = try ArchiveEncoder().encode(1)
        for _ in 0..<8 {
            try onThread(stackSize: 512 << 20) {
                _ = try? ArchiveEncoder().encode(Wrapped(depth: 20_000))
                var decoder = ArchiveDecoder()
                decoder.limits.nesting = 100_000
                decoder.userInfo[.named("remaining")] = Countdown(20_000)
                _ = try? decoder.decode(Wrapped.self, from: small)
            }
            // A coder that fails is given up, with whatever it was left.
            try onThread(stackSize: 512 << 10) {
                #expect(throws: Failure.self) { try ArchiveEncoder().encode(Failing()) }
                #expect(throws: Failure.self) { try ArchiveDecoder().decode(Failing.self, from: small) }
            }
        }
    }
}
