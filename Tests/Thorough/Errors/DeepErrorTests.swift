// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Errors of deep values` {
    struct Layout: Codable {
        var children: [Layout] = []
    }

    struct Plain {
        var children: [Plain] = []
    }

    /// Values that are never destroyed, which would take stack for each level.
    private enum Deep {
        static let layout = (0..<20_000).reduce(Layout()) { inner, _ in Layout(children: [inner]) }
        static let fewer = (0..<3_000).reduce(Layout()) { inner, _ in Layout(children: [inner]) }
        static let plain = (0..<20_000).reduce(Plain()) { inner, _ in Plain(children: [inner]) }
    }

    struct Holder: Encodable {
        @Polymorphic var value: any Sendable
    }

    private static func error(_ body: () throws -> Data) -> (any Error)? {
        do {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    /// Errors, and a part of their text. The first one needs a stack that 20 000 levels fill.
    static let failures: [(String, @Sendable () -> (any Error)?)] = [
        ("no room for more", { error { try ArchiveEncoder().encode(Deep.layout) } }),
        (
            "limit of 100",
            {
                var encoder = ArchiveEncoder()
                encoder.limits.nesting = 100
                return error { try encoder.encode(Deep.fewer) }
            }
        ),
        (
            "not registered",
            {
                var encoder = ArchiveEncoder()
                encoder.classes.unregisteredTypes = .fail
                return error { try encoder.encode(Deep.fewer) }
            }
        ),
        ("neither Encodable", { error { try ArchiveEncoder().encode(Holder(value: Deep.plain)) } }),
    ]

    @Test(arguments: failures.indices)
    func `are described on a thread with a small stack`(number: Int) throws {
        let (part, make) = Self.failures[number]
        let failure = try onThread(stackSize: number == 0 ? 8 << 20 : 256 << 20) { make() }
        let text = try onThread(stackSize: 512 << 10) { failure.map { "\($0)" } ?? "no error" }
        #expect(text.contains(part), "\(text.prefix(300))")
        #expect(text.utf8.count < 4_000)
    }

    @Test func `of a decoder are described on the thread that decodes`() throws {
        let text = try onThread(stackSize: 512 << 10) { () -> String in
            let data = RawArchive.data { archive in
                (0..<20_000).reduce(archive.object(archive.fields([]))) { inner, _ in
                    archive.object(archive.fields([("children", archive.list([inner]))]))
                }
            }
            do {
                _ = try ArchiveDecoder().decode(Chains.self, from: data)
                return "no error"
            } catch {
                return "\(error)"
            }
        }
        #expect(text.contains("no room for more"), "\(text.prefix(300))")
    }

    struct Chains: Decodable {
        var children: [Chains]
    }
}

@Suite(.inTurn) struct `Calls of coders inside each other` {
    struct Itself: Codable, RawRepresentable {
        var id = 5
        init() {}
        init?(rawValue: String) { return nil }
        // The standard library's encode(to:) encodes the raw value.
        var rawValue: String { (try? ArchiveEncoder().encode(self))?.base64EncodedString() ?? "an error" }
    }

    @Test func `end the program whose rawValue encodes itself, with a sentence`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try? ArchiveEncoder().encode(Itself())
            exit(0)
        }
        #expect(result.said("rawValue"))
    }

    /// A value whose contents are an archive of another one.
    struct Envelope: Codable {
        var contents: Data?

        init(_ contents: Data?) { self.contents = contents }

        init(from decoder: any Decoder) throws {
            contents = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Data.self, forKey: .contents)
            if let contents { _ = try ArchiveDecoder().decode(Envelope.self, from: contents) }
        }
    }

    @Test func `are an error of a decoder, before the stack is full`() throws {
        var data = try ArchiveEncoder().encode(Envelope(nil))
        for _ in 0..<20 { data = try ArchiveEncoder().encode(Envelope(data)) }
        let shallow = data
        _ = try onThread(stackSize: 512 << 10) { _ = try ArchiveDecoder().decode(Envelope.self, from: shallow) }
        for _ in 0..<1000 { data = try ArchiveEncoder().encode(Envelope(data)) }
        let deep = data
        let text = try onThread(stackSize: 512 << 10) { () -> String in
            do {
                _ = try ArchiveDecoder().decode(Envelope.self, from: deep)
                return "no error"
            } catch {
                return CodingFailure(error).text
            }
        }
        #expect(text.contains("inside each other"), "\(text.prefix(300))")
    }
}
