// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.inTurn, .needs(.program("items")), .needs(.program("creatures")), .needs(.program("bookcase")))
struct `The command lines of the examples` {
    @Test(arguments: [ExampleProgram.items, .creatures, .bookcase])
    func `are explained by --help, with every command`(_ program: ExampleProgram) throws {
        try TemporaryFolder.with { folder throws in
            let commands =
                switch program {
                case .items: ["list", "add", "show", "move", "remove", "export", "import"]
                case .creatures: ["list", "add", "show", "rate", "rename", "image", "delete", "migrate"]
                default: ["create", "show", "rename", "add", "search"]
                }
            for arguments in [["--help"], ["list", "--help"], ["--help", "nonsense"]] {
                let result = try program.run(arguments, in: folder)
                #expect(result.status == 0)
                #expect(result.errors == "")
                for command in commands { #expect(result.output.contains("\n  \(command) "), "\(command)") }
                #expect(result.output.contains("Exit codes: 0, 1 "))
            }
        }
    }

    @Test(
        arguments: [
            (.items, [], "The command is missing"), (.items, ["sell"], "There is no command “sell”"),
            (.items, ["add"], "The name is missing"), (.items, ["add", "Bag"], "--value DOLLARS is missing"),
            (.items, ["add", "Bag", "--value"], "--value needs a value"),
            (.items, ["add", "Bag", "--value", "ten"], "--value takes whole dollars, not “ten”"),
            (.items, ["add", "Bag", "--value", "-1"], "--value takes whole dollars, not “-1”"),
            (.items, ["add", "Bag", "--value", "1", "--value", "2"], "--value is given twice"),
            (.items, ["add", "Red", "sofa", "--value", "1"], "“sofa” is unexpected"),
            (.items, ["add", "", "--value", "1"], "The name is empty"),
            (.items, ["list", "--all"], "There is no option --all"), (.items, ["list", "x"], "“x” is unexpected"),
            (.items, ["show"], "The item is missing"), (.items, ["remove"], "The item is missing"),
            (.items, ["move", "Bag"], "move takes either --in ITEM or --out"),
            (.items, ["move", "Bag", "--out", "--in", "Sofa"], "move takes either --in ITEM or --out"),
            (.items, ["export"], "The file is missing"), (.items, ["import"], "The file is missing"),
            (.creatures, [], "The command is missing"), (.creatures, ["feed"], "There is no command “feed”"),
            (.creatures, ["add"], "The title is missing"), (.creatures, ["add", ""], "The title is empty"),
            (.creatures, ["add", "Bug", "--rating", "6"], "A rating is a number from 0 to 5, not “6”"),
            (.creatures, ["add", "Bug", "--rating", "nan"], "A rating is a number from 0 to 5, not “nan”"),
            (.creatures, ["add", "Bug", "--image"], "--image needs a value"),
            (.creatures, ["list", "x"], "“x” is unexpected"), (.creatures, ["migrate", "x"], "“x” is unexpected"),
            (.creatures, ["show"], "The number is missing"), (.creatures, ["list", "-v"], "There is no option -v"),
            (.bookcase, [], "The command is missing"), (.bookcase, ["sell"], "There is no command “sell”"),
            (.bookcase, ["create", "--shelves", "0"], "--shelves is a number from 1 up, not “0”"),
            (.bookcase, ["create", "--books", "many"], "--books is a number from 1 up, not “many”"),
            (.bookcase, ["show", "all"], "The shelf is a number from 1 up, not “all”"),
            (.bookcase, ["rename", "1", "2"], "The title is missing"),
            (.bookcase, ["rename", "1", "2", ""], "The title is empty"),
            (.bookcase, ["add", "1", "Emma"], "--author NAME is missing"),
            (.bookcase, ["search"], "The text is missing"), (.bookcase, ["search", "a", "b"], "“b” is unexpected"),
        ] as [(ExampleProgram, [String], String)])
    func `that make no sense are refused with 64, and nothing is written`(
        _ program: ExampleProgram, _ arguments: [String], _ message: String
    ) throws {
        try TemporaryFolder.with { folder throws in
            let result = try program.run(arguments, in: folder)
            #expect(result.status == 64)
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("\(program.rawValue): \(message)"), "\(result.errors)")
            #expect(result.errors.hasSuffix("Try “\(program.rawValue) --help”.\n"))
            #expect(try folder.names() == [])
        }
    }
}
