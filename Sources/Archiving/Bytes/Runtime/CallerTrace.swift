/// The return addresses of the innermost calls.
///
/// It relies on `backtrace` of the C library, which debuggers and crash reporters use. Without it, every trace is
/// empty, and callers of this type take their ordinary path.
struct CallerTrace: Sendable {
    private var addresses: Set<UInt>

    /// The maximum number of calls in a trace.
    private static var depth: Int { 10 }

    /// Records the trace of the caller.
    @inline(never)
    init() {
        guard RuntimeLayout.tracesCallers else {
            addresses = []
            return
        }
        // The first address is in this function.
        addresses = Set(Platform.returnAddresses(Self.depth).dropFirst())
    }

    /// Returns the addresses of this trace that are not in `other`.
    func subtracting(_ other: CallerTrace) -> CallerTrace {
        var result = self
        result.addresses.subtract(other.addresses)
        return result
    }

    /// Returns whether both traces have a common address.
    func intersects(_ other: CallerTrace) -> Bool { !addresses.isDisjoint(with: other.addresses) }
}
