// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Reads the values by which an index sorts the objects of an archive.
final class IndexReader {
    let definition: IndexDefinition
    let contents: ArchiveContents
    private let open: OpenArchive
    private let reader: FetchReader
    private let columns: [IndexValueReader]
    private var classes: [UInt32: (part: StoredIndex.Part, layout: FetchClass?)] = [:]

    init(_ definition: IndexDefinition, _ open: OpenArchive, _ contents: ArchiveContents) {
        self.definition = definition
        self.open = open
        self.contents = contents
        columns = definition.columns.map { $0.makeReader() }
        let properties = definition.columns.map { FetchProperty(keyPath: $0.keyPath) }
        reader = FetchReader(open, contents, FetchScope(open.source), properties)
    }

    func part(ofClass uid: UInt32) -> StoredIndex.Part { classFacts(uid).part }

    private func classFacts(_ uid: UInt32) -> (part: StoredIndex.Part, layout: FetchClass?) {
        if let known = classes[uid] { return known }
        let facts: (StoredIndex.Part, FetchClass?)
        do {
            switch try open.match(ofClass: uid, as: definition.type, in: contents) {
            case .none: facts = (.none, nil)
            case .fields:
                let layout = try reader.layout(ofClass: uid, as: definition.type)
                facts = layout?.places.allSatisfy { $0 != nil } == true ? (.sorted, layout) : (.others, nil)
            case .decoded: facts = (.others, nil)
            }
        } catch {
            // No object of a damaged class is decoded.
            facts = (.others, nil)
        }
        classes[uid] = facts
        return facts
    }

    func classUID(of uid: UInt32) -> UInt32? {
        guard let object = try? contents.object(uid), !object.isNull, object.node.kind == .dictionary else {
            return nil
        }
        return (try? contents.classUID(of: object.node)) ?? nil
    }

    func values(of uid: UInt32) -> [ArchiveIndexValue]? {
        guard let object = try? contents.object(uid), !object.isNull, object.node.kind == .dictionary,
            let classUID = (try? contents.classUID(of: object.node)) ?? nil,
            let layout = classFacts(classUID).layout
        else { return nil }
        var values: [ArchiveIndexValue] = []
        values.reserveCapacity(columns.count)
        for (column, place) in zip(columns, layout.places) {
            guard let place, let position = place.find(in: object.node, of: contents) else { return nil }
            let reference = contents.list.reference(object.node.count + position, in: object.node.payload)
            guard let value = try? column.value(reference, reader) else { return nil }
            values.append(value)
        }
        return values
    }
}
