// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Foundation
import TestSupport
import Testing

@testable import Archiving

#if os(Linux)
    /// Attributes of files, by functions that Swift's C module omits.
    private struct Attributes {
        private typealias Get =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
        private typealias Set =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer?, Int, CInt) -> CInt

        static let list = "system.posix_acl_access"
        static let listOfNewFiles = "system.posix_acl_default"

        /// The attribute `name` of the file; nil if it has none.
        static func value(_ name: String, _ file: URL) -> [UInt8]? {
            guard let get = Platform.loadedFunction("getxattr", as: Get.self) else { return nil }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = bytes.withUnsafeMutableBytes { get(file.path, name, $0.baseAddress, $0.count) }
            return count < 0 ? nil : Array(bytes.prefix(count))
        }

        static func set(_ name: String, _ value: [UInt8], _ file: URL) -> Bool {
            guard let set = Platform.loadedFunction("setxattr", as: Set.self) else { return false }
            return value.withUnsafeBytes { set(file.path, name, $0.baseAddress, $0.count, 0) } == 0
        }

        /// The bytes of an access control list (`linux/posix_acl_xattr.h`): the owner may do everything, a stranger and
        /// the mask `permissions`, and the group and all others nothing.
        static func list(permissions: UInt8) -> [UInt8] {
            let none: [UInt8] = [255, 255, 255, 255]
            let stranger = withUnsafeBytes(of: UInt32(FileWriter.stranger).littleEndian) { Array($0) }
            let entries: [(UInt8, UInt8, [UInt8])] = [
                (0x01, 7, none), (0x02, permissions, stranger), (0x04, 0, none), (0x10, permissions, none),
                (0x20, 0, none),
            ]
            return [2, 0, 0, 0] + entries.flatMap { [$0.0, 0, $0.1, 0] + $0.2 }
        }

        static let need = Need("file attributes", "use a file system that has attributes and access control lists") {
            (try? TemporaryFolder.with { folder in
                set("user.test", [1], folder.url) && set(listOfNewFiles, list(permissions: 4), folder.url)
            }) ?? false
        }
    }

    @Suite(.inTurn, .needs(Attributes.need)) struct `The attributes of a file` {
        @Test func `stay as they were when it is replaced`() throws {
            try TemporaryFolder.withArchive { _, file throws in
                let attributes = [
                    "user.text": Array("value".utf8), "user.empty": [],
                    "user.large": [UInt8](repeating: 7, count: 3000),
                    Attributes.list: Attributes.list(permissions: 4),
                ]
                for (name, value) in attributes { #expect(Attributes.set(name, value, file)) }
                let facts = try FileFacts(file)
                #expect(facts.mode == 0o740)
                for version in 2...3 {
                    try file.write(version: version)
                    #expect(try file.version == version)
                    for (name, value) in attributes { #expect(Attributes.value(name, file) == value, "\(name)") }
                    #expect(try FileFacts(file) == facts)
                }
            }
        }

        @Test(.needs(.superuser), arguments: [(true, "version 2"), (false, "error cocoa 257 posix 13")])
        func `let those read the new one who could read the old one`(isInList: Bool, line: String) throws {
            try TemporaryFolder.withArchive { _, file throws in
                try file.setMode(0o600)
                if isInList { #expect(Attributes.set(Attributes.list, Attributes.list(permissions: 4), file)) }
                try file.write(version: 2)
                #expect(try FileWriter.run("read", file.path, options: FileWriter.withoutRights).lines == [line])
            }
        }

        @Test func `are those of the archive for its journal, also after they change`() throws {
            final class Counter: Codable {
                var number = 0
                init() {}
            }
            try TemporaryFolder.with { folder throws in
                let file = folder["archive"]
                try ArchiveEncoder().encode(Counter(), to: file)
                let document = try ArchiveDocument<Counter>(contentsOf: file, journal: .enabled)
                for permissions: UInt8 in [6, 4] {
                    let list = Attributes.list(permissions: permissions)
                    #expect(Attributes.set(Attributes.list, list, file))
                    document.root.number += 1
                    try document.save()
                    #expect(Attributes.value(Attributes.list, folder["archive.journal"]) == list)
                }
            }
        }

        @Test func `are none where the old one had none, whatever new files in the folder have`() throws {
            try TemporaryFolder.withArchive { folder, file throws in
                try file.setMode(0o640)
                #expect(Attributes.set(Attributes.listOfNewFiles, Attributes.list(permissions: 6), folder.url))
                try folder["new"].write(version: 1)
                #expect(Attributes.value(Attributes.list, folder["new"]) != nil)
                try file.write(version: 2)
                #expect(Attributes.value(Attributes.list, file) == nil)
                #expect(try FileFacts(file).mode == 0o640)
            }
        }
    }
#endif
