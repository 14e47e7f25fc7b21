import Archiving

/// An object of a class that the program does not know, with all that is in it.
///
/// ```swift
/// let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
/// if let unknown = try unarchiver.decodeObject() as? UnknownSequentialObject {
///     print(unknown.className, unknown.groups.count)
/// }
/// ```
///
/// When it is archived, it is written as it was read: its class with the versions of the whole chain, every value, and
/// whatever those refer to. What it refers to and the program has an instance of is that instance in the new archive, as it
/// is then.
public final class UnknownSequentialObject: SequentialCoding {
    /// The archive that the object is from. The positions of objects, classes and C strings in its values are those of this
    /// archive's lists.
    public var stream: TypedStream { source.stream }
    /// The position of the object in `stream.objects`.
    public let index: Int
    let source: SequentialSource

    /// Takes over the object that is being read, with all its values.
    public init(coder: SequentialUnarchiver) throws {
        guard let index = coder.currentObject else {
            misuse("UnknownSequentialObject(coder:) was called outside of an object")
        }
        self.index = index
        source = coder.source
        coder.skipRemainingValues()
    }

    /// Writes nothing: archivers take the object over as it lies in its archive.
    public func encode(with coder: SequentialArchiver) throws {}

    /// The name of the class.
    public var className: String { stream.className(of: stream.objects[index]) }

    /// The class and its superclasses, with their versions.
    public var classChain: [TypedStream.Class] { stream.classChain(of: stream.objects[index]) }

    /// The values, as they were encoded.
    public var groups: [TypedStream.Group] { stream.objects[index].groups }

    /// The instance that the program has for the object at a position of `stream.objects`; nil where it has none, or none any
    /// more.
    public func instance(at index: Int) -> AnyObject? { source.instance(at: index) }
}

extension UnknownSequentialObject: Hashable {
    /// Whether both are the same instance.
    public static func == (left: UnknownSequentialObject, right: UnknownSequentialObject) -> Bool { left === right }

    /// Feeds what tells this instance from others into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension UnknownSequentialObject: CustomStringConvertible {
    /// The class and the position.
    public var description: String { "an object of the unknown class \(className) (object \(index))" }
}

/// An archive, and the instances that were made of its objects. It does not hold them: unknown objects are among them, and
/// hold it.
final class SequentialSource {
    private struct Instance {
        weak var object: AnyObject?
    }

    let stream: TypedStream
    private var instances: [Int: Instance] = [:]

    init(_ stream: TypedStream) { self.stream = stream }

    func instance(at index: Int) -> AnyObject? { instances[index]?.object }

    func set(_ object: AnyObject?, at index: Int) { instances[index] = object.map { Instance(object: $0) } }
}

// MARK: - Archiving

/// What has been taken over from another archive, and where it is in this one.
final class SequentialTranscription {
    let source: SequentialSource
    fileprivate var objects: [Int: Int] = [:]
    fileprivate var classes: [Int: Int] = [:]
    fileprivate var cStrings: [Int: Int] = [:]

    fileprivate init(_ source: SequentialSource) { self.source = source }
}

extension SequentialArchiver {
    /// Writes what `unknown` has at the position `index`, and whatever that refers to and the program has no instance of.
    func transcribe(_ unknown: UnknownSequentialObject, to index: Int) {
        let identifier = ObjectIdentifier(unknown.source)
        let transcription = transcriptions[identifier] ?? SequentialTranscription(unknown.source)
        transcriptions[identifier] = transcription
        let source = unknown.source.stream
        var untold = [(from: unknown.index, to: index)]
        while let (from, to) = untold.popLast() {
            let object = source.objects[from]
            let classIndex = classIndex(object.classIndex, transcription)
            var groups = CollectedStream.Groups()
            for group in object.groups {
                let values = group.values.map { value in
                    transcribed(value, transcription) { position in
                        if let instance = transcription.source.instance(at: position) as? any SequentialCoding {
                            return self.index(of: instance)
                        }
                        if let known = transcription.objects[position] { return known }
                        let new = addObject()
                        transcription.objects[position] = new
                        untold.append((position, new))
                        return new
                    }
                }
                groups.append(group.types, values)
            }
            complete(to, classIndex, groups)
        }
    }

    private func transcribed(
        _ value: TypedStream.Value, _ transcription: SequentialTranscription, objects: (Int) -> Int?
    ) -> TypedStream.Value {
        switch value {
        case .cString(let index?): .cString(cStringIndex(index, transcription))
        case .class(let index?): .class(classIndex(index, transcription))
        case .object(let index?): .object(objects(index))
        case .array(let values): .array(values.map { transcribed($0, transcription, objects: objects) })
        case .structure(let values): .structure(values.map { transcribed($0, transcription, objects: objects) })
        default: value
        }
    }

    /// Equal strings that the source has apart stay apart.
    private func cStringIndex(_ index: Int, _ transcription: SequentialTranscription) -> Int {
        if let known = transcription.cStrings[index] { return known }
        let position = addCString(transcription.source.stream.cStrings[index])
        transcription.cStrings[index] = position
        return position
    }

    private func classIndex(_ index: Int, _ transcription: SequentialTranscription) -> Int {
        if let known = transcription.classes[index] { return known }
        var chain: [Int] = []
        var next: Int? = index
        while let index = next, transcription.classes[index] == nil {
            chain.append(index)
            next = transcription.source.stream.classes[index].superclassIndex
        }
        var above = next.flatMap { transcription.classes[$0] }
        for index in chain.reversed() {
            var entry = transcription.source.stream.classes[index]
            entry.superclassIndex = above
            above = classIndex(of: entry)
            transcription.classes[index] = above
        }
        return above ?? 0
    }
}
