import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Property lists

extension ContentGraph {
    /// What `list` holds, as a tree. Nothing in it has identity, and uids are numbers.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - byteCount: The size of its file.
    init(_ list: PropertyList, byteCount: Int) throws(Unfolding) {
        // A list that is there has been unfolded already, within the limits of its reader.
        self.init(byteCount: max(byteCount, 128 * byteCount))
        var waiting: [PropertyList?] = []
        add(list, &waiting)
        var next = 0
        while next < waiting.count {
            switch waiting[next] {
            case .array(let elements)?, .set(let elements)?:
                for element in elements { try addEdge(from: next, to: add(element, &waiting)) }
            case .dictionary(let entries)?:
                for (name, value) in entries { try addEdge(from: next, key: key(name), to: add(value, &waiting)) }
            default: break
            }
            waiting[next] = nil
            next += 1
        }
    }

    @discardableResult
    private mutating func add(_ list: PropertyList, _ waiting: inout [PropertyList?]) -> Int {
        var node = Node(shape: .leaf)
        switch list {
        case .null: node.leaf = .null
        case .boolean(let value): node.leaf = .boolean(value)
        case .integer(let value): node.leaf = .integer(value)
        case .real(let value): node.leaf = .real(value, isSingle: false)
        case .real32(let value): node.leaf = .real(Double(value), isSingle: true)
        case .string(let value): node.leaf = .string(value)
        case .date(let value): node.leaf = .date(value.timeIntervalSinceReferenceDate)
        case .data(let value): node.leaf = .data(value)
        case .uid(let value): node.leaf = .uid(value)
        case .array: node.shape = .list
        case .set: node.shape = .set
        case .dictionary: node.shape = .fields
        }
        waiting.append(node.shape == .leaf ? nil : list)
        return add(node)
    }
}
