// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.inTurn, .needs(.program("farm")))
struct `The example farm` {
    /// Runs it in `folder`, which is its user's folder and that for temporary files as well.
    private static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> Program.Run {
        let program = try #require(Program.built("farm"))
        let path = folder.url.path
        return try program.run(
            arguments, environment: ["HOME": path, "CFFIXED_USER_HOME": path, "TMPDIR": path])
    }

    @Test func `comes back equal, its barn as one and the owner with the farm`() throws {
        try TemporaryFolder.with { folder throws in
            let result = try Self.run([], in: folder)
            #expect(result.status == 0)
            #expect(result.errors == "")
            #expect(result.lines.contains("decoded == original: true"))
            #expect(result.lines.contains("decoded animals[0].barn === animals[1].barn === barns[0]: true"))
            #expect(result.lines.contains("decoded owner.farm === the farm: true"))
            #expect(result.output.contains("\(folder["farm.archive"].path)\n"))
        }
    }

    @Test func `goes to the file that is named, with the same bytes each time`() throws {
        try TemporaryFolder.with { folder throws in
            for name in ["first", "second"] {
                #expect(try Self.run([folder[name].path], in: folder).status == 0)
            }
            #expect(try Data(contentsOf: folder["first"]) == Data(contentsOf: folder["second"]))
        }
    }

    @Test(.needs(.tool("python3")))
    func `is in the file that it names, as other programs see it`() throws {
        try TemporaryFolder.with { folder throws in
            _ = try Self.run([], in: folder)
            let file = folder["farm.archive"]
            #expect(
                try Plistlib.evaluate("c(top['root'])[0], o(o(top['root'])['name'])", in: file)
                    == "('Farm', 'Green Hill')")
            #expect(try Plistlib.evaluate("o(o(top['root'])['location'])['latitude']", in: file) == "51.621648")
            let animals = "o(o(top['root'])['animals'])['NS.objects']"
            #expect(
                try Plistlib.evaluate("[o(o(a)['name']) for a in \(animals)]", in: file)
                    == "['Daisy', 'Bella', 'Star', 'Dotty']")
            // Three of the four live in one barn, which is one object.
            #expect(
                try Plistlib.evaluate(
                    "[[number(o(a)['barn']) for a in \(animals)].count(number(o(a)['barn'])) for a in \(animals)]",
                    in: file) == "[3, 3, 1, 3]")
            #expect(
                try Plistlib.evaluate("number(o(o(top['root'])['owner'])['farm']) == number(top['root'])", in: file)
                    == "True")
        }
    }
}
