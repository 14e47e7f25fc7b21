/// Ends the program, which has used the library in a way that it does not allow, and says `sentence`.
///
/// `preconditionFailure` says nothing in an optimised build.
@inline(never)
package func misuse(_ sentence: @autoclosure () -> String) -> Never { fatalError(sentence()) }

/// Ends the program and says `sentence` if it has not met `condition`.
@inline(__always)
package func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
    if !condition { misuse(sentence()) }
}
