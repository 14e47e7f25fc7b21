import Archiving

/// An expression of a predicate, translated for objects that are not decoded.
class FetchNode {
    /// The expression, for people.
    var text: String { "?" }
    /// The parts that are not read in place: the reasons.
    var doubts: [String] { [] }
    /// The number of the property of the element that the expression reads; nil for other expressions.
    var property: Int? { nil }
    /// The value, if the expression is a constant.
    var constantValue: Any? { nil }
    /// Conditions that hold for each object for which the expression is true.
    var bounds: [FetchBound] { [] }
    /// Whether the evaluation of the expression can fail, as that of `!` does for nil.
    var canFail: Bool { false }

    /// Returns the reference to the value in the archive, if it is that of a field which the object has.
    func reference(_ reader: FetchReader) throws -> Int? { nil }

    /// Returns the object that the expression refers to, for a class.
    func object(_ reader: FetchReader) throws -> FetchedObject { throw FetchDoubt.error }

    /// Returns whether the value is nil.
    func isNil(_ reader: FetchReader) throws -> Bool { throw FetchDoubt.error }
}

class FetchExpression<Output>: FetchNode {
    /// Returns the value that the expression has for the object of `reader`.
    ///
    /// - Throws: `FetchDoubt` if only a decoded object has it.
    func value(_ reader: FetchReader) throws -> Output { throw FetchDoubt.error }

    override func isNil(_ reader: FetchReader) throws -> Bool {
        guard let value = try value(reader) as? any FetchOptional else { return false }
        return value.isNil
    }
}

/// The decoder has to create an object: a value cannot be read in place as it would be decoded, or its evaluation fails.
struct FetchDoubt: Error {
    /// The error, allocated once.
    static let error: any Error = FetchDoubt()
}

/// An object that an expression refers to.
enum FetchedObject {
    case none
    case stored(StoredObject)
    /// An instance of the program, which may have changed it.
    case live(AnyObject)
}

/// An object of the archive.
struct StoredObject {
    let node: Node
    let layout: FetchClass
}

/// An optional type, which the compiler does not know as one.
protocol FetchOptional {
    var isNil: Bool { get }
    /// The wrapped instance, for an optional class.
    var instance: AnyObject? { get }
}

extension Optional: FetchOptional {
    var isNil: Bool { self == nil }
    var instance: AnyObject? { map { $0 as AnyObject } }
}

// MARK: - Reading

/// The object whose fields are read, and what is known of the archive.
final class FetchReader {
    let open: OpenArchive
    let contents: ArchiveContents
    /// The uids of the objects that have instances.
    private let live: Set<UInt32>
    /// The element in question.
    private(set) var element: StoredObject?
    private let properties: [FetchProperty]
    private var classes: [ClassKey: FetchClass?] = [:]
    private var lastKey = ClassKey(uid: 0, type: ObjectIdentifier(FetchReader.self))
    private var lastClass: FetchClass?

    private struct ClassKey: Hashable {
        let uid: UInt32
        let type: ObjectIdentifier
    }

    init(_ open: OpenArchive, _ contents: ArchiveContents, live: Set<UInt32>, _ properties: [FetchProperty]) {
        self.open = open
        self.contents = contents
        self.live = live
        self.properties = properties
    }

    /// Returns the result of `body` for the object `node` of the class `layout`.
    func with<Result>(_ node: Node, _ layout: FetchClass, _ body: (FetchReader) throws -> Result) rethrows -> Result {
        element = StoredObject(node: node, layout: layout)
        return try body(self)
    }

    /// Returns the class of objects with the class entry `uid` that are requested as `type`; nil if they are not read in place.
    func layout(ofClass uid: UInt32, as type: any Any.Type) throws -> FetchClass? {
        let key = ClassKey(uid: uid, type: ObjectIdentifier(type))
        if key == lastKey { return lastClass }
        let found: FetchClass?
        if let known = classes[key] {
            found = known
        } else {
            if case .fields(let stored) = try open.match(ofClass: uid, as: type, in: contents) {
                found = FetchClass(stored, properties)
            } else {
                found = nil
            }
            classes[key] = found
        }
        (lastKey, lastClass) = (key, found)
        return found
    }

    /// Returns the object at `reference`, which is requested as `type`.
    func object(_ reference: Int, as type: any Any.Type) throws -> FetchedObject {
        guard let uid = contents.storedUID(reference) else { throw FetchDoubt.error }
        if live.contains(uid), let instance = open.instance(uid) { return .live(instance) }
        do {
            let object = try contents.object(uid)
            if contents.isNil(object) { return .none }
            guard let classUID = try contents.classUID(of: object.node),
                let layout = try layout(ofClass: classUID, as: type)
            else { throw FetchDoubt.error }
            return .stored(StoredObject(node: object.node, layout: layout))
        } catch {
            throw FetchDoubt.error
        }
    }

    /// Decodes a value that refers to no instances.
    func decode<Value: Decodable>(_ type: Value.Type, _ uid: UInt32) throws -> Value {
        var result: Value?
        do { try open.withDecodingLock { result = try open.decode(type, [uid]).first } } catch {
            throw FetchDoubt.error
        }
        guard let result else { throw FetchDoubt.error }
        return result
    }
}

// MARK: - Classes

/// A property that an expression reads.
struct FetchProperty {
    let keyPath: AnyKeyPath
}

/// A class of objects, and the places of the fields that are read.
final class FetchClass {
    let stored: StoredClass
    let places: [FetchPlace?]

    init(_ stored: StoredClass, _ properties: [FetchProperty]) {
        self.stored = stored
        places = properties.map { property in stored.field(property.keyPath).map { FetchPlace($0) } }
    }
}

/// The place of a field in the objects of a class.
final class FetchPlace {
    let field: StoredClass.Field
    /// The reference of the key in the last object, and its position.
    private var key = -1
    private var position = 0
    /// A box with the value in objects without the field.
    private var absent: AnyObject?

    init(_ field: StoredClass.Field) { self.field = field }

    /// Returns the reference to the value in the object `node`; nil if it has none.
    @inline(__always)
    func reference(in node: Node, of contents: ArchiveContents) -> Int? {
        let list = contents.list
        if position < node.count, list.reference(position, in: node.payload) == key {
            return list.reference(node.count &+ position, in: node.payload)
        }
        return find(in: node, of: contents)
    }

    @inline(never)
    private func find(in node: Node, of contents: ArchiveContents) -> Int? {
        let list = contents.list
        for name in field.keys {
            for position in 0..<node.count {
                let reference = list.reference(position, in: node.payload)
                guard reference == key && name == field.keys[0] || contents.isStoredKey(reference, name) else {
                    continue
                }
                if name == field.keys[0] {
                    key = reference
                    self.position = position
                }
                return list.reference(node.count + position, in: node.payload)
            }
        }
        return nil
    }

    /// Returns the value of an object without the field.
    func absentValue<Root, Value>(_ keyPath: KeyPath<Root, Value>, _ layout: FetchClass) throws -> Value {
        if let known = absent as? FetchBox<Value> { return known.value }
        guard let value = layout.stored.absentValue(of: field, keyPath) else { throw FetchDoubt.error }
        absent = FetchBox(value)
        return value
    }
}

private final class FetchBox<Value> {
    let value: Value

    init(_ value: Value) { self.value = value }
}
