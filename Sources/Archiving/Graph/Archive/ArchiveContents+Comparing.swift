// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Bytes of strings and of data, for a comparison of two archives.
extension ArchiveContents {
    /// Returns whether two strings or data, or two numbers of the same kind, have the same bytes.
    package func hasBytes(_ node: Node, equalTo other: Node, of contents: ArchiveContents) -> Bool {
        list.objects.bytes(node) == contents.list.objects.bytes(other)
    }

    /// Returns the number of bytes of a string or of data.
    package func byteCount(_ node: Node) -> Int { list.objects.bytes(node).count }

    /// Returns the bytes of a string as UTF-8, and those of data as they are.
    package func text(_ node: Node) -> [UInt8] {
        node.kind == .utf16 ? [UInt8](list.objects.string(node).utf8) : [UInt8](list.objects.bytes(node))
    }

    /// Adds the bytes of data to `hasher`.
    package func hash(_ node: Node, into hasher: inout Hasher) {
        list.objects.bytes(node).withBytes { hasher.combine($0) }
    }
}
