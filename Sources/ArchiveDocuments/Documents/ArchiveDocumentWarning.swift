// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A fact about a document that makes its file hard to read later.
public struct ArchiveDocumentWarning: Sendable, Hashable, CustomStringConvertible {
    /// The Swift name of a type that is written under this name: its module and its name.
    ///
    /// If the module or the type gets another name, the program reads the objects of the file as those of an unknown class, and a save
    /// writes each of them again. Declare an `archiveName`, or register the type under a name.
    public let typeName: String

    /// A sentence with the type and the remedy.
    public var description: String {
        "Objects of \(typeName) are written under the name of the type and its module. Declare its archiveName, or register"
            + " it, before one of these is renamed"
    }
}
