// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A progress display: the last line of the terminal, which is overwritten. It writes nothing if standard error is not a
/// terminal.
final class ProgressLine: Sendable {
    private let title: String
    private let isShown = isatty(2) != 0
    /// The percentage on the line; nil if there is no line.
    private let shown = Mutex<Int?>(nil)

    init(_ title: String) { self.title = title }

    /// Shows the completed part, from 0 to 1.
    func show(_ part: Double) {
        guard isShown else { return }
        let percentage = Int(part * 100)
        shown.withLock { shown in
            guard percentage != shown else { return }
            shown = percentage
            print("\r\(title): \(percentage) %")
        }
    }

    /// Removes the line.
    func clear() {
        shown.withLock { shown in
            guard shown != nil else { return }
            shown = nil
            print("\r\u{1B}[K")
        }
    }

    private func print(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    }
}
