// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Returns a copy of `value` and of everything that it references: the same graph with new instances.
///
/// ```swift
/// let twin = try deepCopy(of: window)
/// ```
///
/// The copy is archived and decoded in memory by the rules of `ArchiveEncoder` and `ArchiveDecoder`. An instance that
/// is referenced twice is copied once, cycles are kept, and a weak reference to an instance outside the graph becomes
/// nil. No type has to be registered: the copy has the types of the original, including subclasses and values behind
/// protocols. A copy of a sample in a test finds cycles that cannot be decoded (<doc:IdentityAndCycles>).
///
/// An assignment is a shallow copy: structs, enums and collections are copied, and class instances are shared with the
/// original.
///
/// - Parameters:
///   - value: The value to copy.
///   - userInfo: The `userInfo` of the coders that `encode(to:)` and `init(from:)` receive.
/// - Returns: The copy, which can be sent to another actor, for example to save it in the background.
/// - Throws: Errors of `encode(to:)` and `init(from:)`, and those of `ArchiveEncoder` and `ArchiveDecoder`.
/// - Complexity: O(*n*), where *n* is the number of copied values. O(1) if the type of `value` holds no class
///   instances, because the copy is then the value itself. Such types are numbers, strings, data, arrays of numbers,
///   and structs and enums of plain numbers.
@_disfavoredOverload
public func deepCopy<Value: Codable>(
    of value: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> sending Value {
    // Without instances, a copy shares nothing with the value.
    if NativeTypes.holdNoInstances(Value.self) { return Reinterpretation.unshared(value) }
    var encoder = ArchiveEncoder()
    encoder.userInfo = userInfo
    encoder.limits.nesting = .max
    let encoding = RootEncoding(encoder)
    encoding.session.changeExtras { $0.purpose = .copy }
    let archive: StoredArchive
    let types: [UInt32: any Any.Type]
    do {
        try encoding.session.encodeRoot(value)
        (archive, types) = try encoding.session.finishForCopy()
    } catch {
        throw (error as? PropertyListError).map { EncodingError.notWritable(value, $0) }
            ?? EncodingError.converted(error, value)
    }
    let copy = try DecodingSession.begin(archive, .copy(types, userInfo: userInfo)).decode {
        try $0.decodeRoot(Value.self)
    }
    return Reinterpretation.unshared(copy)
}

/// Returns a copy of `object` and of everything that it references, created by `encode(with:)` and `init(coder:)`.
///
/// - Parameters:
///   - object: The object to copy.
///   - userInfo: The `userInfo` of the coders that `encode(to:)` and `init(from:)` of Codable values receive.
/// - Returns: The copy: the same graph with new instances.
/// - Throws: Errors of `encode(with:)` and `init(coder:)`, and those of `KeyedArchiver` and `KeyedUnarchiver`.
/// - Complexity: O(*n*), where *n* is the number of copied objects.
public func deepCopy<Object: Coding>(
    of object: Object, userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> sending Object {
    let archiver = KeyedArchiver(requiringSecureCoding: false)
    if !userInfo.isEmpty { archiver.userInfo = userInfo }
    try archiver.encode(object, forKey: KeyedArchiveFormat.rootKey)
    try archiver.writePendingInstances()
    let (archive, types) = try archiver.session.finishForCopy()
    let unarchiver = KeyedUnarchiver(
        try DecodingSession.begin(archive, .copy(types, userInfo: userInfo)), ownsSession: true)
    defer { unarchiver.finishDecoding() }
    return Reinterpretation.unshared(try unarchiver.decode(Object.self, forKey: KeyedArchiveFormat.rootKey))
}

extension EncodingSession {
    /// Finishes an archive that is decoded once, in this process. Returns it, and the types of its class entries.
    fileprivate func finishForCopy() throws -> (StoredArchive, [UInt32: any Any.Type]) {
        let types = graph.classTypes
        let bytes = try finish()
        return (try StoredArchive(decoding: ArchiveStorage(bytes)), types)
    }
}
