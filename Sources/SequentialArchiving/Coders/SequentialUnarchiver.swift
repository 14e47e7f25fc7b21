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
        /// The position of the object; nil for the top.
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

    /// The next group, without reading it; nil at the end.
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
