// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: NoLeadingUnderscores

import Archiving
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

/// The code of the article on observable models, and what else it says.
@Suite(.inTurn)
struct `The article on observable models`: DocumentedOutput {
    @Observable final class Layer: Codable {
        var name = "Layer"
        @ObservationIgnored @WeakReference var below: Layer?

        private enum CodingKeys: String, CodingKey {
            case _name = "name"
            case below
        }
    }

    @Observable final class Sketch: Codable {
        var title = "Untitled"
        var parent: Sketch?
        var children: [Sketch] = []
        @ObservationIgnored var selection = 0

        private enum CodingKeys: String, CodingKey {
            case _title = "title"
            case _parent = "parent"
            case _children = "children"
        }
    }

    @Test(.needs(.storedProperties)) func `brings back a cycle, which is observed`() throws {
        let sketch = Sketch()
        sketch.children = [Sketch()]
        sketch.children[0].parent = sketch

        let data = try ArchiveEncoder().encode(sketch)
        let copy = try ArchiveDecoder().decode(Sketch.self, from: data)
        print(copy.children[0].parent === copy)  // true
        print(try KeyedArchive(data).root.keys)  // ["title", "children"]

        let changes = Mutex(0)
        withObservationTracking {
            _ = copy.title
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        copy.title = "Changed"
        #expect(changes.withLock(\.self) == 1)
        #expect(copy.selection == 0)
        (sketch.children, copy.children) = ([], [])
    }

    @Test func `writes JSON with the same keys`() throws {
        let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Sketch())) as? [String: Any]
        #expect(json.map { Set($0.keys) } == ["title", "children"])
    }

    @Test func `takes wrappers that are not observed`() throws {
        let layers = [Layer(), Layer()]
        layers[1].below = layers[0]
        let copies = try ArchiveDecoder().decode([Layer].self, from: ArchiveEncoder().encode(layers))
        #expect(copies[1].below === copies[0])
        #expect(copies[0].below == nil)
    }
}
