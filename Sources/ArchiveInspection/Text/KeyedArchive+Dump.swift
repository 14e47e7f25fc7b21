import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - What is shown

extension KeyedArchive {
    /// What a dump of an archive shows, and how much of it.
    ///
    /// ```swift
    /// var options = KeyedArchive.DumpOptions(stringLimit: 40)
    /// options.showsUIDs = false
    /// options.listsClasses = true
    /// var text = ""
    /// archive.dump(to: &text, options: options)
    /// ```
    public struct DumpOptions: Hashable, Sendable {
        /// The bytes of data that are shown; its length always is. Of packed numbers those are shown that lie in so many
        /// bytes. 16 unless said otherwise.
        public var byteLimit: Int
        /// The UTF-16 code units of a string that are shown; of one that is cut short the length is told, as NSString's
        /// `length` has it. 200 unless said otherwise.
        public var stringLimit: Int
        /// The levels of contents that are shown: 0 is the values under the keys of an archive, or the value itself, 1 is
        /// what these contain, and so on. What is left out is marked with "…". No limit unless said otherwise.
        public var depthLimit: Int
        /// The levels of indentation, from 1 to 64, after which an object's contents are written in a section of their own
        /// further down. 16 unless said otherwise.
        public var indentationLimit: Int
        /// Whether every object is shown with its uid. Without, only those have one that several places refer to. On unless
        /// said otherwise.
        public var showsUIDs: Bool
        /// Whether the classes that the archive describes are listed at its end. Off unless said otherwise.
        public var listsClasses: Bool
        /// Whether objects are listed that nothing leads to which was encoded by key. On unless said otherwise.
        public var listsUnreachableObjects: Bool

        /// What is shown where nobody says anything else, or what the parameters say.
        public init(
            byteLimit: Int = 16, stringLimit: Int = 200, depthLimit: Int = .max, indentationLimit: Int = 16,
            showsUIDs: Bool = true, listsClasses: Bool = false, listsUnreachableObjects: Bool = true
        ) {
            self.byteLimit = byteLimit
            self.stringLimit = stringLimit
            self.depthLimit = depthLimit
            self.indentationLimit = indentationLimit
            self.showsUIDs = showsUIDs
            self.listsClasses = listsClasses
            self.listsUnreachableObjects = listsUnreachableObjects
        }
    }
}

// MARK: - Archives

extension KeyedArchive {
    /// The archive for people to read: what is under each key, with everything that it leads to.
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
    /// The contents of an object are written once, at the first place that refers to it; other places name it by its uid.
    /// The same archive has the same text in every process.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values. `dump(to:options:)` needs no room for the whole text.
    public var tree: String {
        var output = ""
        dump(to: &output)
        return output
    }

    /// Writes the archive for people to read to `target`, piece by piece. `tree` shows what it looks like.
    ///
    /// ```swift
    /// struct StandardError: TextOutputStream {
    ///     func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
    /// }
    /// var output = StandardError()
    /// archive.dump(to: &output, options: KeyedArchive.DumpOptions(depthLimit: 2))
    /// ```
    ///
    /// Nothing is decoded, and archives of any origin may be written: what is damaged is said to be where it is met. There
    /// is no line feed at the end.
    ///
    /// - Parameters:
    ///   - target: Gets the text, in pieces of about a thousand bytes.
    ///   - options: What is shown, and how much of it.
    ///   - textOfData: Tells what is in data, an archive for example, where it knows; its lines are written below the data,
    ///     further in. It is asked once for each data, whose bytes are not copied. Nobody is asked unless it is given.
    /// - Complexity: O(*n*), where *n* is the number of values that are shown.
    public func dump<Target: TextOutputStream>(
        to target: inout Target, options: DumpOptions = DumpOptions(), textOfData: ((Data) -> String?)? = nil
    ) {
        writeDump(to: &target) { output in
            var dump = ArchiveDump(source, options: options, output: output, textOfData: textOfData)
            dump.writeArchive()
        }
    }
}

// MARK: - Values

extension KeyedArchive.Value {
    /// The value and what it leads to, for people to read, as `KeyedArchive.tree` has it.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values it leads to.
    public var tree: String {
        var output = ""
        dump(to: &output)
        return output
    }

    /// Writes the value and what it leads to for people to read to `target`, as `KeyedArchive.dump(to:options:)` does.
    ///
    /// - Parameters:
    ///   - target: Gets the text, in pieces of about a thousand bytes.
    ///   - options: What is shown, and how much of it. Classes and unreachable objects are only listed for archives.
    ///   - textOfData: Tells what is in data, as for archives.
    /// - Complexity: O(*n*), where *n* is the number of values that are shown.
    public func dump<Target: TextOutputStream>(
        to target: inout Target, options: KeyedArchive.DumpOptions = KeyedArchive.DumpOptions(),
        textOfData: ((Data) -> String?)? = nil
    ) {
        writeDump(to: &target) { output in
            var dump = ArchiveDump(source, options: options, output: output, textOfData: textOfData)
            dump.write(place)
        }
    }
}

/// Hands `body` an output that goes to `target`.
private func writeDump(to target: inout some TextOutputStream, _ body: (DumpOutput) -> Void) {
    let write = { (piece: String) in target.write(piece) }
    withoutActuallyEscaping(write, do: { write in body(DumpOutput(write)) })
}
