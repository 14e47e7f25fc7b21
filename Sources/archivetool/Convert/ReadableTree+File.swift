// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

extension ReadableTree {
    /// Writes a file as readable JSON; with `part` only this part of it.
    ///
    /// - Parameter hidesUIDs: Whether shared objects are numbered for each class, instead of by their uids.
    /// - Throws: `ToolError` if it is out of proportion to the file.
    static func write(
        _ input: Input, part: Part? = nil, hidesUIDs: Bool = false, to writer: inout JSONWriter
    ) throws(ToolError) {
        // The entries before the tree.
        var file: PropertyList.Dictionary = [:]
        if part == nil {
            switch input.content {
            case .archive(let archive): file["$archiver"] = archive.archiver.map { .string($0) } ?? .null
            case .propertyList: break
            case .typedStream(let stream):
                file["$typedstream"] = [
                    "version": .count(stream.streamerVersion), "system": .count(stream.systemVersion),
                    "byteOrder": .string("\(stream.byteOrder)"),
                ]
            }
        }
        let graph = try ContentGraph(part ?? input.whole, of: input, detail: .values, to: "converted")
        var maker = ReadableTree(graph, .json, hidesUIDs: hidesUIDs, byteCount: input.source.byteCount)
        let (root, objects) = try maker.tree()
        file["$top"] = root
        if !objects.isEmpty { file["$objects"] = .array(objects) }
        writer.write(file.count > 1 ? .dictionary(file) : root)
    }
}
