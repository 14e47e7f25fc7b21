// NSNumber, NSString and NSNull, if they are objects of their own. What Cocoa writes as leaves is in
// `ArchiveGraph+Leaves` and `ArchiveContents+Leaves`, and which number becomes which in `NumberConversion`.

// MARK: - Numbers and strings

extension ArchiveContents {
    /// The number that `value` is or, where NSNumber had a foreign coder and is an object, that it has inside.
    package func number(_ value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedValue {
        guard value.node.kind == .dictionary else { return value }
        for key in ["NS.number", "NS.intval", "NS.dblval", "NS.boolval"] as [StaticString] {
            if let found = try self.value(of: key, in: value.node) {
                return ArchivedValue(node: found.node, uid: value.uid, isNull: false)
            }
        }
        return value
    }

    /// The text of a string: a leaf, or an object of NSString or NSMutableString; nil where it is something else.
    package func text(_ value: ArchivedValue) throws(KeyedArchiveError) -> String? {
        switch value.node.kind {
        case .ascii, .utf16: return value.isNull ? nil : try string(value.node)
        case .dictionary:
            // Inside the object "$null" is text: it is written so because it is not nil.
            if let text = try self.value(of: "NS.string", in: value.node)?.node {
                return text.kind == .ascii || text.kind == .utf16 ? try string(text) : nil
            }
            // The UTF-8 of a string whose class writes itself.
            guard let bytes = try self.value(of: "NS.bytes", in: value.node)?.node, bytes.kind == .data else {
                return nil
            }
            if let meter { try meter.pointee.countString(bytes.count) }
            return String(decoding: list.objects.bytes(bytes), as: UTF8.self)
        default: return nil
        }
    }
}

// MARK: - Null

extension ArchiveGraph {
    /// The uid of the NSNull, which is one for all of the archive as it is one for a program.
    mutating func nullObject() -> Reference {
        if cocoaNames.nullObject == 0 { cocoaNames.nullObject = object(.null, []) }
        return cocoaNames.nullObject
    }
}

extension ArchiveContents {
    /// Whether `value` is nil, or the NSNull that stands for nil in Foundation's containers.
    func isNil(_ value: ArchivedValue) -> Bool {
        if value.isNull { return true }
        guard value.node.kind == .dictionary, value.node.count == 1, let uid = try? classUID(of: value.node) else {
            return false
        }
        guard let entry = try? object(uid), let name = try? self.value(of: "$classname", in: entry.node) else {
            return false
        }
        return list.objects.isString(name.node, "NSNull")
    }
}
