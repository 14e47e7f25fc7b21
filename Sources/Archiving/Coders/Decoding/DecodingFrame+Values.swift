// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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

    /// Returns whether `value` is nil, or the NSNull that represents nil in Foundation's containers.
    @inline(__always)
    func isNil(_ value: ArchivedValue) -> Bool {
        if value.isNull { return true }
        guard value.node.kind == .dictionary, value.node.count == 1 else { return false }
        return archive.isNil(value)
    }
}

// MARK: - Objects that represent values

extension DecodingFrame {
    /// Returns the result of `read`, an expression that reads the archive, with its error converted to a
    /// `DecodingError`.
    @inline(__always)
    func undamaged<Result>(
        _ read: @autoclosure () throws(KeyedArchiveError) -> Result, at step: @autoclosure () -> CodingPathStep
    ) throws -> Result {
        do throws(KeyedArchiveError) { return try read() } catch { throw damaged(error, step()) }
    }

    /// The same for several steps.
    @inline(__always)
    func contents<Result>(
        at step: @autoclosure () -> CodingPathStep,
        _ read: (ArchiveContents) throws(KeyedArchiveError) -> Result
    ) throws -> Result {
        try undamaged(read(archive), at: step())
    }

    /// Calls `body` to read an object of another class than the one for `type`, in the form of other encoders.
    func otherForm<Result>(
        of type: any Any.Type, _ value: ArchivedValue, at step: CodingPathStep,
        _ body: (ProgramDecoder) throws -> Result
    ) throws -> Result {
        guard value.node.kind == .dictionary else {
            throw mismatch(type, value, step)
        }
        return try withDecoder(nil, value, step, body)
    }

    @inline(never)
    func mismatch(_ type: any Any.Type, _ value: ArchivedValue, _ step: CodingPathStep) -> DecodingError {
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

// MARK: - Objects and containers

/// Decodes objects and containers.
extension DecodingFrame {
    /// Finds the fields of this decoder's value, for keyed containers.
    func loadFields() throws {
        guard fields.count < 0 else { return noteOtherContainer() }
        if !archive.list.isPresent { session.noteLoadedFile() }
        guard value.node.kind == .dictionary else {
            throw mismatch([String: Any].self, value, .root)
        }
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
    func dictionary(_ value: ArchivedValue, at step: CodingPathStep) throws -> (
        keys: ArchivedElements, values: ArchivedElements
    )? {
        try undamaged(archive.dictionary(value), at: step)
    }

    /// Returns the elements of an array, a set, an object with `NS.objects`, or an object of a foreign coder
    /// (`NS.object.0` …).
    func elements(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedElements {
        let elements = try undamaged(archive.elements(of: value), at: step)
        guard let elements else {
            throw mismatch([Any].self, value, step)
        }
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
