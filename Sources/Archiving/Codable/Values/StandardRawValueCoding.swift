import Synchronization

/// Determines whether an enum encodes or decodes itself as the standard library does for types with raw values, without
/// its own code. It is determined once per process, after some values of the type have been coded: for a few values it
/// would only be a cost.
///
/// The standard library's `init(from:)` and `encode(to:)` for types with raw values are one function for each raw type.
/// The function is among the callers of `singleValueContainer()` when it requests the container. Its place on the stack
/// is the difference between an enum that is known to use it and one that is known not to.
final class StandardRawValueCoding: Sendable {
    enum Direction { case encode, decode }

    /// The result. Smaller numbers count values without a result.
    private enum Finding {
        static let standard: UInt8 = 0xFE
        static let own: UInt8 = 0xFF
    }

    /// The number of values that are coded before one is observed.
    private static let unobservedCount: UInt8 = 8

    private let areTexts: Bool
    private let direction: Direction
    private let state = Atomic<UInt8>(0)

    init(ofTexts areTexts: Bool, _ direction: Direction) {
        self.areTexts = areTexts
        self.direction = direction
    }

    /// Whether the enum is known to use the standard library's function.
    var isStandard: Bool { state.load(ordering: .relaxed) == Finding.standard }

    /// Counts a value that is about to be coded.
    ///
    /// - Returns: An observation for it, or nil if none is needed.
    func observation() -> RawValueObservation? {
        let state = state.load(ordering: .relaxed)
        guard state >= Self.unobservedCount else {
            self.state.store(state + 1, ordering: .relaxed)
            return nil
        }
        guard state < Finding.standard else { return nil }
        return RawValueObservation(caller: RawValueProbe.caller(ofTexts: areTexts, direction))
    }

    /// Records the result of `observation` after its value is coded.
    ///
    /// - Parameter isOwnRawValue: Whether the value is its own raw value in the archive.
    func note(_ observation: RawValueObservation, isOwnRawValue: Bool) {
        state.store(observation.isStandard && isOwnRawValue ? Finding.standard : Finding.own, ordering: .relaxed)
    }
}

/// The observation of a value that is being coded.
struct RawValueObservation {
    /// The place in the standard library's function.
    let caller: CallerTrace
    private var callCount = 0
    private var standardCallCount = 0

    init(caller: CallerTrace) { self.caller = caller }

    /// Whether the standard library's function requested the value's only single value container.
    var isStandard: Bool { callCount == 1 && standardCallCount == 1 }

    /// Records the request for a single value container.
    @inline(never)
    mutating func noteContainer() {
        callCount += 1
        if CallerTrace().intersects(caller) { standardCallCount += 1 }
    }
}

// MARK: - Probes

/// Enums that are known to use the standard library's functions, and one that is known not to.
private enum RawValueProbe {
    private enum Integers: Int, Codable { case only }
    private enum Texts: String, Codable { case only }

    private enum Own: Int, Codable {
        case only

        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer()
            self = .only
        }

        func encode(to encoder: any Encoder) throws {
            _ = encoder.singleValueContainer()
        }
    }

    /// Returns the place in the standard library's function.
    static func caller(ofTexts areTexts: Bool, _ direction: StandardRawValueCoding.Direction) -> CallerTrace {
        switch direction {
        case .encode: areTexts ? encodingTexts : encodingIntegers
        case .decode: areTexts ? decodingTexts : decodingIntegers
        }
    }

    private static let encodingIntegers = encoding(Integers.only).subtracting(encoding(Own.only))
    private static let encodingTexts = encoding(Texts.only).subtracting(encoding(Own.only))
    private static let decodingIntegers = decoding(Integers.self).subtracting(decoding(Own.self))
    private static let decodingTexts = decoding(Texts.self).subtracting(decoding(Own.self))

    @inline(never)
    private static func encoding(_ value: any Encodable) -> CallerTrace {
        let coder = ProbeCoder()
        try? value.encode(to: coder)
        return coder.trace
    }

    @inline(never)
    private static func decoding(_ type: any Decodable.Type) -> CallerTrace {
        let coder = ProbeCoder()
        _ = try? type.init(from: coder)
        return coder.trace
    }
}

/// A coder that records the callers that request its single value container, and codes nothing.
private final class ProbeCoder: Encoder, Decoder {
    var trace = CallerTrace()
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private struct Nothing: Error {}

    @inline(never)
    func singleValueContainer() -> any SingleValueEncodingContainer {
        trace = CallerTrace()
        return Container()
    }

    @inline(never)
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        trace = CallerTrace()
        throw Nothing()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        preconditionFailure("An enumeration with raw values has no keys")
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        preconditionFailure("An enumeration with raw values has no elements")
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw Nothing() }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Nothing() }

    private struct Container: SingleValueEncodingContainer {
        var codingPath: [any CodingKey] { [] }

        func encode<Value: Encodable>(_ value: Value) throws { throw Nothing() }
        func encodeNil() throws { throw Nothing() }
    }
}
