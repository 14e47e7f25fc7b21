// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving

/// What programs had in their sequential archives: a name, and since version 1 a count.
class SequentialItem: SequentialCoding, ArchiveDescribing {
    class var archiveName: String { "Item" }
    class var classVersion: Int { 1 }

    var name: String
    var count: Int32

    init(name: String, count: Int32) {
        self.name = name
        self.count = count
    }

    required init(coder: SequentialUnarchiver) throws {
        name = try coder.decode(String.self)
        count = coder.archivedVersion(of: SequentialItem.self) == 0 ? 1 : try coder.decode(Int32.self)
    }

    func encode(with coder: SequentialArchiver) throws {
        try coder.encode(name)
        try coder.encode(count)
    }

    var archivedClass: any SequentialCoding.Type { type(of: self) }
}

/// An item with something more, and a version of its own.
final class SequentialWeapon: SequentialItem {
    override class var archiveName: String { "Weapon" }
    override class var classVersion: Int { 3 }

    var damage: Double

    init(name: String, count: Int32, damage: Double) {
        self.damage = damage
        super.init(name: name, count: count)
    }

    required init(coder: SequentialUnarchiver) throws {
        damage = 0
        try super.init(coder: coder)
        damage = try coder.decode(Double.self)
    }

    override func encode(with coder: SequentialArchiver) throws {
        try super.encode(with: coder)
        try coder.encode(damage)
    }
}

/// A view as in AppKit: it owns its subviews, and knows its superview, which it does not archive.
final class SequentialView: SequentialCoding, ArchiveDescribing {
    static let archiveName = "View"

    let title: String
    var subviews: [SequentialView] = []
    weak var superview: SequentialView?
    /// Whether the superview is requested before the subviews.
    var isSuperviewFirst = false

    init(_ title: String, _ subviews: [SequentialView] = []) {
        self.title = title
        self.subviews = subviews
        for view in subviews { view.superview = self }
    }

    init(coder: SequentialUnarchiver) throws {
        title = try coder.decode(String.self)
        coder.publish(self)
        isSuperviewFirst = try coder.decode(Bool.self)
        if isSuperviewFirst { superview = try coder.decode(SequentialView?.self) }
        subviews = try coder.decode([SequentialView].self)
        if !isSuperviewFirst { superview = try coder.decode(SequentialView?.self) }
    }

    func encode(with coder: SequentialArchiver) throws {
        try coder.encode(title)
        try coder.encode(isSuperviewFirst)
        if isSuperviewFirst { try coder.encodeConditional(superview) }
        try coder.encode(subviews)
        if !isSuperviewFirst { try coder.encodeConditional(superview) }
    }
}

/// A node that may refer to itself, or be one of very many in a row.
final class SequentialNode: SequentialCoding, ArchiveDescribing {
    static let archiveName = "Node"

    var value: Int
    var next: SequentialNode?

    init(_ value: Int, next: SequentialNode? = nil) {
        self.value = value
        self.next = next
    }

    init(coder: SequentialUnarchiver) throws {
        value = try coder.decode(Int.self)
        try coder.decodeReference(SequentialNode.self) { [unowned self] in next = $0 }
    }

    func encode(with coder: SequentialArchiver) throws {
        try coder.encode(value)
        try coder.encode(next)
    }

    /// Takes a chain apart, which would be released by recursion, and counts it.
    func takeApart() -> Int {
        var (node, count) = (self, 1)
        while let next = node.next {
            node.next = nil
            (node, count) = (next, count + 1)
        }
        return count
    }
}

/// Needs itself before it is complete.
final class SequentialOwner: SequentialCoding, ArchiveDescribing {
    static let archiveName = "Owner"
    var owner: SequentialOwner?

    init() { owner = self }

    init(coder: SequentialUnarchiver) throws { owner = try coder.decode(SequentialOwner?.self) }

    func encode(with coder: SequentialArchiver) throws { try coder.encode(owner) }
}

/// A struct of C.
struct SequentialPoint: SequentialValue, Equatable {
    var x, y: Float

    static let sequentialTypeEncoding: TypeEncoding = "{_NSPoint=ff}"

    func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        .structure([.float(x), .float(y)])
    }

    static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> SequentialPoint {
        guard case .structure(let fields) = value, fields.count == 2, case .float(let x) = fields[0],
            case .float(let y) = fields[1]
        else { throw coder.typeMismatchError(SequentialPoint.self, found: value, of: type) }
        return SequentialPoint(x: x, y: y)
    }
}
