// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program that was started. It is killed if it still runs when this is released.
///
/// Its output in pipes is read while the caller waits for it, so it never waits for a reader itself.
package final class ProgramProcess {
    private let process: pid_t
    private let command: [String]
    private var ending: ProgramEnding?
    /// Where what it writes is read; nil where there is nothing to read, or no more.
    private var output: CInt?
    private var unread = Data()

    init(_ process: pid_t, _ command: [String], output: CInt?) {
        self.process = process
        self.command = command
        self.output = output
    }

    deinit {
        if isRunning { kill() }
        closeOutput()
    }

    // MARK: - End

    /// Whether it has not ended yet.
    package var isRunning: Bool {
        guard ending == nil else { return false }
        read(waiting: 0)
        var status: CInt = 0
        let result = waitpid(process, &status, WNOHANG)
        guard result == process else {
            // If the system has forgotten it, it has ended, and its exit code is unknown.
            if result < 0 && errno == ECHILD { ending = .exit(-1) }
            return ending == nil
        }
        let signal = status & 0x7F
        ending = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
        return false
    }

    /// Waits for its end. After that time it is killed, which is an error.
    package func wait(seconds: Int = 120) throws -> ProgramEnding {
        guard let ending = end(within: seconds) else { throw tookTooLong(seconds) }
        return ending
    }

    /// Kills it, whatever it is doing.
    ///
    /// - Returns: How it ended; another way if it did so by itself.
    @discardableResult package func kill() -> ProgramEnding? {
        if isRunning { Foundation.kill(process, SIGKILL) }
        // The system may have something to finish for it, which is a matter of seconds.
        waitForEnd(until: .now + .seconds(30))
        return ending
    }

    /// Waits for its end, and kills it after that time; nil if it had to be killed.
    func end(within seconds: Int) -> ProgramEnding? {
        waitForEnd(until: .now + .seconds(seconds))
        if ending == nil {
            kill()
            return nil
        }
        return ending
    }

    private func waitForEnd(until end: ContinuousClock.Instant) {
        // Most programs end soon. Later looks are further apart.
        var pause: CInt = 1
        while isRunning && .now < end {
            read(waiting: pause)
            pause = min(pause * 2, 10)
        }
    }

    private func tookTooLong(_ seconds: Int) -> Program.TookTooLong {
        kill()
        return Program.TookTooLong(
            command: command, seconds: seconds, run: Program.Run(ending: .signal(SIGKILL), bytes: unread))
    }

    // MARK: - Output

    /// The next line that it writes; nil if it has ended, or closed its output. It is killed, and an error thrown, if that
    /// takes longer.
    package func line(seconds: Int = 60) throws -> String? {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            let hasEnded = !isRunning || output == nil
            if let line = unreadLine() { return line }
            guard .now < end else { throw tookTooLong(seconds) }
            if !read(waiting: hasEnded ? 0 : 100) && hasEnded { return nil }
        }
    }

    private func unreadLine() -> String? {
        guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
    }

    /// How it ends, and all that it has written then, but for lines that were read before. After that time it is killed,
    /// which is an error.
    package func rest(seconds: Int = 120) throws -> Program.Run {
        let ending = try wait(seconds: seconds)
        // Not up to the end of the pipe: others may have inherited it from the program, and go on. What the program itself
        // has written is there.
        let end = ContinuousClock.now + .seconds(5)
        while read(waiting: 0) && .now < end {}
        defer { unread = Data() }
        return Program.Run(ending: ending, bytes: unread)
    }

    /// Reads what is there, or comes within that time.
    ///
    /// - Returns: Whether there was something.
    @discardableResult private func read(waiting milliseconds: CInt) -> Bool {
        guard let output else {
            if milliseconds > 0 { usleep(useconds_t(milliseconds) * 1000) }
            return false
        }
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) > 0 else { return false }
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(output, &block, block.count)
        if count > 0 {
            unread += block[..<count]
        } else if count == 0 || errno != EINTR {
            // A terminal ends with an error.
            closeOutput()
        }
        return count > 0
    }

    private func closeOutput() {
        if let output { close(output) }
        output = nil
    }
}
