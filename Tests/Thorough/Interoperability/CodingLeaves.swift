// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// The smallest class of our own that is worth an instance.
class Leaf: Coding, ArchiveDescribing, Hashable {
    class var archiveName: String { "Leaf" }
    class var archiveFallbacks: [String] { [] }

    let name: String

    init(_ name: String) { self.name = name }

    required init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }

    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }

    static func == (left: Leaf, right: Leaf) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A leaf with a number.
class NumberedLeaf: Leaf {
    override class var archiveName: String { "NumberedLeaf" }

    let number: Int

    init(_ name: String, number: Int) {
        self.number = number
        super.init(name)
    }

    required init(coder: KeyedUnarchiver) throws {
        number = try coder.decodeInteger(forKey: "number")
        try super.init(coder: coder)
    }

    override func encode(with coder: KeyedArchiver) throws {
        try super.encode(with: coder)
        coder.encode(number, forKey: "number")
    }
}

/// A subclass of a subclass.
final class LastLeaf: NumberedLeaf {
    override class var archiveName: String { "LastLeaf" }
}

/// What Foundation makes of a leaf.
class LeafObject: NSObject, NSSecureCoding {
    class var supportsSecureCoding: Bool { true }

    let name: String

    init(_ name: String) { self.name = name }

    required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = String(describing: name)
    }

    func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "name") }
}

/// What Foundation makes of a leaf with a number.
final class NumberedLeafObject: LeafObject {
    let number: Int

    init(_ name: String, number: Int) {
        self.number = number
        super.init(name)
    }

    required init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "number")
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(number, forKey: "number")
    }
}
