// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Bytes of typedstreams

extension Mutator {
    static let streamMutations: [Mutation] =
        [
            onStream("an integer in another width") { bytes, layout, generator in
                guard
                    let place = layout.places(.integer, .reference, .length, .version).randomElement(using: &generator)
                else { return }
                let new = layout.bytes(of: layout.integer(at: place), size: generator.pick([1, 2, 4, 8]))
                bytes.replaceSubrange(place, with: new)
            },
            onStream("an integer at some boundary") { bytes, layout, generator in
                guard let place = layout.places(.integer, .version).randomElement(using: &generator) else { return }
                let new = layout.bytes(of: generator.pick(edges))
                bytes.replaceSubrange(place, with: new)
            },
            onStream("a typed reference leads elsewhere") { bytes, layout, generator in
                guard let place = layout.places(.reference).randomElement(using: &generator) else { return }
                let number = generator.once(in: 5) ? generator.pick(edges) : generator.below(40)
                bytes.replaceSubrange(place, with: layout.bytes(of: number &- 110))
            },
            onStream("a typed length that lies") { bytes, layout, generator in
                guard let place = layout.places(.length).randomElement(using: &generator) else { return }
                let near = layout.integer(at: place) &+ generator.below(5) &- 2
                bytes.replaceSubrange(
                    place, with: layout.bytes(of: generator.once(in: 2) ? near : generator.pick(edges)))
            },
            onStream("a typed class by another name") { bytes, layout, generator in
                bytes.replaceText(
                    .className, layout, with: Array(generator.pick(streamClassNames).utf8), using: &generator)
            },
            onStream("other types") { bytes, layout, generator in
                bytes.replaceText(.types, layout, with: Array(generator.pick(typeTexts).utf8), using: &generator)
            },
            onStream("types with one more, or one less") { bytes, layout, generator in
                guard let place = layout.places(.types).randomElement(using: &generator) else { return }
                var text = Array(bytes[place])
                if generator.once(in: 2) || text.isEmpty {
                    let characters = Array("cCsSiIlLqQBfd*%:+#@![]{}=0129?^".utf8)
                    text.insert(generator.pick(characters), at: generator.below(text.count + 1))
                } else {
                    text.remove(at: generator.below(text.count))
                }
                bytes.replaceText(at: place, layout, with: text)
            },
            onStream("another text") { bytes, layout, generator in
                let texts: [[UInt8]] = [
                    [], [0], [0xFF, 0xFE], Array("i".utf8), Array("{_NSRect={_NSPoint=ff}{_NSSize=ff}}".utf8),
                    Array(("e" + String(repeating: "\u{301}", count: 300)).utf8), Array("https://a b/".utf8),
                    Array("\u{1F989}".utf8), Array(repeating: 0x61, count: 200), Array("[2147483647i]".utf8),
                ]
                bytes.replaceText(.text, layout, with: generator.pick(texts), using: &generator)
            },
            onStream("another tag") { bytes, layout, generator in
                guard let place = layout.places(.tag).randomElement(using: &generator) else { return }
                bytes[place.lowerBound] = generator.pick([
                    0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x92, 0x93, 0x00,
                ])
            },
            onStream("another number with a fraction") { bytes, layout, generator in
                guard let place = layout.places(.real).randomElement(using: &generator) else { return }
                let fills: [UInt8] = [0, 0x80, 0x7F, 0xFF, UInt8(truncatingIfNeeded: generator.next())]
                for index in place { bytes[index] = generator.pick(fills) }
            },
        ] + objectMutations + modelMutations

    /// Pieces of a typedstream in the places of others.
    private static let objectMutations: [Mutation] = [
        onStream("a typed object in another's place") { bytes, layout, generator in
            let places = layout.objects + layout.references
            guard let from = places.randomElement(using: &generator), let to = places.randomElement(using: &generator)
            else { return }
            bytes.replaceSubrange(to, with: Array(bytes[from]))
        },
        onStream("a typed object in itself") { bytes, layout, generator in
            guard let place = (layout.objects + layout.references).randomElement(using: &generator) else { return }
            let before = layout.places(.tag).count { $0.lowerBound < place.lowerBound }
            bytes.replaceSubrange(place, with: layout.bytes(of: generator.below(before + 1) - 110))
        },
        onStream("nil for a typed object") { bytes, layout, generator in
            guard let place = (layout.objects + layout.references).randomElement(using: &generator) else { return }
            bytes.replaceSubrange(place, with: [0x85])
        },
        onStream("a group less") { bytes, layout, generator in
            guard let place = layout.groups.randomElement(using: &generator) else { return }
            bytes.removeSubrange(place)
        },
        onStream("a group twice") { bytes, layout, generator in
            guard let place = layout.groups.randomElement(using: &generator) else { return }
            let other = generator.pick(layout.groups)
            bytes.insert(contentsOf: Array(bytes[place]), at: other.lowerBound)
        },
        onStream("very many groups") { bytes, layout, generator in
            guard let place = layout.groups.randomElement(using: &generator), place.count < 40 else { return }
            let copies = (0..<100).flatMap { _ in Array(bytes[place]) }
            bytes.insert(contentsOf: copies, at: generator.pick(layout.groups).upperBound)
        },
        onStream("an end more, or less") { bytes, layout, generator in
            guard let place = layout.objects.randomElement(using: &generator) else { return }
            if generator.once(in: 2) {
                bytes.remove(at: place.upperBound - 1)
            } else {
                bytes.insert(0x86, at: place.upperBound)
            }
        },
        onStream("the other byte order") { bytes, layout, generator in
            bytes.replaceSubrange(2..<13, with: Array((layout.isLittleEndian ? "typedstream" : "streamtyped").utf8))
        },
        onStream("another header") { bytes, layout, generator in
            bytes[generator.below(17)] = generator.pick([0, 3, 4, 5, 11, 0x81, 0x82, 0x87, 0xFF])
        },
    ]

    /// Numbers at which something ends.
    private static let edges = [
        -1, -2, -110, -111, -128, 0, 1, 2, 127, 128, 255, 256, -32_768, 32_767, 65_535, 65_536, 1_000_000,
        Int(Int32.min), Int(Int32.max), Int(UInt32.max), .min, .max,
    ]

    private static let typeTexts = [
        "", "i", "@", "@@", "iI", "I", "q", "Q", "c", "B", "f", "d", "*", "%", ":", "+", "#", "!", "[2147483647i]",
        "[0i]",
        "[4@]", "[3c]", "[1000000!]", "[65535[65535[65535!]]]", "{_NSPoint=ff}", "{?=}", "{}", "{{{{", "[2{a=i[2c]}]",
        "^v", "(a=i)", "b3", "@?", "[i]", "[-1i]", "[99999999999999999999i]", "iiiiiiiiiiiiiiiiiiii",
    ]

    private static let streamClassNames =
        Forbidden.names + [
            "Part", "Wheel", "Pane", "Bead", "Drawer", "Chest", "Shade", "Piece", "UnknownPart", "NSObject", "NSString",
            "NSMutableString", "NSData", "NSDate", "NSURL", "NSNumber", "NSValue", "NSNull", "NSArray",
            "NSMutableArray",
            "NSSet", "NSDictionary", "NSAttributedString", "NSMutableAttributedString", "FuzzCases.ForbiddenPart", "",
            "Swift.Int", "FuzzCases.Part",
        ]

    private static func onStream(
        _ name: String, _ body: @escaping @Sendable (inout [UInt8], StreamLayout, inout Generator) -> Void
    ) -> Mutation {
        Mutation(name, .stream) { bytes, generator in
            guard bytes.count > 17, let layout = StreamLayout(bytes) else { return nil }
            var mutant = bytes
            body(&mutant, layout, &generator)
            return mutant
        }
    }
}

extension [UInt8] {
    /// Puts another text in the place of one of a kind, with its own length.
    fileprivate mutating func replaceText(
        _ kind: StreamLayout.Kind, _ layout: StreamLayout, with text: [UInt8], using generator: inout Generator
    ) {
        guard let place = layout.places(kind).randomElement(using: &generator) else { return }
        replaceText(at: place, layout, with: text)
    }

    fileprivate mutating func replaceText(at place: Range<Int>, _ layout: StreamLayout, with text: [UInt8]) {
        replaceSubrange(place, with: text)
        // An array of C has its length in its type.
        guard let length = layout.places(.length).last(where: { $0.upperBound == place.lowerBound }) else { return }
        replaceSubrange(length, with: layout.bytes(of: text.count))
    }
}

// MARK: - Typedstreams as values

extension Mutator {
    /// What is still a typedstream afterwards.
    private static let modelMutations: [Mutation] = [
        onModel("a typed value refers to another object") { stream, generator in
            let count = stream.objects.count
            stream.changeOneGroup(using: &generator) { group, generator in
                for index in group.values.indices {
                    if case .object = group.values[index] {
                        group.values[index] = .object(generator.once(in: 6) ? nil : generator.below(count))
                    }
                }
            }
        },
        onModel("a typed object of another class") { stream, generator in
            guard !stream.objects.isEmpty, !stream.classes.isEmpty else { return }
            stream.objects[generator.below(stream.objects.count)].classIndex = generator.below(stream.classes.count)
        },
        onModel("a typed object with the groups of another") { stream, generator in
            guard let other = stream.objects.randomElement(using: &generator) else { return }
            stream.objects[generator.below(stream.objects.count)].groups = other.groups
        },
        onModel("a class with another version, or superclass") { stream, generator in
            guard !stream.classes.isEmpty else { return }
            let index = generator.below(stream.classes.count)
            if generator.once(in: 2) {
                stream.classes[index].version = generator.pick([0, 1, 2, -1, .max, .min])
            } else {
                stream.classes[index].superclassIndex =
                    generator.once(in: 3) ? nil : generator.below(stream.classes.count)
            }
        },
        onModel("groups in another order") { stream, generator in
            if generator.once(in: 3) || stream.objects.isEmpty {
                stream.groups.shuffle(using: &generator)
            } else {
                stream.objects[generator.below(stream.objects.count)].groups.shuffle(using: &generator)
            }
        },
        onModel("another typed number") { stream, generator in
            stream.changeOneGroup(using: &generator) { group, generator in
                for index in group.values.indices {
                    switch group.values[index] {
                    case .integer: group.values[index] = .integer(Int64(generator.pick([-1, 0, 1, 2, 3, 7, 100])))
                    case .unsigned: group.values[index] = .unsigned(UInt64(generator.pick([0, 1, 2, 3, 7, 100])))
                    case .float: group.values[index] = .float(generator.pick([.nan, -0.0, .infinity, 1e30, 3]))
                    case .double: group.values[index] = .double(generator.pick([.nan, -0.0, -.infinity, 1e300, 3]))
                    default: break
                    }
                }
            }
        },
    ]

    private static func onModel(
        _ name: String, _ body: @escaping @Sendable (inout TypedStream, inout Generator) -> Void
    ) -> Mutation {
        Mutation(name, .stream) { bytes, generator in
            guard StreamLayout.isStream(bytes), var stream = try? TypedStream(Data(bytes)) else { return nil }
            body(&stream, &generator)
            return (try? stream.data()).map { Array($0) }
        }
    }
}

extension TypedStream {
    /// Lets `body` change one of the groups, at the top or of an object.
    fileprivate mutating func changeOneGroup(
        using generator: inout Generator, _ body: (inout Group, inout Generator) -> Void
    ) {
        let owners = objects.indices.filter { !objects[$0].groups.isEmpty }
        if let owner = owners.randomElement(using: &generator), !generator.once(in: 5) {
            body(&objects[owner].groups[generator.below(objects[owner].groups.count)], &generator)
        } else if !groups.isEmpty {
            body(&groups[generator.below(groups.count)], &generator)
        }
    }
}
