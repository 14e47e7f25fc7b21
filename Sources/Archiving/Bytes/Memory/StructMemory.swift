/// The memory of a struct whose fields are numbers of one type.
enum StructMemory {
    /// Returns whether values of `type` can be `count` numbers. On 32-bit platforms those of geometry are not Doubles.
    static func holds<Number: BitwiseCopyable, Value>(_ count: Int, _: Number.Type, in type: Value.Type) -> Bool {
        MemoryLayout<Value>.size == count * MemoryLayout<Number>.size
            && MemoryLayout<Value>.alignment == MemoryLayout<Number>.alignment && _isPOD(type)
    }

    /// Returns the `count` numbers of `value`, whose type `holds` accepts.
    static func numbers<Number: BitwiseCopyable, Value>(_ count: Int, of type: Number.Type, in value: Value) -> [Number]
    {
        precondition(holds(count, type, in: Value.self))
        // Safe because the value has the size and the alignment of the numbers, and no references.
        return unsafe withUnsafeBytes(of: value) { unsafe Array($0.bindMemory(to: type)) }
    }

    /// Returns the struct of the type `Value` that consists of `numbers`.
    static func value<Number: BitwiseCopyable, Value>(of numbers: [Number], as type: Value.Type = Value.self) -> Value {
        Reinterpretation.structure(of: numbers, as: type)
    }
}
