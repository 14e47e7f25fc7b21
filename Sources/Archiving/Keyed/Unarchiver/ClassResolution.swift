/// Which type the name of an object's class stands for.
enum ClassResolution {
    /// The type that was asked for: the class has its name.
    case requested
    /// Another one, which is registered.
    case registered(any Any.Type)
    /// The class is not known, but the archive says that it inherits from the one that was asked for.
    case unknownSubclass
    /// The class is not known. It may be the one that was asked for under the name that another program gives it.
    case unknown
    /// A class that the one that was asked for inherits from.
    case superclass
}

extension ClassResolution {
    /// Whether `type` is the class `superclass`, or inherits from it.
    static func isSubclass(_ type: any Any.Type, of superclass: any Any.Type) -> Bool {
        var next: AnyClass? = type as? AnyClass
        while let candidate = next {
            if candidate == superclass { return true }
            next = _getSuperclass(candidate)
        }
        return false
    }
}

extension ClassRegistry {
    /// What an object of the class `name` is made as where a class `requested` is asked for.
    ///
    /// Only the type that is asked for and those in the registry are ever the answer; nothing is looked up by name
    /// elsewhere.
    ///
    /// - Parameters:
    ///   - chain: The names of the class and its superclasses.
    ///   - registered: The type that the class stands for without being asked for.
    func resolution(
        of name: String, chain: [String], registered: (any Any.Type)?, as requested: any Any.Type
    ) -> ClassResolution {
        if let registered {
            return registered == requested ? .requested : .registered(registered)
        }
        if isName(name, of: requested) { return .requested }
        let superclasses = chain.dropFirst()
        if superclasses.contains(where: { isName($0, of: requested) || isSimilarName($0, of: requested) }) {
            return .unknownSubclass
        }
        return isSuperclass(name, of: requested) ? .superclass : .unknown
    }

    private func isSuperclass(_ name: String, of type: any Any.Type) -> Bool {
        var next: AnyClass? = (type as? AnyClass).flatMap { _getSuperclass($0) }
        while let superclass = next {
            if isName(name, of: superclass) { return true }
            next = _getSuperclass(superclass)
        }
        return false
    }
}

// MARK: - In an archive

/// An object of a class that is neither the one that is asked for nor one that may stand in its place.
struct ClassMismatch: Error {
    /// The name of the object's class.
    var name: String
    /// The names of the class and its superclasses.
    var chain: [String]
    /// The name under which objects were made as the requested class before, if it is not its own.
    var otherName: String?
    /// Whether another name would have been accepted.
    var isStructural = true
    /// Whether nobody knows the class.
    var isUnknown = false
}

/// Which records make the objects of each class entry where one class is asked for.
struct ClassMatches<Record: ~Copyable> {
    /// A class entry, and what makes its objects. 0 for none.
    private var classUID: UInt32 = 0
    private var record: UnsafeMutablePointer<Record>?
    /// The same for other class entries.
    private var others: [UInt32: UnsafeMutablePointer<Record>] = [:]
    /// The name that is not the class's own and that its objects have in this archive. A program may read a class under
    /// another name without saying so, but no two different ones as the same.
    fileprivate(set) var otherName: String?
    /// Class entries that nobody knows, and whose objects are left out.
    private var skipped: Set<UInt32> = []

    /// What makes objects with the class entry `uid`; nil where that is not known yet.
    @inline(__always)
    subscript(uid: UInt32) -> UnsafeMutablePointer<Record>? {
        uid == classUID ? record : others.isEmpty ? nil : others[uid]
    }

    mutating func remember(_ record: UnsafeMutablePointer<Record>, forClass uid: UInt32) {
        if classUID == 0 {
            classUID = uid
            self.record = record
        } else {
            others[uid] = record
        }
    }

    /// Forgets what belongs to one archive.
    mutating func reset() {
        classUID = 0
        record = nil
        otherName = nil
        if !skipped.isEmpty { skipped = [] }
        if !others.isEmpty { others = [:] }
    }

    /// Whether objects with the class entry `uid` are known to be left out.
    func isSkipped(_ uid: UInt32) -> Bool { skipped.contains(uid) }

    mutating func rememberSkipped(_ uid: UInt32) { skipped.insert(uid) }

    /// Whether objects under `name`, which nobody knows, may be of the requested class: no others have been.
    mutating func accept(_ name: String) -> Bool {
        if otherName == nil { otherName = name }
        return otherName == name
    }
}

/// What makes the objects of a class where a protocol is asked for.
enum ValueMaker {
    case coding(any Coding.Type)
    case decodable(any Decodable.Type)

    /// A class entry, and the protocol.
    struct Key: Hashable {
        let classUID: UInt32
        let requested: ObjectIdentifier
    }

    /// What makes objects of the class `type`; nil where they cannot be made.
    init?(_ type: any Any.Type) {
        if let coding = type as? any Coding.Type {
            self = .coding(coding)
        } else if let decodable = type as? any Decodable.Type {
            self = .decodable(decodable)
        } else {
            return nil
        }
    }

    /// The type of what is made.
    var type: any Any.Type {
        switch self {
        case .coding(let type): type.unarchivedClass
        case .decodable(let type): type
        }
    }
}

/// What becomes of an object whose class nobody knows.
enum OtherClassRule {
    /// It is made as the requested class if it can be that class under another name.
    case structural
    /// It is not made.
    case strict
}

extension GraphReadingState {
    /// The type that objects with the class entry `uid` are made as where `requested` is asked for.
    ///
    /// It is `requested`, or a registered class that inherits from it. Names that the class entry gives instead of its
    /// own (`$classhints`) are tried where its own is not known.
    ///
    /// - Parameters:
    ///   - name: The name of the class.
    ///   - matches: What is known of `requested`.
    ///   - supply: What gives a type for a name, and the chain, that is not known.
    /// - Throws: `ClassMismatch` where it is neither.
    mutating func type<Record: ~Copyable>(
        ofClass uid: UInt32, named name: String, as requested: any Any.Type, _ matches: inout ClassMatches<Record>,
        _ rule: OtherClassRule, supply: (String, [String]) -> (any Any.Type)? = { _, _ in nil }
    ) throws(ClassMismatch) -> any Any.Type {
        // It takes objects of every class.
        if requested is any ForeignCoding.Type { return requested }
        let chain = (try? archive.classChain(uid)) ?? []
        let resolution = classes.resolution(
            of: name, chain: chain, registered: registeredType(uid, name), as: requested)
        let type: (any Any.Type)? =
            switch resolution {
            case .requested: requested
            case .registered(let type): type
            case .unknownSubclass, .unknown, .superclass: fallback(uid, requested) ?? supply(name, chain)
            }
        if let type, let made = made(type, as: requested) { return made }
        switch resolution {
        case .unknownSubclass where classes.unknownClasses == .decodeAsRequested: return requested
        case .unknown:
            if classes.unknownClasses == .decodeAsRequested { return requested }
            if rule == .structural, !isArchived(requested), matches.accept(name),
                open?.accept(name, for: requested) ?? true
            {
                return requested
            }
        default: break
        }
        let isUnknown =
            switch resolution {
            case .unknown, .unknownSubclass: true
            case .requested, .registered, .superclass: false
            }
        throw ClassMismatch(
            name: name, chain: chain, otherName: matches.otherName, isStructural: rule == .structural,
            isUnknown: isUnknown)
    }

    /// The first of the names in `$classhints` that stands for `requested` or a class that inherits from it.
    private func fallback(_ uid: UInt32, _ requested: any Any.Type) -> (any Any.Type)? {
        for name in (try? archive.classFallbacks(uid)) ?? [] {
            if classes.isName(name, of: requested) { return requested }
            if let type = classes.type(named: name), made(type, as: requested) != nil { return type }
        }
        return nil
    }

    /// The type that objects of the class `type` are made as, if that is `requested` or inherits from it.
    func made(_ type: any Any.Type, as requested: any Any.Type) -> (any Any.Type)? {
        let made = (type as? any Coding.Type)?.unarchivedClass ?? type
        return isSubclass(made, of: requested) || made == requested ? made : nil
    }

    /// Whether `type` is the class `superclass`, or inherits from it.
    func isSubclass(_ type: any Any.Type, of superclass: any Any.Type) -> Bool {
        ClassResolution.isSubclass(type, of: superclass)
    }
}
