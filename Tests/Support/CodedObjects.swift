// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// An object with a name and a number.
package final class CodedItem: Coding {
    package let name: String
    package let value: Int

    package init(_ name: String, _ value: Int) {
        self.name = name
        self.value = value
    }

    package init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        value = try coder.decodeInteger(forKey: "value")
    }

    package func encode(with coder: KeyedArchiver) {
        coder.encode(name, forKey: "name")
        coder.encode(value, forKey: "value")
    }
}

/// An object that has others, each of which knows it without keeping it alive.
package final class CodedNode: Coding {
    package let name: String
    package var children: [CodedNode] = []
    package weak var parent: CodedNode?

    package init(_ name: String) {
        self.name = name
    }

    package init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        coder.publish(self)
        children = try coder.decode([CodedNode].self, forKey: "children")
        parent = try coder.decodeIfPresent(CodedNode.self, forKey: "parent")
    }

    package func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encode(children, forKey: "children")
        try coder.encodeConditional(parent, forKey: "parent")
    }
}

/// A value with an object.
package struct CodedBox: Codable {
    @Coded package var item: CodedItem
    package var title: String

    package init(item: CodedItem, title: String) {
        self.item = item
        self.title = title
    }
}
