// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension Command {
    static let extract = Command(
        name: "extract",
        summary: "Create an archive from a part of another one.",
        operands: [.input],
        options: Selection.options + [Extraction.format, Extraction.raw],
        discussion: """
            The new archive has the part under the key “root”, and all objects that the part references, so that a program \
            decodes the same as from the whole archive. An object that references its owner is written with the owner. \
            Objects get new uids; the name of the archiver and the format stay.

            A part of a property list is written as a property list.
            """,
        examples: [
            Example("archivetool extract farm.archive --path owner -o owner.archive", "Writes the owner to a file."),
            Example("archivetool extract farm.archive --path photo --raw -o photo.png", "Writes the bytes of data."),
        ],
        run: { try Extraction(arguments: $0, session: $1).run() })
}

private struct Extraction {
    let arguments: Arguments
    let session: Session

    static let format = Option(
        name: "format", letter: "f", value: "FORMAT", choices: ["binary", "xml", "plist"],
        help:
            "“binary” or “xml”; that of FILE by default. “plist” is a plain property list: arrays, dictionaries and values"
            + " instead of objects.")
    static let raw = Option(
        name: "raw", help: "Write the bytes of data, or the text of a string in UTF-8, instead of an archive.")

    func run() throws -> ExitStatus {
        let isPlain = arguments.value(Self.format) == "plist"
        let hasSelection = arguments.has(Selection.path) || arguments.has(Selection.uid)
        guard hasSelection || isPlain else {
            throw ToolError(.usage, "No part is selected; give --path or --uid. “archivetool show” lists them")
        }
        let input = try Input(arguments.operands.first, in: session)
        switch input.content {
        case .archive(let archive):
            guard case .value(let value) = try Selection.part(of: input, arguments) ?? .value(archive.root) else {
                break
            }
            if let damage = value.damage {
                throw ToolError(.unreadable, "That part of \(input.name) is damaged: \(damage)")
            }
            if arguments.has(Self.raw) {
                let bytes = value.data ?? value.string.map { Data($0.utf8) }
                try write(raw: bytes, value.className ?? "\(value.kind)")
            } else {
                try write(isPlain ? plainList(value, input) : archiveList(value, input), archive.format)
            }
        case .propertyList(let list, let form, _):
            guard case .list(let part) = try Selection.part(of: input, arguments) ?? .list(list) else { break }
            if arguments.has(Self.raw) {
                try write(raw: part.data ?? part.string.map { Data($0.utf8) }, "value of another kind")
            } else {
                try write(part, form.written)
            }
        case .typedStream: _ = try input.archive(for: "extract")
        }
        return .success
    }

    private func archiveList(_ value: KeyedArchive.Value, _ input: Input) throws -> PropertyList {
        do {
            return try ArchivePart.propertyList(of: value, byteCount: input.source.byteCount, input.progress)
        } catch let error as KeyedArchiveError {
            throw ToolError(.unreadable, "That part of \(input.name) is damaged: \(error)")
        } catch {
            throw ToolError(.unreadable, "That part of \(input.name) cannot be extracted: \(error)")
        }
    }

    private func plainList(_ value: KeyedArchive.Value, _ input: Input) throws -> PropertyList {
        let byteCount = input.source.byteCount
        let graph = try ContentGraph(.value(value), of: input, detail: .values, to: "extracted")
        var tree = ReadableTree(graph, .plain, repeats: true, byteCount: byteCount)
        var root = try? tree.tree().root
        if root == nil {
            // If many objects reference each other, as in a nib, repetitions have no end.
            tree = ReadableTree(graph, .plain, byteCount: byteCount)
            root = try tree.tree().root
        }
        if tree.cutCount > 0 {
            session.note("\(counted(tree.cutCount, "repeated reference")) written as {$ref: number}")
        }
        return root.flatMap { $0 == .null ? nil : $0 } ?? ""
    }

    private func write(_ list: PropertyList, _ original: PropertyListFormat) throws {
        let format: PropertyListFormat =
            switch arguments.value(Self.format) {
            case "binary": .binary
            case "xml": .xml
            default: original
            }
        do {
            try session.write(list.data(format: format), isBinary: format == .binary)
        } catch let error as PropertyListError {
            throw ToolError(.unreadable, "That part cannot be written in this format: \(error)")
        }
    }

    private func write(raw bytes: Data?, _ kind: String) throws {
        guard let bytes else {
            throw ToolError(
                .unreadable,
                "--raw writes data and strings, and that part (\(VisibleText.name(kind))) is neither; leave --raw out")
        }
        session.output.write(bytes: bytes)
    }
}

/// Builds an archive from a part of another one and the objects that the part references.
struct ArchivePart {
    private let archive: KeyedArchive
    private var uids: [UInt32: UInt32] = [0: 0]
    /// The old uids of the objects, by the new ones.
    private var origins: [UInt32] = []
    private var objects: [PropertyList] = ["$null"]
    /// Bytes of keys and leaves that may still be copied. Objects of a hostile archive may share long ones.
    private var byteBudget: Int

    /// The archive with `value` under the key "root"; for an archive's `top`, with all of its keys.
    ///
    /// Objects get new uids in the order of a search from the root in breadth.
    ///
    /// - Throws: `KeyedArchiveError` if the part is damaged, and `ContentGraph.Refusal` if it is out of proportion to the
    ///   file.
    static func propertyList(
        of value: KeyedArchive.Value, byteCount: Int, _ progress: Progress
    ) throws -> PropertyList {
        progress.begin("renumbering the objects", total: value.archive.objects.count)
        var part = ArchivePart(archive: value.archive, byteCount: byteCount)
        let top: PropertyList
        if value == value.archive.top {
            top = try part.renumbered(value.propertyList())
        } else if let uid = value.uid {
            top = ["root": .uid(part.newUID(of: uid))]
        } else if value.kind == .null {
            top = ["root": .uid(0)]
        } else {
            // The root is always an object.
            let list = try value.propertyList()
            part.origins.append(0)
            part.objects.append(.null)
            part.objects[1] = part.renumbered(list)
            top = ["root": .uid(1)]
        }
        try part.addObjects(progress)
        return [
            "$version": 100_000, "$archiver": .string(value.archive.archiver ?? "NSKeyedArchiver"), "$top": top,
            "$objects": .array(part.objects),
        ]
    }

    private init(archive: KeyedArchive, byteCount: Int) {
        self.archive = archive
        byteBudget = 1 << 26 + 64 * min(byteCount, 1 << 40)
    }

    private mutating func newUID(of uid: UInt32) -> UInt32 {
        if let known = uids[uid] { return known }
        origins.append(uid)
        let new = UInt32(truncatingIfNeeded: origins.count)
        uids[uid] = new
        return new
    }

    private mutating func renumbered(_ list: PropertyList) -> PropertyList {
        list.mapLeaves { leaf in
            if case .uid(let uid) = leaf { .uid(newUID(of: uid)) } else { leaf }
        }
    }

    private mutating func addObjects(_ progress: Progress) throws {
        while objects.count <= origins.count {
            let value = archive[uid: origins[objects.count - 1]]
            let list = value.kind == .null ? "$null" : renumbered(try value.propertyList())
            byteBudget -= list.textByteCount
            guard byteBudget >= 0 else { throw ContentGraph.Refusal.unfolding }
            objects.append(list)
            progress.advance(to: objects.count)
        }
    }
}

extension PropertyList {
    fileprivate var textByteCount: Int {
        var count = 0
        forEachLeaf { leaf in
            switch leaf {
            case .string(let text): count += text.utf8.count
            case .data(let data): count += data.count
            default: break
            }
        } key: {
            count += $0.utf8.count
        }
        return count
    }
}
