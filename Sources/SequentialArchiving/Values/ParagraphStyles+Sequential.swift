// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

extension LinkedFiles { package enum ParagraphStyles {} }

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
