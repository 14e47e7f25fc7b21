// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Tree

/// A branch of the tree with declared fields.
final class FieldsBranch: ArchivedFields {
    var name = ""
    var number = 0
    var children: [FieldsBranch] = []

    init() {}

    init(_ value: Branch) {
        name = value.name
        number = value.number
    }

    static let fields = FieldList<FieldsBranch> {
        Field("name", \.name)
        Field("number", \.number)
        Field("children", \.children)
    }

    /// Creates the tree of `Branch`.
    static func tree(count: Int, seed: UInt64) -> FieldsBranch {
        let original = Branch.tree(count: count, seed: seed)
        let root = FieldsBranch(original)
        var pairs = [(original, root)]
        while let (value, branch) = pairs.popLast() {
            branch.children = value.children.map(FieldsBranch.init)
            pairs += zip(value.children, branch.children)
        }
        return root
    }

    /// Returns whether two trees have equal contents.
    static func isFaithful(original: FieldsBranch, decoded: FieldsBranch, sharing: Bool) -> Bool {
        var pairs = [(original, decoded)]
        while let (left, right) = pairs.popLast() {
            guard left.name == right.name, left.number == right.number, left.children.count == right.children.count
            else { return false }
            pairs += zip(left.children, right.children)
        }
        return true
    }
}

// MARK: - Graph

/// A node of the class graph with declared fields.
final class FieldsNode: GraphNode, ArchivedFields {
    var name = ""
    var weight = 0
    var style: FieldsStyle?
    var children: [FieldsNode] = []

    init() {}

    init(name: String, weight: Int, style: FieldsStyle) {
        self.name = name
        self.weight = weight
        self.style = style
    }

    static let fields = FieldList<FieldsNode> {
        Field("name", \.name)
        Field("weight", \.weight)
        Field("style", \.style)
        Field("children", \.children)
    }
}

/// The style of a `FieldsNode`.
final class FieldsStyle: GraphStyle, ArchivedFields {
    var name = ""
    var red = 0.0
    var green = 0.0
    var blue = 0.0
    var width = 0

    init() {}

    init(name: String, red: Double, green: Double, blue: Double, width: Int) {
        self.name = name
        self.red = red
        self.green = green
        self.blue = blue
        self.width = width
    }

    static let fields = FieldList<FieldsStyle> {
        Field("name", \.name)
        Field("red", \.red)
        Field("green", \.green)
        Field("blue", \.blue)
        Field("width", \.width)
    }
}

// MARK: - Parents

/// A parent with many children by declared fields. Half of them refer back to it with a strong property, half with a weak and
/// conditional one.
final class FieldsFamily: ArchivedFields {
    var name = ""
    var sons: [Son] = []
    var daughters: [Daughter] = []

    init() {}

    static let fields = FieldList<FieldsFamily> {
        Field("name", \.name)
        Field("sons", \.sons)
        Field("daughters", \.daughters)
    }

    final class Son: ArchivedFields {
        var name = ""
        var height = 0
        var parent: FieldsFamily?

        init() {}

        init(_ value: Family.Son, parent: FieldsFamily) {
            (name, height, self.parent) = (value.name, value.height, parent)
        }

        static let fields = FieldList<Son> {
            Field("name", \.name)
            Field("height", \.height)
            Field("parent", \.parent)
        }
    }

    final class Daughter: ArchivedFields {
        var name = ""
        var height = 0
        weak var parent: FieldsFamily?

        init() {}

        init(_ value: Family.Daughter, parent: FieldsFamily) {
            (name, height, self.parent) = (value.name, value.height, parent)
        }

        static let fields = FieldList<Daughter> {
            Field("name", \.name)
            Field("height", \.height)
            Field("parent", \.parent, .conditional)
        }
    }

    static func example(count: Int, seed: UInt64) -> FieldsFamily {
        let example = Family.example(count: count, seed: seed)
        let family = FieldsFamily()
        family.name = example.name
        family.sons = example.sons.map { Son($0, parent: family) }
        family.daughters = example.daughters.map { Daughter($0, parent: family) }
        example.sons = []
        return family
    }

    /// Returns whether `decoded` is an equal family whose children all refer to it.
    static func isFaithful(original: FieldsFamily, decoded: FieldsFamily, sharing: Bool) -> Bool {
        original.name == decoded.name && original.sons.count == decoded.sons.count
            && original.daughters.count == decoded.daughters.count
            && zip(original.sons, decoded.sons).allSatisfy {
                $0.name == $1.name && $0.height == $1.height && $1.parent === decoded
            }
            && zip(original.daughters, decoded.daughters).allSatisfy {
                $0.name == $1.name && $0.height == $1.height && $1.parent === decoded
            }
    }
}
