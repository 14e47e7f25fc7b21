// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A `Coding` class while an archive is read. It creates the instances of the class.
class UnarchivedType: InstanceReader {
    /// The class.
    final let type: any Coding.Type
    /// Whether the class supports secure coding.
    final let isSecure: Bool
    private unowned let reading: GraphReading
    /// The records that decode the objects of each class entry if this class is requested.
    final let matches = ClassMatches<UnarchivedType>()

    fileprivate init(_ type: any Coding.Type, _ reading: GraphReading) {
        self.type = type
        self.reading = reading
        isSecure = type.supportsSecureCoding
        super.init(identity: type, decodesOwnClass: type.unarchivedClass == type)
    }

    /// Creates an instance from the current object of `unarchiver`.
    func read(_ unarchiver: KeyedUnarchiver) throws -> AnyObject {
        preconditionFailure("UnarchivedType is abstract")
    }

    /// The replacement that `object` proposes; nil if it proposes none.
    func awakened(_ object: AnyObject, _ unarchiver: KeyedUnarchiver) throws -> (any Coding)? {
        preconditionFailure("UnarchivedType is abstract")
    }

    /// `object`, an instance of the class.
    func instance(_ object: AnyObject) -> any Coding {
        preconditionFailure("UnarchivedType is abstract")
    }

    final override func make(_ uid: UInt32, at path: CodingPathTable.Index) throws {
        try reading.unarchiver.make(self, uid, at: path)
    }
}

/// Creates instances of a class with their `init(coder:)`.
final class UnarchivedTypeOf<Object: Coding>: UnarchivedType {
    init(_ reading: GraphReading) { super.init(Object.self, reading) }

    override func read(_ unarchiver: KeyedUnarchiver) throws -> AnyObject { try Object(coder: unarchiver) }

    override func awakened(_ object: AnyObject, _ unarchiver: KeyedUnarchiver) throws -> (any Coding)? {
        let own = try Reinterpretation.instance(object, as: Object.self).awakeAfter(using: unarchiver)
        return own === object ? nil : own
    }

    override func instance(_ object: AnyObject) -> any Coding { Reinterpretation.instance(object, as: Object.self) }
}
