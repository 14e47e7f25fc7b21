// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

/// Archives that decoders of declared fields refuse, at the end or in a part whose error the program catches.
@Suite(.inTurn)
struct `A decoder of declared fields` {
    @Test func `releases a cycle whose last instance refuses its contents`() throws {
        let archive = try archive(ofRing: 3, refused: 2) { $0 }
        // A decoder may keep a new instance for later decodings.
        for _ in 0..<10 {
            #expect(throws: Refused.self) { try ArchiveDecoder().decode(Mate.self, from: archive) }
            #expect(throws: Refused.self) {
                let unarchiver = try KeyedUnarchiver(forReadingFrom: archive)
                defer { unarchiver.finishDecoding() }
                _ = try unarchiver.decode(Mate.self, forKey: "root")
            }
        }
        #expect(Mate.count < 5)
    }

    @Test func `releases a cycle in a value of an unarchiver that is refused`() throws {
        let archive = try archive(ofRing: 3) { Written(mate: $0) }
        for _ in 0..<10 {
            #expect(throws: (any Error).self) {
                let unarchiver = try KeyedUnarchiver(forReadingFrom: archive)
                defer { unarchiver.finishDecoding() }
                _ = try unarchiver.decode(Loose.self, forKey: "root")
            }
        }
        #expect(Mate.count < 5)
    }

    @Test func `announces the end of decoding once to each instance`() throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archive(ofRing: 3) { $0 })
        let mate = try unarchiver.decode(Mate.self, forKey: "root")
        let again = try unarchiver.decode(Mate.self, forKey: "root")
        unarchiver.finishDecoding()
        #expect(mate === again)
        #expect(mate.finished == 1 && mate.next?.finished == 1)
        mate.next = nil
    }

    @Test func `does not announce it to an instance without fields`() throws {
        let archive = try archive(ofRing: 1) { ["written": Written(mate: $0)] }
        Mate.unread.withLock { $0 = 0 }
        let attempt = try ArchiveDecoder().decode(Attempt.self, from: archive)
        #expect(attempt.error != nil)
        #expect(Mate.unread.withLock { $0 } == 0)
    }

    @Test func `reads an object of another class by the former name of one of many keys`() throws {
        let many = try ArchiveDecoder().decode(Many.self, from: ArchiveEncoder().encode(Former(5)))
        #expect(many.numbers[2] == 5)
    }
}

private struct Refused: Error {}

/// A part of a ring, which refuses negative numbers at the end of decoding.
private final class Mate: ArchivedFields {
    var name: String?
    var number = 0
    var next: Mate?
    var finished = 0

    private static let live = Mutex(0)
    static var count: Int { live.withLock { $0 } }
    /// The number of instances without a name at the end of decoding.
    static let unread = Mutex(0)

    init() { Self.live.withLock { $0 += 1 } }
    deinit { Self.live.withLock { $0 -= 1 } }

    static let fields = FieldList<Mate> {
        Field("name", \.name)
        Field("number", \.number)
        Field("next", \.next)
    }

    func didFinishDecoding() throws {
        finished += 1
        if name == nil { Self.unread.withLock { $0 += 1 } }
        if number < 0 { throw Refused() }
    }
}

/// A struct whose last field is a number in one type, and a text in the other.
private struct Written: ArchivedFields {
    var mate: Mate?
    var number = "text"

    static let fields = FieldList<Written> {
        Field("mate", \.mate)
        Field("number", \.number)
    }
}

private struct Wanted: ArchivedFields {
    var mate: Mate?
    var number = 0

    static let fields = FieldList<Wanted> {
        Field("mate", \.mate)
        Field("number", \.number)
    }
}

/// A struct by `init(from:)` that decodes the mate completely, and then refuses the number.
private struct Loose: Codable {
    var mate: Mate?
    var number: Int
}

/// A struct by `init(from:)` that catches an error.
private struct Attempt: Decodable {
    let error: (any Error)?

    private enum CodingKeys: CodingKey {
        case written
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let result = Result { try container.decode(Wanted.self, forKey: .written) }
        if case .failure(let failure) = result { error = failure } else { error = nil }
    }
}

/// A class with more fields than there are bits in a word. All of them may be absent.
private final class Many: ArchivedFields {
    var numbers = Array(repeating: 0, count: 70)

    init() {}

    subscript(index: Int) -> Int {
        get { numbers[index] }
        set { numbers[index] = newValue }
    }

    static let fields = FieldList<Many> {
        for index in 0..<70 { Field("number\(index)", \.[index], aliases: ["former\(index)"], .default) }
    }
}

/// A class with former keys of the fields.
private final class Former: Codable {
    let former2: Int

    init(_ number: Int) { former2 = number }
}

/// Returns the archive of the value that `make` returns for the first of `count` mates in a ring.
private func archive(
    ofRing count: Int, refused: Int? = nil, _ make: (Mate) -> some Encodable
) throws -> Data {
    let mates = (0..<count).map { number in
        let mate = Mate()
        (mate.name, mate.number) = ("mate \(number)", number == refused ? -1 : number)
        return mate
    }
    for (number, mate) in mates.enumerated() { mate.next = mates[(number + 1) % count] }
    defer { for mate in mates { mate.next = nil } }
    return try ArchiveEncoder().encode(make(mates[0]))
}
