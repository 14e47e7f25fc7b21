/// Makes instances of a class by their `init(from:)`.
class DecodableReader: InstanceReader {
    fileprivate final let core: UnsafeMutablePointer<DecodingCore>
    /// The class in this decoding. Set once, when it is known.
    final var type: UnsafeMutablePointer<DecodingType>?

    fileprivate init(core: UnsafeMutablePointer<DecodingCore>, identity: UnsafeRawPointer) {
        self.core = core
        super.init(identity: identity)
    }

    /// A new instance, which the caller owns, from what `decoder` stands for.
    func read(_ decoder: ArchiveDecoding) throws -> UnsafeRawPointer {
        preconditionFailure("DecodableReader is abstract")
    }

    /// The instance that `value` gives, which the caller owns.
    @inline(__always)
    fileprivate final class func owned<Value>(_ value: @autoclosure () throws -> Value) rethrows -> UnsafeRawPointer {
        // Made in place, so that the reference is handed on and not counted up and down.
        var object: UnsafeRawPointer?
        try withUnsafeMutablePointer(to: &object) {
            _ = try UnsafeMutableRawPointer($0).initializeMemory(as: Value.self, to: value())
        }
        guard let object else { preconditionFailure("\(Value.self) is no class") }
        return object
    }

    final override func make(_ uid: UInt32, at path: CodingPathTable.Index) throws {
        guard let top = core.pointee.top, let type else { return }
        try top._withUnsafeGuaranteedRef { top in
            try top.makeInstance(type, top.object(uid), at: path)
        }
    }
}

final class InstanceReading<Value: Decodable>: DecodableReader {
    override init(core: UnsafeMutablePointer<DecodingCore>, identity: UnsafeRawPointer) {
        super.init(core: core, identity: identity)
    }

    override func read(_ decoder: ArchiveDecoding) throws -> UnsafeRawPointer {
        try Self.owned(Value(from: decoder))
    }
}

/// Makes instances of a class by their `init(from:)`, those of former versions after their migrations.
final class MigratingReading<Value: Decodable>: DecodableReader {
    override init(core: UnsafeMutablePointer<DecodingCore>, identity: UnsafeRawPointer) {
        super.init(core: core, identity: identity)
    }

    override func read(_ decoder: ArchiveDecoding) throws -> UnsafeRawPointer {
        guard let migrations = type?.pointee.migrations else {
            preconditionFailure("\(Value.self) has no migrations")
        }
        return try Self.owned(decoder.migrated(Value.self, migrations))
    }
}
