/// A value that is read in place.
///
/// A method call on the target of a pointer copies the target first, in case the method changes the original. The copy
/// counts references. Swift does not copy a noncopyable type.
struct Borrowed<Value>: ~Copyable {
    let value: Value
}
