import Archiving
import SequentialArchiving

/// An archive of its own that has a part of another one, everything that the part leads to, and nothing else.
struct ArchivePart {
    private let archive: KeyedArchive
    /// The new uids of objects that were met.
    private var uids: [UInt32: UInt32] = [0: 0]
    /// The old uids of the objects, by the new ones.
    private var origins: [UInt32] = []
    private var objects: [PropertyList] = ["$null"]
    /// Bytes of keys and leaves that may still be taken along. Objects of a damaged archive may share long ones.
    private var byteBudget: Int

    /// The property list of the archive that has `value` under the key "root"; of an archive's `top`, all of its keys.
    ///
    /// Objects are numbered anew, the root first and then in the order in which they are met.
    ///
    /// - Parameters:
    ///   - value: The part.
    ///   - byteCount: The size of the file that it is in, to which the part has to be in proportion.
    /// - Throws: `KeyedArchiveError` where the part is damaged, and `ContentGraph.Unfolding` where it would be many times as
    ///   large as the file.
    static func propertyList(of value: KeyedArchive.Value, byteCount: Int) throws -> PropertyList {
        var part = ArchivePart(archive: value.archive, byteCount: byteCount)
        let top: PropertyList
        if value == value.archive.top {
            top = try part.renumbered(value.propertyList())
        } else if let uid = value.uid {
            top = ["root": .uid(part.newUID(of: uid))]
        } else if value.isNull {
            top = ["root": .uid(0)]
        } else {
            // What stands inside an object becomes one, since the root is an object.
            let list = try value.propertyList()
            part.origins.append(0)
            part.objects.append(.null)
            part.objects[1] = part.renumbered(list)
            top = ["root": .uid(1)]
        }
        try part.addObjects()
        return [
            "$version": 100_000, "$archiver": .string(value.archive.archiver ?? "NSKeyedArchiver"), "$top": top,
            "$objects": .array(part.objects),
        ]
    }

    private init(archive: KeyedArchive, byteCount: Int) {
        self.archive = archive
        byteBudget = 1 << 26 + 64 * min(byteCount, 1 << 40)
    }

    private mutating func newUID(of uid: UInt32) -> UInt32 {
        if let known = uids[uid] { return known }
        origins.append(uid)
        let new = UInt32(truncatingIfNeeded: origins.count)
        uids[uid] = new
        return new
    }

    private mutating func renumbered(_ list: PropertyList) -> PropertyList {
        list.mapLeaves { leaf in
            if case .uid(let uid) = leaf { .uid(newUID(of: uid)) } else { leaf }
        }
    }

    /// Adds the objects that were met, and those that they lead to.
    private mutating func addObjects() throws {
        while objects.count <= origins.count {
            let value = archive[uid: origins[objects.count - 1]]
            let list = value.isNull ? "$null" : renumbered(try value.propertyList())
            byteBudget -= list.textByteCount
            guard byteBudget >= 0 else { throw ContentGraph.Unfolding() }
            objects.append(list)
        }
    }
}

/// A typedstream of its own that has an object of another one, and everything that it leads to.
struct TypedStreamPart {
    private let stream: TypedStream
    private var part: TypedStream
    private var objects: [Int: Int] = [:]
    private var classes: [Int: Int] = [:]
    private var cStrings: [Int: Int] = [:]
    private var origins: [Int] = []

    /// The typedstream whose one value is the object of `stream` at `position`.
    static func stream(of position: Int, in stream: TypedStream) -> TypedStream {
        var maker = TypedStreamPart(stream)
        maker.part.groups = [TypedStream.Group(["@"], [.object(maker.newObject(position))])]
        var next = 0
        while next < maker.origins.count {
            let object = stream.objects[maker.origins[next]]
            maker.part.objects[next].classIndex = maker.newClass(object.classIndex)
            maker.part.objects[next].groups = object.groups.map { group in
                TypedStream.Group(group.types, group.values.map { maker.renumbered($0) })
            }
            next += 1
        }
        return maker.part
    }

    private init(_ stream: TypedStream) {
        self.stream = stream
        part = TypedStream(byteOrder: stream.byteOrder)
        part.streamerVersion = stream.streamerVersion
        part.systemVersion = stream.systemVersion
    }

    /// The value with new positions. Arrays and structs are as deep as their types, which have few levels.
    private mutating func renumbered(_ value: TypedStream.Value) -> TypedStream.Value {
        switch value {
        case .object(let index?): return .object(newObject(index))
        case .class(let index?): return .class(newClass(index))
        case .cString(let index?):
            let new = cStrings[index] ?? part.cStrings.count
            if new == part.cStrings.count {
                cStrings[index] = new
                part.cStrings.append(stream.cStrings[index])
            }
            return .cString(new)
        case .array(let values): return .array(values.map { renumbered($0) })
        case .structure(let values): return .structure(values.map { renumbered($0) })
        default: return value
        }
    }

    private mutating func newObject(_ index: Int) -> Int {
        if let known = objects[index] { return known }
        objects[index] = origins.count
        origins.append(index)
        part.objects.append(TypedStream.Object(classIndex: 0))
        return origins.count - 1
    }

    /// The new position of a class, behind those of its superclasses.
    private mutating func newClass(_ index: Int) -> Int {
        var chain: [Int] = []
        var next: Int? = index
        while let position = next, classes[position] == nil {
            chain.append(position)
            next = stream.classes[position].superclassIndex
        }
        for position in chain.reversed() {
            var described = stream.classes[position]
            described.superclassIndex = described.superclassIndex.flatMap { classes[$0] }
            classes[position] = part.classes.count
            part.classes.append(described)
        }
        return classes[index] ?? 0
    }
}
