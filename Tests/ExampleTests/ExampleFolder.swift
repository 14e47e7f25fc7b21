import Archiving
import Foundation

/// A folder of its own for each test.
struct ExampleFolder {
    let url: URL

    /// Gives `body` a folder, which is removed with everything in it.
    static func with(_ body: (ExampleFolder) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("examples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(ExampleFolder(url: url))
    }

    /// The address of the file, or whatever else, at a path in the folder.
    subscript(path: String) -> URL { url.appendingPathComponent(path) }

    /// The names of all that is in the folder, or in one below it, sorted.
    func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self[folder].path).sorted()
    }

    /// Runs `items` with these arguments.
    func items(_ arguments: String...) throws -> ProgramResult { try ExampleProgram.items.run(arguments, in: url) }

    /// Runs `creatures` with these arguments.
    func creatures(_ arguments: String...) throws -> ProgramResult {
        try ExampleProgram.creatures.run(arguments, in: url)
    }

    /// Writes an archive that is made by hand: what is at the top, and the objects behind `$null`.
    func write(
        _ path: String, top: PropertyList = ["root": .uid(1)], _ objects: PropertyList...,
        format: PropertyListFormat = .binary
    ) throws {
        let list: PropertyList = [
            "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": .array(["$null"] + objects),
        ]
        let file = self[path]
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try list.data(format: format).write(to: file)
    }
}

extension PropertyList {
    /// The entry of a class with its superclasses.
    static func classEntry(_ names: String...) -> PropertyList {
        ["$classname": .string(names[0]), "$classes": .array((names + ["NSObject"]).map { .string($0) })]
    }
}
