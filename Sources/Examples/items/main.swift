// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// A list of possessions in a file: classes that archive themselves by key. `swift run items --help` lists the commands.

import Archiving
import ExampleCommandLine

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of `--help`.
let usage = """
    A list of the things that you own.

    usage: items [--file FILE] COMMAND

      list                                   all items, each with a number and its contents below it
      add NAME --value DOLLARS [--serial NUMBER] [--in ITEM]
      show ITEM                              shows the data of an item
      move ITEM --in ITEM                    puts an item, with what is in it, into another one
      move ITEM --out                        takes it out of the one that it is in
      remove ITEM                            removes it; what was in it stays
      export FILE [ITEM] [--xml] [--class NAME]
                                             an archive for other programs: of one item with its contents, or of all
      import FILE [--class NAME]             adds the items of an archive, such as a Cocoa program's

    ITEM is a name, or a number of the list. NAME after --class is the name of the class in the other program, such
    as BNRItem or Homepwner.Item.

    The items are in \(ItemStore.usualFile.path), unless --file says otherwise.

    Exit codes: 0, 1 where something failed, 64 for a command line that makes no sense.
    """

do {
    try run(CommandLine.arguments.dropFirst())
} catch let error as UsageError {
    end("items: \(error)\nTry “items --help”.", status: 64)
} catch {
    end("items: \(sentence(for: error))", status: 1)
}

/// Runs a command line.
func run(_ words: some Sequence<String>) throws {
    var arguments = try Arguments(
        words, options: ["--file", "--value", "--serial", "--in", "--class"], flags: ["--out", "--xml", "--help"])
    if arguments.has("--help") { return print(usage) }
    let command = try arguments.word("The command")
    let file = arguments.value(of: "--file").map { URL(filePath: $0) } ?? ItemStore.usualFile

    switch command {
    case "list":
        try arguments.finish()
        list(try store(file))
    case "add": try add(&arguments, to: file)
    case "show":
        let name = try arguments.word("The item")
        try arguments.finish()
        let store = try store(file)
        // An item does not retain its container, so the store must stay alive.
        try withExtendedLifetime(store) { show(try store.item(name)) }
    case "move": try move(&arguments, in: file)
    case "remove":
        let name = try arguments.word("The item")
        try arguments.finish()
        try change(file) { store in
            let item = try store.item(name)
            store.remove(item)
            return "\(item.name) has been removed"
        }
    case "export": try export(&arguments, from: file)
    case "import": try importItems(&arguments, to: file)
    default: throw UsageError("There is no command “\(command)”")
    }
}

// MARK: - Commands

/// `add`: adds a new item.
func add(_ arguments: inout Arguments, to file: URL) throws {
    let name = try arguments.word("The name")
    try arguments.finish()
    guard !name.isEmpty else { throw UsageError("The name is empty") }
    guard let text = arguments.value(of: "--value") else { throw UsageError("--value DOLLARS is missing") }
    guard let value = Int(text), value >= 0 else { throw UsageError("--value takes whole dollars, not “\(text)”") }
    try change(file) { store in
        let item = Item(name: name, valueInDollars: value, serialNumber: arguments.value(of: "--serial"))
        store.add(item, in: try arguments.value(of: "--in").map(store.item))
        return "\(name) is item \(store.number(of: item))"
    }
}

/// `move`: moves an item.
func move(_ arguments: inout Arguments, in file: URL) throws {
    let name = try arguments.word("The item")
    try arguments.finish()
    let container = arguments.value(of: "--in")
    guard (container == nil) == arguments.has("--out") else { throw UsageError("move takes either --in ITEM or --out") }
    try change(file) { store in
        let item = try store.item(name)
        try store.move(item, into: container.map(store.item))
        return item.container.map { "\(item.name) is in \($0.name)" } ?? "\(item.name) is outside all other items"
    }
}

/// `export`: writes an archive for other programs.
func export(_ arguments: inout Arguments, from file: URL) throws {
    let other = URL(filePath: try arguments.word("The file"))
    let name = arguments.words.isEmpty ? nil : try arguments.word("The item")
    try arguments.finish()
    let store = try store(file)
    try store.write(
        name.map(store.item), to: other, className: arguments.value(of: "--class"),
        format: arguments.has("--xml") ? .xml : .binary)
    print("\(name ?? "All items") in \(other.path)")
}

/// `import`: adds the items of an archive from another program.
func importItems(_ arguments: inout Arguments, to file: URL) throws {
    let other = URL(filePath: try arguments.word("The file"))
    try arguments.finish()
    try change(file) { store in
        let count: Int
        do {
            count = try reading(other) { try store.add(from: other, className: arguments.value(of: "--class")) }
        } catch let error as UnreadableFile where error.code == .classNotAllowed {
            throw UnreadableFile(
                description: "\(error)\nIf its items have a class of another name, add --class NAME.", code: error.code)
        }
        return "\(count) \(count == 1 ? "item" : "items") from \(other.path)"
    }
}

// MARK: - Files

/// Returns the items in `file`.
func store(_ file: URL) throws -> ItemStore { try reading(file) { try ItemStore(file: file) } }

/// Changes the items in `file`, saves them, and then prints the result of `body`.
func change(_ file: URL, _ body: (inout ItemStore) throws -> String) throws {
    var store = try store(file)
    let message = try body(&store)
    try store.save()
    print(message)
}

/// Adds the name of the file to the errors of an archive.
func reading<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error where error is ArchivingError || error is ItemError {
        throw UnreadableFile(
            description: "\(file.path) cannot be read and has not been changed.\n\(error)",
            code: (error as? ArchivingError)?.code)
    }
}

/// An error for a file that is damaged or from another program.
struct UnreadableFile: Error, CustomStringConvertible {
    let description: String
    /// The code of the unarchiver's error; nil if the file itself is not the cause.
    let code: ArchivingError.Code?
}

// MARK: - Output

extension ItemStore {
    /// Returns the number of an item in the list.
    func number(of item: Item) -> Int { (allItems.firstIndex { $0.item === item } ?? 0) + 1 }
}

/// `list`: prints a line for each item, indented below its container.
func list(_ store: ItemStore) {
    let all = store.allItems
    if all.isEmpty { return print("There are no items. “items add NAME --value DOLLARS” adds one.") }
    let width = "\(all.count)".count
    for (index, (item, depth)) in all.enumerated() {
        let number = "\(index + 1)"
        let indentation = String(repeating: " ", count: width - number.count)
        print("\(indentation)\(number)  \(String(repeating: "  ", count: depth))\(item.name)  $\(item.valueInDollars)")
    }
}

/// `show`: prints the data of an item.
func show(_ item: Item) {
    print(item.name)
    print("  value          $\(item.valueInDollars)")
    print("  serial number  \(item.serialNumber ?? "none")")
    print("  since          \(item.dateCreated.formatted(.iso8601.year().month().day()))")
    if let container = item.container { print("  in             \(container.name)") }
    if !item.contents.isEmpty { print("  contents       \(item.contents.map(\.name).joined(separator: ", "))") }
}
