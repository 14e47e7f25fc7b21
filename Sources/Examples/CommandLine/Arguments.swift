// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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

/// The arguments of a command line: positional words, and options with their values.
package struct Arguments {
    /// The positional words that have not been read yet.
    package private(set) var words: [String] = []
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    /// Parses the arguments. Words after `--` are positional.
    ///
    /// - Throws: `UsageError` if an option is unknown, lacks its value or occurs twice.
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
                    throw UsageError("\(word) is given twice")
                }
            } else if word.hasPrefix("-"), word != "-" {
                throw UsageError("There is no option \(word)")
            } else {
                words.append(word)
            }
        }
    }

    /// Returns the next word.
    ///
    /// - Throws: `UsageError` with `name`, if there is none.
    package mutating func word(_ name: String) throws -> String {
        guard !words.isEmpty else { throw UsageError("\(name) is missing") }
        return words.removeFirst()
    }

    /// Throws if there are unread words.
    package func finish() throws {
        if let word = words.first { throw UsageError("“\(word)” is unexpected; put a name with spaces in quotes") }
    }

    /// Returns the value of an option; nil if it is absent.
    package func value(of option: String) -> String? { values[option] }

    /// Returns whether the flag is present.
    package func has(_ flag: String) -> Bool { flags.contains(flag) }
}

/// An error in the command line.
package struct UsageError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Describes an error in one sentence.
package func sentence(for error: any Error) -> String {
    switch error {
    case let error as CocoaError:
        let path = error.userInfo["NSFilePath"] as? String ?? "the file"
        guard let reason = error.userInfo["NSUnderlyingError"] as? POSIXError else { return "\(path): \(error)" }
        return "\(path): \(String(cString: strerror(reason.code.rawValue)))"
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
        DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
        return context.underlyingError.map { "\($0)" } ?? context.debugDescription
    default: return "\(error)"
    }
}

/// Prints a line to standard error.
package func complain(_ message: String) {
    var text = message + "\n"
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

/// Prints a message to standard error and ends the program.
package func end(_ message: String, status: CInt) -> Never {
    complain(message)
    exit(status)
}
