#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The processor time this process has used so far, in nanoseconds.
///
/// Processor time, not wall time: other processes on the machine then lengthen the run, but hardly the figures.
func processorTime() -> UInt64 {
    var time = timespec()
    let status = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    precondition(status == 0, "the system has no clock of the process's processor time")
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Hands everything printed so far to whoever reads it.
func flushOutput() {
    fflush(nil)
}

/// Ends the process with a message on standard error.
func leave(saying message: String, status: Int32) -> Never {
    flushOutput()
    let line = Array("\(message)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(status)
}
