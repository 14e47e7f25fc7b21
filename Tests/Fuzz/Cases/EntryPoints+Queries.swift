// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Fetches

extension EntryPoints {
    /// Fetches with predicates that are evaluated in place, compared with a filter of everything decoded.
    static let queries =
        predicates.enumerated().map { number, predicate in
            EntryPoint("fetch \(number)") { data in try counting { try fetched(data, predicate) } }
        } + [
            EntryPoint("fetch, sorted") { data in
                try counting {
                    let archive = try KeyedArchive(data)
                    let orders: [FetchOrder<Sailor>] = [.descending(\.name), .ascending(\.weight)]
                    let found = try archive.fetch(Sailor.self, sortedBy: orders, limit: 3, using: decoder)
                    guard found.count <= 3, zip(found, found.dropFirst()).allSatisfy({ $0.name >= $1.name }) else {
                        throw Violation("A fetch is not sorted")
                    }
                    return UInt64(found.count)
                }
            },
            EntryPoint("fetch, explained") { data in
                try counting {
                    let archive = try KeyedArchive(data)
                    let plan = try archive.explain(Sailor.self, where: predicates[0], using: decoder)
                    return UInt64(plan.storedCount)
                }
            },
        ]

    private static var predicates: [Predicate<Sailor>] {
        let name = "x"
        return [
            #Predicate<Sailor> { $0.number > 2 && $0.name.contains("a") },
            #Predicate<Sailor> { $0.weight < 1 || $0.isAshore },
            #Predicate<Sailor> { $0.nickname?.starts(with: "b") == true },
            #Predicate<Sailor> { $0.age == nil && $0.mate?.name == name },
            #Predicate<Sailor> { $0.mate?.mate?.number == 3 },
            #Predicate<Sailor> { $0.friend?.name != name },
            #Predicate<Sailor> { $0.note.count > 0 },
            #Predicate<Sailor> { $0.number % 2 == 0 },
        ]
    }

    private static var decoder: ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes = Registries.standard
        return decoder
    }

    private static func fetched(_ data: Data, _ predicate: Predicate<Sailor>) throws -> UInt64 {
        let archive = try KeyedArchive(data)
        let all = Result { try archive.fetch(Sailor.self, using: decoder) }
        let found = Result { try archive.fetch(Sailor.self, where: predicate, using: decoder) }
        guard case .success(let all) = all else { return try UInt64(found.get().count) }
        guard case .success(let found) = found else {
            // The limits count what is read in place as well.
            if case .failure(let error) = found, Outcome.Failure(error) == .limit { throw error }
            throw Violation("A fetch fails, and decoding everything does not: \(found)")
        }
        let expected = try all.filter { try predicate.evaluate($0) }
        guard expected.map(line).sorted() == found.map(line).sorted() else {
            throw Violation("A fetch finds \(found.map(line)), and a filter finds \(expected.map(line))")
        }
        return UInt64(found.count)
    }

    private static func line(_ sailor: Sailor) -> String {
        let values: [Any] = [
            sailor.name, sailor.number, sailor.weight.bitPattern, sailor.nickname ?? "nil", sailor.age ?? -1,
            sailor.mate?.name ?? "nil",
        ]
        return values.map { "\($0)" }.joined(separator: " ")
    }
}
