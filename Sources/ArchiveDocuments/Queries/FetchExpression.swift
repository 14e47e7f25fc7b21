// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// An expression of a predicate, translated for objects that are not decoded.
class FetchNode {
    /// The expression, for people.
    var text: String { "?" }
    /// The parts that are not read in place: the reasons.
    var doubts: [String] { [] }
    /// The conditions all of which have to be true.
    var conjuncts: [FetchNode] { [self] }
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
    let list: BinaryPropertyListReader
    private let scope: FetchScope
    private let properties: [FetchProperty]
    /// The dictionary of the element in question.
    private(set) var count = 0
    private(set) var payload = 0
    private(set) var layout: FetchClass?
    /// The number of times that the class of the element has changed.
    private(set) var layoutNumber = 0
    private var classes: [ClassKey: FetchClass?] = [:]
    private var lastKey = ClassKey(uid: 0, type: ObjectIdentifier(FetchReader.self))
    private var lastClass: FetchClass?

    private struct ClassKey: Hashable {
        let uid: UInt32
        let type: ObjectIdentifier
    }

    init(_ open: OpenArchive, _ contents: ArchiveContents, _ scope: FetchScope, _ properties: [FetchProperty]) {
        self.open = open
        self.contents = contents
        list = contents.list
        self.scope = scope
        self.properties = properties
    }

    func move(to node: Node, _ layout: FetchClass) {
        count = node.count
        payload = node.payload
        if layout !== self.layout {
            self.layout = layout
            layoutNumber += 1
        }
    }

    /// The element in question; nil before the first one.
    var element: StoredObject? {
        layout.map { StoredObject(node: Node(kind: .dictionary, count: count, payload: payload), layout: $0) }
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

    func object(_ reference: Int, as type: any Any.Type) throws -> FetchedObject {
        guard let uid = contents.storedUID(reference) else { throw FetchDoubt.error }
        if scope.isChanged(uid), let instance = open.instance(uid) { return .live(instance) }
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

    func decode<Value: Decodable>(_ type: Value.Type, _ reference: Int) throws -> Value {
        var result: Value?
        do { try open.withDecodingLock { result = try open.decode(type, at: reference, for: contents) } } catch {
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

    /// Returns the place of the value in the object `node`; nil if it has none.
    @inline(__always)
    func find(in node: Node, of contents: ArchiveContents) -> Int? {
        if position < node.count, contents.list.reference(position, in: node.payload) == key { return position }
        return findOther(in: node, of: contents)
    }

    @inline(never)
    private func findOther(in node: Node, of contents: ArchiveContents) -> Int? {
        for (rank, name) in field.keys.enumerated() {
            guard let position = contents.storedPosition(of: name, in: node) else { continue }
            if rank == 0 {
                key = contents.list.reference(position, in: node.payload)
                self.position = position
            }
            return position
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
