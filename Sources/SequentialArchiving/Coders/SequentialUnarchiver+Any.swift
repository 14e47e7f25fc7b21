// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension TypedStream {
    /// A C value with its type: the content of an NSValue.
    public struct TypedValue: Sendable, Equatable {
        /// The type.
        public var type: TypeEncoding
        /// The value.
        public var value: Value

        /// Creates a value of a type.
        public init(_ type: TypeEncoding, _ value: Value) {
            self.type = type
            self.value = value
        }
    }
}

extension TypedStream.TypedValue: SequentialValue {
    /// Returns an NSValue, or the value itself if `type` is its type. Values with references into their archive (to an object, a
    /// class or a C string) cannot be encoded.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` if the value contains a reference, or the type is another one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard !value.isReferring else { throw coder.notEncodableError(self, as: type) }
        if type == self.type { return value }
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        let name = TypedStream.Value.cString(coder.cStringIndex(of: Array(self.type.description.utf8)))
        return .object(
            coder.add(.value, [TypedStream.Group([.cString], [name]), TypedStream.Group([self.type], [value])]))
    }

    /// Returns the content of an NSValue or an NSNumber, or any other value with its type.
    ///
    /// - Throws: `ArchivingError.Code.typeMismatch` for an object of another class.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> TypedStream.TypedValue {
        guard case .object(let index?) = value else { return TypedStream.TypedValue(type, value) }
        return try coder.typedValue(at: index)
    }
}

// MARK: - Decoding

/// Objects whose type is known only at run time:
///
/// - an NSString is a `String`, NSData `Data`, NSDate a `Date`, NSURL a `URL`, NSAttributedString an `AttributedText`;
/// - an NSNumber is an `Int`, or a `UInt` if it is out of range, a `Float` or a `Double`; of the type `B` a `Bool`. Foundation
///   writes both Bools and small integers as `c`, so these are decoded as `Int`;
/// - an NSValue is a `TypedStream.TypedValue`;
/// - an NSArray is `[Any]`, an NSSet `Set<AnyHashable>`, an NSDictionary `[AnyHashable: Any]`; nil and NSNull in them are
///   `Optional<Any>.none`;
/// - objects of classes that are registered are instances of those; others are `UnknownSequentialObject`.
extension SequentialUnarchiver {
    /// Decodes the next object of any class; `nil` for nil.
    ///
    /// - Throws: As `decode(_:)`.
    public func decodeObject() throws -> Any? {
        try nextGroup { group in
            guard group.types == [.object], case .object(let index) = group.values[0] else {
                throw typeMismatchError(
                    Any.self, found: group.values.first ?? .ignored, of: group.types.first ?? .ignored)
            }
            return try index.flatMap { try any(at: $0) }
        }
    }

    /// Returns the object at a position; nil for NSNull and for skipped objects.
    func any(at index: Int) throws -> Any? {
        switch foundationClass(at: index) {
        case .string: return try string(at: index)
        case .data: return try data(at: index)
        case .date: return try date(at: index)
        case .url: return try url(at: index)
        case .number: return try anyNumber(at: index)
        case .value: return try typedValue(at: index)
        case .null: return nil
        case .attributedString: return try attributedText(at: index)
        case .array: return try shared(index) { try withObject(index) { try anyElements(.int) } }
        case .set:
            return try shared(index) {
                try withObject(index) { Set(try anyElements(.unsignedInt).map { try anyHashable($0) }) }
            }
        case .dictionary: return try shared(index) { try withObject(index) { try anyEntries() } }
        case nil: return try anyInstance(at: index)
        }
    }

    private func anyNumber(at index: Int) throws -> Any {
        let number = try typedValue(at: index)
        switch number.value {
        // `Int` has 32 bits on some systems.
        case .integer(let value): return Int(exactly: value) ?? value
        case .unsigned(let value) where number.type == .bool: return value != 0
        case .unsigned(let value): return Int(exactly: value) ?? UInt(value)
        case .float(let value): return value
        case .double(let value): return value
        default: throw error(.damaged, "Found an NSNumber of the type \"\(TypeEncoding.start(of: [number.type]))\"")
        }
    }

    func typedValue(at index: Int) throws -> TypedStream.TypedValue {
        switch foundationClass(at: index) {
        case .value, .number: break
        default: throw typeMismatchError(TypedStream.TypedValue.self, found: .object(index), of: .object)
        }
        return try withObject(index) {
            let (type, value) = try objectiveCValue()
            return TypedStream.TypedValue(type, value)
        }
    }

    private func anyElements(_ countType: TypeEncoding) throws -> [Any] {
        try (0..<(try elementCount(countType))).map { _ in try anyElement() }
    }

    /// Decodes the next element of a container. Nil becomes `Optional<Any>.none`.
    private func anyElement() throws -> Any { try decodeObject() ?? (Any?.none as Any) }

    private func anyEntries() throws -> [AnyHashable: Any] {
        var entries: [AnyHashable: Any] = [:]
        for _ in 0..<(try elementCount(.int, groupsEach: 2)) {
            let key = try anyHashable(try anyElement())
            entries[key] = try anyElement()
        }
        return entries
    }

    private func anyHashable(_ value: Any) throws -> AnyHashable {
        guard let hashable = value as? AnyHashable else {
            throw error(
                .typeMismatch,
                "Found a \(Swift.type(of: value)) as a key or an element of a set, but it is not Hashable. Decode the container"
                    + " by its type, or make the class Hashable")
        }
        if HashedSets.areTooDeep(value) { throw error(.limit, "Found \(HashedSets.sentence)") }
        return try self.hashable(hashable)
    }
}

// MARK: - Encoding

extension SequentialArchiver {
    /// Encodes a value whose type is known only at run time, as an object. The value is a result of `decodeObject()` or another
    /// `SequentialValue`.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` for other values.
    public func encodeObject(_ value: Any?) throws {
        try append(.object, .object(value.flatMap { try anyIndex(of: $0) }))
    }

    /// Returns the position of the object for `value`; nil for nil.
    private func anyIndex(of value: Any) throws -> Int? {
        try nested { try unguardedIndex(of: value) }
    }

    private func unguardedIndex(of value: Any) throws -> Int? {
        switch value {
        case let value as any SequentialValue:
            guard case .object(let index) = try value.sequentialValue(as: .object, in: self) else {
                throw notEncodableError(value, as: .object)
            }
            return index
        case let values as [Any]:
            return try container(.array, count: values.count, .int, values.map { try anyElement($0) })
        case let values as Set<AnyHashable>:
            return try container(.set, count: values.count, .unsignedInt, values.map { try anyElement($0.base) })
        case let entries as [AnyHashable: Any]:
            let contents = try entries.flatMap { [try anyElement($0.key.base), try anyElement($0.value)] }
            return try container(.dictionary, count: entries.count, .int, contents)
        case Optional<Any>.none: return nil
        case let value as AnyHashable where !(value.base is AnyHashable): return try unguardedIndex(of: value.base)
        default: throw notEncodableError(value, as: .object)
        }
    }

    func anyElement(_ value: Any) throws -> Int { try anyIndex(of: value) ?? null }
}
