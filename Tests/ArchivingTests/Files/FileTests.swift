// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A file` {
    struct Farm: Codable, Equatable {
        var name = "Old MacDonald's Farm"
        var animals = (0..<1000).map { "animal \($0)" }
    }

    /// Gives `body` the address of a file that is not there, in a folder of its own.
    private func withFile(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ArchivingTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("farm \u{e9}.archive"))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `holds what encode(_:) gives, and is read back`(format: PropertyListFormat) throws {
        try withFile { url in
            var encoder = ArchiveEncoder()
            encoder.outputFormat = format
            try encoder.encode(Farm(), to: url)
            #expect(try Data(contentsOf: url) == encoder.encode(Farm()))
            #expect(try ArchiveDecoder().decode(Farm.self, from: url) == Farm())
        }
    }

    @Test func `is replaced as a whole`() throws {
        try withFile { url in
            try ArchiveEncoder().encode(Farm(), to: url)
            try ArchiveEncoder().encode("short", to: url)
            #expect(try Data(contentsOf: url) == ArchiveEncoder().encode("short"))
            #expect(try ArchiveDecoder().decode(String.self, from: url) == "short")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path).count == 1)
        }
    }

    @Test func `stays as it was when a value cannot be encoded`() throws {
        struct Failing: Encodable {
            struct Failure: Error {}
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(Farm())
                throw Failure()
            }
        }
        try withFile { url in
            try ArchiveEncoder().encode(Farm(), to: url)
            #expect(throws: Failing.Failure.self) { try ArchiveEncoder().encode(Failing(), to: url) }
            #expect(try ArchiveDecoder().decode(Farm.self, from: url) == Farm())
        }
        try withFile { url in
            #expect(throws: Failing.Failure.self) { try ArchiveEncoder().encode(Failing(), to: url) }
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
    }

    @Test func `that is being read may be replaced meanwhile`() throws {
        struct Lazy: Decodable {
            var container: any UnkeyedDecodingContainer
            init(from decoder: any Decoder) throws { container = try decoder.unkeyedContainer() }
        }
        try withFile { url in
            try ArchiveEncoder().encode((0..<10_000).map { "text \($0)" }, to: url)
            var lazy = try ArchiveDecoder().decode(Lazy.self, from: url)
            try ArchiveEncoder().encode("short", to: url)
            for index in 0..<10_000 {
                guard try lazy.container.decode(String.self) == "text \(index)" else {
                    Issue.record("Element \(index) is another")
                    return
                }
            }
        }
    }

    @Test func `that is missing, a folder, or in no folder is an error of the file system`() throws {
        try withFile { url in
            #expect(throws: CocoaError.self) { try ArchiveDecoder().decode(Farm.self, from: url) }
            let nowhere = url.appendingPathComponent("missing").appendingPathComponent("file")
            #expect(throws: (any Error).self) { try ArchiveEncoder().encode(Farm(), to: nowhere) }
            #expect(throws: (any Error).self) {
                try ArchiveDecoder().decode(Farm.self, from: url.deletingLastPathComponent())
            }
        }
    }

    @Test func `that is empty or no archive is a decoding error`() throws {
        try withFile { url in
            for contents in [Data(), Data("x".utf8), Data("bplist00".utf8), Data(count: 5000)] {
                try contents.write(to: url)
                let error = try failure { try ArchiveDecoder().decode(Farm.self, from: url) }
                #expect(error.kind == .dataCorrupted)
                #expect(!error.text.isEmpty)
            }
        }
    }
}
