import Synchronization

/// A line on standard error that says how far work is which takes longer than a second. It is rewritten as the work goes on,
/// and removed at its end.
///
/// The line is written from beside the work, so that a single long call is seen as well.
final class Progress: Sendable {
    private struct State {
        var isShown: Bool
        /// What is being done, and since when; nil where nothing is.
        var step: String?
        var start = ContinuousClock.now
        var done = 0
        /// The total of `done`; 0 where nobody knows it.
        var total = 0
        /// Whether the line is on the screen.
        var isVisible = false
        /// The number of the step, so that the writer of an earlier one stops.
        var number = 0
    }

    private let state: Mutex<State>
    private let write: @Sendable (String) -> Void

    /// The time after which work is said to take long.
    private let delay: Duration
    private static let interval = Duration.milliseconds(150)

    init(isShown: Bool, delay: Duration = .seconds(1), write: @escaping @Sendable (String) -> Void) {
        self.delay = delay
        state = Mutex(State(isShown: isShown))
        self.write = write
    }

    /// Whether anything is shown at all.
    var isShown: Bool {
        get { state.withLock { $0.isShown } }
        set { state.withLock { $0.isShown = newValue } }
    }

    /// Begins a step, "reading" for example, of `total` parts, or of nobody knows how many.
    func begin(_ step: String, total: Int = 0) {
        hide()
        let number: Int? = state.withLock { state in
            guard state.isShown else { return nil }
            state.step = step
            state.start = .now
            state.done = 0
            state.total = total
            state.number += 1
            return state.number
        }
        guard let number else { return }
        Task.detached { [self] in
            try? await Task.sleep(for: delay)
            while show(number) { try? await Task.sleep(for: Self.interval) }
        }
    }

    /// Says that `done` parts of the step are done.
    func update(_ done: Int) { state.withLock { $0.done = done } }

    /// Ends what was begun, and removes the line.
    func end() {
        hide()
        state.withLock { $0.step = nil }
    }

    /// Takes the line off the screen, so that something else can be written. It comes back if the work goes on.
    func hide() {
        state.withLock { state in
            guard state.isVisible else { return }
            state.isVisible = false
            write("\r\u{1B}[K")
        }
    }

    /// Writes the line, if the step `number` is still what is done.
    private func show(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.number == number, let step = state.step else { return false }
            let seconds = state.start.duration(to: .now).components.seconds
            var line = "\(VisibleText.escaped(step.prefix(60))) … "
            if state.total > 0 { line += "\(min(100, state.done * 100 / state.total)) %, " }
            write("\r" + line + "\(seconds) s\u{1B}[K")
            state.isVisible = true
            return true
        }
    }
}
