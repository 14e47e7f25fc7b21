import Foundation
import Testing

@Suite("The example farm", .runsExamples)
struct FarmTests {
    @Test("comes back equal, and its barn as one")
    func output() throws {
        try ExampleFolder.with { folder throws in
            let result = try ExampleProgram.farm.run([], in: folder.url)
            #expect(result.status == 0)
            #expect(result.errors == "")
            #expect(result.lines.contains("decoded == original: true"))
            #expect(result.lines.contains("decoded barns[0] === oldest: true"))
            #expect(result.output.contains("\(folder["farm.archive"].path)\n"))
        }
    }

    @Test("is in the file that it names, as other programs see it", .runsPython)
    func file() throws {
        try ExampleFolder.with { folder throws in
            _ = try ExampleProgram.farm.run([], in: folder.url)
            let file = folder["farm.archive"]
            #expect(
                try Python.evaluate("c(top['root'])[0], o(o(top['root'])['name'])", in: file) == """
                    ('Farm', "Old MacDonald's Farm")
                    """)
            #expect(try Python.evaluate("o(o(top['root'])['location'])['latitude']", in: file) == "51.621648")
            let animals = try Python.evaluate("[o(a) for a in o(o(top['root'])['animals'])['NS.objects']]", in: file)
            #expect(animals == "[1, 2, 4, 3, 2, 1, 4, 3, 2]")
        }
    }
}
