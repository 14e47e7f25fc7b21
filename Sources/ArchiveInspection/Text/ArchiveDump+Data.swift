// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text below data in a dump, which the caller provides.
struct DataText {
    private let text: ((Data) -> String?)?
    /// Whether the data at a place has a text. The text of each data is requested once.
    private var told: [UInt: Bool] = [:]
    /// The text to be written below the current line.
    var pending: String?

    init(_ text: ((Data) -> String?)?) { self.text = text }

    /// Requests the text of `bytes`, and stores it in `pending`.
    ///
    /// - Returns: The words that follow the data if it has a text; nil if it has none.
    mutating func ask(_ bytes: StoredBytes) -> StaticString? {
        guard let text, !bytes.isEmpty else { return nil }
        if let isTold = told[bytes.place] { return isTold ? " (above)" : nil }
        // Not copied, since data in a hostile archive can overlap many times.
        pending = text(bytes.data)
        told[bytes.place] = pending != nil
        return pending == nil ? nil : ":"
    }
}

extension ArchiveDump {
    /// Writes the text of the data on the line above, if it has one.
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
