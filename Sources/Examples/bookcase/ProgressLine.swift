#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How far something is: a line at the end of the terminal that is written again and again. Nothing is written where the
/// standard error is no terminal.
struct ProgressLine {
    private let title: String
    private let isShown = isatty(2) != 0
    private var shown = -1

    init(_ title: String) { self.title = title }

    /// Shows that `done` of `total` is done.
    mutating func show(_ done: Int, of total: Int) {
        let percentage = total > 0 ? done * 100 / total : 100
        guard isShown, percentage != shown else { return }
        shown = percentage
        print("\r\(title): \(percentage) %")
    }

    /// Removes the line.
    func clear() {
        guard isShown, shown >= 0 else { return }
        print("\r\u{1B}[K")
    }

    private func print(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    }
}
