// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type with an empty value: that of a property without a value in the archive (``DefaultEmpty``), of references
/// (``References``) until their instances are decoded, or of a part of an archive that cannot be read.
///
/// Optionals, collections, strings and data conform. A custom collection or option set conforms without any code:
/// `extension Permissions: Emptiable {}`.
public protocol Emptiable {
    /// Creates the empty value.
    init()
}

extension Optional: Emptiable {
    /// Creates `nil`.
    public init() { self = nil }
}

extension Array: Emptiable {}
extension ContiguousArray: Emptiable {}
extension Set: Emptiable {}
extension Dictionary: Emptiable {}
extension String: Emptiable {}
extension Data: Emptiable {}
