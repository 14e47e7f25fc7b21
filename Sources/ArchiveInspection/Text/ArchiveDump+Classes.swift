import Archiving

/// The role of a dictionary of the property list in an archive.
enum DictionaryRole {
    case plain
    case classEntry
    /// An object; its class is at `classPosition` among its entries.
    case object(classUID: UInt32, classPosition: Int)
    /// The role cannot be determined.
    case damaged(KeyedArchiveError)
}

/// The part of a class entry that is needed to write the objects of the class.
struct DescribedClass {
    enum Kind {
        case set
        case other
    }

    /// The name, a string.
    let name: Node
    let kind: Kind
    /// The description of its fields, if there is one.
    var form: RecordForm?
    /// The damage of the class entry, if there is any.
    let damage: KeyedArchiveError?
}

// MARK: - Finding

extension ArchiveDump {
    /// Returns the role of the dictionary at `place`.
    mutating func role(of place: DumpedPlace) -> DictionaryRole {
        guard place.node.count > DumpLayout.smallCount else { return findRole(of: place.node) }
        if let known = knownDictionaries[place.reference] { return known }
        let role = findRole(of: place.node)
        knownDictionaries[place.reference] = role
        return role
    }

    /// Whether `uid` is a class entry.
    mutating func isClassEntry(_ uid: UInt32) -> Bool {
        guard case .found(let place) = resolve(uid: uid), place.node.kind == .dictionary,
            case .classEntry = role(of: place)
        else { return false }
        return true
    }

    private func findRole(of node: Node) -> DictionaryRole {
        do throws(KeyedArchiveError) {
            guard node.count > 0 else { return .plain }
            // Writers put the class last.
            let last = try contents.node(contents.list.reference(node.count - 1, in: node.payload))
            let position =
                contents.list.objects.isString(last, "$class")
                ? node.count - 1 : try contents.index(of: "$class", in: node)
            if let position {
                let value = try contents.node(contents.list.reference(node.count + position, in: node.payload))
                if value.kind == .uid {
                    return .object(classUID: try contents.uid(value), classPosition: position)
                }
            }
            // A large dictionary is written as a plain one.
            guard node.count <= DumpLayout.smallCount else { return .plain }
            return try contents.value(of: "$classname", in: node) == nil ? .plain : .classEntry
        } catch {
            return .damaged(error)
        }
    }

    /// Returns the class that is described at `uid`.
    mutating func describedClass(_ uid: UInt32) -> DescribedClass {
        guard case .found(let place) = resolve(uid: uid) else { return findClass(uid) }
        if let known = knownClasses[place.reference] { return known }
        let described = findClass(uid)
        knownClasses[place.reference] = described
        return described
    }

    private func findClass(_ uid: UInt32) -> DescribedClass {
        do throws(KeyedArchiveError) {
            let entry = try contents.object(uid).node
            guard let name = try contents.value(of: "$classname", in: entry)?.node,
                name.kind == .ascii || name.kind == .utf16
            else { throw KeyedArchiveError(.badClass(uid: uid)) }
            let isSet = contents.isSet(name) || contents.isSetByChain(entry)
            var form: RecordForm?
            if case (.record(let found), _, _)? = try contents.nearestClass(uid, FoundationClass.init(named:)) {
                form = found
            }
            return DescribedClass(name: name, kind: isSet ? .set : .other, form: form, damage: nil)
        } catch {
            return DescribedClass(name: ArchivedValue.null.node, kind: .other, damage: error)
        }
    }
}

extension ArchiveContents {
    /// Whether `$classes` of the class entry `entry` contains the name of a set class.
    fileprivate func isSetByChain(_ entry: Node) -> Bool {
        guard let chain = try? value(of: "$classes", in: entry)?.node, chain.kind == .array else { return false }
        return firstNames(chain, limit: KeyedArchiveFormat.superclassLimit).contains(where: isSet)
    }

    fileprivate func isSet(_ name: Node) -> Bool {
        let objects = list.objects
        return objects.isString(name, "NSSet") || objects.isString(name, "NSMutableSet")
            || objects.isString(name, "NSCountedSet")
    }

    /// The text of a name of at most 200 characters.
    fileprivate func nameText(_ name: Node) -> String? {
        guard name.kind == .ascii || name.kind == .utf16, name.count <= 200 else { return nil }
        return list.objects.string(name)
    }

    /// The first `limit` names in `names`.
    fileprivate func firstNames(_ names: Node, limit: Int) -> [Node] {
        (0..<min(names.count, limit)).map { position in
            (try? node(list.reference(position, in: names.payload))) ?? ArchivedValue.null.node
        }
    }
}

// MARK: - Writing

extension ArchiveDump {
    /// The number of names of a class entry that are shown.
    private static var nameLimit: Int { 16 }

    /// Writes a class entry: the class, its superclasses, and its fallbacks from `$classhints`.
    mutating func writeClassEntry(_ place: DumpedPlace) {
        output.write("class ")
        guard let name = try? contents.value(of: "$classname", in: place.node)?.node,
            name.kind == .ascii || name.kind == .utf16
        else {
            output.write("without a name")
            if let uid = place.uid { output.write(" #\(uid)") }
            return
        }
        output.writeClassName(TextBytes(name, in: contents.list.objects))
        if let uid = place.uid { output.write(" #\(uid)") }
        if let chain = list("$classes", of: place) {
            // The class itself comes first, unless it is archived under another name.
            let first = contents.firstNames(chain, limit: 1).first ?? ArchivedValue.null.node
            let isItself = contents.nameText(first) != nil && contents.nameText(first) == contents.nameText(name)
            writeNames(": ", chain, from: isItself ? 1 : 0)
        }
        if let fallbacks = list("$classhints", of: place) {
            writeNames(" (or else ", fallbacks, from: 0)
            if fallbacks.count > 0 { output.write(")") }
        }
    }

    private func list(_ key: StaticString, of place: DumpedPlace) -> Node? {
        guard let list = try? contents.value(of: key, in: place.node)?.node, list.kind == .array else { return nil }
        return list
    }

    private mutating func writeNames(_ introduction: String, _ list: Node, from start: Int) {
        var separator = introduction
        for name in contents.firstNames(list, limit: Self.nameLimit + 1).dropFirst(start).prefix(Self.nameLimit) {
            output.write(separator)
            separator = ", "
            if name.kind == .ascii || name.kind == .utf16 {
                output.writeClassName(TextBytes(name, in: contents.list.objects))
            } else {
                output.write("damaged")
            }
        }
        if list.count - start > Self.nameLimit { output.write(", …") }
    }
}
