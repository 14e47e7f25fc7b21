/// The elements of an array of an archive, which are read one by one.
package struct PartElements: Sendable {
    /// The number of elements.
    package let count: Int
    /// The archive whose bytes have the elements. Another archive with the same uids has them in other places.
    private let source: ArchiveSource
    /// The offset of the references.
    private let list: Int

    /// Finds the elements of the object `uid` of `source`. Only the beginning of the object is read.
    ///
    /// - Returns: The elements; nil if the object is no array in the form that archivers write.
    package init?(of uid: UInt32, in source: ArchiveSource) throws(KeyedArchiveError) {
        let contents = source.contents
        let object = try contents.object(uid)
        guard !object.isNull, object.node.kind == .dictionary, object.node.count == 2,
            let position = try contents.index(of: "NS.objects", in: object.node),
            let classUID = try contents.classUID(of: object.node),
            try Self.isArray(classUID, in: contents)
        else { return nil }
        let reference = contents.list.reference(object.node.count + position, in: object.node.payload)
        let array: Node
        do throws(PropertyListError) { array = try contents.list.nodeWithoutContents(reference) } catch {
            throw KeyedArchiveError(error)
        }
        guard array.kind == .array else { return nil }
        count = array.count
        list = array.payload
        self.source = source
    }

    private static func isArray(_ classUID: UInt32, in contents: ArchiveContents) throws(KeyedArchiveError) -> Bool {
        for name in ["NSArray", "NSMutableArray"] where try contents.isClass(classUID, named: name) { return true }
        return false
    }

    /// Whether the elements are those of `source`.
    package func areFrom(_ source: ArchiveSource) -> Bool { self.source === source }

    /// Returns the uid of the element at `position`, which is less than `count`.
    package func uid(at position: Int) throws(KeyedArchiveError) -> UInt32 {
        precondition(position >= 0 && position < count, "Element \(position) is out of range: count is \(count)")
        let contents = source.contents
        let node = try contents.node(contents.list.loadedReference(position, in: list))
        return try contents.uid(node)
    }
}
