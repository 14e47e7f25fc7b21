// swift-tools-version: 6.2
// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "swift-archiving",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Archiving", targets: ["Archiving"]),
        .library(name: "ArchiveDocuments", targets: ["ArchiveDocuments"]),
        .library(name: "AttributedTexts", targets: ["AttributedTexts"]),
        .library(name: "ArchiveInspection", targets: ["ArchiveInspection"]),
        .library(name: "SequentialArchiving", targets: ["SequentialArchiving"]),
        .executable(name: "archivetool", targets: ["archivetool"]),
    ],
    targets: [
        .target(name: "Archiving"),
        .target(name: "ArchiveDocuments", dependencies: ["Archiving"]),
        .target(name: "AttributedTexts", dependencies: ["Archiving"]),
        // The text of trees, for the dumps of the two products below.
        .target(name: "TreeOutput", dependencies: ["Archiving"]),
        .target(name: "ArchiveInspection", dependencies: ["Archiving", "AttributedTexts", "TreeOutput"]),
        .target(name: "SequentialArchiving", dependencies: ["Archiving", "AttributedTexts", "TreeOutput"]),
        .executableTarget(
            name: "archivetool",
            dependencies: ["Archiving", "ArchiveDocuments", "ArchiveInspection", "SequentialArchiving"]),
        .executableTarget(name: "farm", dependencies: ["Archiving"], path: "Sources/Examples/farm"),
        .target(name: "ExampleCommandLine", path: "Sources/Examples/CommandLine"),
        .executableTarget(
            name: "items", dependencies: ["Archiving", "ExampleCommandLine"], path: "Sources/Examples/items"),
        .executableTarget(
            name: "creatures", dependencies: ["Archiving", "ExampleCommandLine"], path: "Sources/Examples/creatures"),
        .executableTarget(
            name: "bookcase", dependencies: ["Archiving", "ArchiveDocuments", "ExampleCommandLine"],
            path: "Sources/Examples/bookcase"),
        .executableTarget(
            name: "Benchmarks", dependencies: ["Archiving", "ArchiveDocuments", "ArchiveInspection"],
            path: "Benchmarks",
            exclude: ["Floors-6.3.json"]),
        .target(
            name: "TestSupport", dependencies: ["Archiving", "ArchiveDocuments", "SequentialArchiving"],
            path: "Tests/Support"),
        .testTarget(
            name: "ArchivingTests",
            dependencies: [
                "Archiving", "ArchiveDocuments", "AttributedTexts", "ArchiveInspection", "SequentialArchiving",
                "TestSupport", "farm",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Modules whose unsafe expressions are marked.
let strict = [
    "Archiving", "ArchiveDocuments", "AttributedTexts", "TreeOutput", "ArchiveInspection", "SequentialArchiving",
    "archivetool", "farm", "items", "creatures",
]
for name in strict {
    package.targets.first { $0.name == name }?.swiftSettings = [.strictMemorySafety()]
}

// `swift test` builds and runs the tests of what the README and the guides promise. `ARCHIVING_TESTS=all swift test -c release`
// has all the others as well, `ARCHIVING_TESTS=thorough` has only those, `ARCHIVING_TESTS=Graph` those of one folder: see
// CONTRIBUTING.md. `ARCHIVING_TESTS=optimisations` has the suites that `scripts/check-optimisations` selects.
let tests = Context.environment["ARCHIVING_TESTS"].flatMap { $0.isEmpty ? nil : $0 }
if let tests, !["all", "probes"].contains(tests) {
    // Programs that none of these tests runs are left out as well. A test that needs one skips itself without it, and then
    // `.ci/run` fails.
    let programs = ["items", "creatures", "bookcase", "ExampleCommandLine"]
    let others = ["thorough", "Examples", "optimisations"].contains(tests) ? [] : programs
    package.targets.removeAll { $0.type == .test || (others + ["Benchmarks"]).contains($0.name) }
}
let fuzzCases = Target.target(
    name: "FuzzCases",
    dependencies: ["Archiving", "ArchiveDocuments", "AttributedTexts", "ArchiveInspection", "SequentialArchiving"],
    path: "Tests/Fuzz/Cases")
if tests == "probes" {
    // `scripts/check-arm64` writes the enumerations, and runs these programs on two platforms.
    package.targets.removeAll { $0.type == .test || ["Benchmarks", "TestSupport"].contains($0.name) }
    package.targets += [
        fuzzCases,
        .target(name: "ProbeEnumerations", path: ".build-arm64/enumerations"),
        .executableTarget(
            name: "probes", dependencies: ["Archiving", "AttributedTexts", "FuzzCases", "ProbeEnumerations"],
            path: "Tests/Probes"),
    ]
}
if let tests, tests != "probes" {
    let subjects = [
        thorough("Values"), thorough("Identity"), thorough("Classes"), thorough("Coders"), thorough("Keyed"),
        thorough("Fields"), thorough("Documents"), thorough("Merging"), thorough("Errors"), thorough("PropertyLists"),
        thorough("Graph"), thorough("Inspection"), thorough("Sequential"), thorough("Interoperability"),
        thorough("ArchiveTool", on: "archivetool", "farm"),
        thorough("Examples", on: "farm", "items", "creatures", "bookcase"),
        thorough("HostileInput", on: "FuzzCases"),
        thorough("Files", on: "FileFaultContent", "file-writer"), thorough("Pages"),
    ]
    package.targets += subjects.filter { ["all", "thorough", String($0.name.dropLast(5))].contains(tests) }
    if tests == "optimisations" {
        package.targets.append(thorough("Selected", on: "FuzzCases", path: ".build-optimisations/SelectedTests"))
    }
    package.targets += [
        fuzzCases,
        .target(
            name: "ThoroughSupport",
            dependencies: ["Archiving", "ArchiveDocuments", "ArchiveInspection", "SequentialArchiving", "TestSupport"],
            path: "Tests/Thorough/Support"),
        .target(
            name: "FileFaultContent", dependencies: ["Archiving", "ArchiveDocuments"],
            path: "Tests/Thorough/Files/Programs/Content"),
        // Takes the place of the C library's functions in the program that links it.
        .target(name: "FileFaultCalls", path: "Tests/Thorough/Files/Programs/Calls"),
        .executableTarget(
            name: "file-writer",
            dependencies: ["Archiving", "ArchiveDocuments", "ArchiveInspection", "FileFaultContent", "FileFaultCalls"],
            path: "Tests/Thorough/Files/Programs/Writer"),
    ]
}
if tests != nil {
    // The library is optimised, in the way of ARCHIVING_OPTIMISATION if that is set (`scripts/check-optimisations`). Nothing else
    // is: that would take longer than running it.
    let optimisation = Context.environment["ARCHIVING_OPTIMISATION"]?.split(separator: " ").map(String.init) ?? []
    let products = [
        "Archiving", "ArchiveDocuments", "AttributedTexts", "TreeOutput", "ArchiveInspection", "SequentialArchiving",
    ]
    for target in package.targets {
        let flags = products.contains(target.name) ? optimisation : ["-Onone"]
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .release))]
    }
}

/// The tests of a subject that only `ARCHIVING_TESTS=all` has.
func thorough(_ subject: String, on others: Target.Dependency..., path: String? = nil) -> Target {
    .testTarget(
        name: "\(subject)Tests",
        dependencies: [
            "Archiving", "ArchiveDocuments", "AttributedTexts", "ArchiveInspection", "SequentialArchiving",
            "TestSupport", "ThoroughSupport",
        ] + others,
        path: path ?? "Tests/Thorough/\(subject)", exclude: subject == "Files" ? ["Programs"] : [])
}
