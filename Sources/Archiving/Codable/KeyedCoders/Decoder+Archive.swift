extension Decoder {
    /// Lets references that lead back to `instance`, which is being decoded, resolve to it from now on.
    ///
    /// It is called in an `init(from:)` that is written by hand, as soon as all stored properties have a value. What is
    /// decoded after that may refer to the instance, also as `unowned`:
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
    /// It may be called in the initializer of a superclass. If the initializer throws after others were given the
    /// instance, all of the decoding fails with that error, even if somebody catches it.
    ///
    /// With other decoders it does nothing.
    ///
    /// - Parameter instance: The instance that this decoder is decoding. To publish another one, or to publish in the
    ///   initializer of a struct or an enum, is a programming error, and traps.
    public func publish(_ instance: AnyObject) {
        archiveDecoding?.publish(instance)
    }

    /// The decoder of an archive that this is, or that is behind a migration.
    fileprivate var archiveDecoding: ArchiveDecoding? {
        self as? ArchiveDecoding ?? (self as? MigratedDecoding)?.base
    }
}

extension Decoder {
    /// The version that the value's class has in the archive: what its `ArchiveDescribing.archiveVersion` was when it was
    /// written, 0 where that said nothing. nil with other decoders, and for a value that is no object of a class.
    ///
    /// In an initializer that a subclass inherits or calls, this is the subclass's version; see `archivedVersion(of:)`.
    public var archivedVersion: Int? {
        guard let decoder = archiveDecoding, let uid = try? decoder.archive.classUID(of: decoder.value.node)
        else { return nil }
        return try? decoder.archive.classVersion(at: 0, uid)
    }

    /// The version that `type` has in the archive where it is the class of the value, or one of its superclasses: what its
    /// `ArchiveDescribing.archiveVersion` was when it was written, 0 where that said nothing. nil with other decoders, and
    /// where the value is of another class.
    ///
    /// - Complexity: O(*n*), where *n* is the number of classes in the chain.
    public func archivedVersion(of type: any Any.Type) -> Int? {
        guard let decoder = archiveDecoding, let uid = try? decoder.archive.classUID(of: decoder.value.node)
        else { return nil }
        return try? decoder.archive.classVersion(of: type, uid, in: decoder.core.pointee.state.pointee.classes)
    }
}

extension ArchiveDecoding {
    fileprivate func publish(_ instance: AnyObject) {
        guard let owner = frame.instance, let type = owner.pointee.type?.pointee.type, type == Swift.type(of: instance)
        else {
            misuse(
                "publish(_:) was given \(Swift.type(of: instance)), and its decoder decodes another type:"
                    + " an initializer publishes self, with the decoder that it was given")
        }
        core.pointee.state.pointee.instances.publish(instance, as: owner.pointee.value.uid)
    }
}
