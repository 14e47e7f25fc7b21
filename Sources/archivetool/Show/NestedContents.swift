// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import SequentialArchiving

/// Archives, property lists and typedstreams in data, which may have data with more of them.
final class NestedContents {
    private let dump: TreeOptions
    private let levelLimit: Int
    private var level = 0
    /// Bytes of data that may still be opened. Archives may contain the same data many times.
    private var budget: Int

    /// - Parameters:
    ///   - levelLimit: The number of levels of archives in archives.
    ///   - byteCount: The size of the file.
    init(levelLimit: Int, byteCount: Int, dump: TreeOptions) {
        self.levelLimit = levelLimit
        self.dump = dump
        budget = 1 << 20 + 16 * min(byteCount, 1 << 40)
    }

    /// Whether `data` begins as an archive, a property list or a typedstream does.
    static func canOpen(_ data: Data) -> Bool {
        // XML may begin with white space, of which this reads only some.
        TypedStream.isBeginning(data) || PropertyListFormat(detectedIn: data.prefix(64)) != nil
    }

    /// The contents of `data` as lines; nil if it cannot be opened.
    func text(of data: Data) -> String? {
        guard level < levelLimit, Self.canOpen(data) else { return nil }
        budget -= data.count
        guard budget >= 0 else { return "… (too much data: the rest is not opened)" }
        level += 1
        defer { level -= 1 }
        if TypedStream.isBeginning(data) { return (try? TypedStream(data))?.description }
        var text = ""
        do {
            try dump.write(KeyedArchive(data), self.text, to: &text)
        } catch {
            guard let list = try? PropertyList(data) else { return nil }
            PropertyListTree(options: dump, textOfData: self.text)
                .write(list, format: PropertyListFormat(detectedIn: data).map { ListForm($0) }, to: &text)
        }
        budget -= text.utf8.count / 64
        return text
    }
}
