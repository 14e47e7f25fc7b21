// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A value of an archive as errors describe it. It refers to nothing in the archive, which may be gone when the error is read.
struct FoundValue: CustomStringConvertible, Sendable {
    private enum Content {
        case plain(StaticString)
        case integer(Int128)
        case real64(Double)
        case real32(Float)
        case counted(StaticString, Int, StaticString)
        case string(String)
        case object(ofClass: String)
    }

    private let content: Content
    private let uid: UInt32

    fileprivate init(_ value: ArchivedValue, in archive: ArchiveContents) {
        let objects = archive.list.objects
        let count = value.node.count
        var uid = value.uid
        switch value.node.kind {
        case .null: (content, uid) = (.plain("nil"), 0)
        case .true: content = .plain("the Bool true")
        case .false: content = .plain("the Bool false")
        case .integer: content = .integer(objects.integer(value.node))
        case .real64: content = .real64(objects.real64(value.node))
        case .real32: content = .real32(objects.real32(value.node))
        case .date: content = .plain("a date")
        case .data: content = .counted("data of", count, "bytes")
        case .ascii where value.isNull, .utf16 where value.isNull: (content, uid) = (.plain("nil"), 0)
        case .ascii, .utf16: content = .string(archive.excerpt(value.node))
        case .uid: content = .plain("a uid")
        case .array: content = .counted("an array of", count, "elements")
        case .set: content = .counted("a set of", count, "elements")
        case .dictionary:
            content =
                archive.classNameExcerpt(of: value).map { .object(ofClass: $0) }
                ?? .counted("a dictionary of", count, "entries")
        }
        self.uid = uid
    }

    var description: String { uid == 0 ? text : "\(text) (uid \(uid))" }

    private var text: String {
        switch content {
        case .plain(let text): "\(text)"
        case .integer(let number): "the integer \(number)"
        case .real64(let number): "the number \(number)"
        case .real32(let number): "the number \(number)"
        case .counted(let container, let count, let parts): "\(container) \(count) \(parts)"
        case .string(let excerpt): "the string \"\(excerpt)\""
        case .object(let name): "an object of class \(name)"
        }
    }
}

extension ArchiveContents {
    func describe(_ value: ArchivedValue) -> FoundValue { FoundValue(value, in: self) }

    /// The name of the class of an object, cut to a readable length.
    fileprivate func classNameExcerpt(of value: ArchivedValue) -> String? {
        guard let uid = try? classUID(of: value.node), let entry = try? object(uid).node,
            let name = try? self.value(of: "$classname", in: entry)?.node,
            name.kind == .ascii || name.kind == .utf16
        else { return nil }
        return excerpt(name, limit: 400)
    }

    /// The beginning of a string. The cost does not depend on the length of the string.
    fileprivate func excerpt(_ node: Node, limit: Int = 40) -> String {
        // A readable character has no more bytes than this; longer ones are cut off.
        let byteLimit = 8 * limit
        var start = node
        start.count = min(node.count, node.kind == .utf16 ? byteLimit / 2 : byteLimit)
        let text = list.objects.string(start)
        // Characters are counted only if there may be too many of them.
        let isLong = start.count < node.count || text.utf8.count > limit && text.count > limit
        return isLong ? "\(text.prefix(limit))…" : text
    }

    /// A key for a list of keys: as `keyDescription`, cut to a readable length.
    func keyExcerpt(_ value: ArchivedValue) -> String? {
        switch value.node.kind {
        case .ascii, .utf16: excerpt(value.node, limit: 100)
        default: try? keyDescription(value)
        }
    }
}
