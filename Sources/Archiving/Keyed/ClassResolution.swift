/// Which type an object of an archive is made as.
enum ClassResolution {
    /// The type that was asked for.
    case requested
    /// Another one, which is registered.
    case registered(any Any.Type)
    /// None: the class is not known, and is not the one that was asked for.
    case unknown
}

extension ClassRegistry {
    /// What an object of the class `name` is made as where a class `requested` is asked for.
    ///
    /// Only the type that is asked for and those in the registry are ever the answer; nothing is looked up by name
    /// elsewhere.
    func resolution(of name: String, as requested: any Any.Type) -> ClassResolution {
        if let registered = type(named: name) {
            return registered == requested ? .requested : .registered(registered)
        }
        return isName(name, of: requested) ? .requested : .unknown
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
