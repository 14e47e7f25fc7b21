// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The decoder that `init(from:)` receives from `ArchiveDecoder`.
///
/// It owns the decoding of one value. When the value is complete, both are reused for the next value, unless the program
/// still holds the decoder or a container: these stay usable, and are replaced.
final class ProgramDecoder {
    let decoding: DecodingFrame
    private var containers: [ReusedContainer] = []
    /// A bit for each of those that the program has received for the current value, and one for a container that is not among them.
    private var lent: UInt16 = 0

    private static var containerLimit: Int { UInt16.bitWidth - 1 }
    private static var otherContainer: UInt16 { 1 << UInt16(containerLimit) }

    init(_ session: DecodingSession, in creator: DecodingFrame? = nil) {
        decoding = DecodingFrame(session, in: creator)
    }

    var areContainersReturned: Bool { lent == 0 || takeContainersBack() }

    private func takeContainersBack() -> Bool {
        if lent & Self.otherContainer != 0 { return false }
        var place = 0
        while place < containers.count {
            if lent & 1 &<< UInt16(place) != 0, !containers[place].isReturned { return false }
            place &+= 1
        }
        lent = 0
        return true
    }
}

// MARK: - Values

extension ProgramDecoder {
    func decodeRoot<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let root = try decoding.root()
        let known = decoding.session.type(type)
        guard case .value = known.kind else { return try decoding.decode(type, known, from: root, at: .root) }
        try decoding.checkRoom(.root)
        decoding.session.countRoot()
        decoding.prepareRoot(root, known)
        do { return try value(Value.self) } catch { throw decoding.explained(error) }
    }

    @inline(__always)
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try Value(from: self)
        try decoding.recordRequestsIfNeeded(type)
        return value
    }
}

// MARK: - The program's interface

extension ProgramDecoder: Decoder {
    var codingPath: [any CodingKey] { decoding.path() }

    var userInfo: [CodingUserInfoKey: Any] { decoding.session.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try decoding.loadFields()
        guard let place = placeOfContainer(keyedBy: type) else { return makeContainer(type) }
        return containers[place].decodingContainer(keyedBy: type)
    }

    /// Returns the place of the container whose keys have the type `type`, which the program receives; nil if there is
    /// none.
    @inline(__always)
    private func placeOfContainer(keyedBy type: any Any.Type) -> Int? {
        var place = 0
        while place < containers.count {
            if containers[place].isDecodingContainer(keyedBy: type) {
                lent |= 1 &<< UInt16(place)
                return place
            }
            place &+= 1
        }
        return nil
    }

    @inline(never)
    private func makeContainer<Key: CodingKey>(_ type: Key.Type) -> KeyedDecodingContainer<Key> {
        let keys = decoding.keys.type(type, in: decoding.session.keys.paths)
        let made = KeyedDecodingContainer(KeyedDecoding<Key>(decoding, keys))
        if containers.count == Self.containerLimit, lent == 0 { containers = [] }
        // The decoder of a part that its owner may hold has no other value.
        guard !decoding.isKept, containers.count < Self.containerLimit, let reused = ReusedContainer.keeping(made)
        else {
            lent |= Self.otherContainer
            return made
        }
        lent |= 1 << UInt16(containers.count)
        // Changed outside of the property, so that accesses to it need no exclusivity check.
        var list = containers
        containers = []
        list.append(reused)
        containers = list
        return made
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        decoding.noteOtherContent()
        return try decoding.session.request {
            UnkeyedDecoding(self, try decoding.elements(of: decoding.value, at: .root))
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        decoding.noteOtherContent()
        return self
    }
}

extension ProgramDecoder: SingleValueDecodingContainer {
    private func single() throws -> ArchivedValue { try decoding.singleValue(of: decoding.value, at: .root) }

    func decodeNil() -> Bool { (try? decoding.isNil(single())) ?? false }

    func decode<Leaf: DecodableLeaf & Decodable>(_ type: Leaf.Type) throws -> Leaf {
        try Leaf.leaf(single(), in: decoding, at: .root)
    }

    // The standard library's own functions for these throw.
    func decode(_ type: Int128.Type) throws -> Int128 { try Int128.leaf(single(), in: decoding, at: .root) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try UInt128.leaf(single(), in: decoding, at: .root) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoding.decode(type, from: single(), at: .root)
    }
}
