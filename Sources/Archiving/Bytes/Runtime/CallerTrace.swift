/// The places that the innermost calls return to.
///
/// What is relied on: `backtrace` of the C library, which debuggers and crash reports are made of. If there is none, every trace
/// is empty, and callers of this take their ordinary way.
struct CallerTrace: Sendable {
    private var addresses: Set<UInt>

    /// Calls that a trace has at most.
    private static var depth: Int { 10 }

    /// The trace of the caller.
    @inline(never)
    init() {
        guard RuntimeLayout.tracesCallers else {
            addresses = []
            return
        }
        // The first is here.
        addresses = Set(Platform.returnAddresses(Self.depth).dropFirst())
    }

    /// What this trace has and `other` has not.
    func subtracting(_ other: CallerTrace) -> CallerTrace {
        var result = self
        result.addresses.subtract(other.addresses)
        return result
    }

    /// Whether there is a place that both have.
    func intersects(_ other: CallerTrace) -> Bool { !addresses.isDisjoint(with: other.addresses) }
}
