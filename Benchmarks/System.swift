// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Returns the processor time that this process has used so far, in nanoseconds.
///
/// Processor time hardly depends on other processes, unlike wall time.
func processorTime() -> UInt64 {
    var time = timespec()
    let status = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    precondition(status == 0, "the system has no clock of the process's processor time")
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Returns the time of the monotonic clock, which cannot be set, in nanoseconds.
func monotonicTime() -> UInt64 {
    var time = timespec()
    let status = clock_gettime(CLOCK_MONOTONIC, &time)
    precondition(status == 0, "the system has no monotonic clock")
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Returns the bytes that this process has read and written so far by system calls, including pipes. They are not a number if the
/// system does not count them.
func transferredBytes() -> (read: Double, written: Double) {
    let figures = Dictionary(lines(of: "/proc/self/io").compactMap(figure(in:))) { first, _ in first }
    return (figures["rchar"] ?? .nan, figures["wchar"] ?? .nan)
}

/// Returns the lines of a system file; none if it does not exist.
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

/// Returns the name and the number of a line such as `rchar: 1024`.
private func figure(in line: String) -> (name: String, figure: Double)? {
    let parts = line.split(separator: ":")
    guard parts.count == 2, let figure = Double(parts[1].filter(\.isNumber)) else { return nil }
    return (String(parts[0]), figure)
}

/// Returns the peak resident memory of this process so far, in bytes.
///
/// On Linux, `getrusage` is unsuitable: a process inherits its figure from its parent.
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

/// Resets `peakMemory()` to the resident memory now, if the system supports that.
func resetPeakMemory() {
    #if os(Linux)
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    #endif
}

/// Whether `resetPeakMemory()` works.
var canMeasureMemory: Bool {
    #if os(Linux)
        true
    #else
        false
    #endif
}

/// Returns free memory to the system, if the C library supports that, so that it counts again when it is reused.
func releaseFreeMemory() {
    #if canImport(Glibc)
        // Swift's module of the C library does not declare it.
        typealias Trim = @convention(c) (Int) -> Int32
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    #endif
}

/// Prints to standard error, since standard output can be for a program.
func printNote(_ text: String) {
    var line = Array("\(text)\n".utf8)[...]
    while !line.isEmpty {
        let count = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        line = line.dropFirst(count)
    }
}

/// Flushes all output.
func flushOutput() {
    fflush(nil)
}

/// Ends the process with a message on standard error.
func leave(saying message: String, status: Int32) -> Never {
    flushOutput()
    printNote(message)
    exit(status)
}
