// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An error between Coding and Codable` {
    struct Refusal: Error, Equatable {
        var text: String
    }

    /// A class that does what closures say.
    final class Scripted: Coding {
        typealias Encode = (KeyedArchiver) throws -> Void
        var script: Encode?

        init(_ script: @escaping Encode) { self.script = script }

        init(coder: KeyedUnarchiver) throws {
            let text = try coder.decode(String.self, forKey: "text")
            if text == "refuse" { throw Refusal(text: "init(coder:)") }
        }

        func encode(with coder: KeyedArchiver) throws { try script?(coder) }
    }

    struct Inner: Codable {
        @Coded var items: [Scripted]
    }

    struct Outer: Codable {
        var inner: Inner

        init(_ script: @escaping Scripted.Encode) {
            inner = Inner(items: [Scripted { $0.encode("", forKey: "text") }, Scripted(script)])
        }
    }

    /// The same in classes, whose contents are written from a list.
    final class OuterClass: Codable {
        var inner: Inner

        init(_ script: @escaping Scripted.Encode) { inner = Outer(script).inner }
    }

    // MARK: - Encoding

    private static func twice(_ coder: KeyedArchiver) {
        coder.encode(1, forKey: "k")
        coder.encode(2, forKey: "k")
        // What comes after the mistake is written, and changes nothing about it.
        coder.encode(3, forKey: "more")
    }

    @Test func `is an EncodingError from an encoder`() throws {
        for value in [Outer(Self.twice), OuterClass(Self.twice)] as [any Encodable] {
            let error = try #require(throws: EncodingError.self) { try ArchiveEncoder().encode(value) }
            guard case .invalidValue(_, let context) = error else { continue }
            #expect(context.codingPath.text == "inner.items[1]")
            let underlying = try #require(context.underlyingError as? ArchivingError)
            #expect(underlying.code == .duplicateKey)
            #expect(underlying.description.contains("\"k\"") && underlying.description.contains("Scripted"))
        }
        struct Unsafe: Codable {
            @Coded var all: [String: InsecureItem]
        }
        let error = try failure { try ArchiveEncoder().encode(Unsafe(all: ["a": InsecureItem()])) }
        #expect(error.kind == .invalidValue && error.path == "all.a" && error.says("Insecure"))
    }

    @Test func `is an ArchivingError from an archiver`() throws {
        for value in [Outer(Self.twice), OuterClass(Self.twice)] as [any Encodable] {
            let error = try archivingError { try KeyedArchiver().encode(value, forKey: "value") }
            #expect(error.code == .duplicateKey && error.codingPath.text == "value.inner.items[1]")
        }
    }

    @Test func `of a Codable value is an ArchivingError from an archiver`() throws {
        struct Wrong: Codable {
            @Coded var shape: any Sendable & Codable
        }
        final class WrongClass: Codable {
            @Coded var shape: any Sendable & Codable
            init() { shape = 3 }
        }
        for value in [Wrong(shape: 3), WrongClass()] as [any Encodable] {
            let error = try archivingError { try KeyedArchiver().encode(value, forKey: "v") }
            #expect(error.code == .notEncodable && error.codingPath.text == "v.shape", "\(type(of: value))")
            let inside = try archivingError {
                try KeyedArchiver().encode(Scribe { try $0.encode(value, forKey: "v") }, forKey: "f")
            }
            #expect(inside.code == .notEncodable && inside.codingPath.text == "f.v.shape", "\(type(of: value))")
            let found = try failure { try ArchiveEncoder().encode(value) }
            #expect(found.kind == .invalidValue && found.path == "shape", "\(type(of: value))")
        }
    }

    @Test func `of one's own passes through both as it is`() throws {
        let refuse: Scripted.Encode = { _ in throw Refusal(text: "encode(with:)") }
        #expect(throws: Refusal(text: "encode(with:)")) { try ArchiveEncoder().encode(Outer(refuse)) }
        #expect(throws: Refusal(text: "encode(with:)")) { try ArchiveEncoder().encode(OuterClass(refuse)) }
        #expect(throws: Refusal(text: "encode(with:)")) {
            try KeyedArchiver().encode(OuterClass(refuse), forKey: "o")
        }
        let value = Encoding { _ in throw Refusal(text: "encode(to:)") }
        #expect(throws: Refusal(text: "encode(to:)")) {
            try KeyedArchiver().encode(Scribe { try $0.encode(value, forKey: "v") }, forKey: "f")
        }
        let fields = Encoding { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Coded(wrappedValue: Scribe { try $0.encode(value, forKey: "v") }))
        }
        #expect(throws: Refusal(text: "encode(to:)")) { try ArchiveEncoder().encode(fields) }
    }

    @Test func `lets the archive fail even if it was caught`() throws {
        let archiver = KeyedArchiver()
        archiver.encode(1, forKey: "one")
        #expect(throws: ArchivingError.self) { try archiver.encode(Outer(Self.twice), forKey: "outer") }
        let error = try archivingError { try archiver.finishEncoding() }
        #expect(error.code == .duplicateKey)
    }

    // MARK: - Decoding

    /// An archive of an `Outer` whose second item has `script`'s fields.
    private func data(_ script: @escaping Scripted.Encode) throws -> Data { try ArchiveEncoder().encode(Outer(script)) }

    @Test func `is a DecodingError from a decoder, and an ArchivingError from an unarchiver`() throws {
        typealias Row = (script: Scripted.Encode, kind: CodingFailure.Kind, code: ArchivingError.Code, path: String)
        let rows: [Row] = [
            ({ $0.encode(1, forKey: "text") }, .typeMismatch, .typeMismatch, "inner.items[1].text"),
            // A key that is missing is one of the object's.
            ({ $0.encode(1, forKey: "other") }, .valueNotFound, .valueNotFound, "inner.items[1]"),
            ({ $0.encodeNil(forKey: "text") }, .valueNotFound, .valueNotFound, "inner.items[1].text"),
        ]
        for (script, kind, code, path) in rows {
            let data = try data(script)
            let found = try failure(decoding: Outer.self, from: data)
            #expect(found.kind == kind && found.path == path, "\(found)")
            let keyed = try archivingError { try KeyedUnarchiver.unarchivedObject(of: Outer.self, from: data) }
            #expect(keyed.code == code && keyed.codingPath.text == "root." + path, "\(keyed)")
        }
    }

    @Test func `about a class is a typeMismatch, or classNotAllowed`() throws {
        struct Other: Codable {
            @Coded var items: [InsecureItem]
        }
        let archive = try keyedArchive(requiringSecureCoding: false) {
            try $0.encode(Other(items: [InsecureItem()]), forKey: "root")
        }
        let found = try failure(decoding: Inner.self, from: archive)
        #expect(found.kind == .typeMismatch && found.path == "items[0]" && found.says("Insecure"))
        let keyed = try archivingError { try KeyedUnarchiver.unarchivedObject(of: Inner.self, from: archive) }
        #expect(keyed.code == .classNotAllowed && keyed.codingPath.text == "root.items[0]")

        let insecure = try failure(decoding: Other.self, from: archive)
        #expect(insecure.kind == .typeMismatch && insecure.path == "items[0]" && insecure.says("secure"))
        let notSecure = try archivingError { try KeyedUnarchiver.unarchivedObject(of: Other.self, from: archive) }
        #expect(notSecure.code == .notSecure && notSecure.codingPath.text == "root.items[0]")
        let trusting = try keyedUnarchiver(archive, requiringSecureCoding: false)
        #expect(try trusting.decode(Other.self, forKey: "root").items.count == 1)
    }

    @Test func `of one's own passes through both decoders as it is`() throws {
        let data = try data { $0.encode("refuse", forKey: "text") }
        #expect(throws: Refusal(text: "init(coder:)")) { try ArchiveDecoder().decode(Outer.self, from: data) }
        #expect(throws: Refusal(text: "init(coder:)")) {
            try KeyedUnarchiver.unarchivedObject(of: Outer.self, from: data)
        }
        final class Holder: Coding {
            init() {}
            init(coder: KeyedUnarchiver) throws { _ = try coder.decode(Refusing.self, forKey: "r") }
            func encode(with coder: KeyedArchiver) throws { try coder.encode(Refusing(), forKey: "r") }
        }
        struct Refusing: Codable {
            init() {}
            init(from decoder: any Decoder) throws { throw Refusal(text: "init(from:)") }
            func encode(to encoder: any Encoder) throws { _ = encoder.container(keyedBy: AnyKey.self) }
        }
        let holder = try KeyedArchiver.archivedData(withRootObject: Holder())
        #expect(throws: Refusal(text: "init(from:)")) {
            try KeyedUnarchiver.unarchivedObject(of: Holder.self, from: holder)
        }
        #expect(throws: Refusal(text: "init(from:)")) {
            try ArchiveDecoder().decode(Coded<Holder>.self, from: holder)
        }
    }

    @Test func `inside Codable inside Coding has the whole path`() throws {
        final class Holder: Coding {
            init() {}
            init(coder: KeyedUnarchiver) throws { _ = try coder.decode([String: Point].self, forKey: "points") }
            func encode(with coder: KeyedArchiver) throws { try coder.encode(["a": ["x": "no"]], forKey: "points") }
        }
        struct Point: Codable {
            var x: Int
        }
        struct Top: Codable {
            @Coded var holders: [Holder]
        }
        let data = try ArchiveEncoder().encode(Top(holders: [Holder()]))
        let found = try failure(decoding: Top.self, from: data)
        #expect(found.kind == .typeMismatch && found.path == "holders[0].points.a.x", "\(found)")
        let keyed = try archivingError { try KeyedUnarchiver.unarchivedObject(of: Top.self, from: data) }
        #expect(keyed.code == .typeMismatch && keyed.codingPath.text == "root.holders[0].points.a.x", "\(keyed)")
    }
}
