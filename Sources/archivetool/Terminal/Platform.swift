// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Functions of the C library: file descriptors, terminals, signals.
enum Platform {
    static let standardInput: CInt = 0
    static let standardOutput: CInt = 1
    static let standardError: CInt = 2

    struct Failure: Error {
        let number: CInt

        init(_ number: CInt = errno) { self.number = number }

        var isBrokenPipe: Bool { number == EPIPE }

        var description: String {
            // Safe because the result is a C string.
            unsafe String(cString: strerror(number))
        }
    }

    // MARK: - Process

    static func exit(_ status: Int32) -> Never {
        systemExit(status)
    }

    /// Ends the process without a message if the reader of its output ends, as other tools do.
    static func endQuietlyWithoutReaders() { signal(SIGPIPE, SIG_DFL) }

    static func environment(_ name: String) -> String? {
        // Safe because the result is a C string, and the tool changes no variable.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    // MARK: - Terminals

    static func isTerminal(_ file: CInt) -> Bool { isatty(file) == 1 }

    /// The number of columns of the terminal `file`; nil if it is none.
    static func columns(of file: CInt) -> Int? {
        var size = winsize()
        // Safe because this request fills in a size.
        guard unsafe ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    // MARK: - Files

    enum FileKind: Equatable {
        case file(byteCount: Int)
        case folder
        /// A pipe, a terminal, a device.
        case other
    }

    /// The kind of the file at `path`, after symbolic links.
    static func kind(of path: String) throws(Failure) -> FileKind {
        var info = stat()
        // Safe because the call only fills in the status.
        guard unsafe stat(path, &info) == 0 else { throw Failure() }
        return switch info.st_mode & S_IFMT {
        case S_IFREG: .file(byteCount: Int(info.st_size))
        case S_IFDIR: .folder
        default: .other
        }
    }

    static func write(_ bytes: [UInt8], to file: CInt) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Safe because the call reads as many bytes as there are.
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                try recover(file, Int16(POLLOUT))
            }
        }
    }

    /// Reads up to `count` bytes from `file`; none at its end.
    static func read(_ count: Int, from file: CInt) throws(Failure) -> [UInt8] {
        while true {
            var result = 0
            // Safe because the call fills in at most as many bytes as there are, and says how many.
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                result = unsafe systemRead(file, buffer.baseAddress, buffer.count)
                filled = max(0, result)
            }
            if result >= 0 { return bytes }
            try recover(file, Int16(POLLIN))
        }
    }

    /// Waits until `file` is ready if a call failed since it was not.
    ///
    /// - Throws: Any other failure, except interruptions by signals.
    private static func recover(_ file: CInt, _ events: Int16) throws(Failure) {
        let failure = Failure()
        switch failure.number {
        case EINTR: break
        case EAGAIN:
            var request = pollfd(fd: file, events: events, revents: 0)
            // Safe because there is one request.
            _ = unsafe poll(&request, 1, -1)
        default: throw failure
        }
    }

    static func open(_ path: String, toWrite: Bool = false) throws(Failure) -> CInt {
        let file = systemOpen(path, (toWrite ? O_WRONLY : O_RDONLY) | O_CLOEXEC)
        guard file >= 0 else { throw Failure() }
        return file
    }

    static func close(_ file: CInt) { _ = systemClose(file) }
}

// Functions whose names the methods above hide.
private func systemWrite(_ file: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    // Safe because the caller's memory has this size.
    unsafe write(file, bytes, count)
}
private func systemRead(_ file: CInt, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    // Safe because the caller's memory has this size.
    unsafe read(file, bytes, count)
}
private func systemOpen(_ path: String, _ flags: CInt) -> CInt {
    // Safe because the call only reads the path.
    unsafe open(path, flags)
}
private func systemClose(_ file: CInt) -> CInt { close(file) }
private func systemExit(_ status: Int32) -> Never { exit(status) }
