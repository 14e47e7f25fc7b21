// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// What came of the probes: lines on standard output, and archives as files.
struct Report {
    /// Where the archives are written; nil if they are not.
    var folder: URL?
    /// The number of values that were other ones after they were decoded, and of promises that were broken.
    private(set) var failureCount = 0

    func line(_ text: String) { print(text) }

    /// Begins a part of the output.
    func section(_ title: String) { print("\n== \(title)") }

    mutating func failure(_ text: String) {
        failureCount += 1
        print("FAILURE: \(text)")
    }

    /// Writes a line that names `result`, or the error that `body` throws.
    func result(_ name: String, _ body: () throws -> some Any) {
        do {
            line("\(name): \(try body())")
        } catch {
            line("\(name): error: \(error)")
        }
    }

    /// Keeps an archive as a file.
    func keep(_ data: Data, as name: String) throws {
        guard let folder else { return }
        let name = String(name.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." ? $0 : "_" })
        try data.write(to: folder.appending(path: name))
    }
}

// MARK: - Values

extension Report {
    /// Encodes a value in both formats, and with sorted keys, and decodes it from each.
    ///
    /// - Parameters:
    ///   - isSame: Whether a decoded value is the one that was encoded.
    mutating func value<Value: Codable>(
        _ name: String, _ value: Value, coder: Coders = Coders(), isSame: (Value, Value) -> Bool
    ) {
        var words: [String] = []
        for (ending, format, formatting) in Self.formats {
            var encoder = coder.encoder
            encoder.outputFormat = format
            encoder.outputFormatting = formatting
            do {
                let data = try encoder.encode(value)
                try keep(data, as: "\(name).\(ending)")
                let again = try coder.decoder.decode(Value.self, from: data)
                if !isSame(value, again) { failure("\(name), \(ending), is \(again) after it was decoded") }
                words.append("\(ending) \(data.count) bytes")
            } catch {
                words.append("\(ending) error: \(error)")
            }
        }
        line("\(name): \(words.joined(separator: ", "))")
    }

    /// As `value(_:_:coder:isSame:)`, by `==`.
    mutating func value<Value: Codable & Equatable>(_ name: String, _ value: Value, coder: Coders = Coders()) {
        self.value(name, value, coder: coder, isSame: ==)
    }

    private static let formats: [(String, PropertyListFormat, ArchiveEncoder.OutputFormatting)] = [
        ("plist", .binary, []), ("sorted", .binary, .sortedKeys), ("xml", .xml, []),
    ]
}

/// An encoder and a decoder with the same names of classes.
struct Coders {
    var encoder = ArchiveEncoder()
    var decoder = ArchiveDecoder()

    init(_ types: any Any.Type...) {
        for type in types {
            encoder.classes.register(type)
            decoder.classes.register(type)
        }
    }
}

/// A number for bytes or a text, the same one on every platform (FNV-1a).
func digest(_ bytes: some Sequence<UInt8>) -> String {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(value, radix: 36)
}
