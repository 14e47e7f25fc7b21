// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A tree that is written as text: a line for each value, and below it, indented, a line for each part of its contents.
///
/// It does not recurse: `frames` holds the open contents, and `sections` the values whose contents would be indented too far. The
/// contents of a value with an identity are written once, so the length of the text is proportional to that of the file, whatever
/// shared references and cycles it has.
package struct TreeText<Contents, Value>: ~Copyable {
    package struct Line {
        package let contents: Contents
        package let position: Int
        package let indentation: Int
        /// The levels of contents around it.
        package let depth: Int
    }

    private struct Frame {
        let contents: Contents
        let count: Int
        let identity: Int?
        let indentation: Int
        let depth: Int
        var position = 0
    }

    package var output: DumpOutput
    private var frames: [Frame] = []
    private var sections: [(value: Value, identity: Int, depth: Int)] = []
    private var nextSection = 0
    /// The identities of values whose contents are written completely or partly, of those around the current line, and of those
    /// whose contents follow in a section.
    private var written: BitSet
    private var open: BitSet
    private var waiting: BitSet
    package private(set) var lineBudget: Int

    /// Creates a tree of values whose identities are below `identityCount`.
    package init(_ output: DumpOutput, identityCount: Int, lineBudget: Int = .max) {
        self.output = output
        self.lineBudget = lineBudget
        written = BitSet(count: identityCount)
        open = BitSet(count: identityCount)
        waiting = BitSet(count: identityCount)
    }

    /// Returns the mark for a further reference to a value; nil if its contents have not been written.
    package func mark(of identity: Int) -> StaticString? {
        if open.contains(identity) { return " (cycle)" }
        if waiting.contains(identity) { return " (below)" }
        return written.contains(identity) ? " (above)" : nil
    }
}

// MARK: - Contents

extension TreeText {
    /// Writes a line for each of the `count` parts of `contents` before all other lines.
    package mutating func open(
        _ contents: Contents, count: Int, of identity: Int? = nil, indentation: Int, depth: Int = 0
    ) {
        if let identity {
            _ = written.insert(identity)
            _ = open.insert(identity)
        }
        frames.append(
            Frame(contents: contents, count: count, identity: identity, indentation: indentation, depth: depth))
    }

    package mutating func postpone(_ value: Value, _ identity: Int, depth: Int = 0) {
        _ = waiting.insert(identity)
        sections.append((value, identity, depth))
    }

    package mutating func nextLine() -> Line? {
        while let frame = frames.last {
            guard frame.position < frame.count else {
                frames.removeLast()
                if let identity = frame.identity { open.remove(identity) }
                continue
            }
            output.startLine(lineBudget > 0 ? frame.indentation : 0)
            guard lineBudget > 0 else {
                // A file has at most one line per byte, unless its objects overlap.
                output.write("… (objects overlap: the dump stops here)")
                frames.removeAll()
                return nil
            }
            lineBudget -= 1
            frames[frames.count - 1].position += 1
            return Line(
                contents: frame.contents, position: frame.position, indentation: frame.indentation, depth: frame.depth)
        }
        return nil
    }

    /// Omits the lines of the next `count` parts of the innermost contents.
    package mutating func skip(_ count: Int) { frames[frames.count - 1].position += count }

    package mutating func startSection() -> (value: Value, depth: Int)? {
        guard nextSection < sections.count, lineBudget > 0 else { return nil }
        let section = sections[nextSection]
        nextSection += 1
        // The written ones are removed from time to time.
        if nextSection >= 1024, nextSection * 2 >= sections.count {
            sections.removeFirst(nextSection)
            nextSection = 0
        }
        waiting.remove(section.identity)
        startHeading("")
        return (section.value, section.depth)
    }

    package mutating func startHeading(_ text: String) {
        output.leaveLine()
        output.startLine(0)
        output.write(text)
    }
}
