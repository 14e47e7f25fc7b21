// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import FileFaultContent

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the program is to do.
struct Job {
    let file: URL
    let options: [String: String]

    func run(_ name: String) throws {
        switch name {
        case "loop": try loop(from: number("from"))
        case "once": try write(version: number("version"))
        case "fill": fill()
        case "read": try read()
        case "open": try open()
        case "document": try DocumentJob(file: file).loop(try way(), from: number("from"))
        case "document-once": try DocumentJob(file: file).write(version: number("version"), orTo: options["elsewhere"])
        case "document-fill": try DocumentJob(file: file).fill(elsewhere: options["elsewhere"])
        case "share": try DocumentJob(file: file).share(name: options["name"] ?? "", count: number("count"))
        case "share-journal":
            let isJournaled = options["journal"].map { $0 == "yes" }
            JournalJob(file: file).share(name: options["name"] ?? "", isJournaled: isJournaled)
        case "fail": try JournalJob(file: file).fail()
        case "open-journal": try JournalJob(file: file).open()
        case "walk": try Walk(file: file).run(passes: number("passes"), until: options["until"])
        default: throw Misuse(text: "no job is called \(name)")
        }
    }

    private func way() throws -> DocumentJob.Way {
        guard let way = options["way"].flatMap({ DocumentJob.Way(rawValue: $0) }) else { throw Misuse(text: "no way=") }
        return way
    }

    private func number(_ name: String) throws -> Int {
        guard let number = options[name].flatMap({ Int($0) }) else { throw Misuse(text: "no number \(name)=") }
        return number
    }

    struct Misuse: Error {
        let text: String
    }
}

// MARK: - Jobs

extension Job {
    private func loop(from first: Int) throws -> Never {
        say("ready")
        var version = first
        while true {
            try write(version: version)
            version += 1
        }
    }

    private func write(version: Int) throws {
        let content = Announced(content: VersionedContent(version: version))
        say("begin \(version)")
        try ArchiveEncoder().encode(content, to: file)
        say("done \(version)")
    }

    /// Writes versions until there were 20, and says of each what became of it, and what is in the folder then.
    private func fill() {
        for version in 1...20 {
            do {
                try write(version: version)
            } catch {
                say(description(of: error))
            }
            do {
                try read()
                let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
                say("files \(names.count)")
            } catch {
                say(description(of: error))
            }
        }
    }

    func read() throws {
        let content = try ArchiveDecoder().decode(VersionedContent.self, from: file)
        say(content.isWhole ? "version \(content.version)" : "damaged \(content.version)")
    }

    private func open() throws {
        let archive = try KeyedArchive(contentsOf: file)
        say("version \(archive.root["version"]?.integer ?? -1)")
    }

    /// Content that says when all of it is encoded, so that only the file is to be written.
    private struct Announced: Encodable, ArchiveDescribing {
        static let archiveName = VersionedContent.archiveName

        let content: VersionedContent

        func encode(to encoder: any Encoder) throws {
            try content.encode(to: encoder)
            say("encoded \(content.version)")
        }
    }
}

// MARK: - Lines

/// Writes a line, at once and as a whole: the program may be killed at any time.
func say(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
}

/// An error in one line: `error cocoa 640 posix 28`.
func description(of error: any Error) -> String {
    guard let error = error as? CocoaError else { return "error other \(error)" }
    let underlying = (error.underlying as? POSIXError).map { " posix \($0.code.rawValue)" } ?? ""
    return "error cocoa \(error.code.rawValue)\(underlying)"
}
