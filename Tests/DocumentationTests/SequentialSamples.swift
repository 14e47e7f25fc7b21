// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport

/// Typedstreams for the code of documents.
enum SequentialSamples {
    /// The bytes that docs/typedstream-format.md takes apart, row by row of section 1: a mutable string, "Hello".
    static let hello = Data(
        streamBytes(
            """
            04
            0B 'streamtyped'
            81 E8 03
            84 01 '@'
            84
            84 84 0F 'NSMutableString' 01
            84 84 08 'NSString' 01
            84 84 08 'NSObject' 00
            85
            84 01 '+'
            05 'Hello'
            86
            """))

    /// The text of a message with a mention, a link and a file.
    static func attributedBody() throws -> Data {
        let string = "Bo: see\u{FFFC}"
        func run(
            _ range: Range<Int>, _ attributes: [String: Any]
        ) -> (range: Range<String.Index>, attributes: [String: Any]) {
            let start = string.index(string.startIndex, offsetBy: range.lowerBound)
            return (range: start..<string.index(start, offsetBy: range.count), attributes: attributes)
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
