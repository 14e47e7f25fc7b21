// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Returns the objects of a keyed archive, one per line: the uid, the class and the contents. `→` precedes the uid of another
/// object.
func objectGraph(of archive: Data) throws -> String {
    guard
        case .dictionary(let contents) = try PropertyList(archive),
        case .array(let objects)? = contents["$objects"],
        case .dictionary(let top)? = contents["$top"]
    else { return "not a keyed archive\n" }

    var graph = "      " + fields(of: top) + "\n"
    for (uid, object) in objects.enumerated() {
        graph += padded(String(uid), to: 4, onTheLeft: true) + "  " + line(for: object, among: objects) + "\n"
    }
    return graph
}

private func line(for object: PropertyList, among objects: [PropertyList]) -> String {
    guard case .dictionary(let contents) = object else { return text(of: object) }
    if case .string(let name)? = contents["$classname"] {
        return "class \(name)"
    }
    guard
        case .uid(let classUID)? = contents["$class"],
        case .dictionary(let classContents) = objects[Int(classUID)],
        case .string(let className)? = classContents["$classname"]
    else { return fields(of: contents) }
    return padded(className, to: 10) + fields(of: contents)
}

/// Returns the entries of an object without its class, in the order of their names.
private func fields(of contents: PropertyList.Dictionary) -> String {
    contents.filter { $0.key != "$class" }
        .sorted { $0.key < $1.key }
        .map { "\($0.key): \(text(of: $0.value))" }
        .joined(separator: "  ")
}

private func text(of value: PropertyList) -> String {
    switch value {
    case .string("$null"): "nil"
    case .string(let string): "\"\(string)\""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .boolean(let boolean): "\(boolean)"
    case .uid(let uid): "→\(uid)"
    case .array(let elements): "[" + elements.map(text).joined(separator: " ") + "]"
    default: "\(value)"
    }
}

private func padded(_ text: String, to width: Int, onTheLeft: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - text.count))
    return onTheLeft ? padding + text : text + padding
}
