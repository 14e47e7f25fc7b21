// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Ends the program with `sentence` after a misuse of the library.
///
/// `preconditionFailure` prints no message in an optimised build.
@inline(never)
package func misuse(_ sentence: @autoclosure () -> String) -> Never { fatalError(sentence()) }

@inline(__always)
package func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
    if !condition { misuse(sentence()) }
}
