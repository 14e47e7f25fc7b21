import ArchiveInspection
import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is in data inside of archives: archives, property lists and typedstreams, which may have data with more of them.
final class NestedContents {
    private let dump: KeyedArchive.DumpOptions
    private let levelLimit: Int
    private var level = 0
    /// Bytes of data that may still be opened. Data may lie in each other, and lists may refer to the same data again and
    /// again, so that there is no other end to it.
    private var budget: Int

    /// The contents of data inside of a file of `byteCount` bytes, archives inside of archives up to `levelLimit` levels.
    init(levelLimit: Int, byteCount: Int, dump: KeyedArchive.DumpOptions) {
        self.levelLimit = levelLimit
        self.dump = dump
        budget = 1 << 20 + 16 * min(byteCount, 1 << 40)
    }

    /// Whether `data` begins like something that can be opened.
    static func canOpen(_ data: Data) -> Bool {
        // White space in front of XML is skipped, but not any amount of it.
        TypedStream.isTypedStream(data) || PropertyListFormat(detectedIn: data.prefix(64)) != nil
    }

    /// What is in `data`, as lines; nil where it is nothing that can be opened.
    func text(of data: Data) -> String? {
        guard level < levelLimit else { return nil }
        guard Self.canOpen(data) else { return nil }
        budget -= data.count
        guard budget >= 0 else { return "… (there is more in data than is opened)" }
        level += 1
        defer { level -= 1 }
        if TypedStream.isTypedStream(data) { return (try? TypedStream(data))?.description }
        var text = ""
        do {
            try KeyedArchive(data).dump(to: &text, options: dump, textOfData: self.text)
        } catch {
            guard let list = try? PropertyList(data) else { return nil }
            tree.write(list, format: PropertyListFormat(detectedIn: data).map { ListForm($0) }, to: &text)
        }
        // What such text has in it may be in data, which is opened again.
        budget -= text.utf8.count / 64
        return text
    }

    /// How lists inside of data are written.
    private var tree: PropertyListTree {
        PropertyListTree(
            byteLimit: dump.byteLimit, stringLimit: dump.stringLimit, depthLimit: dump.depthLimit, textOfData: text)
    }
}
