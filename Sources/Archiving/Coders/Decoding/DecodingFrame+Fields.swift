// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Fields

extension DecodingFrame {
    /// Returns the next field, if its key is the object `reference`. Fields are usually requested in the order of the
    /// file.
    @inline(__always)
    func nextField(ifKey reference: Int) -> Int? {
        let position = fields.next
        guard position < fields.count,
            archive.list.reference(position, in: fields.keys) == reference
        else { return nil }
        fields.next = position &+ 1
        return position
    }

    /// Returns the position of the field of `key`, or nil if it is absent. The entry at `place` remembers the key's
    /// reference.
    @inline(never)
    func field(_ key: some CodingKey, _ place: Int?) throws -> Int? {
        try field(named: key.stringValue, place)
    }

    /// Returns the same as `field(_:_:)` for a key that the compiler synthesised for a class with the macro
    /// `@Observable`.
    @inline(never)
    func observedField(_ key: some CodingKey, _ place: Int) throws -> Int? {
        let name = key.stringValue
        guard let plainName = ObservedKeys.plainName(of: key, name) else { return try field(named: name, place) }
        // Archives of other programs and of old versions of this library have the name with an underscore.
        return try field(named: plainName, place) ?? field(named: name, nil)
    }

    @inline(__always)
    private func field(named name: String, _ place: Int?) throws -> Int? {
        guard let place else {
            var key = RequestedKey()
            return try field(named: name, &key)
        }
        var key = keys[place]
        let number = key.number
        // Dictionaries have keys that are not mangled, and so other names.
        if fields.isDictionary { key.number = 0 }
        defer {
            if fields.isDictionary { key.number = number }
            keys[place] = key
        }
        return try field(named: name, &key)
    }

    /// Returns the position of the field for the program's key `name`, or nil if it is absent.
    ///
    /// - Parameter key: The facts about the key, which are completed.
    @inline(never)
    func field(named name: String, _ key: inout RequestedKey) throws -> Int? {
        let name = fields.isDictionary ? name : KeyMangling.archivedKey(name)
        do throws(KeyedArchiveError) {
            return try position(of: name, &key)
        } catch {
            throw damaged(error, .root)
        }
    }

    /// Returns the position of the field `name`, as the archive has it, or nil if it is absent. The next field is expected after it.
    @inline(__always)
    private func position(of name: String, _ key: inout RequestedKey) throws(KeyedArchiveError) -> Int? {
        // Examined outside of the property, so that accesses to it need no exclusivity check.
        var fields = fields
        var position = try fields.next(ifNamed: name, in: archive)
        if position == nil {
            position = try fields.position(of: name, &key.number, in: session)
            self.fields = fields
        }
        guard let position else { return nil }
        // Another object may have both keys of which this is one only by Unicode's rules.
        if !session.keys.names.hasEqualKeys || fields.isExact(name, at: position, in: session) {
            key.referencePlusOne = archive.list.reference(position, in: fields.keys) &+ 1
        }
        if position != fields.next { beginRun(at: position) }
        self.fields.next = position &+ 1
        return position
    }

    /// Returns the position of the next field without a key of the program, `$0` and so on, and its name. The position is nil if all
    /// of them were found.
    func nextUnkeyedField() throws -> (name: String, position: Int?) {
        let name = "$\(fields.unkeyedCount)"
        var key = RequestedKey()
        do throws(KeyedArchiveError) {
            let position = try position(of: name, &key)
            if position != nil { fields.unkeyedCount += 1 }
            return (name, position)
        } catch {
            throw damaged(error, .root)
        }
    }

    func fieldValue(_ position: Int) throws -> ArchivedValue {
        try resolve(archive.list.reference(position, in: fields.values), at: step(position))
    }

    /// Returns the same as `fieldValue(_:)` without loading the bytes of long data and strings, for a field that may be
    /// read later.
    @inline(never)
    func fieldValueWithoutLongContents(_ position: Int) throws -> ArchivedValue {
        let reference = archive.list.reference(position, in: fields.values)
        return try undamaged(archive.valueWithoutLongContents(reference), at: step(position))
    }

    /// Returns the number in the field at `position` if it has the usual form.
    @inline(__always)
    func leaf<Leaf: DecodableLeaf>(_ position: Int) -> Leaf? {
        let archive = archive
        let reference = archive.list.reference(position, in: fields.values)
        return archive.leafOffset(reference).flatMap { Leaf.leaf(at: $0, in: archive) }
    }

    @inline(__always)
    func step(_ position: Int) -> CodingPathStep {
        let key = UInt32(truncatingIfNeeded: archive.list.reference(position, in: fields.keys))
        return fields.isDictionary ? .dictionaryKey(key) : .key(key)
    }

    /// Returns the step to the field at `position` for `key`, which is not indexed.
    @inline(never)
    func step(_ key: some CodingKey, _ position: Int) -> CodingPathStep {
        key.intValue == nil ? step(position) : session.step(to: key)
    }

    /// Returns the key `reference` of the entry at `position` of a dictionary, and the steps to the key and to its value.
    @inline(__always)
    func key(
        _ reference: Int, ofEntry position: Int
    ) throws -> (value: ArchivedValue, step: CodingPathStep, valueStep: CodingPathStep) {
        let key = try resolve(reference, at: .key(inEntry: position))
        guard key.node.kind.isName, !key.isNull else {
            return (key, .key(inEntry: position), .value(inEntry: position))
        }
        let step = CodingPathStep.dictionaryKey(UInt32(truncatingIfNeeded: reference))
        return (key, step, step)
    }

    func keyNames() -> [String] { fields.keyNames(in: archive) }

    @inline(never)
    func notFound(_ key: some CodingKey) -> DecodingError {
        noteFailedRequest()
        let present = fields.firstKeyNames(in: archive)
        return DecodingError(.keyNotFound(key.stringValue, present: present, path: path()), key: key)
    }

    /// Returns the root object of the archive. Called on the decoder of `$top`.
    func root() throws -> ArchivedValue {
        let contents = archive
        let top = contents.top
        // Fast path: usually the root is the only entry. The search below reports unreadable entries.
        if top.count == 1,
            (try? contents.isASCII(
                contents.list.reference(0, in: top.payload), KeyedArchiveFormat.rootKey)) == true
        {
            return try resolve(contents.list.reference(1, in: top.payload), at: .root)
        }
        return try searchedRoot()
    }

    @inline(never)
    private func searchedRoot() throws -> ArchivedValue {
        try loadFields()
        guard let position = try field(ArchiveKey(stringValue: KeyedArchiveFormat.rootKey), nil) else {
            throw DecodingError(
                .missingRoot(fields, in: archive), key: ArchiveKey(stringValue: KeyedArchiveFormat.rootKey))
        }
        return try resolve(archive.list.reference(position, in: fields.values), at: .root)
    }

    /// Returns a decoder for the superclass's part for `key`. An absent part is nil.
    ///
    /// - Parameter step: The step to the part, if it is known without a search.
    func superDecoder(forKey key: some CodingKey, at step: CodingPathStep?) throws -> ProgramDecoder {
        guard let position = try field(key, nil) else {
            return try superDecoder(for: .null, at: step ?? session.step(to: key))
        }
        return try superDecoder(for: fieldValue(position), at: step ?? self.step(key, position))
    }
}

// MARK: - Objects and containers

extension DecodingFrame {
    func loadFields() throws {
        guard fields.count < 0 else { return noteOtherContainer() }
        if !archive.list.isPresent { session.noteLoadedFile() }
        guard value.node.kind == .dictionary else { throw mismatch([String: Any].self, value, .root) }
        let node = value.node
        // An object of a class with fields may have encoded elements instead. It has no other contents then.
        if form != .fields || node.count <= 2, !hasPlainKey(node) {
            let isLoaded = try session.request {
                switch try undamaged(loadEntries(), at: .root) {
                case .elements, .value: throw mismatch([String: Any].self, value, .root)
                case .dictionary: true
                case .fields: false
                }
            }
            if isLoaded { return }
        }
        openFields()
    }

    /// Returns whether the first key of the object `node` is known to belong to an object with fields.
    @inline(__always)
    private func hasPlainKey(_ node: Node) -> Bool {
        guard node.count > 0, let type = ownType else { return false }
        return archive.list.reference(0, in: node.payload) == type.plainKey
    }

    /// Finds the entries for keyed containers if this decoder's value is an NSDictionary. Returns the kind of its
    /// class: `fields` if the type of the value has the name of a class of Cocoa.
    @inline(never)
    private func loadEntries() throws(KeyedArchiveError) -> ArchiveContents.ClassKind {
        let archive = archive
        guard try archive.mayBeCocoa(value.node) else {
            let key = archive.list.reference(0, in: value.node.payload)
            // A `$class` can be followed by any key, so a key of the format proves nothing.
            if try !archive.isFormatKey(key) { ownType?.plainKey = key }
            return .fields
        }
        if try archive.hasOnlyElements(value.node) { return .elements }
        guard let uid = try archive.classUID(of: value.node), uid != ownType?.plainClassUID else {
            return .fields
        }
        let kind = try archive.classKind(uid)
        switch kind {
        case .elements: break
        case .value:
            guard try isNamed(archive.className(uid)) else { break }
            ownType?.plainClassUID = uid
            return .fields
        case .dictionary:
            guard let entries = try archive.dictionaryEntries(of: value.node, uid: value.uid) else { return .fields }
            fields = ObjectFields(
                keys: entries.keys.payload, values: entries.values.payload, count: entries.keys.count,
                isDictionary: true)
        case .fields: ownType?.plainClassUID = uid
        }
        return kind
    }

    private func isNamed(_ name: String) -> Bool {
        ownType.map { session.settings.classes.isName(name, of: $0.type) } ?? false
    }

    /// Returns the keys and values of a dictionary in any of its forms: an NSDictionary, or one of a foreign coder
    /// (`NS.key.0`, `NS.object.0` …). Returns nil if `value` is not a dictionary.
    package func dictionary(_ value: ArchivedValue, at step: CodingPathStep) throws -> (
        keys: ArchivedElements, values: ArchivedElements
    )? {
        try undamaged(archive.dictionary(value), at: step)
    }

    /// Returns the elements of an array, a set, an object with `NS.objects`, or an object of a foreign coder
    /// (`NS.object.0` …).
    func elements(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedElements {
        let elements = try undamaged(archive.elements(of: value), at: step)
        guard let elements else { throw mismatch([Any].self, value, step) }
        return elements
    }

    /// Returns the single value of a class, `$0`. Any other value is its own single value.
    @inline(__always)
    func singleValue(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedValue {
        guard isObject, value.node.kind == .dictionary else { return value }
        return try singleValueOfObject(value, at: step)
    }

    @inline(never)
    func singleValueOfObject(_ value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedValue {
        guard value.node.count <= 2 else { return value }
        return try undamaged(archive.value(of: "$0", in: value.node) ?? value, at: step)
    }
}

// MARK: - Leaves

/// Decodes scalars and strings.
///
/// `NumberConversion` defines the conversions between number types. A Bool is never a number.
extension DecodingFrame {
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(
        _ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep
    ) throws -> Integer {
        do throws(ValueFailure) { return try archive.requiredInteger(value) } catch { throw unread(error, step()) }
    }

    @inline(__always)
    func double(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Double {
        if value.node.kind == .real64 { return archive.list.real64(value.node) }
        do throws(ValueFailure) { return try archive.requiredReal(value) } catch { throw unread(error, step()) }
    }

    @inline(__always)
    func float(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Float {
        if value.node.kind == .real32 { return archive.list.real32(value.node) }
        do throws(ValueFailure) { return try archive.requiredReal(value) } catch { throw unread(error, step()) }
    }

    func boolean(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> Bool {
        do throws(ValueFailure) { return try archive.requiredBool(value) } catch { throw unread(error, step()) }
    }

    @inline(__always)
    func string(_ value: ArchivedValue, at step: @autoclosure () -> CodingPathStep) throws -> String {
        do throws(ValueFailure) { return try archive.requiredText(value) } catch { throw unread(error, step()) }
    }

    /// Returns a Boolean value, which Cocoa's archives also have as an integer.
    func cocoaBoolean(_ value: ArchivedValue, at step: CodingPathStep) throws -> Bool {
        try found(at: step) { archive throws(ValueFailure) in
            let number = try archive.requiredNumber(value)
            guard number.node.kind == .integer else { return try archive.requiredBool(number) }
            let integer: Int128 = try archive.requiredInteger(number)
            guard integer == 0 || integer == 1 else { throw .mismatch(Bool.self, number) }
            return integer == 1
        }
    }

    func rawBytes(_ value: ArchivedValue, as type: any Any.Type, at step: CodingPathStep) throws -> StoredBytes {
        try found(at: step) { archive throws(ValueFailure) in try archive.required(type, value, archive.data(value)) }
    }

    func date(_ value: ArchivedValue, at step: CodingPathStep) throws -> Date {
        try found(at: step) { archive throws(ValueFailure) in
            Date(timeIntervalSinceReferenceDate: try archive.required(Date.self, value, archive.date(value)))
        }
    }

    func numbers(_ value: ArchivedValue, of kind: Geometry.Kind, at step: CodingPathStep) throws -> [Double] {
        if let numbers = try undamaged(archive.numbers(value, of: kind), at: step) { return numbers }
        let found = archive.describe(value)
        throw ArchivingError(.typeMismatch, path: path(step)) {
            "Found \(found) at \($0), where a \(kind) is expected: \(kind.count) numbers in braces"
        }
    }

    @inline(__always)
    func isNil(_ value: ArchivedValue) -> Bool { archive.isNil(value) }
}

// MARK: - Objects that represent values

extension DecodingFrame {
    /// Returns the result of `read`, an expression that reads the archive, with its error converted to a
    /// `DecodingError`.
    @inline(__always)
    package func undamaged<Result>(
        _ read: @autoclosure () throws(KeyedArchiveError) -> Result, at step: @autoclosure () -> CodingPathStep
    ) throws -> Result {
        do throws(KeyedArchiveError) { return try read() } catch { throw damaged(error, step()) }
    }

    @inline(__always)
    package func contents<Result>(
        at step: @autoclosure () -> CodingPathStep, _ read: (ArchiveContents) throws(KeyedArchiveError) -> Result
    ) throws -> Result {
        try undamaged(read(archive), at: step())
    }

    /// Returns the result of `read`, with its failure as the error of a value.
    @inline(__always)
    func found<Result>(
        at step: CodingPathStep, _ read: (ArchiveContents) throws(ValueFailure) -> Result
    ) throws -> Result {
        do throws(ValueFailure) { return try read(archive) } catch { throw unread(error, step) }
    }

    /// Calls `body` to read an object of another class than the one for `type`, in the form of other encoders.
    func otherForm<Result>(
        of type: any Any.Type, _ value: ArchivedValue, at step: CodingPathStep,
        _ body: (ProgramDecoder) throws -> Result
    ) throws -> Result {
        guard value.node.kind == .dictionary else { throw mismatch(type, value, step) }
        return try withDecoder(nil, value, step, body)
    }

    @inline(never)
    package func mismatch(_ type: any Any.Type, _ value: ArchivedValue, _ step: CodingPathStep) -> DecodingError {
        unread(.mismatch(type, value), step)
    }

    /// Returns the error of a value that cannot be decoded as requested. Functions that create errors are out of line:
    /// inlined, they would enlarge the stack frames of nested decoding.
    @inline(never)
    func unread(_ failure: ValueFailure, _ step: CodingPathStep) -> DecodingError {
        forgetRequest(at: step)
        return DecodingError(.value(failure, in: session, path: path(step)))
    }
}
