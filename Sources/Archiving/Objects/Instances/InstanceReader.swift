// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Decodes the instances of one class. The layers above have a subclass for each way to read a class.
class InstanceReader {
    /// The class, as identified in the table of instances.
    final let identity: any Any.Type

    /// Whether objects of the class are decoded as the class itself if no type is registered.
    final let decodesOwnClass: Bool

    init(identity: any Any.Type, decodesOwnClass: Bool) {
        self.identity = identity
        self.decodesOwnClass = decodesOwnClass
    }

    /// The name of the class in archives if no type is registered.
    final private(set) lazy var ownClassName = TypeNames.names(of: identity).archivedClass.name

    /// Decodes the instance of the object `uid` and enters it in the table of instances.
    ///
    /// - Parameter path: The coding path of the reference that requests it.
    func make(_ uid: UInt32, at path: CodingPathTable.Index) throws {
        preconditionFailure("InstanceReader is abstract")
    }

    /// Notes that objects with the class entry `uid` are decoded as the class.
    func noteClass(_ uid: UInt32, in archive: ArchiveContents) {}

    /// Notifies `object`, an instance with declared fields, that the decoding is complete.
    func didFinish(_ object: AnyObject) throws {}

    /// Clears the declared fields of `object`, so that it refers to no other instance.
    func clear(_ object: AnyObject) {}
}
