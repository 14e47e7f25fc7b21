// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization

/// An object of a class that the program does not know, with all its values.
///
/// ```swift
/// let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
/// if let unknown = try unarchiver.decodeObject() as? UnknownSequentialObject {
///     print(unknown.className, unknown.groups.count)
/// }
/// ```
///
/// An archiver writes it unchanged: its class with the versions of the whole chain, every value, and the objects that these refer
/// to. If the program has an instance of a referenced object, the archiver encodes the current state of that instance instead.
public final class UnknownSequentialObject: SequentialCoding, Sendable {
    /// The archive that contains the object. The positions in its values refer to the lists of this archive.
    public var stream: TypedStream { source.stream }
    /// The position of the object in `stream.objects`.
    public let index: Int
    let source: SequentialSource

    /// Creates an unknown object from the current object of the unarchiver, with all its values.
    public init(coder: SequentialUnarchiver) throws {
        guard let index = coder.currentObject else {
            misuse("UnknownSequentialObject(coder:) was called outside an object")
        }
        self.index = index
        source = coder.source
        coder.skipRemainingValues()
    }

    /// Writes nothing: archivers copy the object from its archive.
    public func encode(with coder: SequentialArchiver) throws {}

    /// The name of the class.
    public var className: String { stream.className(of: stream.objects[index]) }

    package var classChain: [TypedStream.Class] { stream.classChain(of: stream.objects[index]) }

    /// The values in the order in which they were encoded.
    public var groups: [TypedStream.Group] { stream.objects[index].groups }

    /// Returns the program's instance for the object at a position of `stream.objects`; `nil` if there is none or it has been
    /// released.
    package func instance(at index: Int) -> AnyObject? { source.instance(at: index) }
}

extension UnknownSequentialObject: Encodable {
    /// Throws an error. Only a `SequentialArchiver` writes the object, without this method.
    ///
    /// - Throws: `EncodingError.invalidValue`.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription:
                    "Found \(self). Only a typedstream can hold it: use SequentialArchiver, or remove the object"))
    }
}

extension UnknownSequentialObject: Hashable {
    /// Returns whether both are the same instance.
    public static func == (left: UnknownSequentialObject, right: UnknownSequentialObject) -> Bool { left === right }

    /// Hashes the identity of the instance into `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension UnknownSequentialObject: CustomStringConvertible {
    /// The name of the class and the position of the object.
    public var description: String { "an object of the unknown class \(className) (object \(index))" }
}

/// An archive and weak references to the instances that were decoded from it. Unknown objects are among these instances and
/// retain the source.
final class SequentialSource: Sendable {
    private struct Instance: @unchecked Sendable {
        weak var object: AnyObject?
    }

    let stream: TypedStream
    private let instances = Mutex<[Int: Instance]>([:])

    init(_ stream: TypedStream) { self.stream = stream }

    func instance(at index: Int) -> AnyObject? { instances.withLock { $0[index] }?.object }

    func set(_ object: AnyObject?, at index: Int) {
        let instance = object.map { Instance(object: $0) }
        instances.withLock { $0[index] = instance }
    }
}

// MARK: - Archiving

final class SequentialTranscription {
    let source: SequentialSource
    fileprivate var objects: [Int: Int] = [:]
    fileprivate var classes: [Int: Int] = [:]
    fileprivate var cStrings: [Int: Int] = [:]

    fileprivate init(_ source: SequentialSource) { self.source = source }
}

extension SequentialArchiver {
    /// Copies the object of `unknown` to the position `index`, with all referenced objects that the program has no instance of.
    func transcribe(_ unknown: UnknownSequentialObject, to index: Int) {
        let identifier = ObjectIdentifier(unknown.source)
        let transcription = transcriptions[identifier] ?? SequentialTranscription(unknown.source)
        transcriptions[identifier] = transcription
        let source = unknown.source.stream
        var untold = [(from: unknown.index, to: index)]
        while let (from, to) = untold.popLast() {
            let object = source.objects[from]
            let classIndex = classIndex(object.classIndex, transcription)
            let groups = object.groups.map { group in
                let values = group.values.map { value in
                    value.mapping { position in
                        if let instance = transcription.source.instance(at: position) as? any SequentialCoding {
                            return self.index(of: instance)
                        }
                        if let known = transcription.objects[position] { return known }
                        let new = addObject()
                        transcription.objects[position] = new
                        untold.append((position, new))
                        return new
                    } classes: {
                        self.classIndex($0, transcription)
                    } cStrings: {
                        cStringIndex($0, transcription)
                    }
                }
                return TypedStream.Group(group.types, values)
            }
            complete(to, classIndex, groups)
        }
    }

    /// Equal strings that are separate in the source stay separate.
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
