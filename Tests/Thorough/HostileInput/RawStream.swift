// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving

/// A typedstream that is put together object by object, without regard to what is in it.
final class RawStream {
    typealias Group = TypedStream.Group

    private(set) var stream = TypedStream()
    private var classes: [String: Int] = [:]
    /// By their bytes: strings with very many combining marks take long to compare.
    private var texts: [[UInt8]: Int] = [:]

    /// The file whose only group is the object that `body` gives.
    static func data(_ body: (RawStream) -> Int) -> Data {
        let raw = RawStream()
        let root = body(raw)
        raw.stream.groups = [Group([.object], [.object(root)])]
        return raw.file
    }

    /// The file as it is by now.
    var file: Data {
        do {
            return try stream.data()
        } catch {
            preconditionFailure("An attack cannot be made: \(error)")
        }
    }

    /// Adds a group at the top.
    func add(_ group: Group) { stream.groups.append(group) }

    /// The position of a class of that name, a subclass of NSObject.
    func type(_ name: String) -> Int {
        if let known = classes[name] { return known }
        let root = name == "NSObject" ? nil : type("NSObject")
        stream.classes.append(TypedStream.Class(name, superclassIndex: root))
        classes[name] = stream.classes.count - 1
        return stream.classes.count - 1
    }

    /// Adds an object; its groups may be set later.
    func object(_ name: String, _ groups: [Group] = []) -> Int {
        stream.objects.append(TypedStream.Object(classIndex: type(name), groups: groups))
        return stream.objects.count - 1
    }

    /// Gives the object at a position other groups.
    func set(_ index: Int, _ groups: [Group]) { stream.objects[index].groups = groups }

    /// Adds a class with a superclass that is not NSObject.
    func subclass(_ name: String, of superclass: Int) -> Int {
        stream.classes.append(TypedStream.Class(name, superclassIndex: superclass))
        return stream.classes.count - 1
    }

    /// Adds an object of the class at a position.
    func object(of type: Int, _ groups: [Group] = []) -> Int {
        stream.objects.append(TypedStream.Object(classIndex: type, groups: groups))
        return stream.objects.count - 1
    }

    /// Adds a C string.
    func cString(_ text: String) -> Int {
        stream.cStrings.append(Array(text.utf8))
        return stream.cStrings.count - 1
    }
}

// MARK: - Values

extension RawStream {
    /// A group of one object, or nil.
    static func reference(_ index: Int?) -> Group { Group([.object], [.object(index)]) }

    /// A group of one integer.
    static func integer(_ number: Int, _ type: TypeEncoding = .int) -> Group {
        Group([type], [type == .int || type == .longLong ? .integer(Int64(number)) : .unsigned(UInt64(number))])
    }

    /// An NSString.
    func text(_ text: String) -> Int {
        let bytes = Array(text.utf8)
        if let known = texts[bytes] { return known }
        let index = object("NSString", [Group([.bytes], [.bytes(bytes)])])
        texts[bytes] = index
        return index
    }

    /// What is in an NSArray.
    static func list(_ elements: [Int], count: Int? = nil) -> [Group] {
        [integer(count ?? elements.count)] + elements.map { reference($0) }
    }

    /// An NSArray.
    func array(_ elements: [Int]) -> Int { object("NSArray", Self.list(elements)) }

    /// An NSSet.
    func set(_ elements: [Int]) -> Int {
        object("NSSet", [Self.integer(elements.count, .unsignedInt)] + elements.map { Self.reference($0) })
    }

    /// An NSDictionary.
    func dictionary(_ entries: [(Int, Int)]) -> Int {
        object("NSDictionary", Self.list(entries.flatMap { [$0.0, $0.1] }, count: entries.count))
    }

    /// An NSNumber.
    func number(_ number: Int) -> Int {
        object("NSNumber", [Group([.cString], [.cString(cString("q"))]), Self.integer(number, .longLong)])
    }

    /// An NSAttributedString whose runs are numbers of attributes and lengths; the attributes follow where the number is
    /// met for the first time.
    func attributed(_ text: String, _ runs: [(Int, Int)], _ attributes: [Int]) -> Int {
        var groups = [Self.reference(self.text(text))]
        var known: Set<Int> = []
        for (number, length) in runs {
            groups.append(Group([.int, .unsignedInt], [.integer(Int64(number)), .unsigned(UInt64(length))]))
            if attributes.indices.contains(number - 1), known.insert(number).inserted {
                groups.append(Self.reference(attributes[number - 1]))
            }
        }
        return object("NSAttributedString", groups)
    }

    /// An NSFont, whose name is in the bytes.
    func font(_ name: [UInt8]) -> Int {
        let list: [UInt8] = [5, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: name.count >> (8 * $0)) } + name
        let groups = [
            Self.integer(list.count), Group([.array(count: list.count, of: .character)], [.bytes(list)]),
            Group([.float], [.float(12)]),
        ]
        return object("NSFont", groups + [0, 1, 0, 0].map { Group([.character], [.integer($0)]) })
    }

    /// An NSColor of a space with that number.
    func color(_ space: Int64, _ numbers: [Float]) -> Int {
        object(
            "NSColor",
            [Group([.character], [.integer(space)]), Group(numbers.map { _ in .float }, numbers.map { .float($0) })])
    }

    /// `count` objects, each of which has the next one in `groups`.
    func chain(_ name: String, _ count: Int, _ groups: (Int?) -> [Group] = { [reference($0)] }) -> Int {
        let first = stream.objects.count
        for number in 0..<count {
            _ = object(name, groups(number + 1 < count ? first + number + 1 : nil))
        }
        return first
    }
}
