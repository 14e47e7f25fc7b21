/// Bytes of strings and of data, for a comparison of two archives.
extension ArchiveContents {
    /// Returns whether two strings or data, or two numbers of the same kind, have the same bytes.
    package func hasBytes(_ node: Node, equalTo other: Node, of contents: ArchiveContents) -> Bool {
        let bytes = list.objects.bytes(node)
        let otherBytes = contents.list.objects.bytes(other)
        guard bytes.count == otherBytes.count else { return false }
        guard let base = bytes.baseAddress, let otherBase = otherBytes.baseAddress else { return true }
        return base.equals(otherBase, count: bytes.count)
    }

    /// Returns the number of bytes of a string or of data.
    package func byteCount(_ node: Node) -> Int { list.objects.bytes(node).count }

    /// Returns the bytes of a string as UTF-8, and those of data as they are.
    package func text(_ node: Node) -> [UInt8] {
        node.kind == .utf16 ? [UInt8](list.objects.string(node).utf8) : [UInt8](list.objects.bytes(node))
    }

    /// Adds the bytes of data to `hasher`.
    package func hash(_ node: Node, into hasher: inout Hasher) {
        hasher.combine(bytes: list.objects.bytes(node))
    }
}
