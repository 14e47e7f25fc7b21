// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

extension Reader {
    /// `SequentialUnarchiver`, with the classes of these tests registered.
    static func sequential(
        _ name: String, _ policy: ClassRegistry.UnknownClassPolicy = .placeholder,
        _ body: @escaping @Sendable (SequentialUnarchiver) throws -> Any?
    ) -> Reader {
        Reader("SequentialUnarchiver: \(name)\(policy == .placeholder ? "" : ", \(policy)")") { data, limits in
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data, limits: limits)
            unarchiver.classes = .sequential
            unarchiver.classes.unknownClasses = policy
            return try body(unarchiver).map { "\(Swift.type(of: $0))" } ?? "nil"
        }
    }

    /// `SequentialUnarchiver`, with a requested type.
    static func sequential<Value: SequentialValue>(_ type: Value.Type) -> Reader {
        .sequential("\(type)") { try $0.decode(type) }
    }

    /// `SequentialUnarchiver`, with a request for any object.
    static let sequentialAny: Reader = .sequential("anything") { try $0.decodeObject() }
}

extension Attack {
    /// The same typedstream for several readers.
    static func streams(
        _ name: String, _ readers: [Reader], _ end: End, _ root: @escaping @Sendable (RawStream) -> Int
    ) -> [Attack] {
        readers.map { Attack(name, $0, end, data: { RawStream.data(root) }) }
    }
}

extension ClassRegistry {
    /// The classes of these tests.
    static let sequential: ClassRegistry = {
        var classes = ClassRegistry()
        classes.register(Ring.self)
        classes.register(Hook.self)
        classes.register(Trier.self)
        return classes
    }()
}

// MARK: - Types

/// An instance that needs the next one to be made, and does not publish itself.
final class Ring: SequentialCoding, ArchiveDescribing {
    static let archiveName = "Ring"

    let next: Ring?

    init(coder: SequentialUnarchiver) throws { next = try coder.decode(Ring?.self) }

    func encode(with coder: SequentialArchiver) throws { try coder.encode(next) }
}

/// An instance to which the next one is handed later.
final class Hook: SequentialCoding, ArchiveDescribing {
    static let archiveName = "Hook"

    var next: Hook?

    init(coder: SequentialUnarchiver) throws {
        try coder.decodeReference(Hook.self) { [unowned self] in next = $0 }
        // One that is to fail has something else here.
        if !coder.isAtEnd { _ = try coder.decode(Int.self) }
    }

    func encode(with coder: SequentialArchiver) throws { try coder.encode(next) }

    /// Takes a chain apart, which would be released by recursion, and counts it.
    func takeApart() -> Int {
        var (hook, count) = (self, 1)
        while let next = hook.next {
            hook.next = nil
            (hook, count) = (next, count + 1)
        }
        return count
    }
}

/// An instance that continues after errors, and requests the versions of classes.
final class Trier: SequentialCoding, ArchiveDescribing {
    static let archiveName = "Trier"

    init(coder: SequentialUnarchiver) throws {
        _ = (coder.archivedVersion(of: Trier.self), coder.archivedVersion(of: Hook.self))
        _ = (coder.version(forClassName: "nobody"), coder.version(forClassName: "Trier"))
        while !coder.isAtEnd {
            if (try? coder.decode(Trier.self)) != nil { continue }
            if (try? coder.decode(Int.self)) != nil { continue }
            if (try? coder.decode([Hook].self)) != nil { continue }
            _ = try coder.decodeObject()
        }
    }

    func encode(with coder: SequentialArchiver) throws {}
}

/// A list of lists, as deep as the archive says.
struct Nest: SequentialValue {
    static let sequentialTypeEncoding = TypeEncoding.object

    let nests: [Nest]

    func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        try nests.sequentialValue(as: type, in: coder)
    }

    static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Nest {
        Nest(nests: try [Nest].fromSequentialValue(value, of: type, in: coder))
    }
}
