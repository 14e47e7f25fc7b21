// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A cancelled task` {
    final class Node: Codable, Coding {
        static var supportsSecureCoding: Bool { true }
        var number: Int
        init(_ number: Int) { self.number = number }
        init(coder: KeyedUnarchiver) throws { number = try coder.decodeInteger(forKey: "number") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(number, forKey: "number") }
    }

    struct Value: Codable, Equatable {
        var number: Int
    }

    private static let count = 20_000

    /// What `body` does in a task that is cancelled.
    private func cancelled(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try body()
        }.value
    }

    @Test func `does not decode a large archive to its end`() async throws {
        let values = try ArchiveEncoder().encode((0..<Self.count).map { Value(number: $0) })
        let nodes = try KeyedArchiver.archivedData(withRootObject: (0..<Self.count).map { Node($0) })
        await #expect(throws: CancellationError.self) {
            try await cancelled { _ = try ArchiveDecoder().decode([Value].self, from: values) }
        }
        await #expect(throws: CancellationError.self) {
            try await cancelled { _ = try KeyedUnarchiver.unarchivedObject(of: [Node].self, from: nodes) }
        }
        // A type that catches the error gets no further.
        struct Stubborn: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while !container.isAtEnd { if (try? container.decode(Value.self)) == nil { break } }
            }
        }
        await #expect(throws: CancellationError.self) {
            try await cancelled { _ = try ArchiveDecoder().decode(Stubborn.self, from: values) }
        }
        #expect(try ArchiveDecoder().decode([Value].self, from: values).count == Self.count)
    }

    @Test func `does not encode a large graph to its end`() async throws {
        await #expect(throws: CancellationError.self) {
            try await cancelled { _ = try ArchiveEncoder().encode((0..<Self.count).map { Value(number: $0) }) }
        }
        // None of the collections is large.
        await #expect(throws: CancellationError.self) {
            try await cancelled {
                let values = (0..<Self.count).map { Value(number: $0) }
                let lists = stride(from: 0, to: Self.count, by: 100).map { Array(values[$0..<$0 + 100]) }
                _ = try ArchiveEncoder().encode(lists)
            }
        }
        await #expect(throws: CancellationError.self) {
            try await cancelled {
                _ = try ArchiveEncoder().encode(
                    Dictionary(uniqueKeysWithValues: (0..<Self.count).map { ($0, Value(number: $0)) }))
            }
        }
        await #expect(throws: CancellationError.self) {
            try await cancelled {
                _ = try KeyedArchiver.archivedData(withRootObject: (0..<Self.count).map { Node($0) })
            }
        }
    }

    @Test func `codes what is small`() async throws {
        try await cancelled {
            let data = try ArchiveEncoder().encode([Value(number: 1)])
            #expect(try ArchiveDecoder().decode([Value].self, from: data) == [Value(number: 1)])
        }
    }
}
