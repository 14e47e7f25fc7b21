#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// What the C library does for the tool: files by their numbers, terminals, signals.
enum Platform {
    static let standardInput: CInt = 0
    static let standardOutput: CInt = 1
    static let standardError: CInt = 2

    /// A call of the system that failed.
    struct Failure: Error {
        let number: CInt

        /// Takes the number from `errno`, so this comes first after the call.
        init() { number = errno }

        /// Whether nobody reads any more what is written.
        var isBrokenPipe: Bool { number == EPIPE }

        /// The system's words for it.
        var description: String { String(cString: strerror(number)) }
    }

    // MARK: - Process

    /// Ends the process.
    static func exit(_ status: Int32) -> Never {
        systemExit(status)
    }

    /// Makes the end of whoever reads the output the end of this process, without a word, as with other tools.
    static func endQuietlyWithoutReaders() { signal(SIGPIPE, SIG_DFL) }

    /// The value of the environment variable `name`; nil where it is not set.
    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    // MARK: - Terminals

    /// Whether `file` is a terminal.
    static func isTerminal(_ file: CInt) -> Bool { isatty(file) == 1 }

    /// The number of columns of the terminal `file`; nil where it is none, or does not say.
    static func columns(of file: CInt) -> Int? {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    // MARK: - Files

    /// What a path leads to.
    enum FileKind: Equatable {
        case file(byteCount: Int)
        case folder
        /// A pipe, a terminal, a device.
        case other
    }

    /// What `path` leads to, links followed.
    static func kind(of path: String) throws(Failure) -> FileKind {
        var info = stat()
        guard stat(path, &info) == 0 else { throw Failure() }
        return switch info.st_mode & S_IFMT {
        case S_IFREG: .file(byteCount: Int(info.st_size))
        case S_IFDIR: .folder
        default: .other
        }
    }

    /// Writes all of `bytes` to `file`.
    static func write(_ bytes: UnsafeRawBufferPointer, to file: CInt) throws(Failure) {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = systemWrite(file, base, rest.count)
            if count < 0 {
                let failure = Failure()
                if failure.number == EINTR { continue }
                if failure.number == EAGAIN {
                    wait(for: file, Int16(POLLOUT))
                    continue
                }
                throw failure
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Reads up to `count` bytes from `file`; none at its end.
    static func read(_ count: Int, from file: CInt) throws(Failure) -> [UInt8] {
        while true {
            var failure: Failure?
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let result = systemRead(file, buffer.baseAddress, buffer.count)
                if result < 0 { failure = Failure() }
                filled = max(0, result)
            }
            guard let failure else { return bytes }
            if failure.number == EAGAIN {
                wait(for: file, Int16(POLLIN))
            } else if failure.number != EINTR {
                throw failure
            }
        }
    }

    /// Opens the file at `path` for reading.
    static func openForReading(_ path: String) throws(Failure) -> CInt {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure() }
        return file
    }

    /// Opens what is at `path` for writing where it lies: a pipe or a device.
    static func openForWriting(_ path: String) throws(Failure) -> CInt {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure() }
        return file
    }

    private static func wait(for file: CInt, _ events: Int16) {
        var request = pollfd(fd: file, events: events, revents: 0)
        _ = poll(&request, 1, -1)
    }
}

// MARK: - Replacing files

extension Platform {
    /// The path of the file that `path` leads to, links followed; `path` itself where there is no file.
    static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Makes a new file beside the one at `path`, for contents that are to replace it.
    static func makeTemporary(beside path: String) throws(Failure) -> (file: CInt, path: String) {
        var template = Array((path + ".XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw Failure() }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        let temporary = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        TemporaryFiles.remember(temporary)
        return (file, temporary)
    }

    /// Gives the temporary file the place of the one at `path`, with its permissions, or those of any new file.
    static func replace(_ path: String, by temporary: (file: CInt, path: String)) throws(Failure) {
        var old = stat()
        let mask = umask(0)
        umask(mask)
        let mode = stat(path, &old) == 0 ? old.st_mode & 0o777 : 0o666 & ~mask
        guard fchmod(temporary.file, mode) == 0 else { throw Failure() }
        guard fsync(temporary.file) == 0 || errno == EINVAL else { throw Failure() }
        guard rename(temporary.path, path) == 0 else { throw Failure() }
        TemporaryFiles.forget()
    }

    /// Removes a temporary file.
    static func remove(_ path: String) {
        unlink(path)
        TemporaryFiles.forget()
    }

    static func close(_ file: CInt) { _ = systemClose(file) }
}

/// The temporary file that is being written, so that a process which is interrupted leaves none behind.
private enum TemporaryFiles {
    /// The path, for the handler of signals, which must not allocate. The tool writes one file at a time.
    nonisolated(unsafe) static var path: UnsafeMutablePointer<CChar>?

    static func remember(_ name: String) {
        path = strdup(name)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            _ = signal(number) { number in
                if let path = TemporaryFiles.path { unlink(path) }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func forget() {
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
        free(path)
        path = nil
    }
}

// Under names that the methods above do not hide.
private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { write(file, bytes, count) }
private func systemRead(_ file: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, bytes, count)
}
private func systemClose(_ file: CInt) -> CInt { close(file) }
private func systemExit(_ status: Int32) -> Never { exit(status) }
