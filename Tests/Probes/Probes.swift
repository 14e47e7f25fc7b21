// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program whose output and files are the same on every platform, so that two platforms are compared by them
/// (`scripts/check-arm64`).
///
/// The types of its values are not private: the runtime names private types by their addresses.
@main
enum Probes {
    private static let usage = """
        usage: probes write FOLDER    codes values of all kinds, and writes their archives into the folder
               probes read FOLDER     reads all files in the folder in every way there is

        The output says what came of it. The exit status is 1 if a value is another one after it was decoded.
        """

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 2, let command = ["write": write, "read": read][arguments[0]] else {
            print(usage)
            exit(2)
        }
        var report = Report()
        try command(URL(filePath: arguments[1], directoryHint: .isDirectory), &report)
        exit(report.failureCount == 0 ? 0 : 1)
    }

    private static func write(folder: URL, report: inout Report) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        report.folder = folder
        assumptions(&report)
        numbers(&report)
        conversions(&report)
        foundationValues(&report)
        enumerations(&report)
        plainCycles(&report)
        referenceCycles(&report)
        codingCycles(&report)
        unsoundCycles(&report)
        classes(&report)
        chains(&report)
        seeds(&report)
        damagedFiles(&report)
    }

    private static func read(folder: URL, report: inout Report) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        for name in names {
            report.line("\(name): \(report.outcomes(of: try Data(contentsOf: folder.appending(path: name))))")
        }
        report.line("\(names.count) files")
    }
}
