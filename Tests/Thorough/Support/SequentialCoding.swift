// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// The archive that `body` writes.
package func sequentialArchive(_ body: (SequentialArchiver) throws -> Void) throws -> Data {
    let archiver = SequentialArchiver()
    try body(archiver)
    return try archiver.finishEncoding()
}

/// An unarchiver for what `body` writes.
package func sequentialUnarchiver(_ body: (SequentialArchiver) throws -> Void) throws -> SequentialUnarchiver {
    try SequentialUnarchiver(forReadingFrom: sequentialArchive(body))
}

/// The error of a `SequentialUnarchiver` that `body` throws.
package func sequentialError<Result>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) throws -> ArchivingError {
    try #require(
        #expect(throws: ArchivingError.self, sourceLocation: sourceLocation) { _ = try body() },
        sourceLocation: sourceLocation)
}
