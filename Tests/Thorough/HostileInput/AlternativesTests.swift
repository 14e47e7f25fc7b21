// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Types whose initializers try one form after the other, and catch the errors.
@Suite(.inTurn) struct `Types that try alternatives` {
    /// Two forms with the same first part, which is decoded before the first form fails.
    indirect enum Node: Codable {
        case titled(Titled)
        case named(Named)

        struct Titled: Codable {
            var children: [Node]
            var title: String
        }

        struct Named: Codable {
            var children: [Node]
            var name: String
        }

        init(_ depth: Int) {
            self = .named(Named(children: depth == 0 ? [] : (0..<3).map { _ in Node(depth - 1) }, name: "a name"))
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let titled = try? container.decode(Titled.self) {
                self = .titled(titled)
            } else {
                self = .named(try container.decode(Named.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .titled(let titled): try container.encode(titled)
            case .named(let named): try container.encode(named)
            }
        }

        var count: Int {
            switch self {
            case .titled(let titled): titled.children.reduce(1) { $0 + $1.count }
            case .named(let named): named.children.reduce(1) { $0 + $1.count }
            }
        }
    }

    private func decoder(work: Int) -> ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.limits.work = work
        return decoder
    }

    @Test func `give back the work of those that fail`() throws {
        // The 81 leaves are decoded 2^5 times each, and with at least 6 steps: 15 552.
        let data = try ArchiveEncoder().encode(Node(4))
        #expect(try decoder(work: 4_000).decode(Node.self, from: data).count == 121)
    }

    @Test func `stop at 16 times the limit of work, with what was given back`() throws {
        let data = try ArchiveEncoder().encode(Node(4))
        // With 81 leaves, the value itself takes less.
        let error = try failure { try decoder(work: 900).decode(Node.self, from: data) }
        #expect(error.kind == .dataCorrupted && error.says("work", "900"))
    }

    @Test func `are charged for what succeeds, also again and again`() throws {
        struct Repeating: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                for _ in 0..<20 { _ = try container.decode([Int].self, forKey: "list") }
            }
        }
        let data = try ArchiveEncoder().encode(["list": Array(0..<1000)])
        #expect(throws: DecodingError.self) { try decoder(work: 20_000).decode(Repeating.self, from: data) }
        _ = try decoder(work: 20_100).decode(Repeating.self, from: data)
    }

    final class Item: Codable {
        var numbers: [Int]
        init(_ numbers: [Int]) { self.numbers = numbers }
    }

    @Test func `are charged for class instances, which stay for other references`() throws {
        struct Failing: Codable {
            var item: Item
            init(_ item: Item) { self.item = item }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                item = try container.decode(Item.self, forKey: "item")
                _ = try container.decode(Int.self, forKey: "absent")
            }
        }
        struct Lenient: Codable {
            var failing: Failing?
            init(from decoder: any Decoder) throws { failing = try? Failing(from: decoder) }
            init(_ failing: Failing) { self.failing = failing }
            func encode(to encoder: any Encoder) throws { try failing?.encode(to: encoder) }
        }
        let data = try ArchiveEncoder().encode((0..<10).map { Lenient(Failing(Item(Array($0..<($0 + 1000))))) })
        #expect(throws: DecodingError.self) { try decoder(work: 10_000).decode([Lenient].self, from: data) }
        #expect(try decoder(work: 10_200).decode([Lenient].self, from: data).allSatisfy { $0.failing == nil })
    }

    // MARK: - Requests

    /// A request that fails after it has charged steps.
    struct Request: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How often it is made, with which limit of work.
        var count = 50
        var work = 5_000
        let body: @Sendable (any Decoder) throws -> Void
    }

    /// Makes a request again and again.
    private struct Trial: Decodable {
        static let key = CodingUserInfoKey(rawValue: "request")

        init(from decoder: any Decoder) throws {
            guard let key = Self.key, let request = decoder.userInfo[key] as? Request else { return }
            for _ in 0..<request.count {
                do {
                    try request.body(decoder)
                    Issue.record("The request has succeeded")
                } catch DecodingError.dataCorrupted(let context) {
                    // The limit, not the error of the request.
                    throw DecodingError.dataCorrupted(context)
                } catch {}
            }
        }
    }

    private static func keyed(_ decoder: any Decoder) throws -> KeyedDecodingContainer<AnyKey> {
        try decoder.container(keyedBy: AnyKey.self)
    }

    /// Each reads a list of 1000 numbers and a text, 50 times: more than 50 000 steps.
    static let requests = [
        Request(testDescription: "decode in a keyed container") {
            _ = try keyed($0).decode([Int].self, forKey: "list")
        },
        Request(testDescription: "decodeIfPresent in a keyed container") {
            _ = try keyed($0).decodeIfPresent([Int].self, forKey: "list")
        },
        Request(testDescription: "decode in an unkeyed container") {
            var lists = try keyed($0).nestedUnkeyedContainer(forKey: "lists")
            _ = try lists.decode([Int].self)
        },
        Request(testDescription: "decodeIfPresent in an unkeyed container") {
            var lists = try keyed($0).nestedUnkeyedContainer(forKey: "lists")
            _ = try lists.decodeIfPresent([Int].self)
        },
        Request(testDescription: "decode in a single value container") {
            _ = try keyed($0).superDecoder(forKey: "list").singleValueContainer().decode([Int].self)
        },
        Request(testDescription: "an instance") { _ = try keyed($0).decode(Item.self, forKey: "item") },
        Request(testDescription: "an instance, if present") {
            _ = try keyed($0).decodeIfPresent(Item.self, forKey: "item")
        },
        // Each counts a step, and four for its path.
        Request(testDescription: "a nested keyed container", count: 500, work: 500) {
            _ = try keyed($0).nestedContainer(keyedBy: AnyKey.self, forKey: "lists")
        },
        Request(testDescription: "a nested unkeyed container", count: 500, work: 500) {
            _ = try keyed($0).nestedUnkeyedContainer(forKey: "number")
        },
        Request(testDescription: "an absent key", count: 200, work: 500) {
            _ = try keyed($0).decode(Int.self, forKey: "absent")
        },
    ]

    private static let archive = Result {
        struct Value: Encodable {
            struct Numbers: Encodable {
                func encode(to encoder: any Encoder) throws {
                    var container = encoder.unkeyedContainer()
                    for number in 0..<1000 { try container.encode(number) }
                    try container.encode("a text")
                }
            }
            struct Holder: Encodable { let numbers = Numbers() }
            let list = Numbers()
            let lists = [Numbers()]
            let item = Holder()
            let number = 1
        }
        return try ArchiveEncoder().encode(Value())
    }

    @Test(arguments: requests)
    func `give back the work of every request that fails`(request: Request) throws {
        let key = try #require(Trial.key)
        var decoder = decoder(work: request.work)
        decoder.classes.unknownClasses = .decodeAsRequested
        decoder.userInfo[key] = request
        _ = try decoder.decode(Trial.self, from: Self.archive.get())
        // All of them together are limited.
        var endless = request
        endless.count *= 40
        decoder.userInfo[key] = endless
        let error = try failure { try decoder.decode(Trial.self, from: Self.archive.get()) }
        #expect(error.kind == .dataCorrupted && error.says("work", "\(request.work)"))
    }

    @Test func `give back the work of a keyed unarchiver's calls that fail`() throws {
        var limits = DecodingLimits()
        limits.work = 5_000
        struct Text: Codable {
            var list: [Int]
            var last: String
        }
        struct Number: Codable {
            var list: [Int]
            var last: Int
        }
        let data = try ArchiveEncoder().encode(Text(list: Array(0..<1000), last: "a"))
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
        for _ in 0..<50 {
            let error = #expect(throws: ArchivingError.self) {
                try unarchiver.decode(Number.self, forKey: "root")
            }
            #expect(error?.code == .typeMismatch)
        }
        #expect(try unarchiver.decode(Text.self, forKey: "root").last == "a")
    }

    // MARK: - Attacks

    /// Five forms, each of which reads everything inside before it fails.
    indirect enum Five: Decodable {
        case end
        case list([Five])

        private enum CodingKeys: CodingKey { case next, kind }

        init(from decoder: any Decoder) throws {
            for _ in 0..<5 {
                guard let container = try? decoder.container(keyedBy: CodingKeys.self),
                    let list = try? container.decode([Five].self, forKey: .next)
                else { continue }
                if (try? container.decode(Int.self, forKey: .kind)) != nil {
                    self = .list(list)
                    return
                }
            }
            self = .end
        }
    }

    /// The same with requests that fail as a whole.
    struct Form: Decodable {
        var next: [Forms]
        var kind: Int
    }

    struct Forms: Decodable {
        var forms: [Form] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            for _ in 0..<5 {
                if let form = try? container.decode(Form.self) { forms.append(form) }
            }
        }
    }

    static let attackers: [Reader] = [.decoder(Five.self), .decoder(Forms.self)]

    @Test(arguments: attackers)
    func `end an archive that unfolds to 2^30 values at the limit`(reader: Reader) throws {
        let data = RawArchive.data { archive in
            (0..<30).reduce(archive.object(archive.fields([]))) { inner, _ in
                archive.object(archive.fields([("next", archive.list([inner, inner]))]))
            }
        }
        var limits = DecodingLimits()
        limits.work = 5_000
        let failure = limitFailure { try reader.read(data, limits) }
        #expect(failure?.names("work", 5_000) != false, "\(failure.map { "\($0)" } ?? "")")
    }

    // MARK: - Paths

    @Test func `get errors of limits with the path of the value, which the decoder throws in the end`() throws {
        struct Own: Error {}
        struct Strict: Decodable {
            var list: [Int]
            init(from decoder: any Decoder) throws {
                do {
                    let container = try decoder.container(keyedBy: AnyKey.self)
                    list = try container.decode([Int].self, forKey: "list")
                } catch {
                    let failure = CodingFailure(error)
                    #expect(failure.path.hasPrefix(decoder.codingPath.text + ".list"), "\(failure.path)")
                    throw Own()
                }
            }
        }
        let data = try ArchiveEncoder().encode([["list": Array(0..<1000)]])
        let error = try failure { try decoder(work: 500).decode([Strict].self, from: data) }
        #expect(error.kind == .dataCorrupted && error.says("work", "500"))
        #expect(error.path == "[0].list")
    }
}
