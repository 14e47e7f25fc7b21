import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How far something is: a line at the end of the terminal that is written again and again. Nothing is written where the
/// standard error is no terminal.
final class ProgressLine: Sendable {
    private let title: String
    private let isShown = isatty(2) != 0
    /// The percentage that the line has; nil if there is no line.
    private let shown = Mutex<Int?>(nil)

    init(_ title: String) { self.title = title }

    /// Shows which part is done, from 0 to 1.
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
