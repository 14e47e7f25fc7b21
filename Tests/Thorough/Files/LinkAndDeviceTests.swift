// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import FileFaultContent
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A symbolic link` {
    private func link(_ link: URL, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    }

    private func target(of link: URL) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
    }

    /// The targets of links that reach "store/archive" from the folder of both.
    private static let ways = ["store/archive", "./store/../store/archive", "second", "absolute"]

    @Test(arguments: ways)
    func `stays, and the file that it refers to is replaced`(way: String) throws {
        try TemporaryFolder.with { folder throws in
            let store = folder["store"]
            try FileManager.default.createDirectory(at: store, withIntermediateDirectories: false)
            let file = store.appendingPathComponent("archive")
            try file.write(version: 1)
            try file.setMode(0o640)
            let way = way == "absolute" ? file.path : way
            try link(folder["second"], to: "store/archive")
            try link(folder["link"], to: way)
            try folder["link"].write(version: 2)
            #expect(try target(of: folder["link"]) == way)
            #expect(try target(of: folder["second"]) == "store/archive")
            #expect(try file.version == 2)
            #expect(try folder["link"].version == 2)
            #expect(try FileFacts(file).kind == S_IFREG)
            #expect(try FileFacts(file).mode == 0o640)
            #expect(try folder.names() == ["link", "second", "store"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: store.path) == ["archive"])
        }
    }

    @Test(arguments: ways)
    func `to a missing file gets a file`(way: String) throws {
        try TemporaryFolder.with { folder throws in
            let store = folder["store"]
            try FileManager.default.createDirectory(at: store, withIntermediateDirectories: false)
            let file = store.appendingPathComponent("archive")
            let way = way == "absolute" ? file.path : way
            try link(folder["second"], to: "store/archive")
            try link(folder["link"], to: way)
            try folder["link"].write(version: 2)
            #expect(try target(of: folder["link"]) == way)
            #expect(try file.version == 2)
            #expect(try folder.names() == ["link", "second", "store"])
        }
    }

    @Test func `to a folder on the way to the file stays`() throws {
        try TemporaryFolder.with { folder throws in
            let store = folder["store"]
            try FileManager.default.createDirectory(at: store, withIntermediateDirectories: false)
            try link(folder["link"], to: "store")
            try link(store.appendingPathComponent("up"), to: "../file")
            let file = folder["link"].appendingPathComponent("archive")
            try file.write(version: 1)
            try file.write(version: 2)
            // Relative to the folder that the link is really in.
            try folder["link"].appendingPathComponent("up").write(version: 3)
            #expect(try store.appendingPathComponent("archive").version == 2)
            #expect(try folder["file"].version == 3)
            #expect(try target(of: folder["link"]) == "store")
            #expect(try folder.names() == ["file", "link", "store"])
        }
    }

    @Test func `into a folder that is not there is an error`() throws {
        try TemporaryFolder.with { folder throws in
            try link(folder["link"], to: "missing/archive")
            #expect(try cocoaError { try folder["link"].write(version: 1) }.code == .fileNoSuchFile)
            #expect(try target(of: folder["link"]) == "missing/archive")
            #expect(try folder.names() == ["link"])
        }
    }

    @Test func `to a folder is an error`() throws {
        try TemporaryFolder.with { folder throws in
            try FileManager.default.createDirectory(at: folder["inner"], withIntermediateDirectories: false)
            try link(folder["link"], to: "inner")
            #expect(throws: CocoaError.self) { try folder["link"].write(version: 1) }
            #expect(try target(of: folder["link"]) == "inner")
            #expect(try folder.names() == ["inner", "link"])
        }
    }

    @Test(arguments: [["link"], ["second", "link"], ["second", "third", "link"]])
    func `that refers back to itself is an error`(links: [String]) throws {
        try TemporaryFolder.with { folder throws in
            for (name, target) in zip(["link"] + links, links) { try link(folder[name], to: target) }
            #expect(throws: CocoaError.self) { try folder["link"].write(version: 1) }
            #expect(throws: CocoaError.self) { try folder["link"].version }
            #expect(try folder.names() == links.sorted())
        }
    }
}

/// What is no file, but may be written to. It is not replaced by one.
@Suite(.inTurn) struct `A pipe or a device` {
    /// Both ends are separate programs: the system ends one that writes without a reader.
    @Test(.needs(.program("file-writer"))) func `with a name gets the archive, and stays`() throws {
        try TemporaryFolder.with { folder throws in
            let (pipe, file) = (folder["pipe"], folder["file"])
            try #require(mkfifo(pipe.path, 0o600) == 0)
            let reader = try Program(path: "/bin/cat").start([pipe.path], output: .file(file))
            let writer = try FileWriter.start("once", pipe.path, "version=3")
            #expect(try writer.wait(seconds: 20) == .exit(0))
            #expect(try reader.wait(seconds: 20) == .exit(0))
            #expect(try file.version == 3)
            #expect(try FileFacts(pipe).kind == S_IFIFO)
            #expect(try folder.names() == ["file", "pipe"])
        }
    }

    @Test(.needs(.program("file-writer")))
    func `that is not read to its end is an error, and does not end the process`() throws {
        try TemporaryFolder.with { folder throws in
            let (pipe, file) = (folder["pipe"], folder["file"])
            try #require(mkfifo(pipe.path, 0o600) == 0)
            let reader = try Program(path: "/usr/bin/head").start(["-c", "10", pipe.path], output: .file(file))
            let writer = try FileWriter.start("once", pipe.path, "version=3").rest(seconds: 20)
            #expect(writer.ending == .exit(1))
            #expect(writer.lines.last == "error cocoa 512 posix \(EPIPE)")
            #expect(try reader.wait(seconds: 20) == .exit(0))
            #expect(try FileFacts(pipe).kind == S_IFIFO)
        }
    }

    /// Not the one in /dev: a test that fails would leave the machine without it.
    @Test(.needs(.superuser)) func `such as the one that takes everything takes it, and stays`() throws {
        try TemporaryFolder.with { folder throws in
            let null = folder["null"]
            try #require(mknod(null.path, S_IFCHR | 0o666, 1 << 8 | 3) == 0)
            try null.write(version: 3)
            #expect(try FileFacts(null).kind == S_IFCHR)
            #expect(try folder.names() == ["null"])
        }
    }

    @Test(.needs(.program("file-writer")), arguments: ["/dev/stdout", "/dev/fd/1"])
    func `is found if its name has no path`(path: String) throws {
        let run = try FileWriter.start("once", path, "version=3").rest()
        // What the program says is among the bytes of the archive: it has one output for both.
        let lines = run.lines
        #expect(run.ending == .exit(0), "\(lines.suffix(1))")
        #expect(lines.contains { $0.hasPrefix("bplist00") })
        #expect(lines.last?.hasSuffix("done 3") == true)
    }

    /// As with Foundation's own functions: a file without an end cannot be read, and waiting for a writer would never end.
    @Test(.needs(.program("file-writer")), arguments: ["read", "open"])
    func `is not read, and not waited for`(task: String) throws {
        try TemporaryFolder.with { folder throws in
            let pipe = folder["pipe"]
            try #require(mkfifo(pipe.path, 0o600) == 0)
            let run = try FileWriter.start(task, pipe.path).rest(seconds: 20)
            #expect(run.ending == .exit(1))
            #expect(run.lines.first?.hasPrefix("error cocoa ") == true)
        }
    }
}
