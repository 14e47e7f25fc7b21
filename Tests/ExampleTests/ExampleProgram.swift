import Foundation
import Testing

/// One of the example programs, which SwiftPM builds beside the tests.
enum ExampleProgram: String, CaseIterable {
    case farm
    case items
    case creatures

    /// Where it is; nil where it cannot be found.
    var url: URL? { Self.folder?.appendingPathComponent(rawValue) }

    /// The folder of the programs.
    private static let folder: URL? = {
        var places = [URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath(), Bundle.main.bundleURL]
        places += CommandLine.arguments.map { URL(fileURLWithPath: $0) }
        places += Bundle.allBundles.map(\.bundleURL)
        for place in places where place.path.contains("/.build") || place.path.contains(".xctest") {
            var folder = place.deletingLastPathComponent()
            for _ in 0..<4 {
                let programs = allCases.map { folder.appendingPathComponent($0.rawValue).path }
                if programs.allSatisfy(FileManager.default.isExecutableFile) { return folder }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    /// Whether all of them are there.
    static var areBuilt: Bool { folder != nil }

    /// Runs it in `folder`, which is its user's folder and that for temporary files as well.
    func run(_ arguments: [String], in folder: URL) throws -> ProgramResult {
        try ProgramResult(program: #require(url).path, arguments, in: folder)
    }
}

extension Trait where Self == ConditionTrait {
    /// The example programs have to be there.
    static var runsExamples: Self {
        .enabled("The example programs are not beside the tests") { ExampleProgram.areBuilt }
    }

    /// Python has to be there, for its plistlib.
    static var runsPython: Self { .enabled("There is no python3") { Python.program != nil } }
}

/// What a program has printed, and how it has ended.
struct ProgramResult: Equatable {
    /// What is on the standard output.
    let output: String
    /// What is on the standard error.
    let errors: String
    /// The exit code; the negative number of the signal that ended it.
    let status: CInt

    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    init(output: String, errors: String, status: CInt) {
        self.output = output
        self.errors = errors
        self.status = status
    }

    struct NotStarted: Error {
        let program: String
        let number: CInt
    }

    /// Runs the program at `program` to its end.
    ///
    /// Its output goes to files, not to pipes: nothing has to be read while it runs. `Process` is not used since it takes
    /// ten times as long to start one, and hangs now and then where many tests use it at once.
    init(program: String, _ arguments: [String], in folder: URL) throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)")
        let outputFile = place.path + ".out"
        let errorFile = place.path + ".err"
        defer { for file in [outputFile, errorFile] { try? FileManager.default.removeItem(atPath: file) } }
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
        posix_spawn_file_actions_addopen(&actions, 1, outputFile, O_WRONLY | O_CREAT, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errorFile, O_WRONLY | O_CREAT, 0o600)
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = folder.path
        environment["CFFIXED_USER_HOME"] = folder.path
        environment["TMPDIR"] = folder.path
        // A program that crashes is a failed test, and says what it was doing in time enough without it.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let number = posix_spawn(&process, program, &actions, &attributes, words, variables)
        guard number == 0 else { throw NotStarted(program: program, number: number) }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7F
        self.status = signal == 0 ? (status >> 8) & 0xFF : -signal
        output = try String(decoding: Data(contentsOf: URL(fileURLWithPath: outputFile)), as: UTF8.self)
        errors = try String(decoding: Data(contentsOf: URL(fileURLWithPath: errorFile)), as: UTF8.self)
    }
}

/// Python's plistlib, as somebody else who looks into archives.
enum Python {
    /// Where it is; nil if it is nowhere on the path.
    static let program: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/python3" }.first(where: FileManager.default.isExecutableFile)
    }()

    /// What an expression says of the archive in `file`.
    ///
    /// There, `top` is `$top`, `o(uid)` is the object, `c(uid)` the names of its class and superclasses, and `objects` the
    /// whole table.
    static func evaluate(_ expression: String, in file: URL) throws -> String {
        let script = """
            import plistlib, sys
            archive = plistlib.load(open(sys.argv[1], 'rb'))
            number = lambda uid: uid['CF$UID'] if isinstance(uid, dict) else uid.data
            top, objects = archive['$top'], archive['$objects']
            o = lambda uid: objects[number(uid)]
            c = lambda uid: o(o(uid)['$class'])['$classes']
            print(eval(sys.argv[2]))
            """
        let result = try ProgramResult(
            program: #require(program), ["-c", script, file.path, expression], in: file.deletingLastPathComponent())
        try #require(result.status == 0, "\(result.errors)")
        return result.output.trimmingCharacters(in: .newlines)
    }
}
