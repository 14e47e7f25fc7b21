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
    /// The part of the stack that an encoder uses: one of so many. A level takes a decoder up to this many times as much stack, so
    /// that a decoder on an equal stack has room for what was encoded.
    static let encodingShare: UInt = 4

    /// The address that the stack may not grow below. 0 until the first check.
    private var limit: UInt = 0
    /// The address below which no code can run safely.
    private var end: UInt = 0
    private let share: UInt

    package init() { self.init(share: 1) }

    /// Creates a guard of one of `share` equal parts of the stack that remains at the first check.
    init(share: UInt) { self.share = share }

    /// Returns whether enough of the stack remains. Call it only on the thread of the first call.
    @inline(__always)
    package mutating func hasRoom() -> Bool {
        let here = Self.stackPointer()
        if limit == 0 { measure(from: here) }
        return here > limit
    }

    /// Whether so little of the stack remains that the caller must not return to a recursion. Call it after `hasRoom()`.
    var isFull: Bool { Self.stackPointer() <= end }

    /// Whether so little of the calling thread's stack remains that a call of a coder inside another one must not begin.
    static var isExhausted: Bool { stackPointer() < Platform.stackLimit() + reserve / 4 }

    /// The sentence of an error about values that are nested `depth` levels deep: `subject` names them, with its verb.
    package static func sentence(_ subject: String, _ depth: Int) -> String {
        depth > 0
            ? "\(subject) nested \(depth) levels deep, and the stack has no room for more"
            : "The stack has no room for more values"
    }

    @inline(never)
    private mutating func measure(from here: UInt) {
        limit = 1
        let lowest = Platform.stackLimit()
        guard lowest > 0, here > lowest else { return }
        // On a thread with a small stack, half of the remaining space stays free.
        let reserve = min(Self.reserve, (here - lowest) / 2)
        limit = here - (here - lowest - reserve) / share
        end = lowest + reserve / 4
    }

    @inline(__always)
    private static func stackPointer() -> UInt {
        var marker: UInt8 = 0
        // Safe because the address is only compared.
        return unsafe withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    }
}
