// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An enumeration whose author declares which case has which name and which values.
///
/// ```swift
/// enum Link: ArchivedCases {
///     case node(Node)
///     case label(String, size: Double)
///     case nothing
///
///     static let cases = CaseList<Link> {
///         Case("node", Link.node) { if case .node(let node) = $0 { node } else { nil } }
///         Case("label", Link.label, keys: "_0", "size") {
///             if case .label(let text, let size) = $0 { (text, size) } else { nil }
///         }
///         Case("nothing", .nothing) { if case .nothing = $0 { true } else { false } }
///     }
/// }
/// ```
///
/// A value has the form that the compiler synthesises for `Codable`: a keyed container with the name of the case, which
/// contains a keyed container with its values. The key of a value is its label, or `_0`, `_1` and so on without one.
///
/// A declared enumeration is a part of the declared fields around it: instances in its values may form cycles and chains of
/// any length, as in ``ArchivedFields``. An enumeration that the compiler makes `Codable` decodes them recursively.
///
/// An enumeration with raw values needs no declaration: see ``FieldOption/rawValue``.
public protocol ArchivedCases: ArchivedType, Codable, SendableMetatype {
    /// The cases. Each value of the type belongs to one of them.
    static var cases: CaseList<Self> { get }
}

/// The declared cases of an enumeration: see ``ArchivedCases``.
public struct CaseList<Root: SendableMetatype>: Sendable {
    fileprivate let cases: [Case<Root>]

    /// Creates a list of cases.
    public init(@CaseListBuilder<Root> _ cases: () -> [Case<Root>]) {
        self.cases = cases()
        var names: Set<ExactText> = []
        for name in self.cases.map(\.name) {
            require(
                names.insert(ExactText(name)).inserted,
                "\(Root.self).cases has two cases with the name \"\(name)\"")
        }
    }
}

/// Builds the list of an enumeration's cases.
@resultBuilder
public enum CaseListBuilder<Root: SendableMetatype> {
    /// Returns the case of a statement.
    public static func buildExpression(_ one: Case<Root>) -> [Case<Root>] { [one] }

    /// Returns the cases of all statements.
    public static func buildBlock(_ cases: [Case<Root>]...) -> [Case<Root>] { cases.flatMap { $0 } }
}

/// A case of an enumeration, its name and the keys of its values: see ``ArchivedCases``.
public struct Case<Root: SendableMetatype>: Sendable {
    /// The name in the archive.
    public let name: String
    /// Encodes the values of `root` if it is of the case; returns whether it is.
    fileprivate let encode: @Sendable (Root, () -> KeyedEncodingContainer<ArchiveKey>) throws -> Bool
    fileprivate let decode: @Sendable (KeyedDecodingContainer<ArchiveKey>) throws -> Root

    /// Creates a case without values.
    ///
    /// - Parameters:
    ///   - name: The name in the archive.
    ///   - value: The case.
    ///   - isCase: Returns whether a value is of the case.
    public init(
        _ name: String, _ value: @autoclosure @escaping @Sendable () -> Root,
        _ isCase: @escaping @Sendable (Root) -> Bool
    ) {
        self.name = name
        encode = { root, container in
            guard isCase(root) else { return false }
            _ = container()
            return true
        }
        decode = { _ in value() }
    }

    /// Creates a case with values.
    ///
    /// - Parameters:
    ///   - name: The name in the archive.
    ///   - make: Creates a value of the case: the case itself, such as `Link.label`.
    ///   - keys: The keys of the values, in their order. Without keys they are `_0`, `_1` and so on.
    ///   - values: Returns the values of a value of the case; nil for another case.
    public init<each Value: Codable & SendableMetatype>(
        _ name: String, _ make: @escaping @Sendable (repeat each Value) -> Root, keys: String...,
        values: @escaping @Sendable (Root) -> (repeat each Value)?
    ) {
        self.name = name
        var count = 0
        for _ in repeat (each Value).self { count += 1 }
        require(
            keys.isEmpty || keys.count == count,
            "The case \"\(name)\" of \(Root.self) has \(count) values and \(keys.count) keys")
        let names = (keys.isEmpty ? (0..<count).map { "_\($0)" } : keys).map { ArchiveKey(stringValue: $0) }
        encode = { root, container in
            guard let values = values(root) else { return false }
            var container = container()
            var index = 0
            func encode(_ value: some Encodable) throws {
                defer { index += 1 }
                if isAbsent(value) { return }
                try container.encode(value, forKey: names[index])
            }
            repeat try encode(each values)
            return true
        }
        decode = { container in
            var index = 0
            func decode<One: Decodable>(_ type: One.Type) throws -> One {
                defer { index += 1 }
                if let absent = absentValueType(type), !container.contains(names[index]) {
                    return absentValue(of: absent)
                }
                return try container.decode(type, forKey: names[index])
            }
            return make(repeat try decode((each Value).self))
        }
    }
}

// MARK: - Codable

extension ArchivedCases {
    /// Encodes the value in the form that the compiler synthesises.
    ///
    /// - Throws: The errors of the encoder, and `EncodingError.invalidValue` if no declared case has the value.
    public func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: ArchiveKey.self)
        for one in Self.cases.cases {
            let isEncoded = try one.encode(self) {
                outer.nestedContainer(keyedBy: ArchiveKey.self, forKey: ArchiveKey(stringValue: one.name))
            }
            if isEncoded { return }
        }
        throw EncodingError.invalid(self, path: encoder.codingPath) {
            "\($0).cases has no case for \(EncodingError.shown(self)) at \($1). Declare the case"
        }
    }

    /// Creates the value of the case whose name is the key.
    ///
    /// - Throws: The errors of the decoder, and `DecodingError.typeMismatch` if there is not exactly one key, or no declared
    ///   case has it.
    public init(from decoder: any Decoder) throws {
        // The values may be instances whose fields are read later.
        DecodingFrame.behind(decoder)?.continueFields()
        let outer = try decoder.container(keyedBy: ArchiveKey.self)
        let names = outer.allKeys
        guard names.count == 1, let one = Self.cases.cases.first(where: { $0.name == names[0].stringValue }) else {
            let found =
                names.count == 1
                ? "\"\(names[0].stringValue)\", which is no case of \(Self.self)" : "\(names.count) keys"
            throw DecodingError.invalid(as: Self.self, path: decoder.codingPath) {
                "A value of \(Self.self) has one key, the name of its case. At \($0) is \(found)"
            }
        }
        self = try one.decode(outer.nestedContainer(keyedBy: ArchiveKey.self, forKey: names[0]))
    }
}
