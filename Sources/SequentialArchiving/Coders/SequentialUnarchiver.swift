import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads sequential archives, which `NSArchiver` and NeXT's typed streams write: typed values in the order in which they were
/// encoded.
///
/// ```swift
/// let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
/// unarchiver.classes.register(Button.self, name: "Button")
/// let window = try unarchiver.decode(Window.self)
/// let count = try unarchiver.decode(Int32.self)
/// unarchiver.isAtEnd                              // true: that was all
/// ```
///
/// Only classes are created that are asked for, or registered. Where any object may stand, `decodeObject()`, those of other
/// classes come as `UnknownSequentialObject`, unless `classes.unknownClasses` says otherwise.
public final class SequentialUnarchiver {
    /// What is being read.
    public let stream: TypedStream
    /// The names of classes, and what becomes of objects whose classes are not known. Those are placeholders where any object
    /// may stand, unless the program gives another registry.
    public var classes: ClassRegistry { didSet { forgetClasses() } }
    /// What reading may cost.
    let limits: DecodingLimits
    var meter: DecodingMeter
    private var stack = StackGuard()

    /// What is being read: the archive's top, and objects inside each other.
    private var frames: [Frame]
    private var states: [State]
    /// Containers and other values that were made before.
    var values: [ValueKey: Any] = [:]
    private var decodedNames: [String: String] = [:]
    private var resolutions: [ResolutionKey: Resolution] = [:]
    /// The types that are registered for classes, by the positions of these.
    private var registered: [Int: (any Any.Type)?] = [:]
    private var foundationClasses = SequentialClassTable<SequentialFoundationClass>()
    private var versions: [ObjectIdentifier: SequentialClassTable<Int>] = [:]
    /// The version that each class has where it is met first.
    private lazy var firstVersions = Dictionary(
        stream.classes.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first })
    /// What waits for instances that are made when there is nothing else to do.
    private var waiting: [Waiting] = []
    /// What went wrong with an instance that was handed over later. Others have got it by then, so nothing is decoded after
    /// that.
    private var failure: (any Error)?
    /// The instances that have been made.
    private var instances: [AnyObject?]
    /// What unknown objects know of the archive, once there are any.
    private var knownSource: SequentialSource?

    private struct Frame {
        /// The position of the object; nil for the top.
        var object: Int?
        /// The group that is read next.
        var next = 0
        /// What waits for instances that are made later. It goes with the object where that fails.
        var waiting: [(SequentialUnarchiver) throws -> Void] = []
    }

    private struct Waiting {
        /// Keeps the instance that is waiting, which may have been replaced since.
        let owner: Any?
        let body: (SequentialUnarchiver) throws -> Void
    }

    private enum State {
        case new, making, published, made
    }

    /// An object as a value of a type.
    struct ValueKey: Hashable {
        let index: Int
        let type: ObjectIdentifier
    }

    private struct ResolutionKey: Hashable {
        let classIndex: Int
        let requested: ObjectIdentifier
    }

    /// What objects of a class become where a certain class is asked for.
    private enum Resolution {
        case type(any SequentialCoding.Type)
        case unknown
        case refused
    }

    /// An unarchiver for the archive in `data`.
    ///
    /// - Parameters:
    ///   - data: A typedstream.
    ///   - limits: What reading may cost.
    /// - Throws: `TypedStreamError` where the bytes are no typedstream, or are damaged.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    public convenience init(forReadingFrom data: Data, limits: DecodingLimits = DecodingLimits()) throws {
        try self.init(TypedStream(data), limits, byteCount: data.count)
    }

    /// An unarchiver for the archive in a file.
    ///
    /// - Throws: `CocoaError` where the file cannot be read, and as `init(forReadingFrom:limits:)`.
    public convenience init(contentsOf url: URL, limits: DecodingLimits = DecodingLimits()) throws {
        try self.init(forReadingFrom: Data(contentsOf: url), limits: limits)
    }

    private init(_ stream: TypedStream, _ limits: DecodingLimits, byteCount: Int) throws {
        self.stream = stream
        self.limits = limits
        meter = limits.meter(forByteCount: byteCount)
        classes = ClassRegistry()
        classes.unknownClasses = .placeholder
        frames = [Frame(object: nil)]
        states = Array(repeating: .new, count: stream.objects.count)
        instances = Array(repeating: nil, count: stream.objects.count)
        guard stream.objects.count <= limits.objects else {
            throw error(
                .limit, "The archive has \(stream.objects.count) objects, and `limits.objects` is \(limits.objects)")
        }
    }
}

// MARK: - Whole archives

extension SequentialUnarchiver {
    /// The one object of an archive.
    ///
    /// ```swift
    /// let text = try SequentialUnarchiver.unarchivedObject(of: AttributedText.self, from: attributedBody)
    /// ```
    ///
    /// - Throws: `TypedStreamError` where the bytes are no typedstream; what `decode(_:)` throws.
    public static func unarchivedObject<Root: SequentialValue>(
        of type: Root.Type, from data: Data, classes: ClassRegistry? = nil
    ) throws -> Root {
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        if let classes { unarchiver.classes = classes }
        return try unarchiver.decode(type)
    }

    /// Whether everything that was encoded in what is being read has been decoded: in an object, its own values, otherwise
    /// those at the top of the archive.
    public var isAtEnd: Bool { frames[frames.count - 1].next >= groups.count }

    /// The version of the system that wrote the archive: 1000 on macOS.
    public var systemVersion: Int { stream.systemVersion }

    /// The types of the values that are decoded next, which were encoded by one call; nil at the end.
    public var nextTypes: [TypeEncoding]? { isAtEnd ? nil : groups[frames[frames.count - 1].next].types }

    /// Passes over the rest of the object that is being read, or of the archive. An object that has more values than its
    /// `init(coder:)` decodes is an error otherwise.
    public func skipRemainingValues() { frames[frames.count - 1].next = groups.count }
}

// MARK: - Groups

extension SequentialUnarchiver {
    private var groups: [TypedStream.Group] {
        guard let object = frames[frames.count - 1].object else { return stream.groups }
        return stream.objects[object].groups
    }

    /// How many groups are left in what is being read.
    var remainingGroups: Int { groups.count - frames[frames.count - 1].next }

    /// How many objects inside each other are of `class`, the one that is being read and those around it.
    func count(ofInnermost class: SequentialFoundationClass) -> Int {
        frames.reversed().prefix { $0.object.map { foundationClass(at: $0) == `class` } ?? false }.count
    }

    /// The position of the object that is being read; nil at the top.
    var currentObject: Int? { frames[frames.count - 1].object }

    /// Gives `body` the next group. One that cannot be read as what was asked for can be read again.
    func nextGroup<Result>(_ body: (TypedStream.Group) throws -> Result) throws -> Result {
        if let failure { throw failure }
        let depth = frames.count - 1
        let groups = groups
        let next = frames[depth].next
        guard next < groups.count else {
            throw error(.atEnd, "All values have been decoded, and one more was asked for")
        }
        frames[depth].next = next + 1
        // The next call may come on another thread.
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

    /// Reads what the object at a position consists of, inside of what is being read.
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
                "\(remainingGroups) more values are there than were decoded. Call"
                    + " skipRemainingValues() if that is right")
        }
        for body in frames[frames.count - 1].waiting { waiting.append(Waiting(owner: result, body: body)) }
        return result
    }

    /// Runs `body` later, when nothing is being read.
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

    /// Counts steps.
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
    /// The instance for the object at a position.
    func instance<Object: SequentialCoding>(of type: Object.Type, at index: Int) throws -> Object {
        switch states[index] {
        case .made, .published: break
        case .making:
            throw error(
                .cycle,
                "The \(describe(index)) needs itself before it is complete: let its init(coder:) call coder.publish(self) before it"
                    + " decodes what leads back to it, or use decodeReference(_:then:)")
        case .new: try make(index, try resolve(index, type) { $0 is Object.Type })
        }
        guard let object = instances[index] as? Object else { throw refused(index, type) }
        return object
    }

    /// The instance for the object at a position, of whichever registered class; nil where its class is not known, and is to
    /// be left out.
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
                    "publish(_:) was called with another instance than the one that is made")
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

    /// The archive, and the instances that are made of its objects, for unknown objects to keep.
    var source: SequentialSource {
        if let knownSource { return knownSource }
        let source = SequentialSource(stream)
        for index in instances.indices where instances[index] != nil { source.set(instances[index], at: index) }
        knownSource = source
        return source
    }

    /// Makes the instance known that is being made, so that objects inside it may refer to it. All of its stored properties
    /// have a value by then.
    ///
    /// It is a programming error, and traps, to publish anything else than the instance whose `init(coder:)` it is.
    public func publish(_ object: any SequentialCoding) {
        guard let index = currentObject, states[index] == .making || instances[index] === object else {
            misuse("publish(_:) was called outside of init(coder:)")
        }
        set(object, at: index)
        states[index] = .published
    }

    /// Lets `replacement` stand for `object`, which this unarchiver has made, wherever it is decoded from now on.
    ///
    /// - Complexity: O(*n*), where *n* is the number of objects in the archive.
    public func replaceObject(_ object: any SequentialCoding, with replacement: any SequentialCoding) {
        for index in instances.indices where instances[index] === object { set(replacement, at: index) }
    }
}

// MARK: - Classes

extension SequentialUnarchiver {
    /// Reads objects of the class `name` as those of the class `newName`.
    public func decodeClassName(_ name: String, asClassName newName: String) {
        decodedNames[name] = newName
        forgetClasses()
    }

    /// Forgets what has been found out about classes, whose names or types are others now.
    private func forgetClasses() {
        resolutions = [:]
        registered = [:]
        foundationClasses = SequentialClassTable()
        versions = [:]
    }

    /// The name under which objects of the class `name` are read.
    public func classNameDecoded(forArchiveClassName name: String) -> String { decodedNames[name] ?? name }

    private func className(_ classIndex: Int) -> String {
        classNameDecoded(forArchiveClassName: stream.classes[classIndex].name)
    }

    /// The version that the class `name` had when the archive was written: in the classes of the object that is being read,
    /// otherwise anywhere in the archive; nil where it is not there.
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

    /// The version that `type` had when the object was written that is being read; nil where it is none of its classes.
    ///
    /// - Complexity: O(*n*) where the object is the first of its class, *n* being the number of its classes.
    public func version(of type: any SequentialCoding.Type) -> Int? {
        guard let object = currentObject else { return nil }
        return versions[ObjectIdentifier(type), default: SequentialClassTable()].value(
            for: stream.objects[object].classIndex, in: stream.classes
        ) { index in
            let name = className(index)
            let isName = classes.isName(name, of: type) || classes.isSimilarName(name, of: type)
            return isName ? stream.classes[index].version : nil
        }
    }

    /// Which class of Foundation's the object at a position is of; nil for others, and for those that are registered.
    func foundationClass(at index: Int) -> SequentialFoundationClass? {
        let classIndex = stream.objects[index].classIndex
        let found = foundationClasses.value(for: classIndex, in: stream.classes) {
            SequentialFoundationClass(rawValue: className($0))
        }
        return found == nil || registeredType(classIndex) == nil ? found : nil
    }

    /// The type that is registered for the class at a position.
    private func registeredType(_ classIndex: Int) -> (any Any.Type)? {
        guard !classes.isEmpty else { return nil }
        if let known = registered[classIndex] { return known }
        let type = classes.type(named: className(classIndex))
        registered[classIndex] = .some(type)
        return type
    }

    /// Whether the object at a position is left out, as one of an unknown class where the registry says so.
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

    /// The class of which the object at a position is made, where one of `requested` is asked for.
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
            "Found the \(describe(index)), where \(requested) is wanted. If that is another name of it, or a subclass, register it in"
                + " `classes`: `classes.register(…, name: \"\(Self.start(of: name))\")`")
    }
}

// MARK: - Errors

extension SequentialUnarchiver {
    /// The error for a value that is none of `type`, for `fromSequentialValue(_:of:in:)` to throw: `.valueNotFound` for nil,
    /// `.typeMismatch` for any other.
    public func typeMismatchError(
        _ type: any Any.Type, found value: TypedStream.Value, of encoding: TypeEncoding
    ) -> SequentialCodingError {
        switch value {
        case .object(nil), .cString(nil), .name(nil), .bytes(nil), .class(nil):
            return error(
                .valueNotFound,
                "Found nil of the type \"\(TypeEncoding.start(of: [encoding]))\", where \(type) is wanted. Decode an optional where it may be nil"
            )
        case .object(let index?):
            return error(.typeMismatch, "Found the \(describe(index)), where \(type) is wanted")
        default:
            return error(
                .typeMismatch,
                "Found a value of the type \"\(TypeEncoding.start(of: [encoding]))\", where \(type) is wanted")
        }
    }

    /// The error for a number that `type` does not hold, for `fromSequentialValue(_:of:in:)` to throw.
    public func numberOutOfRangeError(
        _ type: any Any.Type, found value: TypedStream.Value, of encoding: TypeEncoding
    ) -> SequentialCodingError {
        let number = value.integer.map(String.init) ?? value.real.map { "\($0)" } ?? "\(value)"
        return error(
            .numberOutOfRange, "Found the number \(number) of the type \"\(encoding)\", which \(type) cannot hold")
    }

    /// An object as an error names it.
    func describe(_ index: Int) -> String {
        "object \(index) of the class \(Self.start(of: stream.classes[stream.objects[index].classIndex].name))"
    }

    /// The first characters of a name, as errors show it: of those that make up one letter there may be very many.
    static func start(of name: String) -> String { String(name.unicodeScalars.prefix(100)) }

    /// An error about what is being read.
    func error(_ code: SequentialCodingError.Code, _ sentence: String) -> SequentialCodingError {
        let frame = frames[frames.count - 1]
        let offset = groups.indices.contains(frame.next - 1) ? groups[frame.next - 1].byteOffset : nil
        // The deepest of many levels are those that say something.
        let path = frames.suffix(20).map { frame in
            guard let object = frame.object else { return "group \(max(0, frame.next - 1))" }
            let name = Self.start(of: stream.classes[stream.objects[object].classIndex].name)
            return "\(name) (object \(object)), group \(max(0, frame.next - 1))"
        }
        return SequentialCodingError(code, at: offset, path: path, sentence)
    }
}
