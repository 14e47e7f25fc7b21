/// Which name a type has in archives, and which type a name in an archive stands for.
///
/// A type that is registered is written under the name given here, whatever it is called in Swift and whichever module
/// it lives in, so that it can be renamed and moved without losing old files. The aliases are read as well, never
/// written. A registry is a value: an encoder or decoder that was given one is not touched by later registrations.
///
/// ```swift
/// var encoder = ArchiveEncoder()
/// encoder.classes.register(Dog.self, name: "Dog", aliases: ["OldModule.Dog"])
/// ```
public struct ClassRegistry: Sendable {
    private var names: [ObjectIdentifier: String] = [:]
    private var registered: [String: any Any.Type] = [:]

    /// What becomes of an object whose class is neither the one that is asked for nor registered.
    public enum UnknownClassPolicy: Sendable, Hashable {
        /// Decoding fails with an error that names the class.
        case fail
        /// The object becomes an `UnknownObject`, which keeps what is in it, where one may stand: in a value behind a
        /// protocol that `UnknownObject` conforms to (`@Polymorphic`, `@Coded`), and in what `decodeObject` gives. Where
        /// only a class may stand that is no superclass of it, decoding fails.
        case placeholder
        /// The object is left out: it is nil where the value is optional, and not among the elements of an array, a set or
        /// a dictionary of values that are not. Where a value is needed, decoding fails.
        case skip
        /// The object is decoded as the class that was asked for. What only the unknown class has is not read.
        case decodeAsRequested
    }

    /// What becomes of an object whose class is neither the one that is asked for nor registered. `fail`, unless set.
    public var unknownClasses = UnknownClassPolicy.fail

    /// An empty registry: every type has the name it says itself (`ArchiveDescribing`), or its Swift name.
    public init() {}

    /// Makes `type` known under a name, so that it is written under it, and found by it where a superclass or a protocol
    /// is asked for.
    ///
    /// Registering the same type under the same name again adds the aliases. It is a programming error, and traps, to
    /// register two types under one name or alias, to give one type two names, or to give an empty name or alias.
    ///
    /// ```swift
    /// var decoder = ArchiveDecoder()
    /// decoder.classes.register(Dog.self)
    /// decoder.classes.register(Cat.self, name: "Cat", aliases: ["OldModule.Cat"])
    /// let animals = try decoder.decode([Animal].self, from: data)
    /// ```
    ///
    /// - Parameters:
    ///   - type: A struct, an enum or a class.
    ///   - name: What stands in the archive, under `$classname`. Where it is left out, the name that the type says itself
    ///     (`ArchiveDescribing`), else its full Swift name.
    ///   - aliases: Other names, of older files or other programs, under which the type is read, beside those that the
    ///     type says itself.
    public mutating func register(_ type: any Any.Type, name: String? = nil, aliases: [String] = []) {
        let identifier = ObjectIdentifier(type)
        let name = name ?? names[identifier] ?? self.name(for: type)
        let aliases = aliases + ((type as? any ArchiveDescribing.Type)?.ownAliases ?? [])
        if let old = names[identifier], old != name {
            misuse("\(type) is registered as \"\(old)\" already and cannot be \"\(name)\" as well")
        }
        names[identifier] = name
        for name in [name] + aliases {
            require(!name.isEmpty, "\(type) cannot be registered under an empty name")
            if let other = registered[name], other != type {
                misuse("\"\(name)\" is registered for \(other) already and cannot name \(type) as well")
            }
            registered[name] = type
        }
    }

    /// The name that `type` is written under: as registered, else as `ArchiveDescribing` says, else its full Swift name, such
    /// as `Farm.Dog`.
    public func name(for type: any Any.Type) -> String {
        if !names.isEmpty, let name = names[ObjectIdentifier(type)] { return name }
        return (type as? any ArchiveDescribing.Type)?.ownName ?? Self.swiftName(of: type)
    }

    /// Whether `name` is that of `type`: it is registered for it, or it is nobody else's, and the type's own.
    package func isName(_ name: String, of type: any Any.Type) -> Bool {
        if let registered = registered[name] { return registered == type }
        return name == self.name(for: type) || name == Self.swiftName(of: type)
            || (type as? any ArchiveDescribing.Type)?.ownAliases.contains(name) == true
    }

    /// Whether `name` may be an older name of `type`, from before it was moved: nobody else has it, and it is the same but
    /// for what it is declared in.
    package func isSimilarName(_ name: String, of type: any Any.Type) -> Bool {
        registered[name] == nil && Self.unqualified(name) == Self.unqualified(Self.swiftName(of: type))
    }

    /// `name` without the module and the types that it is nested in: types move from one module to another.
    private static func unqualified(_ name: String) -> Substring {
        let end = name.firstIndex(of: "<") ?? name.endIndex
        guard let dot = name[..<end].lastIndex(of: ".") else { return name[...] }
        return name[name.index(after: dot)...]
    }

    /// The full Swift name of `type`, without what differs from run to run: the context of a private or local type, which
    /// its name in the language has as an address.
    @inline(never)
    static func swiftName(of type: any Any.Type) -> String {
        SwiftName.of(type)._withUnsafeGuaranteedRef { $0.text }
    }

    /// The full Swift name of the type that `type` is declared in.
    static func enclosingTypeName(of type: any Any.Type) -> String {
        let name = swiftName(of: type)
        // A generic type's arguments belong to the types around it as well.
        var depth = 0
        var end = name.endIndex
        for index in name.indices.reversed() {
            switch name[index] {
            case ">": depth += 1
            case "<": depth -= 1
            case "." where depth == 0 && end == name.endIndex: end = index
            default: break
            }
        }
        return String(name[..<end])
    }

    /// The type that was registered under `name`, as its name or as an alias; nil where there is none.
    public func type(named name: String) -> (any Any.Type)? {
        registered[name]
    }

    /// The types that are registered, each once.
    var types: [any Any.Type] {
        var known: Set<ObjectIdentifier> = []
        return registered.values.filter { known.insert(ObjectIdentifier($0)).inserted }
    }

    /// Registers `name` for `type`, unless the type has a registered name or the name belongs to another type.
    mutating func addName(_ name: String, for type: any Any.Type) {
        guard names[ObjectIdentifier(type)] == nil, registered[name] == nil else { return }
        names[ObjectIdentifier(type)] = name
        registered[name] = type
    }

    /// Whether nothing is registered, so that a type's own name is its name.
    package var isEmpty: Bool { names.isEmpty && registered.isEmpty }
}

/// The full Swift name of a type, found out once per process: to look for the context in it takes long.
private final class SwiftName: Sendable {
    let text: String

    private init(_ type: any Any.Type) {
        // What `String(reflecting:)` gives, which first asks in vain whether the metatype has a description of its own: that
        // takes longer than all else that is found out about a type.
        let name = _typeName(type, qualified: true)
        text =
            name.utf8.contains(UInt8(ascii: "$")) && name.contains("(unknown context at ")
            ? name.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "") : name
    }

    private static let known = MetatypeCache<SwiftName>()

    /// The name of `type`. It lives as long as the process.
    static func of(_ type: any Any.Type) -> Unmanaged<SwiftName> {
        let key = TypeAddress.of(type)
        return known.object(for: key) ?? known.enter(SwiftName(type), for: key)
    }
}
