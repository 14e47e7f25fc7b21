// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The limits on the values that an encoder archives, so that their archive can be decoded.
///
/// ```swift
/// var encoder = ArchiveEncoder()
/// encoder.limits.nesting = 500
/// ```
///
/// Exceeding a limit throws an `EncodingError.invalidValue` that names the limit.
public struct EncodingLimits: Sendable, Hashable {
    /// The maximum number of objects that a decoder decodes inside each other; by default, there is no maximum.
    ///
    /// A decoder decodes the value of a plain property, and of an element of a plain collection, inside the value that has it. It
    /// visits the properties in the order in which they were encoded, and decodes an instance at the first reference to it. A chain
    /// of instances with plain properties, and a tree or a network of them, may need as many levels as it has instances, each
    /// of which takes stack. The encoder itself needs none for references between instances, and does not notice it otherwise.
    ///
    /// Properties with ``Reference``, ``References``, ``WeakReference`` and `@Deferred` begin again at the first level, and so do
    /// instances of classes that declare their fields (``ArchivedFields``). A collection counts as an object.
    ///
    /// With a maximum, encoding takes a second pass over the archive.
    public var nesting = Int.max

    /// Creates the default limits: none.
    public init() {}
}
