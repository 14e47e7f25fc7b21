// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Finding fields

extension KeyedUnarchiver {
    /// Returns the position of the field for the key `name`, or of the next value without a key if `name` is nil; nil if there is
    /// none. The next field is expected after it.
    @inline(__always)
    func position(of name: String?) throws -> Int? {
        checkOpen()
        guard let name else { return try frame.nextUnkeyedField().position }
        guard let position = nextPosition(ifNamed: name) else { return try findPosition(of: name) }
        frame.fields.next = position &+ 1
        return position
    }

    /// Returns the position of the next field, if its key is known to be `name`. Fields are usually requested in the file's order.
    @inline(__always)
    func nextPosition(ifNamed name: String) -> Int? {
        guard let key = keys.value(of: name) else { return nil }
        // One short access to the frame, which then needs no reference to it.
        let (next, count, start) = (frame.fields.next, frame.fields.count, frame.fields.keys)
        guard next < count, archive.list.reference(next, in: start) == key.referencePlusOne &- 1 else { return nil }
        return next
    }

    @inline(__always)
    func reference(at position: Int) -> Int {
        let start = frame.fields.values
        return archive.list.reference(position, in: start)
    }

    @inline(never)
    private func findPosition(of name: String) throws -> Int? {
        let known = keys.value(of: name) ?? RequestedKey()
        var key = known
        let position = try frame.field(named: name, &key)
        if key != known { keys.set(key, for: name) }
        return position
    }

    /// Returns the value for the key `name`, or the next one without a key, and its step; nil if there is none.
    func found(_ name: String?) throws -> (value: ArchivedValue, step: CodingPathStep)? {
        guard let position = try position(of: name) else { return nil }
        return (try frame.fieldValue(position), frame.step(position))
    }

    func present(_ name: String?) throws -> (value: ArchivedValue, step: CodingPathStep)? {
        guard let found = try found(name), !found.value.isNull else { return nil }
        return found
    }

    func required(_ name: String?) throws -> (value: ArchivedValue, step: CodingPathStep) {
        guard let found = try found(name) else { throw notFound(name) }
        return found
    }

    @inline(__always)
    func readRequired<Result>(
        _ name: String?, _ read: (DecodingFrame, ArchivedValue, CodingPathStep) throws -> Result
    ) throws -> Result {
        try perform {
            let (value, step) = try required(name)
            return try read($0, value, step)
        }
    }

    @inline(__always)
    func readIfPresent<Result>(
        _ name: String?, _ read: (DecodingFrame, ArchivedValue, CodingPathStep) throws -> Result?
    ) throws -> Result? {
        try perform {
            guard let (value, step) = try present(name) else { return nil }
            return try read($0, value, step)
        }
    }

    /// Throws if there is no value for the key `name`, or no next one without a key if `name` is nil. The value is not requested.
    func requireField(_ name: String?) throws {
        let count = frame.fields.unkeyedCount
        try ArchivingError.converting { guard try position(of: name) != nil else { throw notFound(name) } }
        frame.fields.unkeyedCount = count
    }

    @inline(never)
    private func notFound(_ name: String?) -> ArchivingError {
        let frame = frame
        frame.noteFailedRequest()
        let (name, path) = (name ?? "$\(frame.fields.unkeyedCount)", frame.path())
        guard name == KeyedArchiveFormat.rootKey, path.isEmpty else {
            return .keyNotFound(name, present: frame.fields.firstKeyNames(in: frame.archive), path: path)
        }
        return .missingRoot(frame.fields, in: frame.archive)
    }
}

// MARK: - Leaves

extension KeyedUnarchiver {
    /// Decodes the leaf for the key `name`, or the next value without a key if `name` is nil.
    ///
    /// - Parameters:
    ///   - usual: Returns the leaf at an offset if it has its usual form.
    ///   - read: Returns the leaf of a value in any form.
    @inline(__always)
    func decodeLeaf<Leaf>(
        _ name: String?, usual: (Int, ArchiveContents) -> Leaf? = { _, _ in nil },
        _ read: (DecodingFrame, ArchivedValue, CodingPathStep) throws -> Leaf
    ) throws -> Leaf {
        if let name, let found = usualLeaf(name, usual), let leaf = found { return leaf }
        return try anyLeaf(name, read)
    }

    @inline(__always)
    func decodeLeafIfPresent<Leaf>(
        _ name: String?, usual: (Int, ArchiveContents) -> Leaf? = { _, _ in nil },
        _ read: (DecodingFrame, ArchivedValue, CodingPathStep) throws -> Leaf
    ) throws -> Leaf? {
        if let name, let found = usualLeaf(name, usual) { return found }
        return try anyLeafIfPresent(name, read)
    }

    /// Returns the leaf in the field `name` if that is the next field and has its usual form, or nil in a further optional if it holds
    /// nil.
    @inline(__always)
    private func usualLeaf<Leaf>(_ name: String, _ read: (Int, ArchiveContents) -> Leaf?) -> Leaf?? {
        guard !isFinished, let position = nextPosition(ifNamed: name) ?? nextPosition(ifNamedFirst: name) else {
            return nil
        }
        let reference = reference(at: position)
        if let offset = archive.leafOffset(reference) {
            guard let leaf = read(offset, archive) else { return nil }
            frame.fields.next = position &+ 1
            return .some(leaf)
        }
        guard archive.isKnownNull(reference) || archive.isNull(reference) else { return nil }
        frame.fields.next = position &+ 1
        return .some(nil)
    }

    @inline(never)
    private func nextPosition(ifNamedFirst name: String) -> Int? {
        guard keys.value(of: name) == nil, name.utf8.first != UInt8(ascii: "$") else { return nil }
        let fields = frame.fields
        guard let position = (try? fields.next(ifNamed: name, in: archive)) ?? nil else { return nil }
        let reference = archive.list.reference(position, in: fields.keys)
        keys.set(RequestedKey(referencePlusOne: reference &+ 1), for: name)
        return position
    }

    @inline(never)
    private func anyLeaf<Leaf>(
        _ name: String?, _ read: (DecodingFrame, ArchivedValue, CodingPathStep) throws -> Leaf
    ) throws -> Leaf {
        try ArchivingError.converting {
            let (value, step) = try required(name)
            return try read(frame, value, step)
        }
    }

    @inline(never)
    private func anyLeafIfPresent<Leaf>(
        _ name: String?, _ read: (DecodingFrame, ArchivedValue, CodingPathStep) throws -> Leaf
    ) throws -> Leaf? {
        try ArchivingError.converting {
            guard let (value, step) = try present(name) else { return nil }
            return try read(frame, value, step)
        }
    }
}

// The names of the methods express two rules. `decodeInteger(forKey:)` and its counterparts follow Cocoa: an absent or
// nil value is 0 or false. `decode(_:forKey:)` throws for such a value, and `decodeIfPresent(_:forKey:)` returns nil.

// MARK: - An absent value is 0

extension KeyedUnarchiver {
    /// Returns the Boolean value under the key, or `false` if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type.
    public func decodeBool(forKey name: String) throws -> Bool {
        try decodeLeafIfPresent(name, usual: { $1.booleanLeaf(at: $0) }, { try $0.cocoaBoolean($1, at: $2) }) ?? false
    }

    /// Returns the integer under the key, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type.
    public func decodeInteger(forKey name: String) throws -> Int {
        try decodeLeafIfPresent(name, usual: { $1.integerLeaf(at: $0) }, { try $0.integer($1, at: $2) }) ?? 0
    }

    /// Returns the number under the key rounded to 32 bits, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.numberOutOfRange` if it is too large for 32 bits, `typeMismatch` if the value
    ///   has another type.
    public func decodeFloat(forKey name: String) throws -> Float {
        try decodeLeafIfPresent(name, usual: { $1.roundedLeaf(at: $0) }, { try $0.float($1, at: $2) }) ?? 0
    }

    /// Returns the number under the key, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.numberOutOfRange` if it is an integer that `Double` cannot represent,
    ///   `typeMismatch` if the value has another type.
    public func decodeDouble(forKey name: String) throws -> Double {
        try decodeLeafIfPresent(name, usual: { $1.roundedLeaf(at: $0) }, { try $0.double($1, at: $2) }) ?? 0
    }

    /// Decodes bytes for a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - minimumLength: The least number of bytes to accept.
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type, `damaged` if it has fewer bytes.
    public func decodeBytes(forKey name: String, minimumLength: Int = 0) throws -> [UInt8]? {
        try bytes(name, minimumLength)
    }

    /// Decodes bytes that are the object's next value without a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decodeBytes(forKey:minimumLength:)`.
    public func decodeNextBytes(minimumLength: Int = 0) throws -> [UInt8]? {
        try bytes(nil, minimumLength)
    }

    private func bytes(_ name: String?, _ minimumLength: Int) throws -> [UInt8]? {
        try decodeLeafIfPresent(name) { frame, value, step in
            let bytes = try frame.rawBytes(value, as: [UInt8].self, at: step)
            guard bytes.count >= minimumLength else {
                let count = bytes.count
                throw ArchivingError(.damaged, path: frame.path(step)) {
                    "Found \(count) bytes at \($0), where \(minimumLength) are needed"
                }
            }
            return Array(bytes)
        }
    }
}

// MARK: - Points, sizes and rectangles

/// Decodes geometry: the string for a key, or the object's next numbers without a key. The next value without a key can be
/// such a string, too. If there is no value, or it is nil, the numbers are 0. A value of another type is the error
/// `ArchivingError.Code.typeMismatch`.
extension KeyedUnarchiver {
    /// Decodes a point for a key.
    public func decodePoint(forKey name: String) throws -> (x: Double, y: Double) {
        try pair(numbers(name, of: .point))
    }

    /// Decodes a point: the object's next values without a key.
    public func decodeNextPoint() throws -> (x: Double, y: Double) { try pair(nextNumbers(2)) }

    /// Decodes a size for a key.
    public func decodeSize(forKey name: String) throws -> (width: Double, height: Double) {
        try pair(numbers(name, of: .size))
    }

    /// Decodes a size: the object's next values without a key.
    public func decodeNextSize() throws -> (width: Double, height: Double) { try pair(nextNumbers(2)) }

    /// Decodes a rectangle for a key.
    public func decodeRect(forKey name: String) throws -> (x: Double, y: Double, width: Double, height: Double) {
        try four(numbers(name, of: .rect))
    }

    /// Decodes a rectangle: the object's next values without a key.
    public func decodeNextRect() throws -> (x: Double, y: Double, width: Double, height: Double) {
        try four(nextNumbers(4))
    }

    private func numbers(_ name: String, of kind: Geometry.Kind) throws -> [Double] {
        try decodeLeafIfPresent(name) { try $0.numbers($1, of: kind, at: $2) } ?? Array(repeating: 0, count: kind.count)
    }

    /// The next `count` numbers without a key, or those in the next value if that is a string; 0 if there are none.
    private func nextNumbers(_ count: Int) throws -> [Double] {
        let numbers: [Double]? = try decodeLeafIfPresent(nil) { frame, value, step in
            switch value.node.kind {
            case .real64, .real32: [try frame.double(value, at: step)]
            default: try frame.numbers(value, of: count == 4 ? .rect : .point, at: step)
            }
        }
        guard let numbers else { return Array(repeating: 0, count: count) }
        return try numbers + (numbers.count..<count).map { _ in try decodeNext(Double.self) }
    }

    private func pair(_ numbers: [Double]) -> (Double, Double) { (numbers[0], numbers[1]) }

    private func four(_ numbers: [Double]) -> (Double, Double, Double, Double) {
        (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}

// MARK: - Keys

extension KeyedUnarchiver {
    /// Returns whether the key exists. Its value may be nil.
    ///
    /// - Complexity: O(1) on average.
    public func containsValue(forKey name: String) -> Bool { (try? position(of: name)).flatMap { $0 } != nil }

    /// The keys of the object that `init(coder:)` decodes, or of the top of the archive outside an object. Values
    /// without a key are not among them.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys.
    public var allKeys: [String] { frame.keyNames() }

    /// Returns the class name of the object under the key as stored in the archive, such as `NSMutableArray`; `nil` if
    /// the value has no class: nil, strings, numbers and data.
    public func archivedClassName(forKey name: String) -> String? {
        guard let value = try? found(name)?.value, let uid = try? archive.classUID(of: value.node) else {
            return nil
        }
        return try? archive.className(uid)
    }

    /// Returns the archived version of `type`, if it is the class of the object in progress or one of its superclasses:
    /// its `ArchiveDescribing.archiveVersion` at the time of encoding.
    ///
    /// - Parameter type: The class, or `nil` for that of the object, whatever it is.
    /// - Returns: The version; 0 if the archive has none for `type`, `nil` if the object is of another class, and outside
    ///   an object.
    /// - Complexity: O(*n*), where *n* is the number of classes in the chain.
    public func archivedVersion(of type: (any Any.Type)? = nil) -> Int? {
        frame.archivedVersion(of: type)
    }
}
