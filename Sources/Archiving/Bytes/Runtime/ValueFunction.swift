// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A function of a value whose type is known only at run time.
///
/// The function is an instance of a class that has the type as a parameter, so that a call needs no type lookup, and passes the
/// value in place. The other arguments and the result are references and numbers, which pass through registers.
class ValueFunction<Owner: AnyObject, Record: AnyObject>: @unchecked Sendable {
    private final let type: any Any.Type

    fileprivate init(_ type: any Any.Type) { self.type = type }

    /// Returns the result of the function for `value`. Traps if the value has another type.
    @inline(__always)
    final func callAsFunction<Value>(
        _ value: borrowing Value, _ owner: Owner, _ record: Record, _ place: UInt64
    ) throws -> UInt32 {
        precondition(type == Value.self)
        // Safe because only `TypedValueFunction` is a subclass, and its type is its parameter.
        return try unsafe unsafeDowncast(self, to: TypedValueFunction<Value, Owner, Record>.self)
            .call(value, owner, record, place)
    }
}

class TypedValueFunction<Value, Owner: AnyObject, Record: AnyObject>:
    ValueFunction<Owner, Record>, @unchecked Sendable
{
    init() { super.init(Value.self) }

    func call(_ value: Value, _ owner: Owner, _ record: Record, _ place: UInt64) throws -> UInt32 {
        preconditionFailure("TypedValueFunction is abstract")
    }
}

/// A function whose result has a type that is known only at run time.
///
/// As with `ValueFunction`, a call needs no type lookup, and the result gets its place from the caller.
class ResultFunction<Owner: AnyObject, Argument: BitwiseCopyable, Place: BitwiseCopyable>: @unchecked Sendable {
    private final let type: any Any.Type

    fileprivate init(_ type: any Any.Type) { self.type = type }

    @inline(__always)
    final func callAsFunction<Result>(
        as type: Result.Type, _ owner: Owner, _ argument: Argument, _ place: Place
    ) throws -> Result {
        precondition(self.type == type)
        // Safe because only `TypedResultFunction` is a subclass, and its type is its parameter.
        return try unsafe unsafeDowncast(self, to: TypedResultFunction<Result, Owner, Argument, Place>.self)
            .call(owner, argument, place)
    }
}

class TypedResultFunction<Result, Owner: AnyObject, Argument: BitwiseCopyable, Place: BitwiseCopyable>:
    ResultFunction<Owner, Argument, Place>, @unchecked Sendable
{
    init() { super.init(Result.self) }

    func call(_ owner: Owner, _ argument: Argument, _ place: Place) throws -> Result {
        preconditionFailure("TypedResultFunction is abstract")
    }
}
