/// Which type an object of an archive is made as.
enum ClassResolution {
    /// The type that was asked for: the class has its name.
    case requested
    /// Another one, which is registered.
    case registered(any Any.Type)
    /// The class is not known, but the archive says that it inherits from the one that was asked for.
    case unknownSubclass
    /// The class is not known. It may be the one that was asked for under the name that another program gives it.
    case unknown
}

extension ClassRegistry {
    /// What an object of the class `name` is made as where a class `requested` is asked for.
    ///
    /// Only the type that is asked for and those in the registry are ever the answer; nothing is looked up by name
    /// elsewhere.
    ///
    /// - Parameter chain: The names of the class and its superclasses.
    func resolution(of name: String, chain: [String], as requested: any Any.Type) -> ClassResolution {
        if let registered = type(named: name) {
            return registered == requested ? .requested : .registered(registered)
        }
        if isName(name, of: requested) { return .requested }
        return chain.contains { isName($0, of: requested) } ? .unknownSubclass : .unknown
    }
}

extension ArchiveContents {
    /// The names in `$classes` of the class entry `uid`: the class and its superclasses. Empty where the entry has none.
    func classChain(_ uid: UInt32) throws(KeyedArchiveError) -> [String] {
        guard let chain = try value(of: "$classes", in: try object(uid).node)?.node, chain.kind == .array else {
            return []
        }
        var names: [String] = []
        for reference in list.references(chain) {
            let name = try node(reference)
            if name.kind == .ascii || name.kind == .utf16 { names.append(list.objects.string(name)) }
        }
        return names
    }
}
