import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is told below data in a dump, by whoever knows what is in it.
struct DataText {
    /// Gives the text for data; nil where there is nobody to ask.
    private let text: ((Data) -> String?)?
    /// Where the data begins that has a text. Data is asked for once, however many places refer to it.
    private var told: [UInt: Bool] = [:]
    /// The text that is to be written below the line that is being written.
    var pending: String?

    init(_ text: ((Data) -> String?)?) { self.text = text }

    /// Asks for the text of `bytes`, which are a part of `source`, and leaves it in `pending`.
    ///
    /// - Returns: What stands behind the data where it has a text; nil where it has none.
    mutating func ask(_ bytes: UnsafeRawBufferPointer, in source: ArchiveSource) -> StaticString? {
        guard let text, let base = bytes.baseAddress, !bytes.isEmpty else { return nil }
        if let isTold = told[UInt(bitPattern: base)] { return isTold ? " (above)" : nil }
        // Not copied: data may lie in each other.
        let data = Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count,
            deallocator: .custom { _, _ in withExtendedLifetime(source) {} })
        pending = text(data)
        told[UInt(bitPattern: base)] = pending != nil
        return pending == nil ? nil : ":"
    }
}

extension ArchiveDump {
    /// Writes the text of the data on the line above, where it has one.
    mutating func writeDataText(indentation: Int) {
        guard let text = dataText.pending else { return }
        dataText.pending = nil
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                output.leaveLine()
            } else {
                output.startLine(indentation)
                output.write(String(line))
            }
        }
    }
}
