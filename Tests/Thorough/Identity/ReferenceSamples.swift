// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport

/// An instance that others refer to. It is equal to all with its name.
final class Owner: Codable, Hashable, CustomStringConvertible {
    var name: String

    init(_ name: String) { self.name = name }
    static func == (left: Owner, right: Owner) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
    var description: String { "owner \(name)" }
}

/// An instance whose hash is that of what it refers to.
final class Title: Codable, Hashable {
    @Reference var owner: Owner?

    init(_ owner: Owner?) { self.owner = owner }
    static func == (left: Title, right: Title) -> Bool { left.owner == right.owner }
    func hash(into hasher: inout Hasher) { hasher.combine(owner) }
}

/// What comes back of `value` through an archive, for a decoder that has registered `types`.
func roundTrip<Value: Codable>(_ value: Value, registering types: [any Any.Type]) throws -> Value {
    var decoder = ArchiveDecoder()
    for type in types { decoder.classes.register(type) }
    return try decoder.decode(Value.self, from: ArchiveEncoder().encode(value))
}

/// An archive made by hand: up to nine objects in the slots from 1 on, and `others` in those from 10 on.
func handmadeArchive(_ objects: [PropertyList], from10 others: PropertyList...) throws -> Data {
    let unused: [PropertyList] = Array(repeating: "unused", count: 9 - objects.count)
    return try handmadeArchive(objects: objects + unused + others)
}

extension ArchiveEncoder {
    /// An encoder that writes archives of this format.
    init(_ format: PropertyListFormat, _ formatting: ArchiveEncoder.OutputFormatting = []) {
        self.init()
        outputFormat = format
        outputFormatting = formatting
    }
}
