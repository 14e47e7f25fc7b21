// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Names and places that a file may have, and what else may be there.
@Suite(.inTurn) struct `A place for a file` {
    @Test(
        arguments: [
            ".hidden", " ", "a\nb", "100%", "%2F", "\u{e9}", "e\u{301}", "\u{1F404}", "#?&", "a:b", "-rf", "~",
            "*", "\"'\\",
            ".tmp", String(repeating: "n", count: 255), String(repeating: "\u{1F404}", count: 63) + "abc",
            "." + String(repeating: "d", count: 254),
        ])
    func `may have any name that the system allows`(name: String) throws {
        try TemporaryFolder.with { folder throws in
            let file = folder[name]
            try file.write(version: 1)
            try file.write(version: 2)
            #expect(try file.version == 2)
            // As bytes: names that look alike are different ones.
            #expect(try folder.names().map { Array($0.utf8) } == [Array(name.utf8)])
        }
    }

    @Test(arguments: [256, 300, 5000])
    func `may not have a longer name, and nothing is made then`(count: Int) throws {
        try TemporaryFolder.with { folder throws in
            let file = folder[String(repeating: "n", count: count)]
            let error = try cocoaError { try file.write(version: 1) }
            #expect(error.code == .fileWriteInvalidFileName)
            #expect(try folder.names() == [])
        }
    }

    @Test func `with a zero in its name is not the file whose name is the part before`() throws {
        try TemporaryFolder.with { folder throws in
            let addresses = [
                URL(string: folder["archive"].absoluteString + "%00tail"),
                URL(fileURLWithPath: folder["archive"].path + "\0tail"),
                URL(filePath: folder["archive"].path + "\0tail"),
            ]
            try folder["archive"].write(version: 1)
            for file in addresses.compactMap({ $0 }) {
                // Foundation may take the three characters for the name.
                if (try? file.write(version: 2)) == nil {
                    #expect(throws: (any Error).self) { try file.version }
                    #expect(throws: (any Error).self) { try KeyedArchive(contentsOf: file) }
                } else {
                    #expect(try file.version == 2)
                }
                #expect(try folder["archive"].version == 1)
            }
        }
    }

    @Test func `has to be in a folder that is there`() throws {
        try TemporaryFolder.with { folder throws in
            let file = folder["missing"].appendingPathComponent("archive")
            #expect(try cocoaError { try file.write(version: 1) }.code == .fileNoSuchFile)
            #expect(try cocoaError { _ = try file.version }.code == .fileReadNoSuchFile)
            #expect(try folder.names() == [])
        }
    }

    @Test func `has to be in a folder, not in a file`() throws {
        try TemporaryFolder.with { folder throws in
            try folder["file"].write(version: 1)
            let file = folder["file"].appendingPathComponent("archive")
            #expect(throws: CocoaError.self) { try file.write(version: 2) }
            #expect(throws: CocoaError.self) { try file.version }
            #expect(try folder["file"].version == 1)
            #expect(try folder.names() == ["file"])
        }
    }

    @Test(arguments: [false, true])
    func `may not be a folder's, which stays`(isEmpty: Bool) throws {
        try TemporaryFolder.with { folder throws in
            let inner = folder["inner"]
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
            if !isEmpty { try inner.appendingPathComponent("archive").write(version: 1) }
            #expect(throws: CocoaError.self) { try inner.write(version: 2) }
            #expect(throws: CocoaError.self) { try inner.version }
            #expect(throws: CocoaError.self) { try KeyedArchive(contentsOf: inner) }
            #expect(try FileFacts(inner).kind == S_IFDIR)
            #expect(try folder.names() == ["inner"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: inner.path) == (isEmpty ? [] : ["archive"]))
        }
    }

    @Test(arguments: ["https://example.invalid/archive", "data:,archive"])
    func `has to be in the file system`(address: String) throws {
        let url = try #require(URL(string: address))
        #expect(try cocoaError { try url.write(version: 1) }.code == .fileWriteUnsupportedScheme)
    }

    @Test func `may be one that is relative to a folder`() throws {
        try TemporaryFolder.with { folder throws in
            let file = URL(
                fileURLWithPath: "sub/../archive", relativeTo: URL(fileURLWithPath: folder.url.path, isDirectory: true))
            try FileManager.default.createDirectory(at: folder["sub"], withIntermediateDirectories: false)
            try file.write(version: 1)
            #expect(try folder["archive"].version == 1)
            #expect(try folder.names() == ["archive", "sub"])
        }
    }

    // MARK: - What is written for others

    @Test func `keeps what others who have it open are reading`() throws {
        try TemporaryFolder.withArchive { _, file throws in
            let open = try FileHandle(forReadingFrom: file)
            let old = try Data(contentsOf: file)
            try file.write(version: 2)
            #expect(try open.readToEnd() == old)
            #expect(try file.version == 2)
        }
    }

    @Test func `that has two names is replaced under one of them`() throws {
        try TemporaryFolder.with { folder throws in
            try folder["archive"].write(version: 1)
            try FileManager.default.linkItem(at: folder["archive"], to: folder["other"])
            try folder["archive"].write(version: 2)
            #expect(try folder["archive"].version == 2)
            #expect(try folder["other"].version == 1)
        }
    }

    @Test func `is written to by many tasks at once, each of whom writes a whole file`() async throws {
        try await TemporaryFolder.with { folder in
            let file = folder["archive"]
            try file.write(version: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 1...8 {
                    group.addTask {
                        for index in 0..<20 {
                            try file.write(version: task * 1000 + index)
                            #expect(try file.version >= 1000)
                        }
                    }
                }
                try await group.waitForAll()
            }
            // The last version of one of the writers.
            #expect(try file.version % 1000 == 19)
            #expect(try folder.names() == ["archive"])
        }
    }
}
