// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Archiving

/// Each test has a process of its own: no other thread takes or leaves a session.
@Suite(.inTurn) struct `A session that a call has left for the next one` {
    /// Calls a closure when it is deallocated.
    private final class Observer: Sendable {
        let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        deinit { action() }
    }

    /// A value whose coding leaves another session. At its end, the call replaces that session, which is released then.
    fileprivate struct Value: Codable {
        init() {}

        init(from decoder: any Decoder) throws {
            if let other = otherDecoder.take() { DecodingSession.idle.leave(other) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("text")
        }
    }

    private static let otherDecoder = IdleObject<ProgramDecoder>()
    /// Whether the session of the call was alive after the reference in the place for the next call was released.
    private static let wasAlive = Mutex<Bool?>(nil)

    /// User info that calls `action` when it is released.
    private static func userInfo(_ action: @escaping @Sendable () -> Void) throws -> [CodingUserInfoKey: any Sendable] {
        [try #require(CodingUserInfoKey(rawValue: "observer")): Observer(action)]
    }

    private static func checkDecoding(_ decode: () throws -> Void) throws {
        try decode()
        try takeOtherDecoder()
        try decode()
        #expect(wasAlive.withLock { $0 } == false)
    }

    private static func takeOtherDecoder() throws {
        let left = DecodingSession.idle.take()
        let other = try #require(left)
        other.decoding.session.userInfo = try userInfo {
            var own = DecodingSession.idle.take()
            weak let session = own?.decoding.session
            weak let reading = own?.decoding.reading
            let isLeft = own != nil
            own = nil
            wasAlive.withLock { [isAlive = session != nil || reading != nil] in $0 = isLeft ? isAlive : nil }
        }
        otherDecoder.leave(other)
    }
}

extension `A session that a call has left for the next one` {
    @Test func `has no other reference after a decoding`() async {
        await #expect(processExitsWith: .success) {
            let data = try ArchiveEncoder().encode("text")
            try Self.checkDecoding { _ = try ArchiveDecoder().decode(Value.self, from: data) }
        }
    }

    @Test func `has no other reference after a keyed archive was read`() async {
        await #expect(processExitsWith: .success) {
            let data = try KeyedArchiver.archivedData(withRootObject: Holder())
            try Self.checkDecoding { _ = try KeyedUnarchiver.unarchivedObject(of: Holder.self, from: data) }
        }
    }

    /// As `Value`.
    fileprivate final class Holder: Coding {
        init() {}

        init(coder: KeyedUnarchiver) throws {
            if let other = otherDecoder.take() { DecodingSession.idle.leave(other) }
        }

        func encode(with coder: KeyedArchiver) throws {}
    }
}

@Suite(.inTurn) struct `Objects that calls leave for the next ones` {
    private final class Object {}

    @Test func `are taken once, and are at most as many as the processors`() throws {
        let idle = IdleObjects<Object>()
        let objects = (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in Object() }
        #expect(objects.map { idle.leave($0) } == objects.indices.map { $0 < objects.count - 1 })
        let taken = objects.compactMap { _ in idle.take() }
        #expect(Set(taken.map(ObjectIdentifier.init)) == Set(objects.dropLast().map(ObjectIdentifier.init)))
        #expect(taken.count == objects.count - 1)
        #expect(idle.take() == nil)
    }
}
