// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

extension PageProgram {
    /// Compiles programs, links them to one, runs each, and returns what is wrong with their pages.
    ///
    /// Each program is a module, since types of pages have the same names. One executable has them all, since linking takes longer
    /// than compiling one.
    package static func faults(in programs: [PageProgram]) throws -> [PageFault] {
        let compiler = Program(path: Program.installed("swiftc")?.path ?? "swiftc")
        guard let modules = Program.modules else { throw PageFault("", 0, "There are no modules beside the tests") }
        return try TemporaryFolder.with { folder in
            let options = ["-swift-version", "6", "-suppress-warnings", "-I", modules]
            let faults = try onAllProcessors(programs) { program -> [PageFault] in
                let file = try folder.write(Data(program.source.utf8), to: "\(program.name).swift")
                let run = try compiler.run(
                    ["-c", "-parse-as-library", file, "-o", folder["\(program.name).o"].path]
                        + ["-module-name", program.name] + options)
                return run.status == 0 ? [] : program.faults(ofCompiler: run.errors)
            }
            let compiled = zip(programs, faults).filter(\.1.isEmpty).map(\.0)
            guard !compiled.isEmpty else { return faults.flatMap(\.self) }

            let main = try folder.write(Data(dispatcher(of: compiled).utf8), to: "main.swift")
            let objects = try Program.libraryObjects() + compiled.map { folder["\($0.name).o"].path }
            let list = try folder.write(Data(objects.joined(separator: "\n").utf8), to: "objects")
            let link = try compiler.run(
                [main, "@\(list)", "-o", folder["pages"].path, "-module-name", "main"] + options)
            guard link.status == 0 else { throw PageFault("", 0, link.errors) }
            let pages = Program(path: folder["pages"].path)
            return try faults.flatMap(\.self)
                + onAllProcessors(compiled) { program in
                    let work = folder["\(program.name).folder"]
                    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
                    let variables: [String: String?] = ["TMPDIR": work.path, "ARCHIVING_CORPUS": Corpus.folder?.path]
                    return try program.faults(in: pages.run([program.name], in: work, environment: variables))
                }.flatMap(\.self)
        }
    }

    /// The program that runs the one with the name that is its argument.
    private static func dispatcher(of programs: [PageProgram]) -> String {
        """
        import Foundation
        \(programs.map { "@_silgen_name(\"run_\($0.name)\") func run_\($0.name)() async throws\n" }.joined())
        do {
            switch CommandLine.arguments[1] {
            \(programs.map { "case \"\($0.name)\": try await run_\($0.name)()\n" }.joined())
            default: exit(2)
            }
        } catch {
            print("It throws \\(error)")
            exit(1)
        }

        """
    }

    private func faults(ofCompiler errors: String) -> [PageFault] {
        let found = errors.matches(of: /(?m)^([^\s:]+):(\d+):\d+: error: (.*)$/).map {
            PageFault(String($0.1), Int($0.2) ?? 0, String($0.3))
        }
        return found.isEmpty ? [PageFault(path, 1, errors)] : found
    }

    private static func onAllProcessors<Element: Sendable, Result: Sendable>(
        _ elements: [Element], _ body: @Sendable (Element) throws -> Result
    ) throws -> [Result] {
        let results = Mutex([Int: Swift.Result<Result, any Error>]())
        DispatchQueue.concurrentPerform(iterations: elements.count) { index in
            let result = Swift.Result { try body(elements[index]) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { results in try elements.indices.compactMap { try results[$0]?.get() } }
    }
}
