// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

/// The part of a file that a command works on.
enum Part {
    case value(KeyedArchive.Value)
    case list(PropertyList)
    /// A typedstream, or one of its objects.
    case stream(TypedStream, object: Int?)
}

/// The options `--path` and `--uid`, which select a part of a file.
enum Selection {
    static let path = Option(
        name: "path", value: "PATH",
        help:
            "The part at PATH, such as animals[0].name or animals/0/name: keys and positions from the root object, or from"
            + " the top if PATH begins with “/”. In a path with “/”, a “.” belongs to the key. “[3]” is always a position, and"
            + " “\\” makes the next character part of a key.")
    static let uid = Option(name: "uid", value: "N", help: "The object with the number N, which “show” writes as #N.")

    static let options = [path, uid]

    /// The part that the options select; nil without them.
    ///
    /// - Throws: `ToolError` if it does not exist, with what exists instead.
    static func part(of input: Input, _ arguments: Arguments) throws -> Part? {
        if arguments.has(path), arguments.has(uid) {
            throw ToolError(.usage, "--path and --uid both select a part; give one of them")
        }
        let number = try arguments.integer(uid, in: 0...Int(UInt32.max))
        let steps = try arguments.value(path).map { text throws(ToolError) in try ValuePath(text) }
        switch input.content {
        case .archive(let archive):
            if let number, number >= archive.objects.count {
                throw ToolError(
                    .unreadable,
                    "There is no object #\(number): the archive has \(archive.objects.count), from #0 (nil) to"
                        + " #\(archive.objects.count - 1)")
            }
            if let number { return .value(archive.objects[number]) }
            return try steps.map { .value(try $0.value(in: archive)) }
        case .propertyList(let list, _, _):
            if number != nil {
                throw ToolError(.usage, "\(input.name) is a property list, whose values have no uids; use --path")
            }
            return try steps.map { .list(try $0.value(in: list)) }
        case .typedStream(let stream):
            if steps != nil {
                throw ToolError(.usage, "\(input.name) is a typedstream, whose values have no keys; use --uid")
            }
            if let number, !stream.objects.indices.contains(number) {
                throw ToolError(
                    .unreadable,
                    "There is no object #\(number) in \(input.name): it has \(stream.objects.count), from #0 on")
            }
            return number.map { .stream(stream, object: $0) }
        }
    }
}
