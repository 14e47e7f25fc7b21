// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Encodes decoded instances again, to compare what they write before and after a property is set.
///
/// Their objects are in a graph of its own, which never becomes an archive. An instance that they refer to gets a uid
/// there, but is not encoded itself.
final class Reencoding {
    typealias Reference = ArchiveGraph.Reference

    private let coder: any ReencodingCoder
    let writing: GraphWriting
    let graph: ArchiveGraph
    /// The encodings of the last proof, whose memory the next one uses, and whether a proof has them.
    private let encodings = Encodings()
    private var areEncodingsLent = false
    /// The last key that was looked up, and its object.
    private var knownKey: (field: DecodedField, key: Reference)?
    /// The last reader whose writer was requested.
    private var knownWriter: (reader: InstanceReader, writer: InstanceWriter)?
    /// The number of entries, and the number of objects before them.
    private var (cost, countedSize) = (0, 0)

    /// Two encodings of an instance: their keys and values, alternating.
    final class Encodings {
        let before = PlainTable<Reference>()
        let after = PlainTable<Reference>()
    }

    /// The instance cannot be encoded again.
    enum Failure: Error {
        /// Its class does not encode itself, or not in a keyed container that is complete afterwards.
        case notEncodable
        case error(any Error)
    }

    /// The number of objects from which they are forgotten.
    private static var sizeLimit: Int { 4096 }

    init(_ coder: any ReencodingCoder) {
        self.coder = coder
        writing = coder.writing
        graph = writing.graph
        writing.purpose = .comparison
    }

    /// Whether it has so many objects that a new one should be used.
    var isFull: Bool { graph.list.objectCount >= Self.sizeLimit }

    /// Whether nothing was encoded since it was created or reset.
    var isEmpty: Bool { knownWriter == nil }

    /// Forgets all objects, and releases the instances that they refer to.
    ///
    /// - Returns: Whether it can be used again.
    func reset() -> Bool {
        guard coder.isReusable, writing.isSmall else { return false }
        coder.reset()
        writing.reset()
        writing.purpose = .comparison
        (knownKey, knownWriter, countedSize) = (nil, nil, 0)
        return true
    }

    /// Returns the number of entries and objects that were encoded since the last call.
    func takeCost() -> Int {
        defer { (cost, countedSize) = (0, graph.list.objectCount) }
        return cost + graph.list.objectCount - countedSize
    }
}

/// The coder of a `Reencoding`.
protocol ReencodingCoder: AnyObject {
    var writing: GraphWriting { get }
    /// Whether no state of the coder, except `writing`, outlasts an archive.
    var isReusable: Bool { get }
    /// Prepares the coder, except `writing`, for another archive.
    func reset()
    /// Encodes `value`, and returns the reference to it; nil if it cannot be encoded.
    func reference(to value: Any) -> ArchiveGraph.Reference?
}

// MARK: - Encoding

extension Reencoding {
    /// Returns empty encodings for a proof, which gives them back. `encode(to:)` is code of the program, which may decode
    /// more: a proof inside another one has its own.
    func lendEncodings() -> Encodings {
        if areEncodingsLent { return Encodings() }
        areEncodingsLent = true
        return encodings
    }

    /// Takes the encodings of a proof back.
    func takeBack(_ lent: Encodings) {
        if lent === encodings { areEncodingsLent = false }
    }

    /// Returns the writer of the instances that `reader` decodes.
    func writer(of reader: InstanceReader) throws(Failure) -> InstanceWriter {
        if let knownWriter, knownWriter.reader === reader { return knownWriter.writer }
        return try findWriter(of: reader)
    }

    @inline(never)
    private func findWriter(of reader: InstanceReader) throws(Failure) -> InstanceWriter {
        // The thread may have changed between two requests of an unarchiver.
        writing.resetStack()
        guard let writer = reader.writer(for: coder) else { throw .notEncodable }
        knownWriter = (reader, writer)
        return writer
    }

    /// Encodes the instance `object` with `writer`, and replaces `entries` by its keys and values, alternating.
    func encode(
        _ object: AnyObject, _ writer: InstanceWriter, into entries: PlainTable<Reference>
    ) throws(Failure) {
        entries.removeAll()
        let isComplete: Bool
        do {
            isComplete = try writer.collect(object, into: entries)
        } catch {
            throw .error(error)
        }
        if let failure = writing.failure { throw .error(failure) }
        cost += 1 + entries.count / 2
        guard isComplete else { throw .notEncodable }
    }

    /// Returns the reference to the instance `object`; nil if nothing has referred to it.
    func reference(toInstance object: AnyObject) -> Reference? {
        writing.knownReference(to: object)
    }

    /// Encodes `value`, which a property has, and returns the reference to it; nil if it cannot be encoded.
    func reference(to value: Any) -> Reference? { coder.reference(to: value) }
}

// MARK: - Entries

extension Reencoding {
    /// The key object of the field `name`.
    func key(_ name: String) -> Reference { graph.userKey(name) }

    private func key(_ field: DecodedField) -> Reference {
        guard field.isKept else { return key(field.encodedName) }
        if let knownKey, knownKey.field === field { return knownKey.key }
        let key = key(field.encodedName)
        knownKey = (field, key)
        return key
    }

    /// Returns whether the value of the key of `proof`, in the encoding `entries` of the instance, is the one that
    /// `reference` returns.
    @inline(__always)
    func hasValue(
        _ entries: PlainTable<Reference>, _ proof: PropertyProof, _ reference: (Reencoding) -> Reference?
    ) -> Bool {
        guard let value = value(of: proof.field, in: proof.container, entries), let expected = reference(self) else {
            return false
        }
        return value == expected || graph.isEqual(value, expected)
    }

    /// Returns whether both encodings of the instance are equal, except for the value of the key of `proof`.
    func isUnchanged(_ encodings: Encodings, _ proof: PropertyProof) -> Bool {
        isEqual(encodings.before, encodings.after, except: proof.field, in: proof.container)
    }

    private func value(
        of field: DecodedField, in container: [String], _ entries: some ReferenceList
    ) -> Reference? {
        if container.isEmpty { return value(of: key(field), entries) }
        guard let part = value(of: key(container[0]), entries), let fields = fields(of: part) else { return nil }
        return value(of: field, in: Array(container.dropFirst()), fields)
    }

    @inline(__always)
    private func value(of key: Reference, _ entries: some ReferenceList) -> Reference? {
        var index = 0
        while index + 1 < entries.count {
            if entries[index] == key { return entries[index + 1] }
            index += 2
        }
        return nil
    }

    /// Returns the fields of the object at `reference`, such as the part of a superclass; nil if it has none.
    private func fields(of reference: Reference) -> [Reference]? { graph.fields(of: reference) }

    private func isEqual(
        _ left: some ReferenceList, _ right: some ReferenceList, except field: DecodedField,
        in container: [String]
    ) -> Bool {
        let exception = container.isEmpty ? key(field) : key(container[0])
        var (leftIndex, rightIndex) = (0, 0)
        while true {
            if container.isEmpty {
                if leftIndex < left.count, left[leftIndex] == exception { leftIndex += 2 }
                if rightIndex < right.count, right[rightIndex] == exception { rightIndex += 2 }
            }
            guard leftIndex + 1 < left.count, rightIndex + 1 < right.count else { break }
            guard left[leftIndex] == right[rightIndex] else { return false }
            let (one, other) = (left[leftIndex + 1], right[rightIndex + 1])
            if one != other, !graph.isEqual(one, other) {
                guard left[leftIndex] == exception, let one = fields(of: one), let other = fields(of: other),
                    isEqual(one, other, except: field, in: Array(container.dropFirst()))
                else { return false }
            }
            leftIndex += 2
            rightIndex += 2
        }
        return leftIndex >= left.count && rightIndex >= right.count
    }
}
