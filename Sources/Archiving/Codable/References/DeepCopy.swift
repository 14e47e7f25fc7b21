/// A copy of `value` and of everything that it leads to: the same shape, with new instances.
///
/// ```swift
/// let twin = try deepCopy(of: window)
/// ```
///
/// It goes the way of an archive, so that the rules are those of `ArchiveEncoder` and `ArchiveDecoder`: an instance that
/// is referred to twice is copied once, cycles come back as cycles, and a weak reference to what is not a part of the
/// graph is nil. What differs is that nothing has to be registered: the types of the copy are those of the original,
/// whatever their names, subclasses and values behind protocols included.
///
/// A plain assignment is a shallow copy: a struct, an enum or a collection is a copy of its own, and every class instance
/// in it is shared with the original.
///
/// - Parameters:
///   - value: What is copied.
///   - userInfo: What `encode(to:)` and `init(from:)` find in their coder's `userInfo`.
/// - Throws: What `encode(to:)` and `init(from:)` throw, and the errors of `ArchiveEncoder` and `ArchiveDecoder`.
/// - Complexity: O(*n*), where *n* is the number of values that are copied; O(1) where `value` is of a type that holds no
///   class instances: a number, a string, data, an array of numbers, a struct or an enum of plain numbers. There the copy
///   is the value.
@_disfavoredOverload
public func deepCopy<Value: Codable>(
    of value: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> Value {
    if NativeTypes.holdNoInstances(Value.self) { return value }
    let encoding = RootEncoding(classes: ClassRegistry(), userInfo: userInfo)
    encoding.session.writing.state.pointee.purpose = .copy
    let archive: StoredArchive
    let types: [UInt32: any Any.Type]
    do {
        try encoding.session.encodeRoot(value)
        (archive, types) = try encoding.session.writing.finishForCopy()
    } catch {
        encoding.giveUp()
        throw (error as? PropertyListError).map { CodableErrors.notWritable(value, $0) }
            ?? CodableErrors.encodingError(error, value)
    }
    encoding.end()
    return try DecodingSession.decode(
        archive, classes: ClassRegistry(), types: types, limits: .none, userInfo: userInfo
    ) { try $0.decodeRoot(Value.self) }
}

/// A copy of `object` and of everything that it leads to: the same shape, with new instances, made by `encode(with:)` and
/// `init(coder:)`.
///
/// - Parameters:
///   - object: What is copied.
///   - userInfo: What `encode(to:)` and `init(from:)` of values in it find in their coder's `userInfo`.
/// - Throws: What `encode(with:)` and `init(coder:)` throw, and the errors of `KeyedArchiver` and `KeyedUnarchiver`.
/// - Complexity: O(*n*), where *n* is the number of objects that are copied.
public func deepCopy<Object: Coding>(
    of object: Object, userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> Object {
    let archiver = KeyedArchiver(requiringSecureCoding: false)
    if !userInfo.isEmpty { archiver.userInfo = userInfo }
    try archiver.encode(object, forKey: KeyedArchiveFormat.rootKey)
    try archiver.completeTop()
    let (archive, types) = try archiver.writing.finishForCopy()
    let reading = GraphReading(archive, classes: ClassRegistry(), types: types, limits: .none)
    let unarchiver = KeyedUnarchiver(reading, requiringSecureCoding: false)
    if !userInfo.isEmpty { unarchiver.userInfo = userInfo }
    defer { unarchiver.finishDecoding() }
    return try unarchiver.decode(Object.self, forKey: KeyedArchiveFormat.rootKey)
}

extension GraphWriting {
    /// Ends the archive, which is to be read once, in this process.
    ///
    /// - Returns: The archive, and the types of its class entries.
    fileprivate func finishForCopy() throws -> (StoredArchive, [UInt32: any Any.Type]) {
        if let failure = state.pointee.failure { throw failure }
        let types = graph.pointee.classTypes
        let bytes = try finish()
        do throws(KeyedArchiveError) {
            return (try StoredArchive(ArchiveStorage(owning: bytes)), types)
        } catch {
            throw CodableErrors.damaged(error, path: [])
        }
    }
}
