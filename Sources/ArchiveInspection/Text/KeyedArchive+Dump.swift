// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TreeOutput

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Archives

extension KeyedArchive {
    /// The archive as readable text: the value of each key with everything that it reaches.
    ///
    ///     Keyed archive by NSKeyedArchiver, binary, 14 objects
    ///     root: Farm #1
    ///         name: "Green Hill"
    ///         owner: Owner #3
    ///             name: "Ann"
    ///             farm: Farm #1 (cycle)
    ///         animals: NSArray #6, 2 elements
    ///             [0]: Cow #7
    ///                 name: "Bella"
    ///                 owner: Owner #3 (above)
    ///             [1]: NSNull #9
    ///         founded: NSDate #11 2018-06-04T17:00:00Z
    ///         photo: 20480 bytes <89504e47 0d0a1a0a 0000000d 49484452 …>
    ///
    /// The contents of an object are written once, at the first reference to it. Other references show its uid. The text of an
    /// archive is the same in every process.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values. `dump(to:)` does not need memory for the whole text.
    public var tree: String {
        var output = ""
        dump(to: &output)
        return output
    }

    /// Writes the archive as readable text to `target`, piece by piece. `tree` has an example.
    ///
    /// ```swift
    /// struct StandardError: TextOutputStream {
    ///     func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
    /// }
    /// var output = StandardError()
    /// archive.dump(to: &output, depthLimit: 2, listsClasses: true)
    /// ```
    ///
    /// Nothing is decoded, and the archive may be hostile: damaged values are marked as such. The text does not end with a line
    /// feed.
    ///
    /// - Parameters:
    ///   - target: The stream that receives the text, in pieces of about a thousand bytes.
    ///   - byteLimit: The number of bytes of data that are shown, after its length.
    ///   - stringLimit: The number of UTF-16 code units of a string that are shown. A longer string is followed by its length, as
    ///     NSString's `length`.
    ///   - depthLimit: The levels of contents that are shown. 0 is the values under the keys of an archive, or the value itself; 1
    ///     adds their contents, and so on. "…" marks omitted contents.
    ///   - showsUIDs: Whether every object is shown with its uid. Otherwise only shared objects have one.
    ///   - listsClasses: Whether the class entries of the archive are listed at its end.
    ///   - listsUnreachableObjects: Whether objects are listed that cannot be reached from any value encoded by key.
    ///   - textOfData: Returns the text for data that it recognizes, for example as an archive, and otherwise `nil`. The dump
    ///     shows the lines below the data, indented. It is called once for each data, whose bytes are not copied.
    /// - Complexity: O(*n*), where *n* is the number of values that are shown.
    public func dump<Target: TextOutputStream>(
        to target: inout Target, byteLimit: Int = 16, stringLimit: Int = 200, depthLimit: Int = .max,
        showsUIDs: Bool = true, listsClasses: Bool = false, listsUnreachableObjects: Bool = true,
        textOfData: ((Data) -> String?)? = nil
    ) {
        let options = DumpOptions(
            byteLimit: byteLimit, stringLimit: stringLimit, depthLimit: depthLimit, showsUIDs: showsUIDs,
            listsClasses: listsClasses, listsUnreachableObjects: listsUnreachableObjects)
        dump(to: &target, options: options, textOfData: textOfData)
    }

    package func dump(
        to target: inout some TextOutputStream, options: DumpOptions, textOfData: ((Data) -> String?)? = nil
    ) {
        writeDump(to: &target) { output in
            var dump = ArchiveDump(source, options: options, output: output, textOfData: textOfData)
            dump.writeArchive()
        }
    }
}

// MARK: - Values

extension KeyedArchive.Value {
    /// The value and everything that it reaches as readable text, in the form of `KeyedArchive.tree`.
    ///
    /// - Complexity: O(*n*), where *n* is the number of reachable values.
    public var tree: String {
        var output = ""
        dump(to: &output)
        return output
    }

    /// Writes the value and everything that it reaches as readable text to `target`, as `dump(to:)` of archives, whose
    /// parameters it has.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values that are shown.
    public func dump<Target: TextOutputStream>(
        to target: inout Target, byteLimit: Int = 16, stringLimit: Int = 200, depthLimit: Int = .max,
        showsUIDs: Bool = true, textOfData: ((Data) -> String?)? = nil
    ) {
        let options = KeyedArchive.DumpOptions(
            byteLimit: byteLimit, stringLimit: stringLimit, depthLimit: depthLimit, showsUIDs: showsUIDs)
        dump(to: &target, options: options, textOfData: textOfData)
    }

    package func dump(
        to target: inout some TextOutputStream, options: KeyedArchive.DumpOptions,
        textOfData: ((Data) -> String?)? = nil
    ) {
        writeDump(to: &target) { output in
            var dump = ArchiveDump(source, options: options, output: output, textOfData: textOfData)
            dump.writeAll(of: self)
        }
    }
}

/// Calls `body` with an output that writes to `target`.
private func writeDump(to target: inout some TextOutputStream, _ body: (DumpOutput) -> Void) {
    let write = { (piece: String) in target.write(piece) }
    withoutActuallyEscaping(write, do: { write in body(DumpOutput(write)) })
}
