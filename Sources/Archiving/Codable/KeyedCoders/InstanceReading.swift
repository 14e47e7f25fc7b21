/// Creates instances of a class with `init(from:)`.
class DecodableReader: InstanceReader {
    fileprivate final let core: UnsafeMutablePointer<DecodingCore>
    /// The type record of the class in this decoding. Set once.
    final var type: UnsafeMutablePointer<DecodingType>?

    fileprivate init(core: UnsafeMutablePointer<DecodingCore>, identity: UnsafeRawPointer) {
        self.core = core
        super.init(identity: identity)
    }

    /// Returns a new instance that `decoder` decodes. The caller owns it.
    func read(_ decoder: ArchiveDecoding) throws -> UnsafeRawPointer {
        preconditionFailure("DecodableReader is abstract")
    }

    /// Evaluates `value` and returns its instance. The caller owns it.
    @inline(__always)
    fileprivate final class func owned<Value>(_ value: @autoclosure () throws -> Value) rethrows -> UnsafeRawPointer {
        // Initialized in place, so that the reference is moved instead of retained and released.
        var object: UnsafeRawPointer?
        try withUnsafeMutablePointer(to: &object) {
            _ = try UnsafeMutableRawPointer($0).initializeMemory(as: Value.self, to: value())
        }
        guard let object else { preconditionFailure("\(Value.self) is not a class") }
        return object
    }

    /// The type of the instances.
    fileprivate var encodableType: (any Encodable.Type)? { preconditionFailure("DecodableReader is abstract") }

    final override func writer(for archiver: KeyedArchiver) -> Unmanaged<InstanceWriter>? {
        guard let encodable = encodableType else { return nil }
        let session = archiver.encodingSession
        if !core.pointee.userInfo.isEmpty { session.userInfo = core.pointee.userInfo }
        return session.writer(ofInstances: encodable)
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
        try Self.owned(decoder.value(Value.self))
    }

    override var encodableType: (any Encodable.Type)? { Value.self as? any Encodable.Type }
}

/// Creates instances of a class with `init(from:)`, after the migrations of those of former versions.
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

    override var isMigrating: Bool { true }

    override var encodableType: (any Encodable.Type)? { Value.self as? any Encodable.Type }
}
