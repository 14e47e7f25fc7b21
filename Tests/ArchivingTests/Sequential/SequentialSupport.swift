import Archiving
import Foundation
import Testing

/// The archive that `body` writes.
func sequentialArchive(_ body: (SequentialArchiver) throws -> Void) throws -> Data {
    let archiver = SequentialArchiver()
    try body(archiver)
    return try archiver.finishEncoding()
}

/// An unarchiver for what `body` writes.
func sequentialUnarchiver(_ body: (SequentialArchiver) throws -> Void) throws -> SequentialUnarchiver {
    try SequentialUnarchiver(forReadingFrom: sequentialArchive(body))
}

/// The error that `body` throws.
func sequentialError<Result>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) throws -> SequentialCodingError {
    try #require(
        #expect(throws: SequentialCodingError.self, sourceLocation: sourceLocation) { _ = try body() },
        sourceLocation: sourceLocation)
}

/// The bytes of a typedstream after its header: hexadecimal digits, and texts in quotes.
func body(_ text: String) -> Data {
    var bytes: [UInt8] = Array("\u{4}\u{b}streamtyped".utf8) + [0x81, 0xE8, 0x03]
    var rest = Substring(text)
    while let first = rest.first {
        if first == "\"" {
            rest.removeFirst()
            bytes += Array(rest.prefix { $0 != "\"" }.utf8)
            rest = rest.drop { $0 != "\"" }.dropFirst()
        } else if first.isWhitespace {
            rest.removeFirst()
        } else {
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
    }
    return Data(bytes)
}
