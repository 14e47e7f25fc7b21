// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Parts and property lists

extension ContentGraph {
    /// The contents of `part`, which is a part of `input`.
    ///
    /// - Parameters:
    ///   - detail: The values of archives that become leaves.
    ///   - purpose: A participle for messages: "searched".
    /// - Throws: `ToolError` if the contents are out of proportion to the file.
    init(_ part: Part, of input: Input, detail: Detail = .all, to purpose: String) throws(ToolError) {
        do throws(Refusal) {
            try self.init(part, of: input, detail: detail)
        } catch {
            throw ToolError(.unreadable, "\(input.name) cannot be \(purpose): \(error)")
        }
        input.progress.begin("\(input.name) is \(purpose)")
    }

    /// The contents of `part`, which is a part of `input`.
    ///
    /// - Parameter isPartial: Whether the contents of nodes of an archive are read by `expand(_:)`.
    init(_ part: Part, of input: Input, detail: Detail = .all, isPartial: Bool = false) throws(Refusal) {
        let byteCount = input.source.byteCount
        switch part {
        case .value(let value):
            input.progress.begin("reading the objects of \(input.name)", total: value.archive.objects.count)
            try self.init(value, byteCount: byteCount, detail: detail, isPartial: isPartial, input.progress)
        case .list(let list): try self.init(list, byteCount: byteCount)
        case .stream(let stream, let object): try self.init(stream, object: object, byteCount: byteCount)
        }
    }

    /// The contents of `list`, as a tree in which nothing has identity, and uids are leaves.
    init(_ list: PropertyList, byteCount: Int) throws(Refusal) {
        // The reader has unfolded the list already, within its own limits.
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

extension Input {
    var whole: Part {
        switch content {
        case .archive(let archive): .value(archive.top)
        case .propertyList(let list, _, _): .list(list)
        case .typedStream(let stream): .stream(stream, object: nil)
        }
    }
}
