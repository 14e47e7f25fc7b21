import Archiving

/// Where the references stand that lead to no object. The library tells the uid that is missing; whoever wants to repair the
/// file needs the object that has it.
struct DanglingReferences {
    /// A place that refers to something that is not there.
    struct Place {
        /// The object; nil at the top.
        let owner: UInt32?
        /// The key in it.
        let key: String
    }

    /// The first place for each missing uid.
    private(set) var places: [UInt32: Place] = [:]

    /// Goes through all objects of `archive`, and through what stands inside of them, each once, until keys of `byteLimit`
    /// bytes were read: many objects may have one long key.
    init(_ archive: KeyedArchive, byteLimit: Int) {
        var budget = byteLimit
        var known: Set<KeyedArchive.Value> = []
        let count = archive.objects.count
        func visit(_ value: KeyedArchive.Value) {
            for (key, field) in value.fields where budget > 0 {
                budget -= key.utf8.count
                var open = [field]
                while let inner = open.popLast() {
                    if let uid = inner.uid {
                        if Int(uid) >= count, places[uid] == nil { places[uid] = Place(owner: value.uid, key: key) }
                        continue
                    }
                    switch inner.kind {
                    case .array, .set: if known.insert(inner).inserted { open += inner.elements }
                    case .dictionary, .object: if known.insert(inner).inserted { open += inner.fields.map(\.value) }
                    default: break
                    }
                }
            }
        }
        visit(archive.top)
        for object in archive.objects where budget > 0 {
            switch object.kind {
            case .object, .dictionary: visit(object)
            case .array, .set:
                for (position, element) in object.elements.enumerated() {
                    guard let uid = element.uid, Int(uid) >= count, places[uid] == nil else { continue }
                    places[uid] = Place(owner: object.uid, key: "\(position)")
                }
            default: break
            }
        }
    }
}
