/// A `Coding` class while an archive is read.
struct UnarchivedType: ~Copyable {
    let type: any Coding.Type
    /// The type's address, which identifies the type of instances.
    let identity: UnsafeRawPointer
    /// Whether the class supports secure coding.
    let isSecure: Bool
    /// The unarchiver retains it.
    let reader: Unmanaged<CodingReader>
    /// The records that decode the objects of each class entry if this class is requested.
    var matches = ClassMatches<UnarchivedType>()
}

/// Creates instances of a class with their `init(coder:)`.
class CodingReader: InstanceReader {
    /// The unarchiver owns this object. A reference that Swift manages would cost reference counting at each use.
    fileprivate final let unarchiver: Unmanaged<KeyedUnarchiver>
    /// The class while the archive is read. Set once, when it is known.
    final var type: UnsafeMutablePointer<UnarchivedType>?

    fileprivate init(_ unarchiver: KeyedUnarchiver, identity: UnsafeRawPointer) {
        self.unarchiver = .passUnretained(unarchiver)
        super.init(identity: identity)
    }

    /// Creates an instance, which the caller owns, from the unarchiver's current object.
    func read() throws -> UnsafeRawPointer {
        preconditionFailure("CodingReader is abstract")
    }

    /// The replacement that the instance at `object` proposes; nil if it proposes none.
    func awakened(_ object: UnsafeRawPointer) throws -> (any Coding)? {
        preconditionFailure("CodingReader is abstract")
    }

    /// The instance at `object`.
    func instance(_ object: UnsafeRawPointer) -> any Coding {
        preconditionFailure("CodingReader is abstract")
    }

    final override func make(_ uid: UInt32, at path: CodingPathTable.Index) throws {
        guard let type else { return }
        try unarchiver._withUnsafeGuaranteedRef { try $0.make(type, uid, at: path) }
    }
}

final class CodingReading<Object: Coding>: CodingReader {
    override init(_ unarchiver: KeyedUnarchiver, identity: UnsafeRawPointer) {
        super.init(unarchiver, identity: identity)
    }

    override func read() throws -> UnsafeRawPointer {
        // Created in place, so that the reference is moved instead of retained and released.
        var object: UnsafeRawPointer?
        try withUnsafeMutablePointer(to: &object) { address in
            try unarchiver._withUnsafeGuaranteedRef { coder in
                _ = try UnsafeMutableRawPointer(address).initializeMemory(as: Object.self, to: Object(coder: coder))
            }
        }
        guard let object else { preconditionFailure("\(Object.self) is no class") }
        return object
    }

    override func awakened(_ object: UnsafeRawPointer) throws -> (any Coding)? {
        try Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef { object in
            let own = try unarchiver._withUnsafeGuaranteedRef { try object.awakeAfter(using: $0) }
            return own === object ? nil : own
        }
    }

    override func writer(for archiver: KeyedArchiver) -> Unmanaged<InstanceWriter>? {
        archiver.writer(Object.self)._withUnsafeGuaranteedRef { .passUnretained($0) }
    }

    override func instance(_ object: UnsafeRawPointer) -> any Coding {
        Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }
}
