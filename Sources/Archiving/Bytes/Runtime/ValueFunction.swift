/// A function of a value whose type is known only at run time.
///
/// The function is an instance of a class that has the type as a parameter, so that a call needs no type lookup, and passes the
/// value in place.
class ValueFunction<Owner: AnyObject, Record: AnyObject, Place: BitwiseCopyable, Result: BitwiseCopyable>:
    @unchecked Sendable
{
    /// The type of the values.
    private final let type: any Any.Type

    fileprivate init(_ type: any Any.Type) { self.type = type }

    /// Returns the result of the function for `value`. Traps if the value has another type.
    @inline(__always)
    final func callAsFunction<Value>(
        _ value: borrowing Value, _ owner: Owner, _ record: Record, _ place: Place
    ) throws -> Result {
        precondition(type == Value.self)
        // Safe because only `TypedValueFunction` is a subclass, and its type is its parameter.
        return try unsafe unsafeDowncast(self, to: TypedValueFunction<Value, Owner, Record, Place, Result>.self)
            .call(value, owner, record, place)
    }
}

/// A function of values of the type `Value`. Subclasses define it.
class TypedValueFunction<Value, Owner: AnyObject, Record: AnyObject, Place: BitwiseCopyable, Result: BitwiseCopyable>:
    ValueFunction<Owner, Record, Place, Result>, @unchecked Sendable
{
    init() { super.init(Value.self) }

    func call(_ value: Value, _ owner: Owner, _ record: Record, _ place: Place) throws -> Result {
        preconditionFailure("TypedValueFunction is abstract")
    }
}
