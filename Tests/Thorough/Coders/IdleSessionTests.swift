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
            if let other = otherSession.take() { RootEncoding.idle.leave(other) }
            var container = encoder.singleValueContainer()
            try container.encode("text")
        }
    }

    private static let otherDecoder = IdleObject<ProgramDecoder>()
    private static let otherSession = IdleObject<EncodingSession>()
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

    private static func checkEncoding(_ encode: () throws -> Void) throws {
        try encode()
        try takeOtherSession()
        try encode()
        #expect(wasAlive.withLock { $0 } == false)
    }

    private static func takeOtherSession() throws {
        let left = RootEncoding.idle.take()
        let other = try #require(left)
        other.userInfo = try userInfo {
            var own = RootEncoding.idle.take()
            weak let session = own
            weak let writing = own?.writing
            let isLeft = own != nil
            own = nil
            wasAlive.withLock { [isAlive = session != nil || writing != nil] in $0 = isLeft ? isAlive : nil }
        }
        otherSession.leave(other)
    }
}

extension `A session that a call has left for the next one` {
    @Test func `has no other reference after a decoding`() async {
        await #expect(processExitsWith: .success) {
            let data = try ArchiveEncoder().encode("text")
            try Self.checkDecoding { _ = try ArchiveDecoder().decode(Value.self, from: data) }
        }
    }

    @Test func `has no other reference after an encoding`() async {
        await #expect(processExitsWith: .success) {
            try Self.checkEncoding { _ = try ArchiveEncoder().encode(Value()) }
        }
    }

    @Test func `has no other reference after a keyed archive was written`() async {
        await #expect(processExitsWith: .success) {
            try Self.checkEncoding {
                let archiver = try KeyedArchiver.archivedData(withRootObject: Holder())
                #expect(!archiver.isEmpty)
            }
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

        func encode(with coder: KeyedArchiver) throws {
            if let other = otherSession.take() { RootEncoding.idle.leave(other) }
        }
    }
}
