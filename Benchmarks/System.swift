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

/// The time of a clock that nobody sets, in nanoseconds.
func monotonicTime() -> UInt64 {
    var time = timespec()
    let status = clock_gettime(CLOCK_MONOTONIC, &time)
    precondition(status == 0, "the system has no clock that nobody sets")
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The bytes that this process has read and written so far by calls of the system: files, and pipes. Not a number where the
/// system does not count them.
func transferredBytes() -> (read: Double, written: Double) {
    let figures = Dictionary(lines(of: "/proc/self/io").compactMap(figure(in:))) { first, _ in first }
    return (figures["rchar"] ?? .nan, figures["wchar"] ?? .nan)
}

/// The lines of a file of the system; none if it is not there.
private func lines(of path: String) -> [String] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var lines: [String] = []
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
        lines.append(String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return lines
}

/// The name and the number of a line such as `rchar: 1024`.
private func figure(in line: String) -> (name: String, figure: Double)? {
    let parts = line.split(separator: ":")
    guard parts.count == 2, let figure = Double(parts[1].filter(\.isNumber)) else { return nil }
    return (String(parts[0]), figure)
}

/// The most memory of this process that was resident at any time so far, in bytes.
///
/// On Linux not from `getrusage`, whose figure a process inherits from the one that started it.
func peakMemory() -> Int {
    #if os(Linux)
        let line = lines(of: "/proc/self/status").first { $0.hasPrefix("VmHWM:") }
        return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1024
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
