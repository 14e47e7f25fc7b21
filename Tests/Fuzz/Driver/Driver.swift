// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import FuzzCases

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// libFuzzer's own mutations.
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximum: Int) -> Int

/// The target that this process tries.
private let target: FuzzTarget = {
    guard let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] else {
        stop("FUZZ_TARGET says which target to try: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
    }
    guard let target = FuzzTarget.named(name) else { stop("There is no target \"\(name)\"") }
    return target
}()

private func stop(_ sentence: String) -> Never {
    say(sentence)
    exit(2)
}

private func say(_ sentence: String) {
    let line = Array((sentence + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

/// Chooses the target; writes its seeds into the folder that `FUZZ_SEEDS` names, and ends, where it names one.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<Int32>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafePointer<CChar>>>
) -> Int32 {
    if ProcessInfo.processInfo.environment["FUZZ_LIST"] != nil {
        for target in FuzzTarget.all { print(target.name) }
        exit(0)
    }
    let target = target
    guard let folder = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] else { return 0 }
    do {
        try Seeds.write(target.seeds, to: folder)
        exit(0)
    } catch {
        stop("The seeds cannot be written: \(error)")
    }
}

/// Whether every input is tried everywhere.
private let isThorough = ProcessInfo.processInfo.environment["FUZZ_ALL"] != nil

/// Tries one input, and traps where the library breaks a promise. The bytes decide whose turn it is.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let data = bytes.map { Data(bytes: $0, count: size) } ?? Data()
    let sum = data.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
    if let sentence = isThorough ? target.violation(in: data) : target.violation(in: data, turn: sum) {
        say("violation: \(sentence)")
        abort()
    }
    return 0
}

/// Half of the inputs are mutated as bytes, half with an eye on what they are.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximum: Int, _ seed: UInt32) -> Int {
    var generator = Generator(seed: UInt64(seed))
    guard size > 0, !generator.once(in: 2) else { return mutateBytes(bytes, size, maximum) }
    let mutant = Mutator.mutate(Array(UnsafeBufferPointer(start: bytes, count: size)), using: &generator)
    guard mutant.count <= maximum, !mutant.isEmpty else { return mutateBytes(bytes, size, maximum) }
    bytes.update(from: mutant, count: mutant.count)
    return mutant.count
}
