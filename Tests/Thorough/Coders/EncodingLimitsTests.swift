// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The limit of nesting of an encoder` {
    final class Plain: Codable {
        var next: Plain?
        init(_ next: Plain? = nil) { self.next = next }
    }

    indirect enum Tree: Codable {
        case leaf
        case node(Tree)
    }

    struct Inner<Value: Codable>: Codable {
        var value: Value
    }

    struct Layout: Codable {
        var children: [Layout] = []

        /// A value that is never destroyed, which would take stack for each level.
        static func make(_ count: Int) -> Layout {
            let layout = (1..<count).reduce(Layout()) { inner, _ in Layout(children: [inner]) }
            _ = Unmanaged.passRetained(Kept(layout))
            return layout
        }
    }

    final class Kept {
        let value: Any
        init(_ value: Any) { self.value = value }
    }

    /// The smallest limit with which `succeeds` returns true.
    private func smallestLimit(_ succeeds: (Int) -> Bool) -> Int {
        var (low, high) = (0, 4096)
        while low < high {
            let middle = (low + high) / 2
            if succeeds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func check<Value: Codable>(_ value: Value, _ expected: Int, decoding: Int? = nil) throws {
        let encoded = smallestLimit { limit in
            var encoder = ArchiveEncoder()
            encoder.limits.nesting = limit
            return (try? encoder.encode(value)) != nil
        }
        let data = try ArchiveEncoder().encode(value)
        let decoded = smallestLimit { limit in
            var decoder = ArchiveDecoder()
            decoder.limits.nesting = limit
            return (try? decoder.decode(Value.self, from: data)) != nil
        }
        #expect(encoded == expected && decoded == decoding ?? expected, "\(Value.self): \(encoded), \(decoded)")
    }

    @Test func `is that of a decoder, for values`() throws {
        try check(Inner(value: 1), 1)
        try check([1, 2, 3], 1)
        try check([[[1, 2, 3]]], 3)
        try check(["a": ["b": [1.5]]], 3)
        try check(["a": Set([1, 2])], 2)
        try check(Inner(value: Inner(value: Inner(value: "text"))), 3)
        try check([Inner(value: [Inner(value: [true])])], 5)
        // An enumeration has a container for the case inside of its own.
        try check(Tree.node(.node(.node(.leaf))), 8)
        // 100 structures, each with an array.
        try onThread(stackSize: 64 << 20) { try check(Layout.make(100), 200) }
    }

    @Test func `begins again at each class instance, for which a decoder needs a level`() throws {
        let chain = (1..<100).reduce(Plain()) { node, _ in Plain(node) }
        try check(chain, 1, decoding: 100)
        try check([[chain]], 2, decoding: 102)
        let data = try ArchiveEncoder().encode(chain)
        var decoder = ArchiveDecoder()
        decoder.limits.nesting = 50
        let error = try failure { try decoder.decode(Plain.self, from: data) }
        #expect(error.says("limit of 50 levels", "@Reference"))
    }

    @Test func `is 10 000 by default, as for a decoder`() throws {
        #expect(ArchiveEncoder().limits == EncodingLimits())
        #expect(EncodingLimits().nesting == 10_000 && DecodingLimits().nesting == 10_000)
        try onThread(stackSize: 512 << 20) {
            // 5000 structures, each with an array.
            let data = try ArchiveEncoder().encode(Layout.make(5_000))
            _ = Unmanaged.passRetained(Kept(try ArchiveDecoder().decode(Layout.self, from: data)))
            let error = try failure { try ArchiveEncoder().encode(Layout.make(5_001)) }
            #expect(error.kind == .invalidValue && error.says("limit of 10000 levels", "limits.nesting", "@Reference"))
            var encoder = ArchiveEncoder()
            encoder.limits.nesting = .max
            _ = try encoder.encode(Layout.make(5_001))
        }
    }

    @Test(arguments: [PropertyListFormat.binary, .xml], [true, false])
    func `names the path, the limit, and what to write`(format: PropertyListFormat, isSorted: Bool) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        encoder.outputFormatting = isSorted ? .sortedKeys : []
        encoder.limits.nesting = 4
        let error = #expect(throws: EncodingError.self) { try encoder.encode(["a": [[[["b": 1]]]]]) }
        guard case .invalidValue(_, let context) = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0", "Index 0", "Index 0"])
        #expect((context.underlyingError as? ArchivingError)?.code == .limit)
        for part in ["limit of 4 levels", "@Reference", "@References", "limits.nesting"] {
            #expect("\(context)".contains(part), "\(part): \(context)")
        }
        #expect(throws: EncodingError.self) {
            encoder.limits.nesting = -1
            return try encoder.encode([1])
        }
        // The next archive has the limits of its encoder.
        #expect(try transcode([[[[[1]]]]], as: [[[[[Int]]]]].self) == [[[[[1]]]]])
    }

    // MARK: Values that encode themselves in place

    /// A class whose instances encode themselves into the superclass's part of another one.
    final class Menu: Encodable {
        var title: String?
        var parent: Menu?
        enum CodingKeys: CodingKey { case title, parent }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if let title { try container.encode(title, forKey: .title) }
            if let parent { try parent.encode(to: container.superEncoder(forKey: .parent)) }
        }

        static func chain(_ count: Int, title: String? = nil) -> Menu {
            (1...count).reduce(nil as Menu?) { parent, _ in
                let menu = Menu()
                (menu.title, menu.parent) = (title, parent)
                return menu
            } ?? Menu()
        }
    }

    struct Style: Sendable {}

    /// A class whose instances encode themselves with a configuration.
    final class Frame: EncodableWithConfiguration {
        var number: Int?
        var inner: Frame?
        enum CodingKeys: CodingKey { case number, inner }

        func encode(to encoder: any Encoder, configuration: Style) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if let number { try container.encode(number, forKey: .number) }
            if let inner { try container.encode(inner, forKey: .inner, configuration: configuration) }
        }

        static func chain(_ count: Int, number: Int? = nil) -> Frame {
            (1...count).reduce(nil as Frame?) { inner, _ in
                let frame = Frame()
                (frame.number, frame.inner) = (number, inner)
                return frame
            } ?? Frame()
        }
    }

    @Test func `counts values that encode themselves into a superEncoder or with a configuration`() throws {
        var encoder = ArchiveEncoder()
        encoder.limits.nesting = 100
        _ = try encoder.encode([Menu.chain(99), Menu.chain(99, title: "a")])
        _ = try encoder.encode(Frame.chain(100), configuration: Style())
        let errors = [
            try failure { try encoder.encode(Menu.chain(200)) },
            try failure { try encoder.encode(Menu.chain(200, title: "a")) },
            try failure { try encoder.encode(Frame.chain(200), configuration: Style()) },
            try failure { try encoder.encode(Frame.chain(200, number: 1), configuration: Style()) },
        ]
        for error in errors {
            #expect(error.kind == .invalidValue)
            #expect(error.says("limit of 100 levels"), "\(error)")
            #expect(error.path.hasPrefix("parent.parent") || error.path.hasPrefix("inner.inner"), "\(error)")
        }
        // Not even if the value catches the error of what it encodes there.
        let caught = Encoding { value in try? Menu.chain(200, title: "a").encode(to: value) }
        #expect(throws: EncodingError.self) { try encoder.encode(caught) }
    }

    @Test func `ends a cycle of such values that encode anything else`() async {
        await #expect(processExitsWith: .success) {
            for stackSize in [512 << 10, 8 << 20] {
                try onThread(stackSize: stackSize) {
                    let menu = Menu()
                    (menu.title, menu.parent) = ("a", menu)
                    let frame = Frame()
                    (frame.number, frame.inner) = (1, frame)
                    for limit in [100, .max] {
                        var encoder = ArchiveEncoder()
                        encoder.limits.nesting = limit
                        let errors = [
                            try failure { try encoder.encode([menu]) },
                            try failure { try encoder.encode(frame, configuration: Style()) },
                        ]
                        for error in errors {
                            #expect(error.kind == .invalidValue)
                            #expect(error.says(limit == 100 ? "limit of 100 levels" : "the stack has no room"))
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `stops the program in a cycle of such values that encode nothing else`(hasConfiguration: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [hasConfiguration] in
            let menu = Menu()
            menu.parent = menu
            let frame = Frame()
            frame.inner = frame
            if hasConfiguration {
                _ = try? ArchiveEncoder().encode(frame, configuration: Style())
            } else {
                _ = try? ArchiveEncoder().encode(menu)
            }
            exit(0)
        }
        #expect(result.said("inside each other until the stack was full"))
    }
}
