// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
    public var classes: ClassRegistry {
        get { knownClasses.registry }
        set { knownClasses.registry = newValue }
    }
    let knownClasses: SequentialClasses
    let limits: DecodingLimits
    var meter: DecodingMeter
    private var stack = StackGuard()

    private var frames: [Frame]
    var states: [State]
    var values: [ValueKey: Any] = [:]
    /// Closures that wait for instances, which are decoded when nothing else is being decoded.
    private var waiting: [Waiting] = []
    /// The failure of an instance that was decoded later. Others may refer to incomplete instances then, so further calls fail.
    private var failure: (any Error)?
    var instances: [AnyObject?]
    var knownSource: SequentialSource?

    private struct Frame {
        var object: Int?
        var next = 0
        /// Closures that wait for instances. They are dropped if the object fails.
        var waiting: [(SequentialUnarchiver) throws -> Void] = []
    }

    private struct Waiting {
        /// Retains the waiting instance, which may have been replaced since.
        let owner: Any?
        let body: (SequentialUnarchiver) throws -> Void
    }

    enum State {
        case new, making, published, made
    }

    struct ValueKey: Hashable {
        let index: Int
        let type: ObjectIdentifier
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
        try self.init(forReadingFrom: Data(contentsOfFile: url), limits: limits)
    }

    private init(_ stream: TypedStream, _ limits: DecodingLimits, byteCount: Int) throws {
        self.stream = stream
        self.limits = limits
        meter = limits.meter(forByteCount: byteCount)
        knownClasses = SequentialClasses(stream.classes)
        knownClasses.registry = ClassRegistry(unknownClasses: .placeholder)
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

    var remainingGroups: Int { groups.count - frames[frames.count - 1].next }

    var nextGroupUnread: TypedStream.Group? { isAtEnd ? nil : groups[frames[frames.count - 1].next] }

    func count(ofInnermost class: SequentialFoundationClass) -> Int {
        frames.reversed().prefix { $0.object.map { foundationClass(at: $0) == `class` } ?? false }.count
    }

    var currentObject: Int? { frames[frames.count - 1].object }

    /// Calls `body` with the next group. If `body` throws, the group can be decoded again.
    func nextGroup<Result>(_ body: (TypedStream.Group) throws -> Result) throws -> Result {
        if let failure { throw failure }
        let depth = frames.count - 1
        let groups = groups
        let next = frames[depth].next
        guard next < groups.count else {
            throw error(.valueNotFound, "All values have been decoded, but one more was requested")
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
                .typeMismatch,
                "\(remainingGroups) more values exist than were decoded. Call"
                    + " skipRemainingValues() to ignore them")
        }
        for body in frames[frames.count - 1].waiting { waiting.append(Waiting(owner: result, body: body)) }
        return result
    }

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
}

// MARK: - Classes

extension SequentialUnarchiver {
    /// Decodes objects of the class `name` as objects of the class `newName`.
    public func decodeClassName(_ name: String, asClassName newName: String) {
        knownClasses.decode(name, as: newName)
    }

    func classNameDecoded(forArchiveClassName name: String) -> String { knownClasses.decodedName(name) }

    /// Returns the archived version of the class `name`: among the classes of the current object, otherwise anywhere in the
    /// archive; `nil` if the archive does not contain the class.
    ///
    /// - Complexity: O(*n*), where *n* is the number of classes.
    public func version(forClassName name: String) -> Int? {
        knownClasses.version(ofClassNamed: name, from: currentObject.map { stream.objects[$0].classIndex })
    }

    /// Returns the archived version of `type` among the classes of the current object; `nil` if it is not one of them.
    ///
    /// - Complexity: O(*n*) for the first object of a class, where *n* is the number of its superclasses; otherwise O(1).
    public func archivedVersion(of type: any SequentialCoding.Type) -> Int? {
        currentObject.flatMap { knownClasses.version(of: type, from: stream.objects[$0].classIndex) }
    }

    /// Returns the Foundation class of the object at a position; nil for other classes and for registered ones.
    func foundationClass(at index: Int) -> SequentialFoundationClass? {
        knownClasses.foundationClass(at: stream.objects[index].classIndex)
    }

    func registeredType(at index: Int) -> (any Any.Type)? {
        knownClasses.registeredType(at: stream.objects[index].classIndex)
    }
}

// MARK: - Errors

extension SequentialUnarchiver {
    /// Returns the error for a value that is not a `type`, to be thrown by `fromSequentialValue(_:of:in:)`: `.valueNotFound` for
    /// nil, `.typeMismatch` for other values.
    public func typeMismatchError(
        _ type: any Any.Type, found value: TypedStream.Value, of encoding: TypeEncoding
    ) -> ArchivingError {
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

    func numberOutOfRangeError(
        _ type: any Any.Type, found value: TypedStream.Value, of encoding: TypeEncoding
    ) -> ArchivingError {
        let number = value.integer.map(String.init) ?? value.real.map { "\($0)" } ?? "\(value)"
        return error(
            .numberOutOfRange, "Found the number \(number) of the type \"\(encoding)\", which \(type) cannot hold")
    }

    func describe(_ index: Int) -> String {
        "object \(index) of the class \(Self.start(of: stream.classes[stream.objects[index].classIndex].name))"
    }

    /// Returns the start of a name for errors. The limit counts Unicode scalars, since one character can have any number of them.
    static func start(of name: String) -> String { String(name.unicodeScalars.prefix(100)) }

    func error(_ code: ArchivingError.Code, _ sentence: String) -> ArchivingError {
        let frame = frames[frames.count - 1]
        let offset = groups.indices.contains(frame.next - 1) ? groups[frame.next - 1].byteOffset : nil
        // The innermost levels are the most informative.
        let path = frames.suffix(20).map { frame in
            guard let object = frame.object else { return "group \(max(0, frame.next - 1))" }
            let name = Self.start(of: stream.classes[stream.objects[object].classIndex].name)
            return "\(name) (object \(object)), group \(max(0, frame.next - 1))"
        }
        return ArchivingError(code, at: path, byteOffset: offset, sentence)
    }
}

// MARK: - Single values

extension SequentialUnarchiver {
    /// Decodes the next value.
    ///
    /// An integer is decoded from any integer type, and a floating-point number from any floating-point type, if it is in the
    /// range of `type`.
    ///
    /// ```swift
    /// let name = try unarchiver.decode(String.self)
    /// let parent = try unarchiver.decode(View?.self)
    /// let views = try unarchiver.decode([View].self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - encoding: The type as which the value was encoded, as in Cocoa's `decodeValue(ofObjCType:at:)`; any if it is `nil`.
    /// - Throws: `ArchivingError`: `.typeMismatch` if a value of another kind was encoded, several values by one call, or
    ///   more values of an object than it decoded; `.valueNotFound` for nil and at the end; `.numberOutOfRange`, `.classNotAllowed`,
    ///   `.cycle`; `.damaged` if an object does not match its class; `.limit`. Also the errors of `init(coder:)`.
    public func decode<Value: SequentialValue>(_ type: Value.Type, as encoding: TypeEncoding? = nil) throws -> Value {
        try nextGroup { group in
            if let encoding {
                guard group.types.count == 1, group.types[0].matches(encoding) else {
                    throw otherTypes(group, wanted: [encoding])
                }
            } else if group.types.count != 1 {
                throw severalValues(group, wanted: "\(type)")
            }
            return try type.fromSequentialValue(group.values[0], of: group.types[0], in: self)
        }
    }

    private func severalValues(_ group: TypedStream.Group, wanted: String) -> ArchivingError {
        let types = TypeEncoding.start(of: group.types)
        return error(
            .typeMismatch,
            "Found \(group.values.count) values that were encoded by one call, \"\(types)\", where one \(wanted) is"
                + " expected. Decode them by one call: decodeValues(\"\(types)\", as: …)")
    }

    private func otherTypes(_ group: TypedStream.Group, wanted: [TypeEncoding]) -> ArchivingError {
        error(
            .typeMismatch,
            "Found values of the types \"\(TypeEncoding.start(of: group.types))\", where"
                + " \"\(TypeEncoding.text(of: wanted))\" is expected. Decode in the order in which they were encoded")
    }

    /// Decodes the name of the next class, of the type `#`; `nil` for null.
    ///
    /// - Throws: As `decode(_:)`.
    public func decodeClassName() throws -> String? {
        try nextGroup { group in
            guard group.types == [.class], case .class(let index) = group.values[0] else {
                throw otherTypes(group, wanted: [.class])
            }
            return index.map { classNameDecoded(forArchiveClassName: stream.classes[$0].name) }
        }
    }

    /// Decodes the next instance later, when nothing else is being decoded, and passes it to `body`. It can therefore be part of
    /// a cycle, and chains of any length need no stack.
    ///
    /// ```swift
    /// required init(coder: SequentialUnarchiver) throws {
    ///     name = try coder.decode(String.self)
    ///     try coder.decodeReference(Node.self) { [unowned self] in next = $0 }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the instance.
    ///   - body: The closure that receives the instance before the program's outermost call returns. If the reference is nil, it
    ///     is called immediately.
    /// - Throws: As `decode(_:)`. A later failure is thrown by the program's outermost call, and by every call after that: other
    ///   objects may then refer to incomplete instances.
    public func decodeReference<Object: SequentialCoding>(
        _ type: Object.Type, then body: @escaping (Object?) -> Void
    ) throws {
        try nextGroup { group in
            guard group.types == [.object], case .object(let index) = group.values[0] else {
                throw otherTypes(group, wanted: [.object])
            }
            guard let index else { return body(nil) }
            whenIdle { body(try $0.instance(of: type, at: index)) }
        }
    }
}

// MARK: - Several values of one group

extension SequentialUnarchiver {
    /// Decodes the next values, which were encoded by one call.
    ///
    /// ```swift
    /// let (index, length) = try unarchiver.decodeValues("iI", as: Int.self, Int.self)
    /// ```
    ///
    /// - Parameters:
    ///   - types: The types that they were encoded as. Names of structs are ignored.
    ///   - values: The types of the values.
    /// - Throws: As `decode(_:)`, and `TypedStreamError` if `types` is not valid. Traps if the numbers of types and values
    ///   differ.
    public func decodeValues<each Value: SequentialValue>(
        _ types: String, as values: repeat (each Value).Type
    ) throws -> (repeat each Value) {
        let types = try TypeEncoding.list(types)
        var count = 0
        for _ in repeat each values { count += 1 }
        require(
            types.count == count, "\(count) values, but \(types.count) types in \"\(TypeEncoding.text(of: types))\"")
        return try nextGroup { group in
            guard group.types.count == types.count, zip(group.types, types).allSatisfy({ $0.matches($1) }) else {
                throw otherTypes(group, wanted: types)
            }
            var index = -1
            func next<Next: SequentialValue>(_ type: Next.Type) throws -> Next {
                index += 1
                return try type.fromSequentialValue(group.values[index], of: group.types[index], in: self)
            }
            return (repeat try next((each Value).self))
        }
    }

    /// Decodes the elements of the next C array, such as `[3i]`.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - count: The required number of elements; `nil` for any number.
    /// - Throws: As `decode(_:)`, and `.typeMismatch` if the number of elements differs.
    public func decodeArray<Element: SequentialValue>(of type: Element.Type, count: Int? = nil) throws -> [Element] {
        try nextGroup { group in
            guard group.types.count == 1, case .array(let found, let element) = group.types[0].kind,
                found == count ?? found, let values = group.values[0].elements(of: element)
            else { throw otherTypes(group, wanted: [.array(count: count ?? 0, of: Element.sequentialTypeEncoding)]) }
            return try elements(values, of: element, as: type)
        }
    }

    func elements<Element: SequentialValue>(
        _ values: [TypedStream.Value], of encoding: TypeEncoding, as type: Element.Type
    ) throws -> [Element] {
        try count(values.count)
        return try values.map { try type.fromSequentialValue($0, of: encoding, in: self) }
    }

    /// Decodes the next bytes, of the type `+` or an array of `c` or `C`; `nil` for null.
    ///
    /// - Throws: As `decode(_:)`.
    public func decodeBytes() throws -> [UInt8]? {
        try nextGroup { group in
            guard group.types.count == 1, case .bytes(let bytes) = group.values[0] else {
                throw otherTypes(group, wanted: [.bytes])
            }
            try counted(bytes: bytes?.count ?? 0)
            return bytes
        }
    }
}

// MARK: - Instances

extension SequentialUnarchiver {
    func instance<Object: SequentialCoding>(of type: Object.Type, at index: Int) throws -> Object {
        switch states[index] {
        case .made, .published: break
        case .making:
            throw error(
                .cycle,
                "The \(describe(index)) needs itself before it is complete: let its init(coder:) call coder.publish(self) before"
                    + " it decodes references back to it, or use decodeReference(_:then:)")
        case .new: try make(index, try resolve(index, type))
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
            if let type = registeredType(at: index) as? any SequentialCoding.Type {
                try make(index, type)
                return instances[index]
            }
            switch knownClasses.registry.unknownClasses {
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

// MARK: - Classes of instances

extension SequentialUnarchiver {
    private func resolution<Object: SequentialCoding>(_ index: Int, _ type: Object.Type) -> SequentialClasses.Resolution
    {
        knownClasses.resolution(at: stream.objects[index].classIndex, type)
    }

    private func resolve<Object: SequentialCoding>(
        _ index: Int, _ requested: Object.Type
    ) throws -> any SequentialCoding.Type {
        switch resolution(index, requested) {
        case .type(let type): return type
        case .unknown where knownClasses.registry.unknownClasses == .decodeAsRequested: return requested
        case .unknown, .refused: throw refused(index, requested)
        }
    }

    /// Returns whether the object at a position is skipped because its class is unknown and the registry says so.
    func isSkipped(_ type: any Any.Type, at index: Int) -> Bool {
        guard knownClasses.registry.unknownClasses == .skip, states[index] == .new,
            let type = type as? any SequentialCoding.Type,
            case .unknown = resolution(index, type)
        else { return false }
        return true
    }

    private func refused(_ index: Int, _ requested: any Any.Type) -> ArchivingError {
        let name = knownClasses.name(at: stream.objects[index].classIndex)
        return error(
            .classNotAllowed,
            "Found the \(describe(index)), where \(requested) is expected. If the class was renamed or is a subclass, register it"
                + " in `classes`: `classes.register(…, name: \"\(Self.start(of: name))\")`")
    }
}
