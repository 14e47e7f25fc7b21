import Foundation
import Testing

/// A program that runs beside the tests, whose output is read line by line.
///
/// Foundation's `Process` would do, but for the time it takes: a thousand of these are started.
final class Child {
    /// How a program ended.
    enum Ending: Equatable {
        case exit(CInt)
        case signal(CInt)
    }

    /// The program `file-writer`, which is built with the tests; nil where it cannot be found.
    static let fileWriter: URL? = {
        var places = [URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(), Bundle.main.bundleURL]
        places += CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        places += Bundle.allBundles.map(\.bundleURL)
        for place in places where place.path.contains("/.build") || place.path.contains(".xctest") {
            var folder = place.deletingLastPathComponent()
            for _ in 0..<4 {
                let program = folder.appendingPathComponent("file-writer")
                if FileManager.default.isExecutableFile(atPath: program.path) { return program }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    private let process: pid_t
    private let output: CInt
    private var unread: [UInt8] = []
    private var ending: Ending?

    struct NotStarted: Error {
        let program: String
        let number: CInt
    }

    /// Starts `file-writer`.
    convenience init(_ arguments: String...) throws {
        try self.init(program: #require(Self.fileWriter).path, arguments)
    }

    /// Starts the program at `program`. Nothing is on its standard input, and what it writes to the standard error is that
    /// of the tests.
    init(program: String, _ arguments: [String]) throws {
        // Others must not get the pipe: its end would not be seen before they end.
        Self.starting.lock()
        defer { Self.starting.unlock() }
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw NotStarted(program: program, number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = ends[0]
        defer { close(ends[1]) }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // The threads of tasks block signals, which the program would inherit.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var environment = ProcessInfo.processInfo.environment
        // A program that crashes is a failed test. What it was doing is found without taking a minute here.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let number = posix_spawn(&process, program, &actions, &attributes, words, variables)
        self.process = process
        guard number == 0 else {
            ending = .exit(127)
            throw NotStarted(program: program, number: number)
        }
    }

    private static let starting = NSLock()

    deinit {
        if ending == nil {
            kill()
            wait()
        }
        close(output)
    }

    // MARK: - Output

    /// The next line; nil at the end of the output.
    func line() -> String? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            var block = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return nil }
            unread += block[..<count]
        }
    }

    /// All lines up to the end of the output.
    func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    // MARK: - End

    /// Kills it, whatever it is doing.
    func kill() { Foundation.kill(process, SIGKILL) }

    /// Waits until it has ended.
    @discardableResult func wait() -> Ending {
        if let ending { return ending }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return end(status)
    }

    /// Waits until it has ended, and kills it if it takes longer than that.
    func wait(seconds: Int) -> Ending {
        for _ in 0..<seconds * 100 where isRunning { usleep(10_000) }
        if isRunning { kill() }
        return wait()
    }

    /// Whether it has not ended yet.
    var isRunning: Bool {
        guard ending == nil else { return false }
        var status: CInt = 0
        guard waitpid(process, &status, WNOHANG) == process else { return true }
        _ = end(status)
        return false
    }

    private func end(_ status: CInt) -> Ending {
        let signal = status & 0x7F
        let ending = signal == 0 ? Ending.exit((status >> 8) & 0xFF) : .signal(signal)
        self.ending = ending
        return ending
    }
}

extension Child {
    /// Runs `file-writer` to its end, and gives what it has said.
    static func run(_ arguments: String...) throws -> (lines: [String], ending: Ending) {
        let child = try Child(program: #require(fileWriter).path, arguments)
        return (child.lines(), child.wait())
    }

    /// Runs the command `script` of the shell, for which `$1`, `$2`… are `arguments`.
    static func shell(_ script: String, _ arguments: String...) throws -> (lines: [String], ending: Ending) {
        let child = try Child(program: "/bin/sh", ["-c", script, "sh"] + arguments)
        return (child.lines(), child.wait())
    }
}

extension Trait where Self == ConditionTrait {
    /// The program that the test starts has to be there. SwiftPM builds it with the tests.
    static var startsPrograms: Self {
        .enabled("The program file-writer is not beside the tests") { Child.fileWriter != nil }
    }

    /// Only the superuser can change to another user, and make files that belong to others.
    static var asSuperuser: Self { .enabled("Only the superuser can change to another user", { getuid() == 0 }) }

    /// The permissions of files do not bind the superuser.
    static var asAnyoneElse: Self { .enabled("Nothing is forbidden to the superuser", { getuid() != 0 }) }
}
