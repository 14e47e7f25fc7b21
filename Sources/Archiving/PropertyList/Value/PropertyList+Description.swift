// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PropertyList: CustomStringConvertible {
    /// A readable description of the list: a line for each value, indented by nesting.
    ///
    ///     {
    ///         "$class": uid 4,
    ///         "ages": [
    ///             3,
    ///             4.5
    ///         ],
    ///         "photo": 20480 bytes <89504e47 0d0a1a0a 0000000d 49484452 …>
    ///     }
    public var description: String {
        var output = ""
        // The steps that remain, the next one last.
        var remaining: [DescriptionStep] = [.value(self)]
        var indentation = 0
        while let step = remaining.popLast() {
            switch step {
            case .text(let text): output += text
            case .line(let change):
                indentation += change
                output += "\n" + String(repeating: "    ", count: indentation)
            case .value(let value):
                if let contents = value.contents {
                    remaining += contents.reversed()
                } else {
                    output += value.leafDescription
                }
            }
        }
        return output
    }

    private enum DescriptionStep {
        case text(String)
        /// A new line, indented by the given number of levels more than the previous one.
        case line(Int)
        case value(PropertyList)
    }

    private var contents: [DescriptionStep]? {
        var steps: [DescriptionStep]
        let end: String
        switch self {
        case .array(let elements) where !elements.isEmpty, .set(let elements) where !elements.isEmpty:
            if case .set = self { steps = [.text("set [")] } else { steps = [.text("[")] }
            end = "]"
            for (position, element) in elements.enumerated() {
                steps += [.line(position == 0 ? 1 : 0), .value(element)]
                if position < elements.count - 1 { steps.append(.text(",")) }
            }
        case .dictionary(let dictionary) where !dictionary.isEmpty:
            steps = [.text("{")]
            end = "}"
            for (position, entry) in dictionary.enumerated() {
                steps += [
                    .line(position == 0 ? 1 : 0), .text(ReadableText.literal(entry.key) + ": "), .value(entry.value),
                ]
                if position < dictionary.count - 1 { steps.append(.text(",")) }
            }
        default: return nil
        }
        return steps + [.line(-1), .text(end)]
    }

    private var leafDescription: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value.description
        case .integer(let value): value.description
        case .real(let value): value.description
        case .real32(let value): value.description + " (32 bits)"
        case .string(let value): ReadableText.literal(value)
        case .date(let value): ReadableText.date(value.timeIntervalSinceReferenceDate)
        case .data(let value): Self.description(value)
        case .uid(let value): "uid \(value)"
        case .array: "[]"
        case .set: "set []"
        case .dictionary: "{}"
        }
    }

    private static func description(_ data: Data) -> String {
        var output = ""
        ReadableText.write(data, to: &output)
        return output
    }
}
