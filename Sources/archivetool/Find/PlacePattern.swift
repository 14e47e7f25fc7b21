// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A pattern of paths: `root..animals[*].name`, or `/root/**/animals/*/name`.
///
/// `/` separates steps; in a pattern without `/`, so does `.`. In a step, `*` matches any text. A step `*` or `[*]` matches any
/// step, and `..` or `**` any number of steps. A `\` makes the next character literal.
struct PlacePattern {
    enum Step: Equatable {
        /// Any number of steps, or none.
        case anySteps
        /// A step whose key or position matches.
        case text(Glob)
        case position(Int)
        case any
    }

    /// Whether it begins at the top, where the keys of the archiver are.
    let isFromTop: Bool
    private(set) var steps: [Step] = []

    /// The pattern that matches every path.
    static let everything = PlacePattern("/**")

    init(_ text: String) {
        isFromTop = text.first == "/" || text.hasPrefix("..")
        let hasSlash = text.contains("/")
        var step: [Glob.Part] = []
        var rest = PathScanner.characters(of: text)[...]
        while let character = rest.popFirst() {
            switch character.isEscaped ? nil : character.scalar {
            case "*": step.append(.anything)
            case "/": end(&step)
            case "." where !hasSlash:
                end(&step)
                if rest.first?.scalar == "." { steps.append(.anySteps) }
            case "[":
                let inside = rest.prefix { $0.scalar != "]" }
                let number = Int(Array(inside).text)
                guard rest.count > inside.count, number != nil || inside.map(\.scalar) == ["*"] else { fallthrough }
                end(&step)
                rest = rest.dropFirst(inside.count + 1)
                steps.append(number.map { .position($0) } ?? .any)
            default: step.append(.scalar(character.scalar))
            }
        }
        end(&step)
    }

    private mutating func end(_ step: inout [Glob.Part]) {
        if !step.isEmpty {
            let isAny = step.allSatisfy { $0 == .anything }
            steps.append(!isAny ? .text(Glob(parts: step)) : step.count == 1 ? .any : .anySteps)
        }
        step = []
    }
}

/// A text in which `*` matches any text.
struct Glob: Equatable {
    enum Part: Equatable {
        case anything
        case scalar(Unicode.Scalar)
    }

    let parts: [Part]

    init(parts: [Part]) { self.parts = parts }

    init(_ text: String) { parts = text.unicodeScalars.map { $0 == "*" ? .anything : .scalar($0) } }

    /// Whether it matches all of `text`.
    func matches(_ text: some StringProtocol) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var (part, position) = (0, 0)
        // The last `*`, and the end of the text that it matches.
        var retry: (part: Int, position: Int)?
        while position < scalars.count {
            if part < parts.count, parts[part] == .anything {
                retry = (part, position)
                part += 1
            } else if part < parts.count, parts[part] == .scalar(scalars[position]) {
                part += 1
                position += 1
            } else if let last = retry {
                retry = (last.part, last.position + 1)
                (part, position) = (last.part + 1, last.position + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .anything }
    }
}
