// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Checks before a recursion whether enough of the calling thread's stack remains.
package struct StackGuard {
    /// The nesting depth up to which no check is necessary.
    package static let freeDepth = 32
    /// The nesting depth up to which coders may be kept for another call. They are deallocated recursively, on any
    /// thread, so a longer chain of them is left to the thread that created it.
    static let reusableDepth = 64
    /// The stack space that must remain for the code of one level, and for the functions that it calls.
    private static let reserve: UInt = 128 * 1024

    /// The address that the stack may not grow below. 0 until the first check.
    private var limit: UInt = 0

    package init() {}

    /// Returns whether enough of the stack remains. Call it only on the thread of the first call.
    @inline(__always)
    package mutating func hasRoom() -> Bool {
        let here = Self.stackPointer()
        if limit == 0 { limit = Self.measure(from: here) }
        return here > limit
    }

    /// Whether so little of the calling thread's stack remains that a call of a coder inside another one must not begin.
    static var isExhausted: Bool { stackPointer() < Platform.stackLimit() + reserve / 4 }

    /// The sentence of an error about values that are nested `depth` levels deep: `subject` names them, with its verb.
    package static func sentence(_ subject: String, _ depth: Int) -> String {
        depth > 0
            ? "\(subject) nested \(depth) levels deep, and the stack has no room for more"
            : "The stack has no room for more values"
    }

    @inline(never)
    private static func measure(from here: UInt) -> UInt {
        let lowest = Platform.stackLimit()
        guard lowest > 0, here > lowest else { return 1 }
        // On a thread with a small stack, half of the remaining space stays free.
        return lowest + min(reserve, (here - lowest) / 2)
    }

    @inline(__always)
    private static func stackPointer() -> UInt {
        var marker: UInt8 = 0
        // Safe because the address is only compared.
        return unsafe withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    }
}
