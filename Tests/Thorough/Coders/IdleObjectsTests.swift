// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `Objects that calls leave for the next ones` {
    private final class Object {}

    @Test func `are taken once, and are at most sixteen`() throws {
        let idle = IdleObjects<Object>()
        let objects = (0...16).map { _ in Object() }
        #expect(objects.map { idle.leave($0) } == objects.indices.map { $0 < objects.count - 1 })
        let taken = objects.compactMap { _ in idle.take() }
        #expect(Set(taken.map(ObjectIdentifier.init)) == Set(objects.dropLast().map(ObjectIdentifier.init)))
        #expect(taken.count == objects.count - 1)
        #expect(idle.take() == nil)
    }
}
