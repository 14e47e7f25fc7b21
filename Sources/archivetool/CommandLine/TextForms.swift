// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Reads texts as property lists: the lossless form of `convert`, JSON, old property lists, and `.strings` files.
enum TextForms {
    /// The property list in `source`, and its form.
    ///
    /// - Throws: `ToolError` if it is of another kind, with a guess.
    static func list(_ source: InputSource) throws(ToolError) -> (PropertyList, ListForm) {
        if LosslessJSON.isDetected(in: source.head) { return (try losslessList(source), .lossless) }
        let first = source.head.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF, 0xFF, 0xFE, 0x00].contains($0) }
        let isSigned = [[0xFF, 0xFE], [0xFE, 0xFF]].contains { source.head.starts(with: $0) }
        let isText = first.map { $0 >= 0x20 && $0 < 0x7F } ?? false
        guard isText, let bytes = utf8(try source.data(), isSigned: isSigned) else { throw refusal(source) }
        var failures: [(error: TextError, kind: String)] = []
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            do throws(TextError) {
                var parser = TextParser(bytes, .json)
                return (try parser.parse(), .json)
            } catch {
                failures.append((error, "JSON"))
            }
        }
        do throws(TextError) {
            var parser = TextParser(bytes, .list)
            return (try parser.parse(), .text)
        } catch {
            failures.append((error, "text property list"))
        }
        // The parser that got farther has the better error. Letters may begin any other text.
        let isMeant = ["{", "[", "(", "\"", "/"].contains { first == $0.utf8.first }
        guard isMeant, let failure = failures.max(by: { $0.error.position < $1.error.position }) else {
            throw refusal(source)
        }
        let article = failure.kind == "JSON" ? "damaged JSON" : "a damaged \(failure.kind)"
        throw ToolError(.unreadable, "\(source.name) is \(article): \(failure.error.description)")
    }

    private static func refusal(_ source: InputSource) -> ToolError {
        ToolError(.unreadable, "\(source.name) \(FileGuess.sentence(source.head))")
    }

    private static func losslessList(_ source: InputSource) throws(ToolError) -> PropertyList {
        let bytes = [UInt8](try source.data())
        do {
            var parser = TextParser(bytes, .json, nestingLimit: TextParser.losslessNestingLimit)
            return try LosslessJSON.propertyList(from: parser.parse())
        } catch let error as TextError {
            throw ToolError(.unreadable, "\(source.name) is damaged JSON: \(error.description)")
        } catch let error as LosslessJSON.FormatError {
            throw ToolError(
                .unreadable, "\(source.name) is not lossless JSON as “convert” writes it: \(error.sentence)")
        } catch {
            throw ToolError(describing: error)
        }
    }

    /// The text in UTF-8; nil if it is no Unicode text.
    private static func utf8(_ data: Data, isSigned: Bool) -> [UInt8]? {
        let bytes = [UInt8](data)
        guard isSigned else {
            return String(validating: bytes, as: UTF8.self) == nil
                ? nil : bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        }
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { position in
            UInt16(bytes[position + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[position + (isLittle ? 0 : 1)])
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }
}
