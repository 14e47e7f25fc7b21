// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A pattern of paths: `root..animals[*].name`, or `/root/**/animals/*/name`.
///
/// In a step, `*` matches any text. A step `*` or `[*]` matches any step, and `..` or `**` any number of steps.
/// `PathScanner` has the rest of the syntax.
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
    let steps: [Step]

    static let everything = PlacePattern("/**")

    init(_ text: String) {
        isFromTop = text.first == "/" || text.hasPrefix("..")
        steps = PathScanner.steps(of: text).map { step in
            switch step {
            case .position(let position): return .position(position)
            case .anyPosition: return .any
            case .anySteps: return .anySteps
            case .text(let characters):
                let glob = Glob(parts: characters.map { $0.isWildcard ? .anything : .scalar($0.scalar) })
                guard glob.parts.allSatisfy({ $0 == .anything }) else { return .text(glob) }
                return glob.parts.count == 1 ? .any : .anySteps
            }
        }
    }
}

extension PathScanner.Character {
    fileprivate var isWildcard: Bool { scalar == "*" && !isEscaped }
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
