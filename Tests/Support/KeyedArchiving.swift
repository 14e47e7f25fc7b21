// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import Testing

/// An archive of what `body` encodes.
package func keyedArchive(requiringSecureCoding: Bool = true, _ body: (KeyedArchiver) throws -> Void) throws -> Data {
    let archiver = KeyedArchiver(requiringSecureCoding: requiringSecureCoding)
    try body(archiver)
    return try archiver.finishEncoding()
}

/// An unarchiver for `data` that knows `types`.
package func keyedUnarchiver(
    _ data: Data, requiringSecureCoding: Bool = true, registering types: [any Any.Type] = []
) throws -> KeyedUnarchiver {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: requiringSecureCoding)
    for type in types { unarchiver.classes.register(type) }
    return unarchiver
}

/// A registry that knows `types`.
package func classRegistry(_ types: any Any.Type...) -> ClassRegistry {
    var classes = ClassRegistry()
    for type in types { classes.register(type) }
    return classes
}

/// The error of a keyed coder that `body` throws.
package func archivingError(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) throws -> ArchivingError {
    try #require(throws: ArchivingError.self, sourceLocation: sourceLocation) { _ = try body() }
}

extension InspectedArchive {
    /// The value under `key` in `$top`.
    package func top(_ key: String) -> PropertyList? { list["$top"]?[key] }

    /// The entry of the class whose name ends in `name`.
    package func classEntry(_ name: String) -> PropertyList? {
        objects.first { object in
            if case .string(let text)? = object["$classname"] { Self.lastPart(of: text) == name } else { false }
        }
    }
}

/// Which classes were begun to be made, in order: initializers find it in the user info.
package final class CreationLog: Sendable {
    package init() {}

    private let names = Mutex<[String]>([])

    package func note(_ type: any Any.Type) { names.withLock { $0.append("\(type)") } }
    package var all: [String] { names.withLock { $0 } }

    package static let key = CodingUserInfoKey.named("creations")

    package static func note(_ type: any Any.Type, _ userInfo: [CodingUserInfoKey: Any]) {
        (userInfo[key] as? CreationLog)?.note(type)
    }
}
