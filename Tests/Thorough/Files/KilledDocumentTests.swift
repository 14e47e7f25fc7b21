// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing

@Suite(.inTurn, .needs(.program("file-writer"))) struct `The file of a document whose program is killed` {
    /// How often programs are killed that save in one way: 1000 times if `ARCHIVING_KILLS=1000` says so.
    private static let count = ProcessInfo.processInfo.environment["ARCHIVING_KILLS"].flatMap { Int($0) } ?? 32

    @Test(arguments: ["continued", "compacted", "widened", "journaled"])
    func `is the old one or the new one, and is saved by the next program`(way: String) async throws {
        let lanes = 4
        let census = try await withThrowingTaskGroup(of: `A file whose writer is killed`.Census.self) { group in
            for lane in 1...lanes {
                group.addTask { try await onThread { try Self.kill(Self.count / lanes, seed: UInt64(lane), way) } }
            }
            return try await group.reduce(.init(), +)
        }
        #expect(census.complaints.isEmpty)
        #expect(census.idle + census.encoding + census.writing == Self.count)
        // Otherwise little was tried.
        #expect(census.writing >= Self.count / 3, "\(census)")
        #expect(census.replaced < census.writing, "\(census)")
        print(
            "Killed \(Self.count) times, \(way): \(census.writing) while the file was written, \(census.replaced) of them",
            "after it was replaced, \(census.encoding) while encoding, \(census.idle) in between;",
            "\(census.leftovers) temporary files left"
        )
    }

    private static func kill(_ count: Int, seed: UInt64, _ way: String) throws -> `A file whose writer is killed`.Census
    {
        try `A file whose writer is killed`.kill(
            count, seed: seed, "document", options: ["way=\(way)"], delay: 15_000
        ) { file, version in
            try? FileManager.default.removeItem(at: file.appendingPathExtension("journal"))
            try ArchiveEncoder().encode(VersionedDocument(version: version), to: file)
        } read: { file in
            if way == "journaled" {
                // The archive alone is whole, too.
                guard try ArchiveDecoder().decode(VersionedDocument.self, from: file).isWhole() else { return -1 }
                let root = try ArchiveDocument<VersionedDocument>(contentsOf: file, journal: .enabled).root
                return try root.isWhole() ? root.version : -1
            }
            // What is in it many times was written by many saves.
            let root = try ArchiveDecoder().decode(VersionedDocument.self, from: file)
            guard try root.isWhole() else { return -1 }
            if try Data(contentsOf: file).count > 4 << 20 { try ArchiveEncoder().encode(root, to: file) }
            return root.version
        }
    }
}
