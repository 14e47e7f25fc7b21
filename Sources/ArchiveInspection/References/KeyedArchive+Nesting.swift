// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension KeyedArchive {
    /// Returns the number of objects that a decoder decodes inside each other if all properties are plain, and the path to the innermost
    /// of them.
    ///
    /// ```swift
    /// let (depth, path) = archive.nesting()
    /// ```
    ///
    /// The references of plain properties, each followed when it is read, take a level of the stack each. An archive does not distinguish
    /// them from those of `@Reference` and `@References`, and of classes that declare their fields, which take none. So this is the
    /// depth for a program without them.
    ///
    /// Objects are visited in the order of their keys in the archive, and each once, like instances. A damaged value counts as one without
    /// contents.
    ///
    /// - Complexity: O(*n*), where *n* is the number of references.
    public func nesting() -> (depth: Int, path: Path) {
        let depth = ArchiveNesting(of: self, above: .max).depth
        return (depth, path(through: ArchiveNesting(of: self, above: depth - 1).excess))
    }
}
