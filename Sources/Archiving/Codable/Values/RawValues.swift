import Synchronization

/// The knowledge about the raw values of a type of one byte, for the whole process.
///
/// It is determined after some values have been coded. The runtime's lookup is slow, so that it would only be a cost for
/// the few values in the first call of a process.
struct RawValues: ~Copyable, Sendable {
    enum Finding {
        /// Too few values have been coded.
        case unknown
        /// The type has no raw values.
        case none
        /// The type has raw values. Its cases are nil if the raw values have a type other than `Int` and `String`.
        case cases(Unmanaged<RawValueCases>?)
    }

    /// The stored findings. Smaller numbers count values, and larger ones are the addresses of cases.
    private enum State {
        static let none: UInt = 0xFE
        static let noCases: UInt = 0xFF
    }

    /// The number of values that are coded before the lookup.
    private static let unknownCount: UInt = 128

    private let state = Atomic<UInt>(0)

    /// Counts a value of `type` that is about to be coded, and returns the knowledge about its type.
    @inline(__always)
    func finding(for type: any Any.Type) -> Finding {
        let state = state.load(ordering: .acquiring)
        if state > State.noCases, let cases = UnsafeRawPointer(bitPattern: state) { return .cases(.fromOpaque(cases)) }
        return determine(type, state)
    }

    @inline(never)
    private func determine(_ type: any Any.Type, _ known: UInt) -> Finding {
        switch known {
        case ..<Self.unknownCount:
            state.store(known + 1, ordering: .relaxed)
            return .unknown
        case State.none: return .none
        case State.noCases: return .cases(nil)
        default: break
        }
        guard let type = type as? any RawRepresentable.Type else {
            state.store(State.none, ordering: .relaxed)
            return .none
        }
        let cases = RawValueCases.cases(of: type)
        state.store(cases.map { UInt(bitPattern: $0.toOpaque()) } ?? State.noCases, ordering: .releasing)
        return .cases(cases)
    }
}
