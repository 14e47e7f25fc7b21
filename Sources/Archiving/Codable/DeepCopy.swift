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
public func deepCopy<Value: Codable>(
    of value: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> Value {
    if NativeTypes.holdNoInstances(Value.self) { return value }
    let encoding = RootEncoding(classes: ClassRegistry(), userInfo: userInfo)
    let bytes: UnsafeMutableRawBufferPointer
    let types: [UInt32: any Any.Type]
    do {
        try encoding.session.encodeRoot(value)
        types = encoding.archiver.graph.pointee.classTypes
        bytes = try encoding.archiver.finish()
    } catch {
        encoding.giveUp()
        throw (error as? PropertyListError).map { CodableErrors.notWritable(value, $0) }
            ?? CodableErrors.encodingError(error, value)
    }
    encoding.end()
    let archive: KeyedArchive
    do throws(KeyedArchiveError) {
        archive = try KeyedArchive(ArchiveStorage(owning: bytes))
    } catch {
        throw CodableErrors.damaged(error, path: [])
    }
    var limits = DecodingLimits()
    // The value is no foreign one.
    limits.nesting = .max
    limits.visits = .max
    return try DecodingSession.decode(
        archive, classes: ClassRegistry(), types: types, limits: limits, userInfo: userInfo
    ) { try $0.decodeRoot(Value.self) }
}
