// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Typedstreams

extension Agreement {
    /// What has to hold for sequential archives.
    static let sequential = [streams, byteOrders, sequentialAgain, constructed]

    /// Whatever one reader opens, the other opens.
    static let streams = Agreement("both readers open the same typedstreams") { data in
        let stream = Result { try TypedStream(data) }
        let unarchiver = Result { try SequentialUnarchiver(forReadingFrom: data) }
        switch (stream, unarchiver) {
        case (.success(let stream), .success(let unarchiver)):
            guard unarchiver.stream == stream else { throw Violation("SequentialUnarchiver reads another one") }
        case (.failure(let first as TypedStreamError), .failure(let second as TypedStreamError)):
            guard first == second else {
                throw Violation("TypedStream says \"\(first)\", the unarchiver \"\(second)\"")
            }
        default: throw Violation("one opens it, and the other does not: \(stream)")
        }
    }

    /// An archive in the other byte order says the same.
    static let byteOrders = Agreement("both byte orders read alike") { data in
        guard var stream = try? TypedStream(data) else { return }
        stream.byteOrder = stream.byteOrder == .littleEndian ? .bigEndian : .littleEndian
        let other = try stream.data()
        for reader in readers {
            let (first, second) = (outcome { try reader(data).digest }, outcome { try reader(other).digest })
            guard first.agrees(with: second) else { throw Violation("one is \(first), the other \(second)") }
        }
    }

    /// What was decoded can be archived, and is the same afterwards.
    static let sequentialAgain = Agreement("a value in a typedstream decodes to itself") { data in
        for reader in readers {
            guard let reading = try? reader(data) else { continue }
            let archived: Data
            do {
                archived = try reading.archived()
            } catch {
                // A value of C may refer to what is in its own archive only.
                if (error as? ArchivingError)?.code == .notEncodable, reading.hasReferringValues { continue }
                guard Outcome.Failure(error) == .limit else {
                    throw Violation("was decoded, and cannot be archived: \(error)")
                }
                continue
            }
            do {
                let again = try reader(archived)
                guard again.digest == reading.digest else { throw Violation("is another value after it was archived") }
                let isSame = !reading.isOrdered || reading.isWidened ? true : try again.archived() == archived
                guard isSame else {
                    throw Violation("is archived otherwise after it was decoded again")
                }
            } catch let violation as Violation {
                throw violation
            } catch {
                guard Outcome.Failure(error) == .limit else {
                    throw Violation("was archived, and cannot be decoded: \(error)")
                }
            }
        }
    }

    private static let readers: [@Sendable (Data) throws -> SequentialReading] = [
        { data in
            try SequentialReading(data, .placeholder) { unarchiver in
                var things: [Any?] = []
                while !unarchiver.isAtEnd { things.append(try unarchiver.decodeObject()) }
                return things
            } encode: { things, archiver in
                for thing in things { try archiver.encodeObject(thing) }
            }
        },
        { data in
            try SequentialReading(data, .fail) {
                [try $0.decode(Drawer.self)]
            } encode: { things, archiver in
                try archiver.encode(things[0] as? Drawer)
            }
        },
        { data in
            try SequentialReading(data, .fail) {
                try $0.decode([Part].self)
            } encode: { things, archiver in
                try archiver.encode(things.compactMap { $0 as? Part })
            }
        },
        { data in
            try SequentialReading(data, .fail) {
                [try $0.decode(Pane.self)]
            } encode: { things, archiver in
                try archiver.encode(things[0] as? Pane)
            }
        },
    ]
}

/// What was decoded from an archive. The unarchiver is kept: beads do not hold each other.
private struct SequentialReading {
    let digest: UInt64
    private let things: [Any?]
    private let unarchiver: SequentialUnarchiver
    private let encode: ([Any?], SequentialArchiver) throws -> Void

    init(
        _ data: Data, _ policy: ClassRegistry.UnknownClassPolicy,
        _ decode: (SequentialUnarchiver) throws -> [Any?],
        encode: @escaping ([Any?], SequentialArchiver) throws -> Void
    ) throws {
        unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        unarchiver.classes = Registries.sequential(policy)
        things = try decode(unarchiver)
        digest = SequentialDigest.of(things) ?? 0
        self.encode = encode
    }

    func archived() throws -> Data { try Seeds.stream { try encode(things, $0) } }

    private var classNames: [String] { unarchiver.stream.classes.map(\.name) }

    /// Whether nothing in the archive has an order that is another one each time.
    var isOrdered: Bool { !classNames.contains { $0 == "NSSet" || $0 == "NSDictionary" || $0 == "NSAttributedString" } }

    /// Whether there may be numbers that are written in another type than they were read in.
    var isWidened: Bool { classNames.contains("NSNumber") }

    /// Whether there may be values of C that refer to objects, classes or C strings.
    var hasReferringValues: Bool { classNames.contains("NSValue") }
}
