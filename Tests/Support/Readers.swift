// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import Testing

/// A program's way of reading an archive that the tests here offer something bad.
package struct Reader: Sendable, CustomTestStringConvertible {
    package let name: String
    private let body: @Sendable (Data, DecodingLimits) throws -> String

    package init(_ name: String, _ body: @escaping @Sendable (Data, DecodingLimits) throws -> String) {
        self.name = name
        self.body = body
    }

    package var testDescription: String { name }

    /// What is read, as text.
    package func read(_ data: Data, _ limits: DecodingLimits = DecodingLimits()) throws -> String {
        try body(data, limits)
    }
}

extension Reader {
    /// `ArchiveDecoder`, with a requested type; the registry has only the `names`.
    package static func decoder<Value: Decodable & SendableMetatype>(
        _ type: Value.Type, _ policy: ClassRegistry.UnknownClassPolicy = .fail, names: ClassRegistry = ClassRegistry()
    ) -> Reader {
        Reader("ArchiveDecoder: \(type)\(policy == .fail ? "" : ", \(policy)")") { data, limits in
            var decoder = ArchiveDecoder()
            decoder.limits = limits
            decoder.classes = names
            decoder.classes.unknownClasses = policy
            return "\(Swift.type(of: try decoder.decode(type, from: data)))"
        }
    }

    /// `KeyedUnarchiver`, with the class "Link" registered.
    package static func unarchiver(
        _ name: String, _ policy: ClassRegistry.UnknownClassPolicy = .fail, isSecure: Bool = true,
        _ body: @escaping @Sendable (KeyedUnarchiver) throws -> Any?
    ) -> Reader {
        Reader("KeyedUnarchiver: \(name)\(policy == .fail ? "" : ", \(policy)")") { data, limits in
            let unarchiver = try KeyedUnarchiver(
                forReadingFrom: data, requiringSecureCoding: isSecure, limits: limits)
            unarchiver.classes.register(Link.self, name: "Link")
            unarchiver.classes.unknownClasses = policy
            defer { unarchiver.finishDecoding() }
            return try body(unarchiver).map { "\(Swift.type(of: $0))" } ?? "nil"
        }
    }

    /// `KeyedUnarchiver`, with the requested `types`.
    package static func listed(
        _ policy: ClassRegistry.UnknownClassPolicy = .fail, and more: [any (Any & SendableMetatype).Type] = []
    ) -> Reader {
        .unarchiver("whatever is listed", policy) { try $0.decodeObject(of: everything + more, forKey: "root") }
    }

    /// All types of values that lists may have, and `Link`.
    package static var everything: [any Any.Type] {
        [
            Link.self, [Any].self, Set<AnyHashable>.self, [AnyHashable: Any].self, Bool.self, Int.self, UInt128.self,
            Double.self, String.self, Data.self, Date.self, URL.self, UUID.self, Decimal.self, IndexPath.self,
            IndexSet.self, DateInterval.self, Locale.self, TimeZone.self, Calendar.self, DateComponents.self,
        ]
    }
}

// MARK: - Errors

/// The error of a limit.
package struct LimitFailure: CustomStringConvertible {
    package let description: String

    /// nil where `error` is another one: a limit is an `ArchivingError` or a `KeyedArchiveError` of the
    /// code `limit`, on its own or below a `DecodingError.dataCorrupted`.
    package init?(_ error: any Error) {
        switch error {
        case DecodingError.dataCorrupted(let context):
            guard let inner = context.underlyingError, let failure = LimitFailure(inner) else { return nil }
            description = context.debugDescription + failure.description
        case let error as ArchivingError where error.code == .limit: description = error.debugDescription
        case let error as KeyedArchiveError where error.code == .limit: description = error.description
        default: return nil
        }
    }

    /// Whether it says which limit was exceeded, and what that is, if anybody knows.
    package func names(_ limit: String, _ figure: Int?) -> Bool {
        description.contains(limit) && description.contains(figure.map { "\($0)" } ?? limit)
    }
}

/// The limit at which `body` stops; an issue is recorded where it does not.
@discardableResult
package func limitFailure<Result>(
    _ name: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) -> LimitFailure? {
    do {
        let result = try body()
        Issue.record("\(name()): no error, but \("\(result)".prefix(100))", sourceLocation: sourceLocation)
    } catch {
        if let failure = LimitFailure(error) { return failure }
        Issue.record("\(name()): no limit, but \("\(error)".prefix(300))", sourceLocation: sourceLocation)
    }
    return nil
}

// MARK: - Types

/// A structure that contains one of its own.
package struct Chain: Codable, SendableMetatype {
    package var next: [Chain]?
    package var name: String?
}

/// A class whose instances refer to each other.
package final class Relative: Codable, SendableMetatype {
    package var name: String?
    package var next: Relative?
    package var children: [Relative]?
}

/// A class with references of all kinds.
package final class Knot: Codable, SendableMetatype {
    @Reference package var next: Knot?
    @WeakReference package var back: Knot?
    @References package var all: [Knot]
}

/// What knows no types beforehand, and tries one after the other.
package indirect enum Guess: Decodable, SendableMetatype {
    case none
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    case text(String)
    case list([Guess])
    case table([String: Guess])

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .none
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let real = try? value.decode(Double.self) {
            self = .real(real)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([Guess].self) {
            self = .list(list)
        } else {
            self = .table(try value.decode([String: Guess].self))
        }
    }
}

/// A structure that goes on where a key is missing.
package struct Lenient: Decodable, SendableMetatype {
    private enum Keys: CodingKey {
        case first, second
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        _ = try? fields.decode(Int.self, forKey: .first)
        _ = try? fields.decode(String.self, forKey: .second)
    }
}

/// A structure with a key that has to be there.
package struct Strict: Codable, SendableMetatype {
    package var first: Int
}

/// A class that reads everything by key, and goes on after errors.
package final class Link: Coding {
    package init(coder: KeyedUnarchiver) throws {
        _ = try? coder.decodeIfPresent(Link.self, forKey: "next")
        _ = try? coder.decodeIfPresent([Link].self, forKey: "all")
        _ = try? coder.decodeIfPresent([String: Link].self, forKey: "named")
        _ = try? coder.decodeInteger(forKey: "integer")
        _ = try? coder.decodeIfPresent(String.self, forKey: "text")
        _ = try? coder.decodeObject(of: [Link.self, [Any].self], forKey: "any")
        _ = coder.archivedVersion(of: Link.self)
    }

    package func encode(with coder: KeyedArchiver) throws {}
}
