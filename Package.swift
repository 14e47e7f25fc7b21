// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "swift-archiving",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Archiving", targets: ["Archiving"]),
        .executable(name: "archivetool", targets: ["archivetool"]),
        .executable(name: "farm", targets: ["farm"]),
        .executable(name: "items", targets: ["items"]),
        .executable(name: "creatures", targets: ["creatures"]),
    ],
    targets: [
        .target(name: "Archiving"),
        .executableTarget(name: "archivetool", dependencies: ["Archiving"]),
        .executableTarget(name: "farm", dependencies: ["Archiving"], path: "Sources/Examples/farm"),
        .target(name: "ExampleCommandLine", path: "Sources/Examples/CommandLine"),
        .executableTarget(
            name: "items", dependencies: ["Archiving", "ExampleCommandLine"], path: "Sources/Examples/items"),
        .executableTarget(
            name: "creatures", dependencies: ["Archiving", "ExampleCommandLine"], path: "Sources/Examples/creatures"),
        .executableTarget(
            name: "Benchmarks", dependencies: ["Archiving"], path: "Benchmarks", exclude: ["Floors.json"]),
        .testTarget(name: "ArchivingTests", dependencies: ["Archiving"]),
        .testTarget(name: "InteroperabilityTests", dependencies: ["Archiving"]),
        .testTarget(name: "ArchiveToolTests", dependencies: ["Archiving", "archivetool"]),
        .testTarget(name: "ExampleTests", dependencies: ["Archiving", "farm", "items", "creatures"]),
        .testTarget(name: "DocumentationTests", dependencies: ["Archiving"]),
        .target(name: "FuzzCases", dependencies: ["Archiving"], path: "Tests/Fuzz/Cases"),
        .testTarget(name: "HostileInputTests", dependencies: ["Archiving", "FuzzCases"]),
        .target(
            name: "FileFaultContent", dependencies: ["Archiving", "FuzzCases"], path: "Tests/FileFaults/Content"),
        .executableTarget(
            name: "file-writer", dependencies: ["Archiving", "FileFaultContent"], path: "Tests/FileFaults/Writer"),
        .testTarget(
            name: "FileFaultTests", dependencies: ["Archiving", "FuzzCases", "FileFaultContent", "file-writer"]),
    ],
    swiftLanguageModes: [.v6]
)
