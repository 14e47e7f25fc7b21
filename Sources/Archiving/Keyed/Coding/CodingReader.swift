/// A `Coding` class in one reading of an archive.
struct UnarchivedType: ~Copyable {
    let type: any Coding.Type
    /// The type's address, by which instances are told apart.
    let identity: UnsafeRawPointer
    /// Whether the class supports secure coding.
    let isSecure: Bool
    /// Kept by the unarchiver.
    let reader: Unmanaged<CodingReader>
    /// What makes the objects of each class entry where this class is asked for.
    var matches = ClassMatches<UnarchivedType>()
}

/// Makes instances of a class by their `init(coder:)`.
class CodingReader: InstanceReader {
    /// It owns this. It takes no reference count to use it, as it would where the language knows that it is one.
    fileprivate final let unarchiver: Unmanaged<KeyedUnarchiver>
    /// The class in this reading. Set once, when it is known.
    final var type: UnsafeMutablePointer<UnarchivedType>?

    fileprivate init(_ unarchiver: KeyedUnarchiver, identity: UnsafeRawPointer) {
        self.unarchiver = .passUnretained(unarchiver)
        super.init(identity: identity)
    }

    /// A new instance, which the caller owns, from what the unarchiver is at.
    func read() throws -> UnsafeRawPointer {
        preconditionFailure("CodingReader is abstract")
    }

    /// What the instance at `object` names to take its place; nil where that is itself.
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
        // Made in place, so that the reference is handed on and not counted up and down.
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

    override func instance(_ object: UnsafeRawPointer) -> any Coding {
        Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }
}
