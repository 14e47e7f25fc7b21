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

/// The most memory of this process that was resident at any time so far, in bytes.
///
/// On Linux not from `getrusage`, whose figure a process inherits from the one that started it.
func peakMemory() -> Int {
    #if os(Linux)
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("VmHWM:") else { continue }
            return (Int(text.filter(\.isNumber)) ?? 0) * 1024
        }
        return 0
    #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
    #endif
}

/// Lets `peakMemory()` count from what is resident now, where the system can do that.
func resetPeakMemory() {
    #if os(Linux)
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    #endif
}

/// Whether `peakMemory()` can be made to count from now on.
var canMeasureMemory: Bool {
    #if os(Linux)
        true
    #else
        false
    #endif
}

/// Gives memory that is free back to the system, where the C library can do that, so that it counts again when it is used
/// again.
func releaseFreeMemory() {
    #if canImport(Glibc)
        // Swift's module of the C library does not have it.
        typealias Trim = @convention(c) (Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    #endif
}

/// Prints on standard error, for those whose standard output is for a program.
func printNote(_ text: String) {
    var line = Array("\(text)\n".utf8)[...]
    while !line.isEmpty {
        let count = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        line = line.dropFirst(count)
    }
}

/// Hands everything printed so far to whoever reads it.
func flushOutput() {
    fflush(nil)
}

/// Ends the process with a message on standard error.
func leave(saying message: String, status: Int32) -> Never {
    flushOutput()
    printNote(message)
    exit(status)
}
