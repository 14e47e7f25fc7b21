// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An object whose type has to be registered and is not. Its path is found in the complete archive, so that the check costs nothing
/// else.
struct UnregisteredType {
    let type: any Any.Type
    let path: [any CodingKey]

    /// Finds the first object of `type` in the archive that `archive` returns; nil if there is no such type.
    init?(_ type: (any Any.Type)?, _ classes: ClassRegistry, in archive: @autoclosure () throws -> KeyedArchive) {
        guard let type else { return nil }
        self.type = type
        let name = classes.name(for: type)
        guard let archive = try? archive(), let object = archive.objects.first(where: { $0.className == name }),
            let path = archive.path(to: object)
        else {
            path = []
            return
        }
        let keys = path.steps.map { ArchiveKey($0) as any CodingKey }
        self.path = keys.first?.stringValue == KeyedArchiveFormat.rootKey ? Array(keys.dropFirst()) : keys
    }

    /// A sentence for an error.
    var sentence: String {
        "Found a \(type) at \(path.pathDescription), which is not registered. Register the type in the classes of encoder and"
            + " decoder, or set unregisteredTypes to .write"
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
