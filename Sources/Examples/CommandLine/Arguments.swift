#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The words of a command line: those that stand for themselves, and options with their values.
package struct Arguments {
    /// What is no option, as far as nobody has asked for it.
    package private(set) var words: [String] = []
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// Takes the words apart. What follows `--` is no option.
    ///
    /// - Throws: `UsageError` for options that are neither in `options` nor in `flags`, or come without their value or twice.
    package init(_ arguments: some Sequence<String>, options: Set<String>, flags: Set<String>) throws {
        var rest = Array(arguments.reversed())
        while let word = rest.popLast() {
            if word == "--" {
                words += rest.reversed()
                return
            } else if flags.contains(word) {
                self.flags.insert(word)
            } else if options.contains(word) {
                guard let value = rest.popLast() else { throw UsageError("\(word) needs a value") }
                guard values.updateValue(value, forKey: word) == nil else {
                    throw UsageError("\(word) stands there twice")
                }
            } else if word.hasPrefix("-"), word != "-" {
                throw UsageError("There is no option \(word)")
            } else {
                words.append(word)
            }
        }
    }

    /// The next word.
    ///
    /// - Throws: `UsageError`, which asks for `name`, if there is none.
    package mutating func word(_ name: String) throws -> String {
        guard !words.isEmpty else { throw UsageError("\(name) is missing") }
        return words.removeFirst()
    }

    /// Throws if words are left that nobody has asked for.
    package func finish() throws {
        if let word = words.first { throw UsageError("“\(word)” is too much; a name with spaces stands in quotes") }
    }

    /// The value of an option; nil where it does not stand there.
    package func value(of option: String) -> String? { values[option] }

    /// Whether the flag stands there.
    package func has(_ flag: String) -> Bool { flags.contains(flag) }
}

/// A command line that makes no sense.
package struct UsageError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// What went wrong, as one sentence for people.
package func sentence(for error: any Error) -> String {
    switch error {
    case let error as CocoaError:
        let path = error.userInfo["NSFilePath"] as? String ?? "the file"
        guard let reason = error.userInfo["NSUnderlyingError"] as? POSIXError else { return "\(path): \(error)" }
        return "\(path): \(String(cString: strerror(reason.code.rawValue)))"
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
        DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
        return context.debugDescription
    default: return "\(error)"
    }
}

/// Prints a line on the standard error.
package func complain(_ message: String) {
    var text = message + "\n"
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

/// Ends the program, with what went wrong on the standard error.
package func end(_ message: String, status: CInt) -> Never {
    complain(message)
    exit(status)
}
