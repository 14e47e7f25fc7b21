// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzCases
import Synchronization

/// A mutant and how it is made again.
struct MutantRecipe: CustomStringConvertible {
    let seed: String
    let mutant: Mutant

    /// The seed, the mutation, and the bytes.
    var description: String {
        let hex = mutant.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "the seed \"\(seed)\", \(mutant.name); \(mutant.bytes.count) bytes: \(hex)"
    }
}

/// Reports which mutants were being read if one of them ends the process or takes minutes: in the first case no issue can be
/// recorded.
///
/// Each run has a place for the name and the bytes of its current mutant. A signal reports what ends a process, and its handler
/// may do little more than write these bytes.
final class LastMutants: @unchecked Sendable {
    /// Runs at the same time; more of them would share places.
    private static let placeCount = 32
    private static let nameSize = 256
    private static let byteSize = 1 << 16
    /// Seconds without a new mutant, after which the process is ended.
    private static let patience: UInt32 = 120
    private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM]

    private static let shared = LastMutants()

    private struct Place {
        var nameCount = 0
        var byteCount = 0
        let name = UnsafeMutablePointer<UInt8>.allocate(capacity: nameSize)
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: byteSize)
    }

    private let places: UnsafeMutablePointer<Place>
    /// What the process did at each signal before.
    private let handlers: UnsafeMutablePointer<sigaction>
    private let next = Atomic<Int>(0)
    private let running = Atomic<Int>(0)

    private init() {
        places = .allocate(capacity: Self.placeCount)
        for number in 0..<Self.placeCount { (places + number).initialize(to: Place()) }
        handlers = .allocate(capacity: Self.signals.count)
        handlers.initialize(repeating: sigaction(), count: Self.signals.count)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { LastMutants.shared.report($0) }
        for (index, number) in Self.signals.enumerated() { sigaction(number, &action, handlers + index) }
    }

    /// Lets `body` read mutants, each of which it hands to the function that it is given before it does so.
    static func watch<Result>(_ body: ((MutantRecipe) -> Void) throws -> Result) rethrows -> Result {
        let place = shared.places + shared.next.add(1, ordering: .relaxed).oldValue % placeCount
        shared.running.add(1, ordering: .relaxed)
        defer {
            place.pointee.nameCount = 0
            if shared.running.subtract(1, ordering: .relaxed).newValue == 0 { alarm(0) }
        }
        return try body { recipe in
            alarm(patience)
            place.pointee.nameCount = 0
            place.pointee.byteCount = store(recipe.mutant.bytes, at: place.pointee.bytes, limit: byteSize)
            let name = Array("\(recipe.seed), \(recipe.mutant.name): ".utf8)
            place.pointee.nameCount = store(name, at: place.pointee.name, limit: nameSize)
        }
    }

    private static func store(_ bytes: [UInt8], at target: UnsafeMutablePointer<UInt8>, limit: Int) -> Int {
        let count = min(bytes.count, limit)
        bytes.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { target.update(from: base, count: count) }
        }
        return count
    }

    /// Writes all that is being read, and lets the signal take its course.
    private func report(_ number: Int32) {
        for (index, other) in Self.signals.enumerated() where other == number {
            sigaction(number, handlers + index, nil)
        }
        for place in UnsafeBufferPointer(start: places, count: Self.placeCount) where place.nameCount > 0 {
            let text: StaticString = "\nA mutant was being read: "
            _ = write(2, text.utf8Start, text.utf8CodeUnitCount)
            _ = write(2, place.name, place.nameCount)
            for index in 0..<place.byteCount {
                var digits = (Self.digit(place.bytes[index] >> 4), Self.digit(place.bytes[index] & 0x0F))
                _ = write(2, &digits, 2)
            }
        }
        raise(number)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
