// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A mapping between types and their names in archives.
///
/// A registered type is written under its registered name, whatever its name and module in Swift. You can therefore rename or
/// move the type and still read old files. Aliases are names that are only read. A registry is a value: later registrations do
/// not affect an encoder or decoder that has a copy.
///
/// ```swift
/// var encoder = ArchiveEncoder()
/// encoder.classes.register(Dog.self, name: "Dog", aliases: ["OldModule.Dog"])
/// ```
public struct ClassRegistry: Sendable {
    private var names: [ObjectIdentifier: String] = [:]
    private var registered: [String: any Any.Type] = [:]

    /// How to handle an object of an unregistered class, if the class is not the requested one either.
    public enum UnknownClassPolicy: Sendable, Hashable {
        /// Decoding fails with an error that names the class.
        case fail
        /// The object is decoded as an `UnknownObject`, which keeps its contents. This is possible for a value whose protocol
        /// `UnknownObject` conforms to (`@Polymorphic`, `@Coded`), and in the results of `decodeObject`. If the requested type
        /// is a class that is not a superclass of `UnknownObject`, decoding fails.
        case placeholder
        /// The object is omitted: an optional value is nil, and an array, a set or a dictionary of non-optional values does not
        /// contain the object. If a value is required, decoding fails.
        case skip
        /// The object is decoded as the requested class. Fields that only the unknown class has are ignored.
        case decodeAsRequested
    }

    /// How to handle an object of an unregistered class, if the class is not the requested one either; `fail` by default.
    public var unknownClasses: UnknownClassPolicy

    /// How to handle the encoding of an object whose type is not registered.
    public enum UnregisteredTypePolicy: Sendable, Hashable {
        /// The object is written under the type's own name.
        case write
        /// Encoding fails with an error that names all unregistered types, and has the path of the first object. A decoder with the
        /// same registry then finds the type of each object of the archive, whichever superclass or protocol is requested.
        case fail
    }

    /// How to handle the encoding of an object whose type is not registered; `write` by default. Values that are written as numbers,
    /// strings or objects of Foundation's classes need no registration.
    public var unregisteredTypes = UnregisteredTypePolicy.write

    /// Creates an empty registry: every type has its `ArchiveDescribing` name, or its Swift name.
    ///
    /// - Parameter unknownClasses: How to handle an object of an unregistered class.
    public init(unknownClasses: UnknownClassPolicy = .fail) { self.unknownClasses = unknownClasses }

    /// Registers `type` under a name. Encoders write this name, and decoders find the type by it if a superclass or a protocol
    /// is requested.
    ///
    /// Registering the same type under the same name again adds the aliases. Traps if two types have one name or alias, if one
    /// type has two names, or if a name or alias is empty.
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
    ///   - name: The name in the archive, under `$classname`. By default, the type's `ArchiveDescribing` name, otherwise its
    ///     full Swift name.
    ///   - aliases: Additional names under which the type is read, from older files or other programs. The `ArchiveDescribing`
    ///     aliases of the type are read as well.
    public mutating func register(_ type: any Any.Type, name: String? = nil, aliases: [String] = []) {
        let identifier = ObjectIdentifier(type)
        let name = name ?? names[identifier] ?? self.name(for: type)
        let aliases = aliases + (archiveDescription(of: type)?.ownAliases ?? [])
        if let old = names[identifier], old != name {
            misuse("\(type) is already registered as \"\(old)\" and cannot have a second name, \"\(name)\"")
        }
        names[identifier] = name
        for name in [name] + aliases {
            require(!name.isEmpty, "\(type) cannot be registered under an empty name")
            if let other = registered[name], other != type {
                misuse("\"\(name)\" is already registered for \(other) and cannot be a name of \(type)")
            }
            registered[name] = type
        }
    }

    /// Registers types, each under its own name: the `ArchiveDescribing` name, otherwise the full Swift name.
    @_disfavoredOverload
    public mutating func register(_ types: any Any.Type...) {
        for type in types { register(type) }
    }

    /// Returns the name under which `type` is written: its registered name, otherwise its `ArchiveDescribing` name, otherwise
    /// its full Swift name, such as `Farm.Dog`.
    public func name(for type: any Any.Type) -> String {
        if !names.isEmpty, let name = names[ObjectIdentifier(type)] { return name }
        return archiveDescription(of: type)?.ownName ?? Self.swiftName(of: type)
    }

    /// Returns whether `name` is a name of `type`: it is registered for the type, or it is registered for no type and is one of
    /// the type's own names.
    package func isName(_ name: String, of type: any Any.Type) -> Bool {
        if let registered = registered[name] { return registered == type }
        return name == self.name(for: type) || name == Self.swiftName(of: type)
            || archiveDescription(of: type)?.ownAliases.contains(name) == true
    }

    /// Returns whether `name` may be a former name of `type`, from before the type was moved. It must not be registered, and
    /// must have the same last component as the Swift name.
    package func isSimilarName(_ name: String, of type: any Any.Type) -> Bool {
        registered[name] == nil && Self.unqualified(name) == Self.unqualified(Self.swiftName(of: type))
    }

    /// Returns `name` without the module and the enclosing types, since types move between modules.
    private static func unqualified(_ name: String) -> Substring {
        let end = name.firstIndex(of: "<") ?? name.endIndex
        guard let dot = name[..<end].lastIndex(of: ".") else { return name[...] }
        return name[name.index(after: dot)...]
    }

    /// Returns the full Swift name of `type` without the part that differs between runs: the context of a private or local
    /// type, which `_typeName` represents as an address.
    @inline(never)
    static func swiftName(of type: any Any.Type) -> String { SwiftName.of(type).text }

    /// Returns the type that is registered under `name`, its name or an alias; `nil` if there is none.
    public func type(named name: String) -> (any Any.Type)? { registered[name] }

    var types: [any Any.Type] {
        var known: Set<ObjectIdentifier> = []
        return registered.values.filter { known.insert(ObjectIdentifier($0)).inserted }
    }

    /// Registers `name` for `type`, unless the type has a registered name or the name belongs to another type.
    package mutating func addName(_ name: String, for type: any Any.Type) {
        guard names[ObjectIdentifier(type)] == nil, registered[name] == nil else { return }
        names[ObjectIdentifier(type)] = name
        registered[name] = type
    }

    /// Whether the registry has no registrations and accepts all types, so that every type has its own name.
    package var isEmpty: Bool { names.isEmpty && registered.isEmpty && unregisteredTypes == .write }

    func isRegistered(_ type: any Any.Type) -> Bool { names[ObjectIdentifier(type)] != nil }

    /// Returns whether `type` is written under its Swift name, which changes with its module.
    func hasDefaultName(_ type: any Any.Type) -> Bool {
        !isRegistered(type) && name(for: type) == Self.swiftName(of: type)
    }
}

extension ClassRegistry: ExpressibleByArrayLiteral {
    /// Creates a registry of types, each under its own name.
    ///
    /// ```swift
    /// let decoder = ArchiveDecoder(classes: [Dog.self, Cat.self])
    /// ```
    public init(arrayLiteral types: any Any.Type...) {
        self.init()
        for type in types { register(type) }
    }
}

/// The full Swift name of a type, computed once per process, because the search for the context is slow.
private final class SwiftName: Sendable {
    let text: String

    private init(_ type: any Any.Type) {
        // Returns the same text as `String(reflecting:)`, which first checks whether the metatype has a description of its own.
        // That check takes longer than all other work for a type.
        let name = _typeName(type, qualified: true)
        text =
            name.utf8.contains(UInt8(ascii: "$")) && name.contains("(unknown context at ")
            ? name.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "") : name
    }

    private static let known = MetatypeCache<SwiftName>(.name)

    static func of(_ type: any Any.Type) -> SwiftName {
        known.facts(of: type) { SwiftName(type) }
    }
}
