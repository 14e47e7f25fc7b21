// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `merge` {
    private func edited(_ edit: (inout KeyedArchiveEditor) throws -> Void) throws -> PropertyList {
        var editor = try KeyedArchiveEditor(KeyedArchive(HandMade.farm))
        try edit(&editor)
        return editor.propertyList
    }

    private func run(
        _ mine: PropertyList, _ theirs: PropertyList, base: PropertyList = HandMade.farm,
        format: PropertyListFormat = .binary, _ options: [String] = [],
        _ check: (Program.Run, URL) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            let files = try [
                folder.write(base, to: "base"), folder.write(mine, format: format, to: "mine"),
                folder.write(theirs, to: "theirs"),
            ]
            try check(Tool.inProcess(["merge"] + files + ["-o", folder["out"].path] + options), folder["out"])
        }
    }

    @Test func `writes the changes of both files`() throws {
        let mine = try edited { try $0.set("Blue Hill", at: ["root", "name"]) }
        let theirs = try edited {
            try $0.set(13, at: ["root", "size"])
            let cow = try $0.addObject(ofClass: "Farm.Cow", fields: ["name": "Daisy", "owner": .uid(3)])
            try $0.insert(.uid(cow), at: ["root", "animals", 0])
        }
        for format in [PropertyListFormat.binary, .xml] {
            try run(mine, theirs, format: format) { run, out in
                #expect(run.ending == .exit(0) && run.errors.isEmpty)
                let merged = try KeyedArchive(contentsOf: out)
                #expect(merged.format == format)
                #expect(merged.root["name"]?.string == "Blue Hill" && merged.root["size"]?.integer == 13)
                #expect(merged["root", "animals", 0, "owner"] == merged.root["owner"])
            }
        }
    }

    @Test func `lists conflicts and writes nothing, unless one file is preferred`() throws {
        let mine = try edited { try $0.set(1, at: ["root", "size"]) }
        let theirs = try edited { try $0.set(2, at: ["root", "size"]) }
        try run(mine, theirs) { run, out in
            #expect(run.ending == .exit(1) && run.bytes.isEmpty)
            #expect(run.errors.hasPrefix("conflict: root.size: base 12, mine 1, theirs 2\n"))
            #expect(!FileManager.default.fileExists(atPath: out.path))
        }
        for (name, size) in ["base": 12, "mine": 1, "theirs": 2] {
            try run(mine, theirs, ["--prefer", name]) { run, out in
                #expect(run.ending == .exit(0))
                let merged = try KeyedArchive(contentsOf: out)
                #expect(merged.root["size"]?.integer == size)
            }
        }
    }

    @Test func `merges the keys of a new value of one place, and reports that of several`() throws {
        func replaced(_ fields: PropertyList.Dictionary, isShared: Bool) throws -> PropertyList {
            try edited {
                let owner = try $0.addObject(ofClass: "Owner", fields: fields)
                try $0.set(.uid(owner), at: ["root", "owner"])
                try $0.set(isShared ? .uid(owner) : .uid(0), at: ["root", "animals", 0, "owner"])
            }
        }
        let base = try edited { try $0.set(.uid(0), at: ["root", "animals", 0, "owner"]) }
        for isShared in [false, true] {
            let mine = try replaced(["name": "Ann", "age": 51, "farm": .uid(1)], isShared: isShared)
            let theirs = try replaced(["name": "Anne", "farm": .uid(1)], isShared: isShared)
            try run(mine, theirs, base: base) { run, out in
                #expect(run.ending == .exit(isShared ? 1 : 0), "\(run.errors)")
                if isShared { return }
                let owner = try KeyedArchive(contentsOf: out)["root", "owner"]
                #expect(owner?["name"]?.string == "Anne" && owner?["age"]?.integer == 51)
            }
        }
    }

    @Test func `refuses what it cannot merge`() throws {
        let other = HandMade.archive((0..<20).map { .string("text \($0)") })
        try run(other, HandMade.farm) { run, _ in
            #expect(run.ending == .exit(3) && run.errors.contains("Mine does not descend from the base"))
        }
        try run(HandMade.everyKind, HandMade.farm) { run, _ in
            #expect(run.ending == .exit(3) && run.errors.contains("no keyed archive, which “merge” needs"))
        }
        let run = Tool.inProcess(["merge", "-", "-", "x"])
        #expect(run.ending == .exit(2) && run.errors.contains("only one standard input"))
    }

    @Test(.needs(.program("archivetool")), .needs(.tool("git")))
    func `is a merge driver of git`() throws {
        try TemporaryFolder.with { folder in
            let mine = try edited { try $0.set("Blue Hill", at: ["root", "name"]) }
            let theirs = try edited { try $0.set(13, at: ["root", "size"]) }
            _ = try folder.write(HandMade.farm, to: "farm.archive")
            let script = """
                set -e; cd '\(folder.url.path)'; export HOME=. GIT_CONFIG_NOSYSTEM=1
                git init -q -b main; git config user.name a; git config user.email a@b
                git config merge.archive.driver "'$1' merge %O %A %B -o %A"
                echo "*.archive merge=archive" >> .gitattributes
                git add farm.archive .gitattributes; git commit -qm base; git checkout -qb theirs
                cp theirs farm.archive; git commit -qam theirs; git checkout -q main
                cp mine farm.archive; git commit -qam mine; git merge -q theirs -m merged
                """
            _ = try folder.write(mine, to: "mine")
            _ = try folder.write(theirs, to: "theirs")
            let run = try Tool.shell(script, input: Data())
            #expect(run.ending == .exit(0), "\(run.errors)")
            let merged = try KeyedArchive(contentsOf: folder["farm.archive"])
            #expect(merged.root["name"]?.string == "Blue Hill" && merged.root["size"]?.integer == 13)
        }
    }
}
