// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// A database of creatures, with one folder each: Codable values in archives, and old files of another program. `swift run
// creatures --help` lists the commands.

import Archiving
import ExampleCommandLine

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text of `--help`.
let usage = """
    A database of creatures, with their images.

    usage: creatures [--folder FOLDER] COMMAND

      list                                   all creatures, each with its number, rating and title
      add TITLE [--rating RATING] [--image FILE] [--thumbnail FILE]
      show NUMBER                            shows the data of a creature
      rate NUMBER RATING                     from 0 to 5
      rename NUMBER TITLE
      image NUMBER FILE [--small]            copies a creature's image, or its small one, into a file
      delete NUMBER                          removes a creature with all its files
      migrate                                rewrites the creatures that older programs saved

    The creatures are in \(CreatureDatabase.usualFolder.path), unless --folder says otherwise.

    Exit codes: 0, 1 where something failed, 64 for a command line that makes no sense.
    """

do {
    try run(CommandLine.arguments.dropFirst())
} catch let error as UsageError {
    end("creatures: \(error)\nTry “creatures --help”.", status: 64)
} catch {
    end("creatures: \(sentence(for: error))", status: 1)
}

/// Runs a command line.
func run(_ words: some Sequence<String>) throws {
    var arguments = try Arguments(
        words, options: ["--folder", "--rating", "--image", "--thumbnail"], flags: ["--small", "--help"])
    if arguments.has("--help") { return print(usage) }
    let command = try arguments.word("The command")
    let database = CreatureDatabase(
        folder: arguments.value(of: "--folder").map { URL(filePath: $0) } ?? CreatureDatabase.usualFolder)

    switch command {
    case "list":
        try arguments.finish()
        try list(database)
    case "add": try add(&arguments, to: database)
    case "show":
        let creature = try creature(&arguments, in: database)
        try arguments.finish()
        try show(creature)
    case "rate":
        let creature = try creature(&arguments, in: database)
        let rating = try rating(arguments.word("The rating"))
        try arguments.finish()
        try change(creature) { $0.rating = rating }
    case "rename":
        let creature = try creature(&arguments, in: database)
        let title = try title(arguments.word("The title"))
        try arguments.finish()
        try change(creature) { $0.title = title }
    case "image":
        let creature = try creature(&arguments, in: database)
        let file = URL(filePath: try arguments.word("The file"))
        try arguments.finish()
        let size: Creature.ImageSize = arguments.has("--small") ? .thumbnail : .full
        guard let image = try creature.imageFile(size) else { throw CreatureError.noImage(creature.number) }
        try Data(contentsOf: image).write(to: file, options: .atomic)
        print("the image of creature \(creature.number) is in \(file.path)")
    case "delete":
        let creature = try creature(&arguments, in: database)
        try arguments.finish()
        try database.delete(creature)
        print("creature \(creature.number) has been deleted")
    case "migrate":
        try arguments.finish()
        try migrate(database)
    default: throw UsageError("There is no command “\(command)”")
    }
}

// MARK: - Commands

/// `list`: prints a line for each creature.
func list(_ database: CreatureDatabase) throws {
    let creatures = try database.creatures()
    if creatures.isEmpty { return print("There are no creatures. “creatures add TITLE” adds one.") }
    try forEach(creatures) { creature in
        let data = try creature.data
        print("\(creature.number)  \(stars(data.rating))  \(data.title)")
    }
}

/// `add`: adds a creature, with its images if there are any.
func add(_ arguments: inout Arguments, to database: CreatureDatabase) throws {
    let title = try title(arguments.word("The title"))
    try arguments.finish()
    let data = CreatureData(
        title: title, rating: try arguments.value(of: "--rating").map(rating) ?? 0, added: Date())
    var images: [Creature.ImageSize: URL] = [:]
    images[.full] = arguments.value(of: "--image").map { URL(filePath: $0) }
    images[.thumbnail] = arguments.value(of: "--thumbnail").map { URL(filePath: $0) }
    let creature = try database.add(data, images: images)
    print("\(title) is creature \(creature.number)")
}

/// `show`: prints the data of a creature and the paths of its images.
func show(_ creature: Creature) throws {
    let data = try creature.data
    print(data.title)
    print("  rating     \(stars(data.rating)) \(data.rating)")
    if let added = data.added { print("  added      \(added.formatted(.iso8601.year().month().day()))") }
    for size in Creature.ImageSize.allCases {
        guard let file = try creature.imageFile(size) else { continue }
        print("  \(size == .full ? "image    " : "thumbnail")  \(file.path)")
    }
}

/// `rate` and `rename`: change the data of a creature and save it.
func change(_ creature: Creature, _ body: (inout CreatureData) -> Void) throws {
    var data = try creature.data
    body(&data)
    try creature.save(data)
    print("\(creature.number)  \(stars(data.rating))  \(data.title)")
}

/// `migrate`: rewrites all creatures that are in an older form.
func migrate(_ database: CreatureDatabase) throws {
    var count = 0
    try forEach(try database.creatures()) { creature in
        guard try creature.migrate() else { return }
        count += 1
        print("creature \(creature.number) has been rewritten")
    }
    if count == 0 { print("there is nothing to migrate") }
}

// MARK: - Parts of commands

/// Calls `body` with each creature. If one fails, its error is printed and the others follow. The error at the end has the number
/// of failures.
func forEach(_ creatures: [Creature], _ body: (Creature) throws -> Void) throws {
    var failures = 0
    for creature in creatures {
        do {
            try body(creature)
        } catch {
            failures += 1
            complain("creatures: \(sentence(for: error))")
        }
    }
    if failures > 0 {
        throw SomeFailed(description: "\(failures) of \(creatures.count) creatures failed, as reported above")
    }
}

/// The error for failed creatures, whose errors have been printed.
struct SomeFailed: Error, CustomStringConvertible {
    let description: String
}

/// Returns the creature whose number is the next word.
func creature(_ arguments: inout Arguments, in database: CreatureDatabase) throws -> Creature {
    try database.creature(numbered: arguments.word("The number"))
}

/// Checks that a title is not empty.
func title(_ text: String) throws -> String {
    guard !text.isEmpty else { throw UsageError("The title is empty") }
    return text
}

/// Parses a rating.
func rating(_ text: String) throws -> Double {
    guard let rating = Double(text), CreatureData.ratings.contains(rating) else {
        throw UsageError("A rating is a number from 0 to 5, not “\(text)”")
    }
    return rating
}

/// Returns a rating as five stars, including half a star.
func stars(_ rating: Double) -> String {
    let (full, half) = Int((2 * rating).rounded()).quotientAndRemainder(dividingBy: 2)
    return String(repeating: "★", count: full) + String(repeating: "½", count: half)
        + String(repeating: "☆", count: 5 - full - half)
}
