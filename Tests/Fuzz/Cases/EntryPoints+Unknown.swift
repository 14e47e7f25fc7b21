// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Unknown classes

extension EntryPoints {
    static let unknownObjects = [
        EntryPoint("unknown objects, as placeholders") { data in
            try thingsAgain(data, .placeholder)
        },
        EntryPoint("unknown objects, left out") { data in
            try thingsAgain(data, .skip)
        },
        EntryPoint("unknown objects, as requested") { data in
            try thingsAgain(data, .decodeAsRequested)
        },
        EntryPoint("unknown objects, the root") { data in
            let unknown = try KeyedUnarchiver.unarchivedObject(of: UnknownObject.self, from: data)
            let first = try KeyedArchiver.archivedData(withRootObject: unknown)
            let again = try KeyedUnarchiver.unarchivedObject(of: UnknownObject.self, from: first)
            guard again.value.className == unknown.value.className, again.value.keys.count == unknown.value.keys.count
            else {
                throw Violation(
                    "An object of the unknown class \"\(unknown.value.className ?? "")\" is another one when written again"
                )
            }
            return UInt64(first.count)
        },
        EntryPoint("unknown objects, whatever is there") { data in
            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            unarchiver.classes = Registries.few(.placeholder)
            defer { unarchiver.finishDecoding() }
            let object = try unarchiver.decodeObject(of: Cabinet.contents, forKey: "root")
            let archiver = KeyedArchiver()
            try archiver.encodeObject(object, forKey: "root")
            return UInt64(try archiver.finishEncoding().count)
        },
        EntryPoint("unknown objects, coded as requested") { data in
            let folder = try KeyedUnarchiver.unarchivedObject(
                of: Folder.self, from: data, classes: Registries.few(.decodeAsRequested))
            return UInt64(folder.folders.count)
        },
    ]

    /// Reads a graph in which few classes are known, writes it, and reads it again.
    private static func thingsAgain(_ data: Data, _ policy: ClassRegistry.UnknownClassPolicy) throws -> UInt64 {
        var decoder = ArchiveDecoder()
        decoder.classes = Registries.few(policy)
        let graph = try decoder.decode(Graph.self, from: data)
        var encoder = ArchiveEncoder()
        encoder.classes = Registries.few(policy)
        let again = try decoder.decode(Graph.self, from: encoder.encode(graph))
        guard again.things.count == graph.things.count, again.byName.count == graph.byName.count else {
            throw Violation("A graph with unknown objects has \(again.things.count) things when written again")
        }
        return UInt64(graph.things.count)
    }
}

// MARK: - Editing

extension EntryPoints {
    static let editors = [
        EntryPoint("editor, nothing") { data in
            let editor = try KeyedArchiveEditor(KeyedArchive(data))
            let written = try editor.propertyList.data()
            guard try PropertyList(written) == PropertyList(data) else {
                throw Violation("An archive that was not edited is written as another one")
            }
            return UInt64(editor.objectCount)
        },
        EntryPoint("editor, some edits") { data in
            var editor = try KeyedArchiveEditor(KeyedArchive(data))
            var generator = Generator(seed: UInt64(data.count))
            var done: UInt64 = 0
            for _ in 0..<6 {
                if (try? edit(&editor, using: &generator)) != nil { done += 1 }
            }
            let archive = try KeyedArchive(editor.propertyList.data())
            guard archive.objects.count == editor.objectCount else {
                throw Violation("An edited archive has \(archive.objects.count) objects, and not \(editor.objectCount)")
            }
            return done
        },
        EntryPoint("editor, cleared away") { data in
            let archive = try KeyedArchive(data)
            var editor = try KeyedArchiveEditor(archive)
            let removed = editor.removeUnreachableObjects()
            // What a damaged root has uids in besides `$top` keeps objects for the editor, which loses nothing.
            guard !hasOtherUIDs(editor.propertyList) else { return UInt64(removed.count) }
            if let left = try editor.archive().unreachableObjects.first(where: { !$0.isNull }) {
                throw Violation("Object \(left.uid ?? 0) (\(left.kind)) is left, and nothing leads to it")
            }
            return UInt64(removed.count)
        },
    ]

    /// Whether the root of an archive refers to objects by something else than `$top`.
    private static func hasOtherUIDs(_ list: PropertyList) -> Bool {
        guard case .dictionary(let root) = list else { return false }
        var known: Set<String> = []
        return root.contains { key, value in
            let isKept = known.insert(key).inserted && (key == "$top" || key == "$objects")
            return !isKept && value.hasUIDs
        }
    }

    private static func edit(_ editor: inout KeyedArchiveEditor, using generator: inout Generator) throws {
        let archive = try editor.archive()
        let object = archive.objects.randomElement(using: &generator)
        let path = object.flatMap { archive.path(to: $0) } ?? KeyedArchive.Path(["root"])
        let key = KeyedArchive.Path.Step.key(generator.pick(Mutator.keys))
        let value = generator.pick(Mutator.values)
        switch generator.below(9) {
        case 0: try editor.set(value, at: path)
        case 1: try editor.insert(value, at: path.appending(index: generator.below(4)))
        case 2: try editor.remove(at: path)
        case 3: try editor.set(value, at: KeyedArchive.Path(path.steps + [key]))
        case 4: try editor.renameClass(archive.classes.first?.name ?? "Node", to: generator.pick(Mutator.classNames))
        case 5: try editor.set(.uid(try editor.addArray([value, value])), at: path)
        case 6: try editor.set(.uid(try editor.addDictionary(["k": value])), at: path)
        case 7: try editor.replaceObject(UInt32(generator.below(editor.objectCount)), with: value)
        default: try editor.set(.uid(try editor.addSet([value])), at: path)
        }
    }
}
