// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// An instance whose references to others are shown.
protocol Linked: AnyObject {
    var name: String { get }
    /// The instances that it refers to, in an order that is the same after decoding.
    var links: [(any Linked)?] { get }
}

/// The instances that can be reached, each with its number and the numbers that it refers to.
func shape(_ roots: [(any Linked)?]) -> String {
    var numbers: [ObjectIdentifier: Int] = [:]
    var found: [any Linked] = []
    func number(_ linked: (any Linked)?) -> String {
        guard let linked else { return "-" }
        if numbers[ObjectIdentifier(linked)] == nil {
            numbers[ObjectIdentifier(linked)] = found.count
            found.append(linked)
        }
        return "\(numbers[ObjectIdentifier(linked)] ?? -1)"
    }
    var words = [roots.map(number).joined(separator: ",")]
    var next = 0
    while next < found.count {
        let linked = found[next]
        words.append("\(linked.name)(\(linked.links.map(number).joined(separator: ",")))")
        next += 1
    }
    return words.joined(separator: " ")
}

extension Report {
    /// Encodes and decodes a graph, which has to have the same shape, and a deep copy of it.
    mutating func graph<Root: Codable>(
        _ name: String, _ root: Root, coder: Coders = Coders(), _ links: (Root) -> [(any Linked)?]
    ) {
        let before = shape(links(root))
        do {
            let data = try coder.encoder.encode(root)
            try keep(data, as: "\(name).plist")
            let after = shape(links(try coder.decoder.decode(Root.self, from: data)))
            line("\(name): \(data.count) bytes, \(after.utf8.count < 300 ? after : digest(after.utf8))")
            if before != after { failure("\(name) was \(before)") }
        } catch {
            line("\(name): error: \(error)")
        }
    }

    /// As `graph(_:_:coder:_:)`, for the root alone.
    mutating func graph<Root: Codable & Linked>(_ name: String, _ root: Root, coder: Coders = Coders()) {
        graph(name, root, coder: coder) { [$0] }
    }
}
