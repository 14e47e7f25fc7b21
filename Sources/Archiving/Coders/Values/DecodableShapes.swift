// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A type for which archives have their own form. `init(from:)` is called only for archives with another form.
///
/// Array, Set, Dictionary and Optional conform if their elements are decodable.
protocol NativelyDecodable: SendableMetatype {
    associatedtype Decoded = Self

    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Decoded

    /// The reader of the values: the type itself, or another type.
    static var decodingForm: any NativelyDecodable.Type { get }
    /// The reader of arrays of the type in a specialised loop, if there is one.
    static var decodingFormOfArrays: (any NativelyDecodable.Type)? { get }
    /// Whether the values are numbers or strings, which hold no references.
    static var isLeaf: Bool { get }
    /// Returns whether `value` is an object of an unknown class, which is skipped if the registry says so.
    static func isUnknown(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Bool
}

/// A type of another product whose values a frame reads.
package protocol FrameDecodable: Decodable {
    static func decoded(_ value: ArchivedValue, in frame: DecodingFrame, at step: CodingPathStep) throws -> Self

    /// The class of Cocoa whose objects are decoded as the type if an allow-list has it; nil if there is none.
    static var cocoaClass: CocoaClass? { get }
}

/// A value whose contents an archive may decode later, when the program needs them.
package protocol DeferredDecodable: FrameDecodable {}

extension DecodingFrame {
    package func reading<Result>(
        _ value: ArchivedValue, at step: CodingPathStep, _ body: (DecodingFrame) throws -> Result
    ) throws -> Result {
        try with(nil, value, step, body)
    }
}

extension FrameDecodable {
    package static var cocoaClass: CocoaClass? { nil }

    fileprivate static var decodingForm: any NativelyDecodable.Type { FrameDecoding<Self>.self }
}

private enum FrameDecoding<Value: FrameDecodable>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        try Value.decoded(value, in: decoder, at: step)
    }
}

extension NativelyDecodable {
    static var decodingForm: any NativelyDecodable.Type { self }
    static var decodingFormOfArrays: (any NativelyDecodable.Type)? { nil }
    static var isLeaf: Bool { false }
    static func isUnknown(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) -> Bool { false }
}

extension NativeTypes {
    /// Returns the reader of the values of `type`, or nil if `init(from:)` reads them.
    static func decodable<Value: Decodable>(_ type: Value.Type) -> (any NativelyDecodable.Type)? {
        if let leaf = leaf(type) { return leaf.decodingForm }
        guard mayInclude(type) else { return nil }
        // All forms share one protocol, so that one cast is enough.
        if let native = type as? any NativelyDecodable.Type { return native.decodingForm }
        if let other = type as? any FrameDecodable.Type { return other.decodingForm }
        return unnamed(type)
    }
}

// MARK: - Arrays and sets

extension DecodingFrame {
    /// Returns the elements of `value`.
    ///
    /// They are stored in their final place: appending to an array of a generic element type costs a lookup each.
    fileprivate func elements<Element: Decodable>(
        of value: ArchivedValue, as type: Element.Type, at step: CodingPathStep
    ) throws -> [Element] {
        let usual = usualElements(of: value)
        // Many arrays are empty, and a decoder for each costs more than all other work for it.
        if usual?.count == 0 {
            try countFewElements(0, at: step)
            return []
        }
        // Before a decoder is taken: a program may try an array first.
        let elements = try usual ?? elements(of: value, at: step)
        let values: [Element] = try with(nil, value, step) { decoder in
            try decoder.countVisits(elements.count)
            guard elements.count > 0 else { return [] }
            let known = decoder.session.type(type)
            let contents = decoder.archive
            let skipsUnknownObjects = decoder.skipsUnknownObjects
            // The fields of instances are read after all elements.
            let isInFields = decoder.isInFields
            if known.fields != nil { decoder.isInFields = true }
            defer { decoder.isInFields = isInFields }
            if known.isClass { return Reinterpretation.instances(try decoder.instances(known, elements), of: type) }
            if elements.count > contents.capacity(for: Element.self) {
                return try decoder.appended(elements, as: type, known, skipping: skipsUnknownObjects)
            }
            return try [Element](filling: elements.count) { filling in
                let count = elements.count
                // Not over a range: generic code would look up the type of its iterator.
                var next = 0
                while next < count {
                    let position = next
                    next &+= 1
                    let step = CodingPathStep.index(position)
                    let value = try decoder.resolve(elements.reference(position, in: contents), at: step)
                    if skipsUnknownObjects, try decoder.isUnknown(known, value, at: step) { continue }
                    filling.append(try decoder.decode(type, known, from: value, at: step))
                }
            }
        }
        // Other elements have done so themselves.
        if session.unfilled.isIncomplete, !isInFields, session.type(type).fields != nil {
            try fillInstances()
        }
        return values
    }
}

extension DecodingFrame {
    /// Returns the instances of the class `known` in `value`; nil if it is empty.
    func instances(
        _ known: DecodingType, in value: ArchivedValue, at step: CodingPathStep
    ) throws -> [AnyObject]? {
        let usual = usualElements(of: value)
        if usual?.count == 0 {
            try countFewElements(0, at: step)
            return nil
        }
        let elements = try usual ?? elements(of: value, at: step)
        return try with(nil, value, step) { decoder in
            try decoder.countVisits(elements.count)
            return elements.count > 0 ? try decoder.instances(known, elements) : nil
        }
    }

    @inline(never)
    private func instances(_ known: DecodingType, _ elements: ArchivedElements) throws -> [AnyObject] {
        let skipsUnknownObjects = skipsUnknownObjects
        return try elements.instances(in: archive) { reference, index in
            let step = CodingPathStep.index(index)
            let value = try resolve(reference, at: step)
            if skipsUnknownObjects, try isUnknown(known, value, at: step) { return nil }
            return try decodeInstance(known, from: value, at: step)
        }
    }

    /// Returns the values of `elements` in a growing array. With a reserved array, an archive could request more memory
    /// than exists by many references to one value, and fail only later.
    @inline(never)
    private func appended<Element: Decodable>(
        _ elements: ArchivedElements, as type: Element.Type, _ known: DecodingType,
        skipping skipsUnknownObjects: Bool
    ) throws -> [Element] {
        var result: [Element] = []
        for position in 0..<elements.count {
            let step = CodingPathStep.index(position)
            let value = try resolve(elements.reference(position, in: archive), at: step)
            if skipsUnknownObjects, try isUnknown(known, value, at: step) { continue }
            result.append(try decode(type, known, from: value, at: step))
        }
        return result
    }

    /// Throws an error if `element`, which is about to be hashed, is a string that would take too long to hash.
    @inline(__always)
    func checkHashed<Element>(_ element: Element, at step: @autoclosure () -> CodingPathStep) throws {
        // Not `as?`, which looks up the type for each element.
        guard Element.self == String.self else { return }
        let text = Reinterpretation.same(element, as: String.self)
        if !HashedText.isSafe(text) { throw damaged(ArchiveContents.unsafeText(text), step()) }
    }
}

extension ArchiveContents {
    /// Returns the number of values of `type` for which an array is allocated at once.
    func capacity<Element>(for type: Element.Type) -> Int {
        proportional(1 << 20) / max(1, MemoryLayout<Element>.stride)
    }
}

extension Array: NativelyDecodable where Element: Decodable {
    static var decodingForm: any NativelyDecodable.Type { NativeTypes.leaf(Element.self)?.decodingFormOfArrays ?? self }

    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        try decoder.elements(of: value, as: Element.self, at: step)
    }
}

extension ContiguousArray: NativelyDecodable where Element: Decodable {
    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        Self(try decoder.elements(of: value, as: Element.self, at: step))
    }
}

extension Set: NativelyDecodable where Element: Decodable {
    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        let elements = try decoder.resolved(value, at: step) {
            try decoder.elements(of: value, as: Element.self, at: step)
        }
        // Each was counted once as an element.
        try decoder.countVisits((DecodingMeter.stepsPerEntry - 1) * elements.count)
        if Element.self == String.self {
            for position in elements.indices {
                try decoder.checkHashed(elements[position], at: .index(position))
            }
        }
        let set = Self(elements)
        if decoder.session.isIncomplete, Self.hashesInstances { decoder.checkLater(set, at: step) }
        return set
    }
}

// MARK: - Dictionaries

extension Dictionary: NativelyDecodable where Key: Decodable, Value: Decodable {
    static var decodingForm: any NativelyDecodable.Type {
        Key.self == String.self && Value.self == String.self ? StringDictionaryForm.self : self
    }

    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        guard let (keys, values) = try decoder.dictionary(value, at: step) else {
            // Fields of an object, or the alternating keys and values of other encoders.
            return try decoder.withDecoder(nil, value, step) { try Self(from: $0) }
        }
        return try decoder.with(nil, value, step) { decoder in
            try decoder.countVisits(DecodingMeter.stepsPerEntry * keys.count)
            let archive = decoder.archive
            let keyDecoding = DictionaryKeyDecoding<Key>(decoder)
            let valueType = decoder.session.type(Value.self)
            // Keys that hold references must be complete before they are hashed.
            let resolvedKeys: [Key] =
                keyDecoding.areLeaves
                ? []
                : try decoder.resolved(value, at: .root) {
                    try (0..<keys.count).map { index in
                        let stored = try decoder.key(keys.reference(index, in: archive), ofEntry: index)
                        // A key that decodes itself is where it encoded itself.
                        let step = keyDecoding.areConverted ? stored.step : .key(inEntry: index)
                        return try keyDecoding.key(stored.value, in: decoder, at: step)
                    }
                }
            var result = Self(
                minimumCapacity: Swift.min(keys.count, archive.capacity(for: Element.self)))
            for index in 0..<keys.count {
                let stored = try decoder.key(keys.reference(index, in: archive), ofEntry: index)
                let step = stored.valueStep
                let key =
                    try keyDecoding.areLeaves
                    ? keyDecoding.key(stored.value, in: decoder, at: stored.step) : resolvedKeys[index]
                try decoder.checkHashed(key, at: step)
                let value = try decoder.resolve(values.reference(index, in: archive), at: step)
                if try decoder.isSkipped(valueType, value, at: step) { continue }
                let replaced = result.updateValue(
                    try decoder.decode(Value.self, valueType, from: value, at: step), forKey: key)
                if replaced != nil, keyDecoding.areConverted { throw decoder.equalKeys(key, at: step) }
            }
            if !keyDecoding.areLeaves { decoder.checkLater(result, at: .root) }
            return result
        }
    }
}

extension DecodingFrame {
    /// Decodes `value` as `type`, a container that the caller converts to another one. It does not wait itself.
    func decodeWhole<Value: Decodable>(
        _ type: Value.Type, from value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        let known = session.type(type)
        guard case .native = known.kind else { return try decode(type, known, from: value, at: step) }
        return try known.nativeReading(as: type, self, value, step)
    }

    @inline(never)
    fileprivate func equalKeys<Key>(_ key: Key, at step: CodingPathStep) -> DecodingError {
        let (path, found) = (path(step), "both \(key) as \(type(of: key))")
        return DecodingError.invalid(path: path) { _ in
            "Found two keys of the dictionary at \(Array(path.dropLast()).pathDescription) that are \(found). Decode the keys"
                + " as String, or as the type that encoded them"
        }
    }
}

// MARK: - Optionals

extension Optional: NativelyDecodable where Wrapped: Decodable {
    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        if decoder.isNil(value) { return nil }
        let known = decoder.session.type(Wrapped.self)
        if try decoder.isSkipped(known, value, at: step) { return nil }
        return try decoder.decode(Wrapped.self, known, from: value, at: step)
    }
}
