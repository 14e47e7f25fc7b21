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
    /// A class that the one that was asked for inherits from.
    case superclass
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

extension ArchiveContents {
    /// The version of the class `type` in the class entry `uid`: 0 where the entry says nothing of it, nil where the class
    /// is not in its chain.
    func classVersion(
        of type: any Any.Type, _ uid: UInt32, in classes: ClassRegistry
    ) throws(KeyedArchiveError) -> Int? {
        // Under a mapped name some writers give the chain of another class, or none.
        let chain = [try className(uid)] + (try classChain(uid)).dropFirst()
        let place =
            chain.firstIndex { classes.isName($0, of: type) }
            ?? chain.firstIndex { classes.isSimilarName($0, of: type) }
        guard let place else { return nil }
        return try classVersion(at: place, uid)
    }

    /// The version of the class at `place` in the chain of the class entry `uid`; 0 where the entry says nothing of it.
    func classVersion(at place: Int, _ uid: UInt32) throws(KeyedArchiveError) -> Int {
        guard let versions = try value(of: "$classversions", in: try object(uid).node)?.node, versions.kind == .array,
            place < versions.count
        else { return 0 }
        let version = try node(list.reference(place, in: versions.payload))
        return version.kind == .integer ? Int(clamping: list.objects.integer(version)) : 0
    }

    /// The names in all class entries.
    ///
    /// - Complexity: O(*n*), where *n* is the number of objects.
    func classNames() -> Set<String> {
        var names: Set<String> = []
        for uid in 1..<UInt32(max(slotCount, 1)) {
            // What is not well-formed is an error when it is asked for.
            guard let entry = try? object(uid), let name = try? value(of: "$classname", in: entry.node),
                name.node.kind == .ascii || name.node.kind == .utf16
            else { continue }
            names.insert(list.objects.string(name.node))
        }
        return names
    }

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
