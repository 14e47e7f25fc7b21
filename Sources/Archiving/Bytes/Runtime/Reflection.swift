// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The runtime's description of the stored properties of a type: the functions that `Mirror` uses.
enum Reflection {
    struct Field {
        let name: String
        let type: any Any.Type
        /// The offset from the start of a value, or from the address of an instance, in bytes.
        let offset: Int
        /// Whether it is neither weak nor unowned.
        let isStrong: Bool
    }

    /// The stored properties of `type`. Those of its superclasses come first.
    static func fields(of type: any Any.Type) -> [Field] {
        (0..<max(0, recursiveFieldCount(type))).map { index in
            var description = FieldDescription()
            // Safe because the index is less than the count, and the runtime only fills in the description.
            let fieldType = unsafe recursiveFieldType(type, index: index, fieldMetadata: &description)
            // Safe because the name is a C string until it is released.
            let name = unsafe description.name.map { unsafe String(cString: $0) } ?? ""
            unsafe description.release?(description.name)
            return Field(
                name: name, type: fieldType, offset: recursiveFieldOffset(type, index: index),
                isStrong: description.isStrong)
        }
    }

    /// The number of stored properties of `type` and its superclasses.
    static func fieldCount(of type: any Any.Type) -> Int { recursiveFieldCount(type) }

    /// The number of the kind of `type`, from `MetadataKind.def` of the Swift project.
    static func kind(of type: any Any.Type) -> Int { Int(bitPattern: metadataKind(type)) }

    /// The size of values of `type` in bytes.
    static func byteCount(of type: any Any.Type) -> Int {
        func byteCount<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
        return _openExistential(type, do: byteCount)
    }

    /// Returns whether values of `type` are one reference to an object, according to the description: the type is a class,
    /// or a struct whose only stored property is such a reference.
    static func isReference(_ type: any Any.Type) -> Bool {
        var type = type
        while byteCount(of: type) == MemoryLayout<Int>.size {
            if type is AnyClass || "\(type)" == "Builtin.BridgeObject" || "\(type)" == "BridgeObject" { return true }
            let fields = fields(of: type)
            guard fields.count == 1, fields[0].offset == 0, fields[0].isStrong else { return false }
            type = fields[0].type
        }
        return false
    }

    /// The name of the case `key`, if its type is an enumeration: the name of the property for a synthesised key, whose
    /// string may differ.
    static func caseName(of key: some CodingKey) -> String? {
        guard Mirror(reflecting: key).displayStyle == .enum else { return nil }
        // Safe because the name is a C string in the description of the type, which lives as long as the process.
        return unsafe enumCaseName(key).map { unsafe String(cString: $0) }
    }
}

/// The description of a stored property, which the runtime fills in.
@safe private struct FieldDescription {
    var name: UnsafePointer<CChar>?
    var release: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveFieldCount(_: any Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func recursiveFieldType(
    _: any Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<FieldDescription>
) -> any Any.Type

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func recursiveFieldOffset(_: any Any.Type, index: Int) -> Int

@_silgen_name("swift_getMetadataKind")
private func metadataKind(_: any Any.Type) -> UInt

@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
