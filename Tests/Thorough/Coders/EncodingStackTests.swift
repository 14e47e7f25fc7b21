// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Values without class instances, of as many levels as an encoder accepts on a stack.
@Suite(.inTurn) struct `What is encoded on a stack` {
    struct Optionals: Codable { var list: [Optionals]? }
    struct Layout: Codable {
        var pane: Int?
        var children: [Layout] = []
    }
    struct Table: Codable { var entries: [String: Table] = [:] }
    struct Rows: Codable { var rows: [String: [Rows?]] = [:] }
    indirect enum Split: Codable {
        case pane(id: Int)
        case split(left: Split, right: Split)
    }
    indirect enum Single: Codable {
        case end
        case list(Single)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = container.decodeNil() ? .end : .list(try container.decode([Single].self)[0])
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .end: try container.encodeNil()
            case .list(let inner): try container.encode([inner])
            }
        }
    }
    struct Nested: Codable {
        var inner: [Nested] = []
        init(_ inner: [Nested]) { self.inner = inner }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            var list = try container.nestedUnkeyedContainer(forKey: "list")
            while !list.isAtEnd { inner.append(try list.decode(Nested.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            var list = container.nestedUnkeyedContainer(forKey: "list")
            for value in inner { try list.encode(value) }
        }
    }

    enum Shape: String, Codable, CaseIterable, Sendable {
        case optionals, layout, table, rows, split, single, nested

        /// Finds the greatest depth that is encoded on a stack of `stackSize` bytes, and expects that it is decoded on another.
        func check(stackSize: Int) throws {
            switch self {
            case .optionals: try check(stackSize, Optionals()) { Optionals(list: [$0]) }
            case .layout: try check(stackSize, Layout()) { Layout(pane: 1, children: [$0]) }
            case .table: try check(stackSize, Table()) { Table(entries: ["key": $0]) }
            case .rows: try check(stackSize, Rows()) { Rows(rows: ["key": [$0]]) }
            case .split: try check(stackSize, Split.pane(id: 1)) { .split(left: $0, right: .pane(id: 2)) }
            case .single: try check(stackSize, Single.end) { .list($0) }
            case .nested: try check(stackSize, Nested([])) { Nested([$0]) }
            }
        }

        private func check<Value: Codable & SendableMetatype>(
            _ stackSize: Int, _ end: Value, _ step: @Sendable (Value) -> Value
        ) throws {
            let limit = EncodingLimits().nesting
            var archive = Data()
            var (low, high) = (0, limit)
            while low < high {
                let middle = (low + high + 1) / 2
                // Never destroyed, which would take stack for each level.
                let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
                value.initialize(to: (0..<middle).reduce(end) { inner, _ in step(inner) })
                nonisolated(unsafe) let encoded = value
                let data = try onThread(stackSize: stackSize) { try? ArchiveEncoder().encode(encoded.pointee) }
                if let data { (low, archive) = (middle, data) } else { high = middle - 1 }
            }
            #expect(low >= (stackSize < 1 << 20 ? 10 : 200), "\(self): \(low)")
            try onThread(stackSize: stackSize) { [archive] in
                let value = try ArchiveDecoder().decode(Value.self, from: archive)
                let kept = UnsafeMutablePointer<Value>.allocate(capacity: 1)
                kept.initialize(to: value)
            }
        }
    }

    @Test(arguments: Shape.allCases, [512 << 10, 8 << 20])
    func `is decoded on an equal one`(shape: Shape, stackSize: Int) async {
        await #expect(processExitsWith: .success) { [shape, stackSize] in try shape.check(stackSize: stackSize) }
    }
}
