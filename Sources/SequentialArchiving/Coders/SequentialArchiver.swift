import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes sequential archives, which `NSUnarchiver` reads: typed values one after the other, and the objects that they refer
/// to.
///
/// ```swift
/// let archiver = SequentialArchiver()
/// try archiver.encodeRootObject(window)
/// try archiver.encode(Int32(3))
/// let data = try archiver.finishEncoding()
/// ```
///
/// What is encoded is collected first, and written when it is finished: only then it is known which
/// conditional objects are in the archive.
public final class SequentialArchiver {
    /// The names of classes. One that is not registered, and says none itself (`ArchiveDescribing`), is written under its full Swift
    /// name.
    public var classes = ClassRegistry()

    private var stream: CollectedStream
    /// The object whose values are being encoded; nil at the top.
    private var current: Int?
    /// What that object has encoded. Strings and numbers among it are objects, which are complete before it is.
    private var contents = CollectedStream.Groups()
    /// The position of each instance among the objects.
    private var indexes: [ObjectIdentifier: Int] = [:]
    /// All instances that have a position, and those that are replaced: one that is gone would leave its address to another.
    private var kept: [AnyObject] = []
    /// For each object, whether anything refers to it unconditionally.
    private var isArchived: [Bool] = []
    /// Instances whose values are still to be encoded.
    private var waiting: [(object: any SequentialCoding, index: Int)] = []
    /// What is archived instead of instances that are not archived themselves.
    private var replacements: [ObjectIdentifier: (any SequentialCoding)?] = [:]
    /// The lists of one type that groups have: one for each type, which all of its groups share.
    private var typeLists: [TypeEncoding: [TypeEncoding]] = [:]
    /// Containers in each other that are being encoded.
    private var nesting = 0
    private var stack = StackGuard()
    private var hasConditionals = false
    private var hasRoot = false
    private var isFinished = false
    /// What ended the archive.
    private var failure: (any Error)?

    /// The names that classes get instead of their own.
    private var encodedNames: [String: String] = [:]
    private var classIndexes: [TypedStream.Class: Int] = [:]
    private var classIndexesByType: [ObjectIdentifier: Int] = [:]
    private var cStringIndexes: [[UInt8]: Int] = [:]
    /// Objects that stand for equal texts and numbers.
    var leafIndexes: [AnyHashable: Int] = [:]
    /// What was taken over from other archives, by these.
    var transcriptions: [ObjectIdentifier: SequentialTranscription] = [:]

    /// An archiver for a new archive.
    ///
    /// - Parameters:
    ///   - byteOrder: The order of bytes in numbers. Every reader takes both.
    ///   - systemVersion: What the archive says of the system that wrote it: 1000 on macOS.
    public init(byteOrder: TypedStream.ByteOrder = .littleEndian, systemVersion: Int = 1000) {
        stream = CollectedStream(byteOrder: byteOrder, systemVersion: systemVersion)
    }
}

// MARK: - Whole archives

extension SequentialArchiver {
    /// The archive. To encode anything after that is a programming error, and traps; further calls give the same.
    ///
    /// - Throws: The error that ended an earlier call; `TypedStreamError` where a value that the program has made itself is not
    ///   what its type says.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public func finishEncoding() throws -> Data {
        try finish()
        var writer = TypedStreamWriter(stream)
        return Data(try writer.bytes())
    }

    /// The archive as a value. To encode anything after that is a programming error, and traps.
    ///
    /// - Throws: As `finishEncoding()`.
    public func finishedStream() throws -> TypedStream {
        try finish()
        return TypedStream(stream)
    }

    private func finish() throws {
        if let failure { throw failure }
        require(current == nil, "finishEncoding() was called within encode(with:)")
        guard !isFinished else { return }
        isFinished = true
        if hasConditionals { stream.keepObjects(isArchived) }
        // Nothing is looked for any more, and to write takes memory as well.
        indexes = [:]
        leafIndexes = [:]
    }

    /// The archive of one object.
    ///
    /// - Throws: What `encodeRootObject(_:)` throws.
    public static func archivedData<Root: SequentialValue>(withRootObject root: Root) throws -> Data {
        let archiver = SequentialArchiver()
        try archiver.encodeRootObject(root)
        return try archiver.finishEncoding()
    }

    /// Writes the archive of one object into a file, which is the old one or the new one, whatever happens meanwhile.
    ///
    /// - Throws: What `encodeRootObject(_:)` throws, and `CocoaError` where the file cannot be written.
    public static func archiveRootObject<Root: SequentialValue>(_ root: Root, to url: URL) throws {
        try ArchiveFile.write(archivedData(withRootObject: root), to: url)
    }
}

// MARK: - Groups

extension SequentialArchiver {
    /// Adds a group to what is being encoded, at the top also the contents of all objects that it refers to.
    func append(_ types: [TypeEncoding], _ values: some Collection<TypedStream.Value>) throws {
        if current == nil {
            stream.append(types, values)
            try encodeWaiting()
        } else {
            contents.append(types, values)
        }
    }

    /// Adds a group of one value.
    func append(_ type: TypeEncoding, _ value: TypedStream.Value) throws {
        try append(types(of: type), CollectionOfOne(value))
    }

    /// A group of one value.
    func group(_ type: TypeEncoding, _ value: TypedStream.Value) -> TypedStream.Group {
        TypedStream.Group(types(of: type), [value])
    }

    /// The types of a group of one value.
    func types(of type: TypeEncoding) -> [TypeEncoding] {
        if let types = typeLists[type] { return types }
        let types = [type]
        // An array's type has its count: there are as many as there are counts, and most are met once.
        if case .array = type {} else { typeLists[type] = types }
        return types
    }

    /// Encodes the values of instances that were met, and of those that these refer to.
    private func encodeWaiting() throws {
        defer { current = nil }
        do {
            while let (object, index) = waiting.popLast() {
                current = index
                if let unknown = object as? UnknownSequentialObject {
                    transcribe(unknown, to: index)
                } else {
                    stream.setClassIndex(classIndex(of: object.classForSequentialArchiver), ofObjectAt: index)
                    contents.removeAll()
                    try object.encode(with: self)
                    stream.complete(objectAt: index, contents)
                }
            }
        } catch {
            failure = error
            throw error
        }
    }

    /// Encodes what is in a container. Containers that were decoded on a larger stack may be nested deeper than this one
    /// has room for.
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

    /// Traps once the archive is finished; throws what ended it.
    func checkOpen() throws {
        require(!isFinished, "A value was encoded after finishEncoding()")
        if let failure { throw failure }
    }
}

// MARK: - Instances

extension SequentialArchiver {
    /// The position of `object` among the objects of the archive, where its contents will be; nil for one that is replaced by
    /// nothing.
    func index(of object: any SequentialCoding) -> Int? {
        guard let (object, index) = place(of: object) else { return nil }
        if !isArchived[index] {
            isArchived[index] = true
            waiting.append((object, index))
        }
        return index
    }

    /// The position that `object` has if it is archived.
    func conditionalIndex(of object: any SequentialCoding) -> Int? {
        hasConditionals = true
        return place(of: object)?.index
    }

    /// What is archived for `original`, and its position.
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

    /// Archives `replacement` wherever `object` is encoded from now on; nil for nothing.
    ///
    /// What has been encoded before stays as it is.
    public func replaceObject(_ object: any SequentialCoding, with replacement: (any SequentialCoding)?) {
        replacements[ObjectIdentifier(object)] = .some(replacement)
        kept.append(object)
    }

    /// Adds an object without contents, and gives its position.
    func addObject(isArchived: Bool = true) -> Int {
        self.isArchived.append(isArchived)
        return stream.addObject()
    }

    /// Gives the object at the position `index` its class and its contents.
    func complete(_ index: Int, _ classIndex: Int, _ contents: CollectedStream.Groups) {
        stream.setClassIndex(classIndex, ofObjectAt: index)
        stream.complete(objectAt: index, contents)
    }

    /// Lets only one object be the root.
    func countRoot() {
        require(!hasRoot, "An archive has one root object, and encodeRootObject(_:) was called twice")
        hasRoot = true
    }
}

// MARK: - Classes and C strings

extension SequentialArchiver {
    /// Writes classes that would be written as `name` as `encodedName`: a class that has another name elsewhere.
    public func encodeClassName(_ name: String, intoClassName encodedName: String) {
        encodedNames[name] = encodedName
        classIndexesByType = [:]
    }

    /// The name that the class `name` is written under.
    public func classNameEncoded(forTrueClassName name: String) -> String { encodedNames[name] ?? name }

    /// The position of the class `type`, with its superclasses.
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

    /// The position of the first of `chain`, which are classes with their superclasses.
    func classIndex(of chain: [(name: String, version: Int)]) -> Int {
        var index: Int?
        for (name, version) in chain.reversed() {
            index = classIndex(of: TypedStream.Class(name, version: version, superclassIndex: index))
        }
        return index ?? 0
    }

    /// The position of a class whose superclass is there already.
    func classIndex(of entry: TypedStream.Class) -> Int {
        if let index = classIndexes[entry] { return index }
        let index = stream.classes.count
        stream.classes.append(entry)
        classIndexes[entry] = index
        return index
    }

    /// The position of a C string.
    func cStringIndex(of bytes: [UInt8]) -> Int {
        if let index = cStringIndexes[bytes] { return index }
        let index = addCString(bytes)
        cStringIndexes[bytes] = index
        return index
    }

    /// Adds a C string, and gives its position.
    func addCString(_ bytes: [UInt8]) -> Int {
        stream.cStrings.append(bytes)
        return stream.cStrings.count - 1
    }
}

// MARK: - Errors

extension SequentialArchiver {
    /// The error for a value that cannot be encoded as `type`, for `sequentialValue(as:in:)` to throw.
    public func notEncodableError(_ value: Any, as type: TypeEncoding) -> SequentialCodingError {
        error(
            .notEncodable,
            "Found \(Swift.type(of: value)) \(String("\(value)".prefix(40))), which cannot be encoded as \"\(type)\"")
    }

    func error(_ code: SequentialCodingError.Code, _ sentence: String) -> SequentialCodingError {
        var path: [String] = []
        if let current {
            let name = stream.classes[stream.classIndex(ofObjectAt: current)].name
            path = ["\(name), group \(contents.count)"]
        } else {
            path = ["group \(stream.topCount)"]
        }
        return SequentialCodingError(code, at: nil, path: path, sentence)
    }
}
