// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes sequential archives, which `NSUnarchiver` can read: a sequence of typed values and the objects that they refer to.
///
/// ```swift
/// let archiver = SequentialArchiver()
/// try archiver.encodeRootObject(window)
/// try archiver.encode(Int32(3))
/// let data = try archiver.finishEncoding()
/// ```
///
/// The archiver first collects the values, and writes them at the end: only then does it know which conditional objects are in
/// the archive.
public final class SequentialArchiver {
    /// The names of classes. A class that is neither registered nor `ArchiveDescribing` is archived under its full Swift name.
    public var classes = ClassRegistry()

    private var stream: TypedStream
    private var current: Int?
    /// The values of the current object. Strings and numbers in it are objects that are already complete.
    private var contents: [TypedStream.Group] = []
    private var indexes: [ObjectIdentifier: Int] = [:]
    /// All instances with a position, and all replaced instances. They are retained so that no address is reused.
    private var kept: [AnyObject] = []
    private var isArchived: [Bool] = []
    private var waiting: [(object: any SequentialCoding, index: Int)] = []
    private var replacements: [ObjectIdentifier: (any SequentialCoding)?] = [:]
    /// The type lists of groups with one value: one list for all groups of a type.
    private var typeLists: [TypeEncoding: [TypeEncoding]] = [:]
    private var nesting = 0
    private var stack = StackGuard()
    private var hasConditionals = false
    private var hasRoot = false
    private var isFinished = false
    private var failure: (any Error)?

    private var encodedNames: [String: String] = [:]
    private var classIndexes: [TypedStream.Class: Int] = [:]
    private var classIndexesByType: [ObjectIdentifier: Int] = [:]
    private var cStringIndexes: [[UInt8]: Int] = [:]
    var leafIndexes: [AnyHashable: Int] = [:]
    var transcriptions: [ObjectIdentifier: SequentialTranscription] = [:]

    /// Creates an archiver for a new archive.
    ///
    /// - Parameter systemVersion: The version of the writing system that the archive reports: 1000 on macOS.
    public convenience init(systemVersion: Int = 1000) {
        self.init(byteOrder: .littleEndian, systemVersion: systemVersion)
    }

    /// Creates an archiver for an archive with the byte order of some of NeXT's systems. Every reader supports both.
    package init(byteOrder: TypedStream.ByteOrder, systemVersion: Int = 1000) {
        stream = TypedStream(byteOrder: byteOrder)
        stream.systemVersion = systemVersion
    }
}

// MARK: - Whole archives

extension SequentialArchiver {
    /// Finishes the archive and returns its data. A further call returns the same data; encoding another value is a programming
    /// error and traps.
    ///
    /// - Throws: The error that ended an earlier call; `TypedStreamError` if a value that the program created does not match its
    ///   type.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public func finishEncoding() throws -> Data {
        try finish()
        return try stream.data()
    }

    private func finish() throws {
        if let failure { throw failure }
        require(current == nil, "finishEncoding() was called within encode(with:)")
        guard !isFinished else { return }
        isFinished = true
        if hasConditionals { stream.keepObjects(isArchived) }
        // The tables are no longer needed, and writing takes memory as well.
        indexes = [:]
        leafIndexes = [:]
    }

    /// Returns the archive of one object.
    ///
    /// - Parameters:
    ///   - root: The object.
    ///   - classes: The names that classes have in the archive.
    /// - Throws: The errors of `encodeRootObject(_:)`.
    public static func archivedData<Root: SequentialValue>(
        withRootObject root: Root, classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        let archiver = SequentialArchiver()
        archiver.classes = classes
        try archiver.encodeRootObject(root)
        return try archiver.finishEncoding()
    }

    /// Writes the archive of one object to a file, which is replaced as a whole.
    ///
    /// - Throws: The errors of `encodeRootObject(_:)`, and `CocoaError` if the file cannot be written.
    public static func archiveRootObject<Root: SequentialValue>(
        _ root: Root, to url: URL, classes: ClassRegistry = ClassRegistry()
    ) throws {
        try ArchiveFile.write(archivedData(withRootObject: root, classes: classes), to: url)
    }
}

// MARK: - Groups

extension SequentialArchiver {
    /// Adds a group to the current object. At the top it also encodes the contents of all referenced objects.
    func append(_ group: TypedStream.Group) throws {
        if current == nil {
            stream.groups.append(group)
            try encodeWaiting()
        } else {
            contents.append(group)
        }
    }

    /// Adds a group of one value, which is created only if the archive is still open.
    func append(_ type: TypeEncoding, _ value: @autoclosure () throws -> TypedStream.Value) throws {
        try checkOpen()
        try append(group(type, value()))
    }

    func group(_ type: TypeEncoding, _ value: TypedStream.Value) -> TypedStream.Group {
        if let types = typeLists[type] { return TypedStream.Group(types, [value]) }
        let types = [type]
        // Array types are not cached: they contain a count, so most occur only once.
        if case .array = type.kind {} else { typeLists[type] = types }
        return TypedStream.Group(types, [value])
    }

    private func encodeWaiting() throws {
        defer { current = nil }
        do {
            while let (object, index) = waiting.popLast() {
                current = index
                if let unknown = object as? UnknownSequentialObject {
                    transcribe(unknown, to: index)
                } else {
                    stream.objects[index].classIndex = classIndex(of: object.archivedClass)
                    contents = []
                    try object.encode(with: self)
                    stream.objects[index].groups = contents
                }
            }
        } catch {
            failure = error
            throw error
        }
    }

    /// Encodes the contents of a container. Containers that were decoded on a larger stack can be nested too deep for this one.
    func nested<Result>(_ body: () throws -> Result) throws -> Result {
        if nesting == 0 { stack = StackGuard() }
        guard nesting < StackGuard.freeDepth || stack.hasRoom() else {
            throw error(
                .limit,
                StackGuard.sentence("Containers are", nesting) + ". Encode them on a thread with a larger stack")
        }
        nesting += 1
        defer { nesting -= 1 }
        return try body()
    }

    /// Traps if the archive is finished; throws the error that ended it.
    func checkOpen() throws {
        require(!isFinished, "A value was encoded after finishEncoding()")
        if let failure { throw failure }
    }
}

// MARK: - Instances

extension SequentialArchiver {
    /// Returns the position of `object`, and makes sure that its contents are encoded; nil if its replacement is nil.
    func index(of object: any SequentialCoding) -> Int? {
        guard let (object, index) = place(of: object) else { return nil }
        if !isArchived[index] {
            isArchived[index] = true
            waiting.append((object, index))
        }
        return index
    }

    func conditionalIndex(of object: any SequentialCoding) -> Int? {
        hasConditionals = true
        return place(of: object)?.index
    }

    private func place(of original: any SequentialCoding) -> (object: any SequentialCoding, index: Int)? {
        var object = original
        if let known = replacements[ObjectIdentifier(original)] {
            guard let known else { return nil }
            object = known
        } else if indexes[ObjectIdentifier(original)] == nil {
            guard let replacement = original.replacementObject(for: self) else {
                replaceObject(original, with: nil)
                return nil
            }
            if replacement !== original { replaceObject(original, with: replacement) }
            object = replacement
        }
        if let index = indexes[ObjectIdentifier(object)] { return (object, index) }
        let index = addObject(isArchived: false)
        indexes[ObjectIdentifier(object)] = index
        kept.append(object)
        return (object, index)
    }

    /// Archives `replacement` instead of `object` from now on; null if it is `nil`.
    ///
    /// References that have already been encoded do not change.
    public func replaceObject(_ object: any SequentialCoding, with replacement: (any SequentialCoding)?) {
        replacements[ObjectIdentifier(object)] = .some(replacement)
        kept.append(object)
    }

    func addObject(isArchived: Bool = true) -> Int {
        self.isArchived.append(isArchived)
        stream.objects.append(TypedStream.Object(classIndex: 0))
        return stream.objects.count - 1
    }

    func complete(_ index: Int, _ classIndex: Int, _ groups: [TypedStream.Group]) {
        stream.objects[index] = TypedStream.Object(classIndex: classIndex, groups: groups)
    }

    func countRoot() {
        require(!hasRoot, "An archive has one root object, but encodeRootObject(_:) was called twice")
        hasRoot = true
    }
}

// MARK: - Classes and C strings

extension SequentialArchiver {
    /// Replaces the class name `name` by `encodedName` in the archive, for readers that know the class by another name.
    public func encodeClassName(_ name: String, intoClassName encodedName: String) {
        encodedNames[name] = encodedName
        classIndexesByType = [:]
    }

    func classNameEncoded(forTrueClassName name: String) -> String { encodedNames[name] ?? name }

    func classIndex(of type: any SequentialCoding.Type) -> Int {
        if let index = classIndexesByType[ObjectIdentifier(type)] { return index }
        let archived = ArchivedClass(type, in: classes)
        var versions: [Int] = []
        var next: AnyClass? = type
        while versions.count <= archived.superclasses.count, let superclass = next {
            versions.append((superclass as? any SequentialCoding.Type)?.classVersion ?? 0)
            next = _getSuperclass(superclass)
        }
        let names = ([archived.name] + archived.superclasses).map { classNameEncoded(forTrueClassName: $0) }
        let index = classIndex(of: Array(zip(names, versions)) + [(ArchivedClass.rootName, 0)])
        classIndexesByType[ObjectIdentifier(type)] = index
        return index
    }

    /// Returns the position of the first class in `chain`, a list of a class and its superclasses.
    func classIndex(of chain: [(name: String, version: Int)]) -> Int {
        var index: Int?
        for (name, version) in chain.reversed() {
            index = classIndex(of: TypedStream.Class(name, version: version, superclassIndex: index))
        }
        return index ?? 0
    }

    func classIndex(of entry: TypedStream.Class) -> Int {
        if let index = classIndexes[entry] { return index }
        let index = stream.classes.count
        stream.classes.append(entry)
        classIndexes[entry] = index
        return index
    }

    func cStringIndex(of bytes: [UInt8]) -> Int {
        if let index = cStringIndexes[bytes] { return index }
        let index = addCString(bytes)
        cStringIndexes[bytes] = index
        return index
    }

    func addCString(_ bytes: [UInt8]) -> Int {
        stream.cStrings.append(bytes)
        return stream.cStrings.count - 1
    }
}

// MARK: - Errors

extension SequentialArchiver {
    /// Returns the error for a value that cannot be encoded as `type`, to be thrown by `sequentialValue(as:in:)`.
    public func notEncodableError(_ value: Any, as type: TypeEncoding) -> ArchivingError {
        error(
            .notEncodable,
            "Found \(Swift.type(of: value)) \(String("\(value)".prefix(40))), which cannot be encoded as \"\(type)\"")
    }

    func error(_ code: ArchivingError.Code, _ sentence: String) -> ArchivingError {
        let place =
            current.map { "\(stream.className(of: stream.objects[$0])), group \(contents.count)" }
            ?? "group \(stream.groups.count)"
        return ArchivingError(code, at: [place], sentence)
    }
}

// MARK: - Single values

extension SequentialArchiver {
    /// Encodes a value as a group of its own. Cocoa's `encodeValue(ofObjCType:at:)`.
    ///
    /// ```swift
    /// try archiver.encode(flags, as: "I")
    /// try archiver.encode("attributes", as: "*")
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - type: The type of the value in the archive; the default type encoding of `Value` if it is `nil`.
    /// - Throws: `ArchivingError.Code.notEncodable` if the value is out of range for its type; at the top of the archive
    ///   also the errors of `encode(with:)` of an object.
    public func encode<Value: SequentialValue>(_ value: Value, as type: TypeEncoding? = nil) throws {
        let type = type ?? Value.sequentialTypeEncoding
        try append(type, value.sequentialValue(as: type, in: self))
    }

    /// Encodes the root object of the archive. An archive has only one.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeRootObject<Root: SequentialValue>(_ root: Root) throws {
        countRoot()
        try encode(root, as: .object)
    }

    /// Encodes a conditional reference to `object`. It refers to the object if the object is encoded unconditionally elsewhere,
    /// before or after, and is nil otherwise.
    ///
    /// Use it for the superview of a view, for example, so that a part of a window can be archived without the rest.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeConditional(_ object: (any SequentialCoding)?) throws {
        try append(.object, .object(object.flatMap { conditionalIndex(of: $0) }))
    }

    /// Encodes a class by its name: the type `#`.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeClass(_ type: (any SequentialCoding.Type)?) throws {
        try append(.class, .class(type.map { classIndex(of: $0) }))
    }
}

// MARK: - Several values in one group

extension SequentialArchiver {
    /// Encodes several values as one group, like one call of Cocoa's `encodeValuesOfObjCTypes`. They must be decoded by one call
    /// as well.
    ///
    /// ```swift
    /// try archiver.encodeValues("iI", index, length)
    /// ```
    ///
    /// - Parameters:
    ///   - types: A type for each value, in the notation of Objective-C's `@encode`.
    ///   - values: The values.
    /// - Throws: As `encode(_:)`, and `TypedStreamError` if `types` is not valid. Traps if the numbers of types and values
    ///   differ.
    public func encodeValues<each Value: SequentialValue>(_ types: String, _ values: repeat each Value) throws {
        try checkOpen()
        let types = try TypeEncoding.list(types)
        var count = 0
        for _ in repeat each values { count += 1 }
        require(
            types.count == count, "\(count) values, but \(types.count) types in \"\(TypeEncoding.text(of: types))\"")
        var encoded: [TypedStream.Value] = []
        for value in repeat each values {
            encoded.append(try value.sequentialValue(as: types[encoded.count], in: self))
        }
        try append(TypedStream.Group(types, encoded))
    }

    /// Encodes the elements as one C array, such as `[3i]`. Cocoa's `encodeArray(ofObjCType:count:at:)`.
    ///
    /// In contrast, `encode(_:)` encodes an array as an object, an `NSArray`.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The type of each element; the default type encoding of `Element` if it is `nil`.
    /// - Throws: As `encode(_:)`.
    public func encodeArray<Element: SequentialValue>(_ elements: [Element], of type: TypeEncoding? = nil) throws {
        let type = type ?? Element.sequentialTypeEncoding
        try append(
            .array(count: elements.count, of: type),
            .array(elements.map { try $0.sequentialValue(as: type, in: self) }, of: type))
    }

    /// Encodes bytes after their number: the type `+`. Cocoa's `encodeBytes(_:length:)`.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeBytes(_ bytes: [UInt8]) throws {
        try append(.bytes, .bytes(bytes))
    }
}

extension TypedStream.Value {
    /// Creates an array of `values`, which is stored as bytes if `type` is `c` or `C`.
    static func array(_ values: [TypedStream.Value], of type: TypeEncoding) -> TypedStream.Value {
        guard type == .character || type == .unsignedCharacter else { return .array(values) }
        return .bytes(
            values.map {
                switch $0 {
                case .integer(let number): UInt8(truncatingIfNeeded: number)
                case .unsigned(let number): UInt8(truncatingIfNeeded: number)
                default: 0
                }
            })
    }

    func elements(of type: TypeEncoding) -> [TypedStream.Value]? {
        switch (self, type) {
        case (.array(let values), _): values
        case (.bytes(let bytes?), .character): bytes.map { .integer(Int64(Int8(bitPattern: $0))) }
        case (.bytes(let bytes?), .unsignedCharacter): bytes.map { .unsigned(UInt64($0)) }
        default: nil
        }
    }
}
