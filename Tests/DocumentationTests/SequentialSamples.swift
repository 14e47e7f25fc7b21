import Archiving
import Foundation

/// Typedstreams for the code of documents.
enum SequentialSamples {
    /// The bytes that docs/typedstream-format.md takes apart: a mutable string, "Hello".
    static let hello: Data = {
        var bytes: [UInt8] = [0x04, 0x0b]
        bytes += "streamtyped".utf8
        bytes += [0x81, 0xe8, 0x03, 0x84, 0x01, 0x40, 0x84, 0x84, 0x84, 0x0f] as [UInt8]
        bytes += "NSMutableString".utf8
        bytes += [0x01, 0x84, 0x84, 0x08] as [UInt8]
        bytes += "NSString".utf8
        bytes += [0x01, 0x84, 0x84, 0x08] as [UInt8]
        bytes += "NSObject".utf8
        bytes += [0x00, 0x85, 0x84, 0x01, 0x2b, 0x05] as [UInt8]
        bytes += "Hello".utf8
        bytes.append(0x86)
        return Data(bytes)
    }()

    /// The text of a message with a mention, a link and a file.
    static func attributedBody() throws -> Data {
        let string = "Bo: see\u{FFFC}"
        func run(_ range: Range<Int>, _ attributes: [String: Any]) -> AttributedText.Run {
            let start = string.index(string.startIndex, offsetBy: range.lowerBound)
            return AttributedText.Run(
                range: start..<string.index(start, offsetBy: range.count), attributes: attributes)
        }
        let link = URL(string: "https://example.com")
        return try SequentialArchiver.archivedData(
            withRootObject: AttributedText(
                string,
                runs: [
                    run(0..<2, ["__kIMMentionConfirmedMention": "bo@example.com"]), run(2..<4, [:]),
                    run(4..<7, ["__kIMLinkAttributeName": link as Any]),
                    run(7..<8, ["__kIMFileTransferGUIDAttributeName": "at_0_1"]),
                ]))
    }
}
