// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

extension LinkedFiles { package enum AppKitValues {} }

/// A value of AppKit in the form of docs/typedstream-format.md, section 6. A value that was read keeps its object if the archiver
/// would write another one.
protocol SequentialAppKitValue: SequentialObjectValue, Equatable {
    static var chain: [(name: String, version: Int)] { get }
    var original: OriginalObject { get set }

    /// Returns the value of the object at a position, and whether the object holds nothing else; nil for other forms.
    static func found(at index: Int, in stream: TypedStream) -> (value: Self, isWhole: Bool)?

    /// Returns the number of bytes of the texts that `found(at:in:)` reads, whether it returns a value or nil.
    static func textSize(at index: Int, in stream: TypedStream) -> Int

    var groups: [TypedStream.Group] { get }

    func newPosition(in coder: SequentialArchiver) throws -> Int
}

extension SequentialAppKitValue {
    static func textSize(at index: Int, in stream: TypedStream) -> Int { 0 }

    func newPosition(in coder: SequentialArchiver) throws -> Int { coder.shared(Self.chain, groups) }

    func position(in coder: SequentialArchiver) throws -> Int? {
        if let unknown = original.object as? UnknownSequentialObject,
            Self.found(at: unknown.index, in: unknown.stream)?.value == self
        {
            return coder.index(of: unknown)
        }
        return try newPosition(in: coder)
    }

    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> Self {
        guard let found = try coder.appKitValue(at: index) as? Self else {
            throw coder.typeMismatchError(self, found: .object(index), of: .object)
        }
        return found
    }

    fileprivate static func valueIfKnown(at index: Int, in coder: SequentialUnarchiver) throws -> Self? {
        // Counted first: the object can be referenced by a byte each time.
        try coder.counted(bytes: textSize(at: index, in: coder.stream))
        guard var (value, isWhole) = found(at: index, in: coder.stream) else { return nil }
        let object = coder.stream.objects[index]
        isWhole = isWhole && object.groups == value.groups
        if !isWhole || !hasOwnChain(object, in: coder.stream) {
            value.original = OriginalObject(try coder.instance(of: UnknownSequentialObject.self, at: index))
        }
        return value
    }

    /// Returns whether an object has the class and the superclasses that the archiver would write.
    private static func hasOwnChain(_ object: TypedStream.Object, in stream: TypedStream) -> Bool {
        var next: Int? = object.classIndex
        for (name, version) in chain {
            guard let index = next, stream.classes[index].name == name, stream.classes[index].version == version
            else { return false }
            next = stream.classes[index].superclassIndex
        }
        return next == nil
    }
}

// MARK: - Fonts

extension AttributedText.Font: SequentialAppKitValue {
    static var chain: [(name: String, version: Int)] { [("NSFont", 30), ("NSObject", 0)] }

    /// The name as a property list of NeXT's time: the kind, the number of bytes, and the bytes, padded to a multiple of 4.
    private enum NameList {
        static let bytes: UInt8 = 5
        static let unicode: UInt8 = 6
        static let headerSize = 8
    }

    /// The contents of the NSFont: the name, the size, and four numbers, which are those of fonts that are not part of the user
    /// interface.
    var groups: [TypedStream.Group] {
        var text: [UInt8] = [0xFF, 0xFE]
        for unit in name.utf16 { text += [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)] }
        var bytes: [UInt8] = [NameList.unicode, 0, 0, 0]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) }
        bytes += text
        bytes += Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
        return [
            TypedStream.Group([.int], [.integer(Int64(bytes.count))]),
            TypedStream.Group([.array(count: bytes.count, of: .character)], [.bytes(bytes)]),
            TypedStream.Group([.float], [.float(Float(size))]),
        ] + [0, 1, 0, 0].map { TypedStream.Group([.character], [.integer($0)]) }
    }

    static func textSize(at index: Int, in stream: TypedStream) -> Int {
        stream.objects[index].groups.dropFirst().first?.values.first?.bytes?.count ?? 0
    }

    static func found(at index: Int, in stream: TypedStream) -> (value: AttributedText.Font, isWhole: Bool)? {
        let groups = stream.objects[index].groups
        guard groups.count == 7, groups[0].types == [.int], case .bytes(let list?) = groups[1].values.first,
            groups[0].values[0].integer == list.count, case .float(let size) = groups[2].values.first, size.isFinite,
            groups[3...].allSatisfy({ $0.types == [.character] }), let name = name(in: list)
        else { return nil }
        return (AttributedText.Font(name, size: Double(size)), true)
    }

    private static func name(in list: [UInt8]) -> String? {
        guard list.count >= NameList.headerSize, list[1...3] == [0, 0, 0] else { return nil }
        let number = (4..<8).reduce(UInt64(0)) { $0 | UInt64(list[$1]) << (8 * UInt64($1 - 4)) }
        guard let count = Int(exactly: number), count <= list.count - NameList.headerSize else { return nil }
        let text = list[NameList.headerSize..<NameList.headerSize + count]
        switch list[0] {
        case NameList.bytes: return String(validating: text, as: UTF8.self)
        case NameList.unicode where count >= 2 && count % 2 == 0:
            let isBigEndian = text.starts(with: [0xFE, 0xFF])
            guard isBigEndian || text.starts(with: [0xFF, 0xFE]) else { return nil }
            let units = stride(from: text.startIndex + 2, to: text.endIndex, by: 2).map {
                let (first, second) = (UInt16(text[$0]), UInt16(text[$0 + 1]))
                return isBigEndian ? first << 8 | second : second << 8 | first
            }
            return String(validating: units, as: UTF16.self)
        default: return nil
        }
    }
}

// MARK: - Colors

extension AttributedText.Color: SequentialAppKitValue {
    static var chain: [(name: String, version: Int)] { [("NSColor", 0), ("NSObject", 0)] }

    /// The number of a catalog, after those of the other color spaces.
    private static var catalogNumber: Int { Space.allCases.count + 1 }

    func newPosition(in coder: SequentialArchiver) throws -> Int {
        guard let name, let catalog else { return coder.shared(Self.chain, groups) }
        let parts = [coder.string(catalog), coder.string(name), coder.shared(Self.chain, groups)]
        return coder.shared(
            Self.chain,
            [
                Self.kind(Self.catalogNumber),
                TypedStream.Group([.object, .object, .object], parts.map { .object($0) }),
            ])
    }

    private static func kind(_ number: Int) -> TypedStream.Group {
        TypedStream.Group([.character], [.integer(Int64(number))])
    }

    /// The contents of the NSColor without the name: the color space, and the components with the opacity.
    var groups: [TypedStream.Group] {
        let numbers = components + [opacity]
        return [
            Self.kind((Space.allCases.firstIndex(of: space) ?? 0) + 1),
            TypedStream.Group(numbers.map { _ in .float }, numbers.map { .float(Float($0)) }),
        ]
    }

    /// The texts are the names of a color of a catalog.
    static func textSize(at index: Int, in stream: TypedStream) -> Int {
        guard let names = stream.objects[index].groups.dropFirst().first?.values.prefix(2) else { return 0 }
        return names.reduce(0) { $0 + (bytes($1, in: stream)?.count ?? 0) }
    }

    static func found(at index: Int, in stream: TypedStream) -> (value: AttributedText.Color, isWhole: Bool)? {
        let groups = stream.objects[index].groups
        guard groups.count == 2, groups[0].types == [.character], let number = groups[0].values[0].integer else {
            return nil
        }
        if number == catalogNumber {
            guard groups[1].types == [.object, .object, .object], let catalog = text(groups[1].values[0], in: stream),
                let name = text(groups[1].values[1], in: stream), case .object(let inner?) = groups[1].values[2],
                stream.objects[inner].groups.first?.values.first?.integer != catalogNumber,
                let color = found(at: inner, in: stream)?.value
            else { return nil }
            return (Self(color.space, color.components, opacity: color.opacity, name: name, catalog: catalog), false)
        }
        guard Space.allCases.indices.contains(number - 1) else { return nil }
        let space = Space.allCases[number - 1]
        guard groups[1].values.count == space.componentCount + 1 else { return nil }
        let numbers = groups[1].values.compactMap { value -> Double? in
            guard case .float(let number) = value, number.isFinite else { return nil }
            return Double(number)
        }
        guard numbers.count == space.componentCount + 1 else { return nil }
        return (Self(space, numbers.dropLast(), opacity: numbers.last ?? 1), true)
    }

    private static func text(_ value: TypedStream.Value, in stream: TypedStream) -> String? {
        bytes(value, in: stream).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func bytes(_ value: TypedStream.Value, in stream: TypedStream) -> [UInt8]? {
        guard case .object(let index?) = value, let group = stream.objects[index].groups.first, group.types == [.bytes],
            case .bytes(let bytes) = group.values[0]
        else { return nil }
        return bytes
    }
}

// MARK: - Objects

extension SequentialUnarchiver {
    /// Returns the font, the color or the paragraph style at a position; nil for other objects and for unknown forms.
    func appKitValue(at index: Int) throws -> Any? {
        // The classes decide, so that a subclass with more contents stays what it is.
        switch stream.className(of: stream.objects[index]) {
        case "NSFont": try AttributedText.Font.valueIfKnown(at: index, in: self)
        case "NSColor": try AttributedText.Color.valueIfKnown(at: index, in: self)
        case "NSParagraphStyle", "NSMutableParagraphStyle":
            try AttributedText.ParagraphStyle.valueIfKnown(at: index, in: self)
        default: nil
        }
    }
}

extension SequentialArchiver {
    func shared(_ chain: [(name: String, version: Int)], _ groups: [TypedStream.Group]) -> Int {
        leaf(SharedObject(name: chain[0].name, groups: groups)) { add(chain, groups) }
    }

    private struct SharedObject: Hashable {
        let name: String
        let groups: [TypedStream.Group]
    }
}

extension AttributedText.ParagraphStyle: SequentialAppKitValue {
    static var chain: [(name: String, version: Int)] { [("NSParagraphStyle", 0), ("NSObject", 0)] }

    private typealias Length = any WritableKeyPath<Self, Double> & Sendable

    private static let lengths: [Length] = [
        \.lineSpacing, \.paragraphSpacing, \.headIndent, \.tailIndent, \.firstLineHeadIndent, \.minimumLineHeight,
        \.maximumLineHeight, \.lineHeightMultiple, \.paragraphSpacingBefore, \.defaultTabInterval,
    ]

    /// The number of bits: those of the lengths, of the hyphenation, of the tightening, and of the level of a header.
    private static var bitCount: Int { 13 }

    func newPosition(in coder: SequentialArchiver) throws -> Int {
        guard tabStops == nil, textLists.isEmpty, isRightToLeft == nil else {
            throw coder.error(
                .notEncodable,
                "Found a ParagraphStyle with tab stops, lists or a writing direction. Only a keyed archive can hold these: use"
                    + " ArchiveEncoder, or remove them")
        }
        return coder.shared(Self.chain, groups)
    }

    /// The contents of the NSParagraphStyle: the alignment, the line break mode, nil for the tab stops, the bits of the lengths
    /// other than 0, and these lengths.
    var groups: [TypedStream.Group] {
        let alignment = Alignment.allCases.firstIndex(of: alignment) ?? 0
        let mode = LineBreakMode.allCases.firstIndex(of: lineBreakMode) ?? 0
        let numbers = Self.lengths.map { Float(self[keyPath: $0]) }
        let bits = numbers.indices.filter { numbers[$0] != 0 }
        let mask = bits.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        let first = TypedStream.Group(
            [.unsignedCharacter, .unsignedCharacter, .object, .unsignedShort],
            [.unsigned(UInt64(alignment)), .unsigned(UInt64(mode)), .object(nil), .unsigned(mask)])
        guard !bits.isEmpty else { return [first] }
        let list = TypedStream.Value.array(bits.map { .float(numbers[$0]) })
        return [first, TypedStream.Group([.array(count: bits.count, of: .float)], [list])]
    }

    static func found(at index: Int, in stream: TypedStream) -> (value: AttributedText.ParagraphStyle, isWhole: Bool)? {
        let groups = stream.objects[index].groups
        guard let first = groups.first,
            first.types == [.unsignedCharacter, .unsignedCharacter, .object, .unsignedShort],
            let alignment = first.values[0].integer, Alignment.allCases.indices.contains(alignment),
            let mode = first.values[1].integer, LineBreakMode.allCases.indices.contains(mode),
            case .object(nil) = first.values[2], let mask = first.values[3].integer, mask < 1 << bitCount,
            groups.count == (mask == 0 ? 1 : 2)
        else { return nil }
        var style = AttributedText.ParagraphStyle()
        style.alignment = Alignment.allCases[alignment]
        style.lineBreakMode = LineBreakMode.allCases[mode]
        guard mask != 0 else { return (style, true) }
        guard groups[1].types == [.array(count: mask.nonzeroBitCount, of: .float)],
            case .array(let values)? = groups[1].values.first
        else { return nil }
        let bits = (0..<bitCount).filter { mask & 1 << $0 != 0 }
        for (bit, value) in zip(bits, values) {
            guard case .float(let number) = value, number.isFinite else { return nil }
            if bit < lengths.count { style[keyPath: lengths[bit]] = Double(number) }
        }
        return (style, mask < 1 << lengths.count)
    }
}
