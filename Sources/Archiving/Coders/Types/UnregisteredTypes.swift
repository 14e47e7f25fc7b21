// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The types of an archive that have to be registered and are not. They are found in the complete archive, so that the check costs
/// nothing else.
struct UnregisteredTypes {
    /// The types, in the order of their first objects.
    private var types: [any Any.Type] = []
    /// The path to the first of these objects.
    private(set) var path: [any CodingKey] = []

    /// Orders `types`, which the archive that `archive` returns has; nil if there are none.
    init?(_ types: [any Any.Type], _ classes: ClassRegistry, in archive: @autoclosure () throws -> KeyedArchive) {
        if types.isEmpty { return nil }
        var waiting = Dictionary(grouping: types) { classes.name(for: $0) }
        if let archive = try? archive() {
            for object in archive.objects where !waiting.isEmpty {
                guard let name = object.className, let found = waiting.removeValue(forKey: name) else { continue }
                if self.types.isEmpty, let path = archive.path(to: object) {
                    let keys = path.steps.map { ArchiveKey($0) as any CodingKey }
                    self.path = keys.first?.stringValue == KeyedArchiveFormat.rootKey ? Array(keys.dropFirst()) : keys
                }
                self.types += found
            }
        }
        self.types += waiting.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// A sentence for an error, with all types.
    var sentence: String {
        let names = types.map { ArchivingError.shown("\($0)") }
        let found = "Found a \(names[0]) at \(path.pathDescription), which is not registered"
        let remedy = "in the classes of encoder and decoder, or set unregisteredTypes to .write"
        if names.count == 1 { return "\(found). Register the type \(remedy)" }
        let registration = names.map { "\($0).self" }.joined(separator: ", ")
        return "\(found), nor are \(names.dropFirst().joined(separator: ", ")). Register them \(remedy):"
            + " register(\(registration))"
    }
}

extension ArchiveKey {
    /// The key of a step of a path.
    init(_ step: KeyedArchive.Path.Step) {
        switch step {
        case .key(let key): self.init(stringValue: key)
        case .index(let index): self.init(intValue: index)
        }
    }
}
