// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A line on a terminal that says how far a command is, from a second after its start.
///
/// The command names its phases and counts. A task draws the line, so that it also moves in a phase that counts nothing.
final class Progress: Sendable {
    private struct State {
        var phase = ""
        var done = 0
        var total = 0
        var isShown = false
        var hasEnded = false
        var frame = 0
    }

    private let state = Mutex(State())
    private let columns: Int
    private let write: @Sendable (String) -> Void

    init(columns: Int, write: @escaping @Sendable (String) -> Void) {
        self.columns = columns
        self.write = write
    }

    func start(after delay: Duration = .seconds(1)) {
        Task.detached {
            try await Task.sleep(for: delay)
            while self.draw() { try await Task.sleep(for: .milliseconds(100)) }
        }
    }

    // MARK: - The command

    /// Begins a phase: "reading “farm.plist”".
    ///
    /// - Parameter total: The count at its end; 0 if it is not known.
    func begin(_ phase: String, total: Int = 0) {
        state.withLock { ($0.phase, $0.done, $0.total) = (phase, 0, total) }
    }

    /// Sets the count of the phase. Only one call in 1024 does work.
    func advance(to count: Int) {
        guard count & 1023 == 0 else { return }
        state.withLock { $0.done = count }
    }

    /// Removes the line from the terminal for good, since the command writes to it.
    func end() {
        state.withLock { state in
            state.hasEnded = true
            clear(&state)
        }
    }

    func interrupt(_ body: () -> Void) {
        state.withLock { state in
            clear(&state)
            body()
        }
    }

    // MARK: - The line

    /// Draws the line.
    ///
    /// - Returns: Whether the command goes on.
    private func draw() -> Bool {
        state.withLock { state in
            guard !state.hasEnded else { return false }
            let line = Self.line(state.phase, state.done, of: state.total, frame: state.frame)
            // A line that wraps could not be removed.
            write("\r\u{1B}[K" + TextWidth.prefix(of: line, columns: columns - 1))
            state.isShown = true
            state.frame += 1
            return true
        }
    }

    private func clear(_ state: inout State) {
        if state.isShown { write("\r\u{1B}[K") }
        state.isShown = false
    }

    static func line(_ phase: String, _ done: Int, of total: Int, frame: Int) -> String {
        let frames = ["|", "/", "-", "\\"]
        let share = total > 0 ? ", \(min(100, done * 100 / total)) %" : ""
        return "\(frames[frame % frames.count]) \(VisibleText.escaped(phase))\(share)"
    }
}
