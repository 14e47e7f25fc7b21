import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the sequential archives of `NSArchiver` and NeXT's typed streams: typed values in the order in which they were encoded.
///
/// ```swift
/// let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
/// unarchiver.classes.register(Button.self, name: "Button")
/// let window = try unarchiver.decode(Window.self)
/// let count = try unarchiver.decode(Int32.self)
/// unarchiver.isAtEnd                              // true: that was all
/// ```
///
/// Only requested or registered classes are instantiated. If any object is allowed, as in `decodeObject()`, objects of other
/// classes become `UnknownSequentialObject`, unless `classes.unknownClasses` has another value.
public final class SequentialUnarchiver {
    /// The archive that is being read.
    public let stream: TypedStream
    /// The names of classes, and how to handle objects of unregistered classes. By default they become placeholders if any object
    /// is allowed.
    public var classes: ClassRegistry { didSet { forgetClasses() } }
    /// The limits of the decoding work.
    let limits: DecodingLimits
    var meter: DecodingMeter
    private var stack = StackGuard()

    /// The top of the archive and the nested objects that are being read.
    private var frames: [Frame]
    private var states: [State]
    /// The containers and other values that have been created.
    var values: [ValueKey: Any] = [:]
    private var decodedNames: [String: String] = [:]
    private var resolutions: [ResolutionKey: Resolution] = [:]
    /// The types that are registered for classes, by the positions of the classes.
    private var registered: [Int: (any Any.Type)?] = [:]
    private var foundationClasses = SequentialClassTable<SequentialFoundationClass>()
    private var versions: [ObjectIdentifier: SequentialClassTable<Int>] = [:]
    /// The version of the first class with each name.
    private lazy var firstVersions = Dictionary(
        stream.classes.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first })
    /// Closures that wait for instances, which are decoded when nothing else is being decoded.
    private var waiting: [Waiting] = []
    /// The failure of an instance that was decoded later. Others may refer to incomplete instances then, so further calls fail.
    private var failure: (any Error)?
    /// The instances that have been decoded.
    private var instances: [AnyObject?]
    /// The archive and its instances for unknown objects, if there are any.
    private var knownSource: SequentialSource?

    private struct Frame {
        /// The position of the object; nil for the top.
        var object: Int?
        /// The next group.
        var next = 0
        /// Closures that wait for instances. They are dropped if the object fails.
        var waiting: [(SequentialUnarchiver) throws -> Void] = []
    }

    private struct Waiting {
        /// Retains the waiting instance, which may have been replaced since.
        let owner: Any?
        let body: (SequentialUnarchiver) throws -> Void
    }

    private enum State {
        case new, making, published, made
    }

    /// The key of an object that was converted to a type.
    struct ValueKey: Hashable {
        let index: Int
        let type: ObjectIdentifier
    }

    private struct ResolutionKey: Hashable {
        let classIndex: Int
        let requested: ObjectIdentifier
    }

    /// The result for objects of one class if another class is requested.
    private enum Resolution {
        case type(any SequentialCoding.Type)
        case unknown
        case refused
    }

    /// Creates an unarchiver for the archive in `data`.
    ///
    /// - Parameters:
    ///   - data: A typedstream.
    ///   - limits: The limits of the decoding work.
    /// - Throws: `TypedStreamError` if the bytes are not a typedstream or are damaged.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public convenience init(forReadingFrom data: Data, limits: DecodingLimits = DecodingLimits()) throws {
        try self.init(TypedStream(data), limits, byteCount: data.count)
    }

    /// Creates an unarchiver for the archive in a file.
    ///
    /// - Throws: `CocoaError` if the file cannot be read; otherwise as `init(forReadingFrom:limits:)`.
    public convenience init(contentsOf url: URL, limits: DecodingLimits = DecodingLimits()) throws {
        try self.init(forReadingFrom: Data(contentsOf: url), limits: limits)
    }

    private init(_ stream: TypedStream, _ limits: DecodingLimits, byteCount: Int) throws {
        self.stream = stream
        self.limits = limits
        meter = limits.meter(forByteCount: byteCount)
        classes = ClassRegistry(unknownClasses: .placeholder)
        frames = [Frame(object: nil)]
        states = Array(repeating: .new, count: stream.objects.count)
        instances = Array(repeating: nil, count: stream.objects.count)
        guard stream.objects.count <= limits.objects else {
            throw error(
                .limit, "The archive has \(stream.objects.count) objects, but `limits.objects` is \(limits.objects)")
        }
    }
}

// MARK: - Whole archives

extension SequentialUnarchiver {
    /// Returns the single object of an archive.
    ///
    /// ```swift
    /// let text = try SequentialUnarchiver.unarchivedObject(of: AttributedText.self, from: attributedBody)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the object.
    ///   - data: A typedstream.
    ///   - classes: The names of classes, and how to handle objects of unregistered classes.
    ///   - limits: The limits of the decoding work.
    /// - Returns: The object.
    /// - Throws: `TypedStreamError` if the bytes are not a typedstream; the errors of `decode(_:)`.
    public static func unarchivedObject<Root: SequentialValue>(
        of type: Root.Type, from data: Data, classes: ClassRegistry = ClassRegistry(unknownClasses: .placeholder),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Root {
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data, limits: limits)
        unarchiver.classes = classes
        return try unarchiver.decode(type)
    }

    /// A Boolean value that indicates whether all values have been decoded: those of the current object or, outside an object,
    /// those at the top of the archive.
    public var isAtEnd: Bool { frames[frames.count - 1].next >= groups.count }

    /// The version of the system that wrote the archive: 1000 on macOS.
    public var systemVersion: Int { stream.systemVersion }

    /// The types of the next values, which were encoded by one call; `nil` at the end.
    package var nextTypes: [TypeEncoding]? { isAtEnd ? nil : groups[frames[frames.count - 1].next].types }

    /// Skips the remaining values of the current object or of the archive. Without this call, it is an error if an object has
    /// more values than its `init(coder:)` decodes.
    public func skipRemainingValues() { frames[frames.count - 1].next = groups.count }
}

// MARK: - Groups

extension SequentialUnarchiver {
    private var groups: [TypedStream.Group] {
        guard let object = frames[frames.count - 1].object else { return stream.groups }
        return stream.objects[object].groups
    }

    /// The number of remaining groups of the current object or of the archive.
    var remainingGroups: Int { groups.count - frames[frames.count - 1].next }

    /// The next group, without reading it; nil at the end.
    var nextGroupUnread: TypedStream.Group? { isAtEnd ? nil : groups[frames[frames.count - 1].next] }

    /// Returns the number of consecutive objects of `class` on the stack, from the current object outwards.
    func count(ofInnermost class: SequentialFoundationClass) -> Int {
        frames.reversed().prefix { $0.object.map { foundationClass(at: $0) == `class` } ?? false }.count
    }

    /// The position of the current object; nil at the top.
    var currentObject: Int? { frames[frames.count - 1].object }

    /// Calls `body` with the next group. If `body` throws, the group can be decoded again.
    func nextGroup<Result>(_ body: (TypedStream.Group) throws -> Result) throws -> Result {
        if let failure { throw failure }
        let depth = frames.count - 1
        let groups = groups
        let next = frames[depth].next
        guard next < groups.count else {
            throw error(.atEnd, "All values have been decoded, but one more was requested")
        }
        frames[depth].next = next + 1
        // The next call may run on another thread.
        if depth == 0 { stack = StackGuard() }
        do {
            try count(1)
            let result = try body(groups[next])
            if depth == 0 { try finishWaiting() }
            return result
        } catch {
            frames[depth].next = next
            throw error
        }
    }

    /// Calls `body` to decode the contents of the object at a position, inside the current object.
    func withObject<Result>(_ index: Int, _ body: () throws -> Result) throws -> Result {
        guard frames.count <= limits.nesting else {
            throw error(.limit, "Objects are nested deeper than `limits.nesting`, \(limits.nesting) levels")
        }
        guard frames.count < StackGuard.freeDepth || stack.hasRoom() else {
            throw error(
                .limit,
                StackGuard.sentence("Objects are", frames.count)
                    + ". Decode the archive on a thread with a larger stack")
        }
        frames.append(Frame(object: index))
        defer { frames.removeLast() }
        let result = try body()
        guard isAtEnd else {
            throw error(
                .valuesLeft,
                "\(remainingGroups) more values exist than were decoded. Call"
                    + " skipRemainingValues() to ignore them")
        }
        for body in frames[frames.count - 1].waiting { waiting.append(Waiting(owner: result, body: body)) }
        return result
    }

    /// Calls `body` later, when nothing is being decoded.
    func whenIdle(_ body: @escaping (SequentialUnarchiver) throws -> Void) {
        if frames.count == 1 {
            waiting.append(Waiting(owner: nil, body: body))
        } else {
            frames[frames.count - 1].waiting.append(body)
        }
    }

    private func finishWaiting() throws {
        do {
            while let next = waiting.popLast() { try next.body(self) }
        } catch {
            waiting = []
            failure = error
            throw error
        }
    }

    /// Counts decoding steps.
    func count(_ steps: Int) throws {
        do {
            try meter.count(steps)
        } catch {
            throw limitError(error)
        }
    }

    func limitError(_ error: KeyedArchiveError) -> SequentialCodingError { self.error(.limit, error.description) }
}

// MARK: - Instances

extension SequentialUnarchiver {
    /// Returns the instance for the object at a position.
    func instance<Object: SequentialCoding>(of type: Object.Type, at index: Int) throws -> Object {
        switch states[index] {
        case .made, .published: break
        case .making:
            throw error(
                .cycle,
                "The \(describe(index)) needs itself before it is complete: let its init(coder:) call coder.publish(self) before"
                    + " it decodes references back to it, or use decodeReference(_:then:)")
        case .new: try make(index, try resolve(index, type) { $0 is Object.Type })
        }
        guard let object = instances[index] as? Object else { throw refused(index, type) }
        return object
    }

    /// Returns the instance for the object at a position, of any registered class; nil if the class is unknown and such objects
    /// are skipped.
    func anyInstance(at index: Int) throws -> AnyObject? {
        switch states[index] {
        case .made, .published: return instances[index]
        case .making: return try instance(of: UnknownSequentialObject.self, at: index)
        case .new:
            if let type = registeredType(stream.objects[index].classIndex) as? any SequentialCoding.Type {
                try make(index, type)
                return instances[index]
            }
            switch classes.unknownClasses {
            case .skip: return nil
            case .placeholder: return try instance(of: UnknownSequentialObject.self, at: index)
            case .fail, .decodeAsRequested:
                throw error(
                    .classNotAllowed,
                    "Found the \(describe(index)), whose class is not registered: register it in `classes`, or set"
                        + " `classes.unknownClasses` to `.placeholder`")
            }
        }
    }

    private func make(_ index: Int, _ type: any SequentialCoding.Type) throws {
        states[index] = .making
        do {
            let object = try withObject(index) { try type.init(coder: self) }
            if states[index] == .published {
                require(
                    instances[index] === object,
                    "publish(_:) was called with another instance than the one that is being decoded")
            }
            set(object, at: index)
            states[index] = .made
            set(try object.awakeAfter(using: self), at: index)
        } catch {
            states[index] = .new
            set(nil, at: index)
            throw error
        }
    }

    private func set(_ object: AnyObject?, at index: Int) {
        instances[index] = object
        knownSource?.set(object, at: index)
    }

    /// The archive and the instances decoded from it, for unknown objects.
    var source: SequentialSource {
        if let knownSource { return knownSource }
        let source = SequentialSource(stream)
        for index in instances.indices where instances[index] != nil { source.set(instances[index], at: index) }
        knownSource = source
        return source
    }

    /// Makes the current instance available to references from nested objects. All of its stored properties must have a value.
    ///
    /// Publishing another object than the instance whose `init(coder:)` is running is a programming error and traps.
    public func publish(_ object: any SequentialCoding) {
        guard let index = currentObject, states[index] == .making || instances[index] === object else {
            misuse("publish(_:) was called outside of init(coder:)")
        }
        set(object, at: index)
        states[index] = .published
    }

    /// Replaces `object`, which this unarchiver has decoded, by `replacement` in all values that are decoded from now on.
    ///
    /// - Complexity: O(*n*), where *n* is the number of objects in the archive.
    public func replaceObject(_ object: any SequentialCoding, with replacement: any SequentialCoding) {
        for index in instances.indices where instances[index] === object { set(replacement, at: index) }
    }
}

// MARK: - Classes

extension SequentialUnarchiver {
    /// Decodes objects of the class `name` as objects of the class `newName`.
    public func decodeClassName(_ name: String, asClassName newName: String) {
        decodedNames[name] = newName
        forgetClasses()
    }

    /// Clears the caches about classes after their names or types have changed.
    private func forgetClasses() {
        resolutions = [:]
        registered = [:]
        foundationClasses = SequentialClassTable()
        versions = [:]
    }

    /// Returns the name under which objects of the class `name` are decoded.
    func classNameDecoded(forArchiveClassName name: String) -> String { decodedNames[name] ?? name }

    private func className(_ classIndex: Int) -> String {
        classNameDecoded(forArchiveClassName: stream.classes[classIndex].name)
    }

    /// Returns the archived version of the class `name`: among the classes of the current object, otherwise anywhere in the
    /// archive; `nil` if the archive does not contain the class.
    ///
    /// - Complexity: O(*n*), where *n* is the number of classes.
    public func version(forClassName name: String) -> Int? {
        var next = currentObject.map { stream.objects[$0].classIndex }
        while let index = next {
            if stream.classes[index].name == name { return stream.classes[index].version }
            next = stream.classes[index].superclassIndex
        }
        return firstVersions[name]
    }

    /// Returns the archived version of `type` among the classes of the current object; `nil` if it is not one of them.
    ///
    /// - Complexity: O(*n*) for the first object of a class, where *n* is the number of its superclasses; otherwise O(1).
    public func archivedVersion(of type: any SequentialCoding.Type) -> Int? {
        guard let object = currentObject else { return nil }
        return versions[ObjectIdentifier(type), default: SequentialClassTable()].value(
            for: stream.objects[object].classIndex, in: stream.classes
        ) { index in
            let name = className(index)
            let isName = classes.isName(name, of: type) || classes.isSimilarName(name, of: type)
            return isName ? stream.classes[index].version : nil
        }
    }

    /// Returns the Foundation class of the object at a position; nil for other classes and for registered ones.
    func foundationClass(at index: Int) -> SequentialFoundationClass? {
        let classIndex = stream.objects[index].classIndex
        let found = foundationClasses.value(for: classIndex, in: stream.classes) {
            SequentialFoundationClass(rawValue: className($0))
        }
        return found == nil || registeredType(classIndex) == nil ? found : nil
    }

    /// Returns the type that is registered for the class at a position.
    func registeredType(_ classIndex: Int) -> (any Any.Type)? {
        guard !classes.isEmpty else { return nil }
        if let known = registered[classIndex] { return known }
        let type = classes.type(named: className(classIndex))
        registered[classIndex] = .some(type)
        return type
    }

    /// Returns whether the object at a position is skipped because its class is unknown and the registry says so.
    func isSkipped(_ type: any Any.Type, at index: Int) throws -> Bool {
        guard classes.unknownClasses == .skip, states[index] == .new, let coding = type as? any SequentialCoding.Type
        else {
            return false
        }
        return isUnknown(index, coding)
    }

    private func isUnknown<Object: SequentialCoding>(_ index: Int, _ type: Object.Type) -> Bool {
        if case .unknown = resolution(index, type, accepts: { $0 is Object.Type }) { return true }
        return false
    }

    /// Returns the class to instantiate for the object at a position if `requested` is requested.
    private func resolve(
        _ index: Int, _ requested: any SequentialCoding.Type, accepts: (any Any.Type) -> Bool
    ) throws -> any SequentialCoding.Type {
        switch resolution(index, requested, accepts: accepts) {
        case .type(let type): return type
        case .unknown where classes.unknownClasses == .decodeAsRequested: return requested
        case .unknown, .refused: throw refused(index, requested)
        }
    }

    private func resolution(
        _ index: Int, _ requested: any SequentialCoding.Type, accepts: (any Any.Type) -> Bool
    ) -> Resolution {
        if requested == UnknownSequentialObject.self { return .type(requested) }
        let classIndex = stream.objects[index].classIndex
        let key = ResolutionKey(classIndex: classIndex, requested: ObjectIdentifier(requested))
        if let known = resolutions[key] { return known }
        let name = className(classIndex)
        let found: Resolution
        if let registered = registeredType(classIndex) {
            if accepts(registered), let type = registered as? any SequentialCoding.Type {
                found = .type(type)
            } else {
                found = .refused
            }
        } else if classes.isName(name, of: requested) || classes.isSimilarName(name, of: requested) {
            found = .type(requested)
        } else {
            found = .unknown
        }
        resolutions[key] = found
        return found
    }

    private func refused(_ index: Int, _ requested: any Any.Type) -> SequentialCodingError {
        let name = className(stream.objects[index].classIndex)
        return error(
            .classNotAllowed,
            "Found the \(describe(index)), where \(requested) is expected. If the class was renamed or is a subclass, register it"
                + " in `classes`: `classes.register(…, name: \"\(Self.start(of: name))\")`")
    }
}

// MARK: - Errors

extension SequentialUnarchiver {
    /// Returns the error for a value that is not a `type`, to be thrown by `fromSequentialValue(_:of:in:)`: `.valueNotFound` for
    /// nil, `.typeMismatch` for other values.
    public func typeMismatchError(
        _ type: any Any.Type, found value: TypedStream.Value, of encoding: TypeEncoding
    ) -> SequentialCodingError {
        switch value {
        case .object(nil), .cString(nil), .name(nil), .bytes(nil), .class(nil):
            return error(
                .valueNotFound,
                "Found nil of the type \"\(TypeEncoding.start(of: [encoding]))\", where \(type) is expected. Decode an optional if it may be nil"
            )
        case .object(let index?):
            return error(.typeMismatch, "Found the \(describe(index)), where \(type) is expected")
        default:
            return error(
                .typeMismatch,
                "Found a value of the type \"\(TypeEncoding.start(of: [encoding]))\", where \(type) is expected")
        }
    }

    /// Returns the error for a number that is out of range for `type`, to be thrown by `fromSequentialValue(_:of:in:)`.
    public func numberOutOfRangeError(
        _ type: any Any.Type, found value: TypedStream.Value, of encoding: TypeEncoding
    ) -> SequentialCodingError {
        let number = value.integer.map(String.init) ?? value.real.map { "\($0)" } ?? "\(value)"
        return error(
            .numberOutOfRange, "Found the number \(number) of the type \"\(encoding)\", which \(type) cannot hold")
    }

    /// Returns the description of an object for errors.
    func describe(_ index: Int) -> String {
        "object \(index) of the class \(Self.start(of: stream.classes[stream.objects[index].classIndex].name))"
    }

    /// Returns the start of a name for errors. The limit counts Unicode scalars, since one character can have any number of them.
    static func start(of name: String) -> String { String(name.unicodeScalars.prefix(100)) }

    /// Returns an error about the current group.
    func error(_ code: SequentialCodingError.Code, _ sentence: String) -> SequentialCodingError {
        let frame = frames[frames.count - 1]
        let offset = groups.indices.contains(frame.next - 1) ? groups[frame.next - 1].byteOffset : nil
        // The innermost levels are the most informative.
        let path = frames.suffix(20).map { frame in
            guard let object = frame.object else { return "group \(max(0, frame.next - 1))" }
            let name = Self.start(of: stream.classes[stream.objects[object].classIndex].name)
            return "\(name) (object \(object)), group \(max(0, frame.next - 1))"
        }
        return SequentialCodingError(code, at: offset, path: path, sentence)
    }
}
