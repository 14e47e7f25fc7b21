/// A pattern of ways from a value to those in it: `root..animals[*].name`, or `/root/**/animals/*/name`.
///
/// Steps are divided by `/`; in a pattern without any `/`, by `.` as well. `*` in a step is any text, a step `*` or `[*]` any
/// step, and `..` or `**` any number of steps. A `\` in front of a character takes its meaning away.
struct PlacePattern {
    enum Step: Equatable {
        /// Any number of steps, or none.
        case anySteps
        /// A step whose text, a key or a position, is like this.
        case text(Glob)
        /// A position.
        case position(Int)
        /// Any step.
        case any
    }

    /// Whether it begins at the top, where the keys of the archiver are.
    let isFromTop: Bool
    let steps: [Step]

    /// Whatever is somewhere.
    static let everything = PlacePattern(isFromTop: true, steps: [.anySteps])

    private init(isFromTop: Bool, steps: [Step]) {
        self.isFromTop = isFromTop
        self.steps = steps
    }

    init(_ text: String) {
        let hasSlash = text.contains("/")
        var steps: [Step] = []
        var step: [Glob.Part] = []
        var isLiteral = false
        func end() {
            defer {
                step = []
                isLiteral = false
            }
            guard !step.isEmpty else { return }
            if !isLiteral, step.allSatisfy({ $0 == .anything }) {
                steps.append(step.count == 1 ? .any : .anySteps)
            } else {
                steps.append(.text(Glob(parts: step)))
            }
        }
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\":
                if let next = scalars.popFirst() { step.append(.scalar(next)) }
                isLiteral = true
            case "*": step.append(.anything)
            case "/": end()
            case "." where !hasSlash:
                end()
                if scalars.first == "." { steps.append(.anySteps) }
            case "[":
                let inside = scalars.prefix { $0 != "]" }
                let number = Int(String(String.UnicodeScalarView(inside)))
                guard scalars.count > inside.count, number != nil || inside == ["*"] else {
                    step.append(.scalar(scalar))
                    continue
                }
                end()
                scalars = scalars.dropFirst(inside.count + 1)
                steps.append(number.map { .position($0) } ?? .any)
            default: step.append(.scalar(scalar))
            }
        }
        end()
        isFromTop = text.first == "/" || text.hasPrefix("..")
        self.steps = steps
    }
}

/// A text in which `*` is any text.
struct Glob: Equatable {
    enum Part: Equatable {
        case anything
        case scalar(Unicode.Scalar)
    }

    let parts: [Part]

    init(parts: [Part]) { self.parts = parts }

    init(_ text: String) {
        parts = text.unicodeScalars.map { $0 == "*" ? .anything : .scalar($0) }
    }

    /// Whether all of `text` is like it. It takes time in proportion to both at most.
    func matches(_ text: some StringProtocol) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var (part, position) = (0, 0)
        // The last `*` that was met, and where what it stands for ends.
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
