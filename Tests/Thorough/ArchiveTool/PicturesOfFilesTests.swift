// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

@testable import archivetool

@Suite(.inTurn, .needs(.corpus))
struct `Files of other programs` {
    @Test(.timeLimit(.minutes(2)), arguments: Extent.cases(of: Corpus.names, every: 3))
    func `are drawn`(name: String) throws {
        let path = try Corpus.url(name).path
        let drawn = Tool.inProcess(["graph", path, "--format", "svg"])
        guard drawn.status == 0 else {
            // What is no archive and no list is refused with a sentence.
            #expect(drawn.status == 3 && drawn.output == "" && drawn.errors.hasPrefix("archivetool: error: "))
            return
        }
        let svg = try SVGContents(drawn.bytes)
        let (width, height) = svg.size
        #expect(
            width <= 4000 && height <= 4000 && width <= 3.1 * height && height <= 3.1 * width, "\(width) × \(height)")
        #expect((1...300).contains(svg.boxes.count) && svg.boxesAreInside && svg.refersToNothing)
        #expect(svg.boxes.count == 1 || !svg.arrows.isEmpty)
        #expect(Tool.inProcess(["graph", path, "--format", "html"]).status == 0)
    }

    @Test(.timeLimit(.minutes(2)), arguments: Extent.cases(of: Corpus.names, every: 3))
    func `do not differ from themselves, nor from themselves in another format`(name: String) async throws {
        let path = try Corpus.url(name).path
        let run = Tool.inProcess(["diff", path, path])
        guard run.status == 0 else {
            #expect(run.status == 3)
            return
        }
        #expect(run.output == "no differences\n")
        let isXML = try PropertyListFormat(detectedIn: Corpus.data(name)) == .xml
        // XML has not all that the binary format has.
        let converted = try await Conversions.shared.run(name, to: isXML ? "binary" : "xml")
        guard converted.status == 0 else { return }
        try TemporaryFolder.with { folder in
            let other = try folder.write(converted.bytes)
            #expect(Tool.inProcess(["diff", path, other]).output == "no differences\n")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `are compared with each other`() throws {
        // Files that follow each other by size have something in common at times.
        let sizes = try Corpus.names.map { name in
            (try FileManager.default.attributesOfItem(atPath: Corpus.url(name).path)[.size] as? Int ?? 0, name)
        }
        let names = sizes.sorted { $0 < $1 }.map(\.1)
        for (name, next) in zip(names, names.dropFirst()) {
            let there = try Tool.inProcess(["diff", Corpus.url(name).path, Corpus.url(next).path])
            let back = try Tool.inProcess(["diff", Corpus.url(next).path, Corpus.url(name).path])
            #expect([0, 1, 3].contains(there.status) && there.status == back.status, "\(name) \(next)")
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: Extent.cases(of: Corpus.rewritableNames, every: 3))
    func `have parts that are the same in an archive of their own`(name: String) throws {
        let path = try Corpus.url(name).path
        guard let archive = try? KeyedArchive(Corpus.data(name)), archive.problems().isEmpty
        else { return }
        try TemporaryFolder.with { folder in
            let whole = try folder.write(Tool.inProcess(["extract", path, "--path", "/"]).bytes)
            #expect(Tool.inProcess(["diff", path, whole]).output == "no differences\n")
            for uid in Swift.stride(from: 1, to: archive.objects.count, by: max(1, archive.objects.count / 6)) {
                let part = Tool.inProcess(["extract", path, "--uid", "\(uid)"])
                #expect(part.status == 0)
                let opened = try KeyedArchive(part.bytes)
                let reach = archive.objects[uid].reachableObjects.count
                // Nil at a uid of its own is an object like others there.
                #expect(opened.objects.count - 1 == max(1, reach))
                #expect(opened.problems().isEmpty && opened.unreachableObjects.isEmpty)
                #expect(opened.format == archive.format && opened.archiver == archive.archiver)
                #expect(opened.root.className == archive.objects[uid].className)
            }
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: Extent.cases(of: Corpus.rewritableNames, every: 3))
    func `have classes that can be renamed, and be called again what they were`(name: String) throws {
        let path = try Corpus.url(name).path
        let data = try Corpus.data(name)
        var names: Set<String> = []
        if let archive = try? KeyedArchive(data), archive.problems().isEmpty {
            names = Set(archive.classes.map(\.name))
        } else if let stream = try? TypedStream(data) {
            names = Set(stream.classes.map(\.name))
        }
        guard let old = names.sorted().first, !old.contains("=") else { return }
        try TemporaryFolder.with { folder in
            let run = Tool.inProcess(["rename", path, "\(old)=Quite.Another"])
            #expect(run.status == 0, "\(run.errors)")
            let first = try folder.write(run.bytes, to: "first")
            let second = try folder.write(
                Tool.inProcess(["rename", first, "Quite.Another=\(old)"]).bytes, to: "second")
            #expect(Tool.inProcess(["diff", path, second]).output == "no differences\n")
        }
    }
}

@Suite(.inTurn, .needs(.program("archivetool")), .needs(.program("farm"))) struct `The picture of the farm` {
    @Test func `in docs is what the tool draws`() throws {
        let farm = try #require(Program.built("farm"))
        try TemporaryFolder.with { folder in
            #expect(try farm.run([folder["farm.archive"].path]).status == 0)
            let run = try Tool.run("graph", folder["farm.archive"].path, "--format", "svg")
            #expect(run.status == 0)
            #expect(try run.output == Repository.text(of: "docs/farm-graph.svg"), "scripts/draw-pictures makes it anew")
        }
    }
}
