/// What classes have from the first of their superclasses for which anything is known, found out once for each class.
///
/// Classes may have a thousand superclasses each, which they share: to go through them for each class again would take a
/// thousand times as long as its bytes.
struct SequentialClassTable<Value> {
    /// By the position of a class; nil where that has been looked for in vain.
    private var known: [Int: Value?] = [:]

    /// The value of the class at the position `start` in `classes`: what `own` gives for it, or for the first class above it
    /// for which it gives anything.
    mutating func value(for start: Int, in classes: [TypedStream.Class], own: (Int) -> Value?) -> Value? {
        var passed: [Int] = []
        var found: Value?
        var next: Int? = start
        while let index = next {
            if let value = known[index] {
                found = value
                break
            }
            passed.append(index)
            found = own(index)
            next = found == nil ? classes[index].superclassIndex : nil
        }
        for index in passed { known[index] = .some(found) }
        return found
    }
}
