/// Tells before a recursion whether the stack has room for it, measured from what is left of the calling thread's stack.
package struct StackGuard {
    /// Nesting up to which nobody needs to ask.
    package static let freeDepth = 32
    /// Nesting up to which coders may be kept for another call. They are taken down one inside the other, and on whichever
    /// thread comes next, so a long chain of them is left to the thread that made it.
    static let reusableDepth = 64
    /// What has to stay free for the code of one level, and for whatever it calls.
    private static let reserve: UInt = 128 * 1024

    /// The address that the stack may not grow below. 0 until the first question.
    private var limit: UInt = 0

    package init() {}

    /// Whether there is room on the stack. Asked on the thread that asked first.
    @inline(__always)
    package mutating func hasRoom() -> Bool {
        let here = Self.stackPointer()
        if limit == 0 { limit = Self.measure(from: here) }
        return here > limit
    }

    /// What an error says of values that are nested `depth` levels deep: `subject` names them, with its verb.
    package static func sentence(_ subject: String, _ depth: Int) -> String {
        depth > 0
            ? "\(subject) nested \(depth) levels deep, and the stack has no room for more"
            : "The stack has no room for more values"
    }

    @inline(never)
    private static func measure(from here: UInt) -> UInt {
        let lowest = Platform.stackLimit()
        guard lowest > 0, here > lowest else { return 1 }
        // A thread with a small stack keeps half of what it has left.
        return lowest + min(reserve, (here - lowest) / 2)
    }

    @inline(__always)
    private static func stackPointer() -> UInt {
        var marker: UInt8 = 0
        return withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    }
}
