// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// NSNumber, NSString and NSNull as objects of their own. `ArchiveGraph+Leaves` and `ArchiveContents+Leaves` handle the leaves
// that Cocoa writes, and `NumberConversion` the conversions between number types.

// MARK: - Numbers and strings

extension ArchiveContents {
    /// Returns the number of `value`: the value itself, or the number inside an NSNumber object of another coder.
    package func number(_ value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedValue {
        guard value.node.kind == .dictionary else { return value }
        for key in ["NS.number", "NS.intval", "NS.dblval", "NS.boolval"] as [StaticString] {
            if let found = try self.value(of: key, in: value.node) {
                return ArchivedValue(node: found.node, uid: value.uid, isNull: false)
            }
        }
        return value
    }

    /// Returns the text of a string: a leaf, or an NSString or NSMutableString object; `nil` if `value` is not a string.
    package func text(_ value: ArchivedValue) throws(KeyedArchiveError) -> String? {
        switch value.node.kind {
        case .ascii, .utf16: return value.isNull ? nil : try string(value.node)
        case .dictionary:
            // Inside the object, "$null" is text: a string "$null" is written as an object because it is not nil.
            if let text = try self.value(of: "NS.string", in: value.node)?.node {
                return text.kind == .ascii || text.kind == .utf16 ? try string(text) : nil
            }
            // The UTF-8 of a string class that encodes itself.
            guard let bytes = try self.value(of: "NS.bytes", in: value.node)?.node, bytes.kind == .data else {
                return nil
            }
            if let meter { try meter.countBytes(bytes.count) }
            return list.objects.bytes.string(at: bytes.payload, length: bytes.count)
        default: return nil
        }
    }
}

// MARK: - Null

extension ArchiveGraph {
    /// Returns the uid of the NSNull. The archive has only one, as a program does.
    package func nullObject() -> Reference {
        if cocoaNames.nullObject == 0 { cocoaNames.nullObject = object(.null, []) }
        return cocoaNames.nullObject
    }

    /// Returns whether `uid` is nil, or the NSNull that represents it in a collection.
    func isNil(_ uid: Reference) -> Bool {
        uid == Self.null || uid == cocoaNames.nullObject && uid != 0
    }
}

extension ArchiveContents {
    /// Returns whether `value` is nil, or the NSNull that represents nil in Foundation's containers.
    @inline(__always)
    package func isNil(_ value: ArchivedValue) -> Bool {
        value.isNull || value.node.kind == .dictionary && value.node.count == 1 && isNullObject(value)
    }

    @inline(never)
    private func isNullObject(_ value: ArchivedValue) -> Bool {
        guard let uid = try? classUID(of: value.node) else { return false }
        guard let entry = try? classEntry(uid), let name = try? self.value(of: "$classname", in: entry) else {
            return false
        }
        return list.objects.isString(name.node, "NSNull")
    }
}
