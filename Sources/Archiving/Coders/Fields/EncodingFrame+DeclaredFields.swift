// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The functions that the declared fields of a type call to write their values. Each returns the reference to the value, or 0 to
// omit the field.

// MARK: - Numbers and strings

extension EncodingFrame {
    @usableFromInline
    func field(string value: String) -> UInt32 { graph.string(value) }

    @usableFromInline
    func field(integer value: Int) -> UInt32 { graph.integer(value, inline: true) }

    @usableFromInline
    func field(real value: Double) -> UInt32 { graph.real(value, inline: true) }

    @usableFromInline
    func field(boolean value: Bool) -> UInt32 { graph.boolean(value, inline: true) }

    @usableFromInline
    func field(ifPresent value: String?) -> UInt32 { value.map { graph.string($0) } ?? 0 }

    @usableFromInline
    func field(ifPresent value: Int?) -> UInt32 {
        value.map { graph.integer($0, inline: true) } ?? 0
    }
}

// MARK: - Other values

extension EncodingFrame {
    /// Encodes a value of any type.
    @usableFromInline
    func field<Value: Encodable>(_ value: Value) throws -> UInt32 {
        try reference(to: value, type: session.type(Value.self), at: fieldStep, inline: true)
    }

    /// Encodes a value of any type, which is omitted if it is nil.
    @usableFromInline
    func field<Value: Encodable>(ifPresent value: Value?) throws -> UInt32 {
        guard let value else { return 0 }
        return try field(value)
    }
}

// MARK: - Class instances

extension EncodingFrame {
    @usableFromInline
    func field<Object: AnyObject & Encodable>(instance object: Object) throws -> UInt32 {
        if let known = session.instances.uid(of: object) { return known }
        return try newInstance(object, session.type(Object.self))
    }

    @usableFromInline
    func field<Object: AnyObject & Encodable>(instanceIfPresent object: Object?) throws -> UInt32 {
        guard let object else { return 0 }
        return try field(instance: object)
    }

    @usableFromInline
    func field<Object: AnyObject & Encodable>(conditional object: Object?) throws -> UInt32 {
        guard let object else { return 0 }
        session.extras.updated?.pin(object)
        return try session.instances.uid(of: object) ?? conditionalReference(to: object, at: fieldStep)
    }

    @usableFromInline
    func field<Object: AnyObject & Encodable>(instances objects: [Object]) throws -> UInt32 {
        if objects.count == 0 { return graph.emptyArray() }
        return try array(of: Reinterpretation.objects(objects), session.type(Object.self))
    }

    /// Returns the reference to `object`, which has no uid.
    ///
    /// - Parameter type: The record of its static type.
    @inline(never)
    private func newInstance(_ object: AnyObject, _ type: EncodingType) throws -> UInt32 {
        try newReference(to: object, type) { pathIndex(fieldStep) }
    }

    /// Returns the reference to `object`, which has no uid.
    @inline(__always)
    private func newReference(
        to object: AnyObject, _ type: EncodingType, path: () -> CodingPathTable.Index
    ) throws -> UInt32 {
        let own: AnyClass = Swift.type(of: object)
        guard type.kind == .instance, own == type.type else {
            return try reference(to: object, ofClass: type, path: path)
        }
        return session.newInstance(object, writer: type.writerNumber, path: path())
    }

    /// Returns the reference to an array of instances.
    private func array(of objects: [AnyObject], _ type: EncodingType) throws -> UInt32 {
        let slot = graph.reserveSlot()
        let start = graph.collected.count
        defer { graph.collected.truncate(to: start) }
        let (elements, session) = (graph.collected, session)
        elements.reserve(objects.count)
        var path: CodingPathTable.Index?
        try session.countCollection(objects.count)
        try objects.withSpan { objects in
            try objects.forEachInPlace { object, index in
                try session.countElement(at: index)
                if let known = session.instances.uid(of: object) { return elements.append(known) }
                let arrayPath = path ?? pathIndex(fieldStep)
                path = arrayPath
                elements.append(try newReference(to: object, type) { session.path(.index(index), in: arrayPath) })
            }
        }
        graph.fill(slot, array: elements.suffix(from: start))
        return slot.uid
    }
}
