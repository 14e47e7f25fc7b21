// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An error of a coder.
protocol CoderError: Error {
    init(_ failure: ReadingFailure)

    /// Whether it says that a limit was exceeded.
    var isLimit: Bool { get }
    /// The error that it passes through the initializers of the program, if any.
    var carriedError: (any Error)? { get }
}
