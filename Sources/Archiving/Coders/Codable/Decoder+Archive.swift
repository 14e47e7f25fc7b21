// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension Decoder {
    /// Makes `instance`, which is being decoded, available to references in its own contents.
    ///
    /// Call it in a hand-written `init(from:)` as soon as all stored properties have a value. The values that are
    /// decoded after the call may reference the instance, even as `unowned`:
    ///
    /// ```swift
    /// final class Parent: Codable {
    ///     private(set) var children: [Child] = []
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         decoder.publish(self)
    ///         children = try decoder.container(keyedBy: CodingKeys.self).decode([Child].self, forKey: .children)
    ///     }
    /// }
    ///
    /// final class Child: Codable {
    ///     unowned let parent: Parent
    /// }
    /// ```
    ///
    /// From then on, the instance receives no empty collection that is filled later (<doc:IdentityAndCycles>). If the decoder reaches a
    /// child before its parent, decoding throws the error of a cycle.
    ///
    /// The initializer of a superclass may call it. If the initializer throws after another object has received the
    /// instance, the whole decoding fails with that error, even if the program catches it.
    ///
    /// Other decoders ignore the call.
    ///
    /// - Parameter instance: The instance that this decoder is decoding. To publish another instance, or to publish in
    ///   the initializer of a struct or an enum, is a programming error and traps.
    public func publish(_ instance: AnyObject) {
        archiveDecoding?.publish(instance)
    }

    /// The decoder of an archive: this one, or the one behind a migration.
    fileprivate var archiveDecoding: DecodingFrame? {
        DecodingFrame.behind(self) ?? (self as? MigratedDecoding)?.base.decoding
    }
}

extension Decoder {
    /// Returns the `ArchiveDescribing.archiveVersion` of `type` when the archive was written, or 0 if it declared none.
    ///
    /// - Parameter type: The class of the value, or one of its superclasses. `nil` for the class of the object, which in an
    ///   initializer that a subclass inherits or calls is the subclass.
    /// - Returns: The version. `nil` with other decoders, for a value that is not an object of a class, and if the
    ///   value's class does not inherit from `type`.
    /// - Complexity: O(*n*), where *n* is the number of classes in the chain.
    public func archivedVersion(of type: (any Any.Type)? = nil) -> Int? {
        guard let decoder = archiveDecoding, let uid = try? decoder.archive.classUID(of: decoder.value.node)
        else { return nil }
        guard let type else { return try? decoder.archive.classVersion(at: 0, uid) }
        return try? decoder.archive.classVersion(of: type, uid, in: decoder.session.settings.classes)
    }
}

extension DecodingFrame {
    fileprivate func publish(_ instance: AnyObject) {
        guard let owner = self.instance, let type = owner.ownType?.type, type == Swift.type(of: instance)
        else {
            misuse(
                "publish(_:) was called with a \(Swift.type(of: instance)), and its decoder decodes another type:"
                    + " an initializer publishes self with the decoder that it received")
        }
        instances.publish(instance, as: owner.value.uid)
    }
}
