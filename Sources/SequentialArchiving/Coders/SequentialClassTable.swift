/// A value for each class, inherited from the nearest superclass that has one. Each class is looked up once.
///
/// A class can have a thousand superclasses, which many classes can share. Without this table, a visit of all superclasses per
/// class would take a thousand times as long as reading the file.
struct SequentialClassTable<Value> {
    /// The values by the position of the class; nil for a class without a value.
    private var known: [Int: Value?] = [:]

    /// Returns the value of the class at the position `start` in `classes`: the result of `own` for it, or for the nearest
    /// superclass for which `own` does not return nil.
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
