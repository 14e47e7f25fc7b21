import Archiving

// The forms of NSFont, NSColor and NSParagraphStyle: docs/typedstream-format.md, section 6. A value that was read keeps its object if the archiver
// would write another one.

extension AttributedText.Font: SequentialValue {
    /// `@`: an NSFont.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    fileprivate static var chain: [(name: String, version: Int)] { [("NSFont", 30), ("NSObject", 0)] }

    /// Returns an NSFont. The size is rounded to a `Float`.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` if the type is not `@`.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        if let unknown = original.object as? UnknownSequentialObject, Self.font(in: unknown.groups) == self {
            return .object(coder.index(of: unknown))
        }
        return .object(coder.shared(Self.chain, groups))
    }

    /// Returns the font of an NSFont.
    ///
    /// - Throws: `SequentialCodingError`: `.typeMismatch` for other values and forms, `.valueNotFound` for nil.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> AttributedText.Font {
        guard case .object(let index?) = value, let font = try coder.appKitValue(at: index) as? Self else {
            throw coder.typeMismatchError(self, found: value, of: type)
        }
        return font
    }

    /// The name as a property list of NeXT's time: the kind, the number of bytes, and the bytes, padded to a multiple of 4.
    private enum NameList {
        static let bytes: UInt8 = 5
        static let unicode: UInt8 = 6
        static let headerSize = 8
    }

    /// The contents of the NSFont: the name, the size, and four numbers, which are those of fonts that are not part of the user
    /// interface.
    fileprivate var groups: [TypedStream.Group] {
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

    /// Returns the font in the contents of an NSFont; nil for other forms.
    fileprivate static func font(in groups: [TypedStream.Group]) -> AttributedText.Font? {
        guard groups.count == 7, groups[0].types == [.int], case .bytes(let list?) = groups[1].values.first,
            groups[0].values[0].integer == list.count, case .float(let size) = groups[2].values.first, size.isFinite,
            groups[3...].allSatisfy({ $0.types == [.character] }), let name = name(in: list)
        else { return nil }
        return AttributedText.Font(name, size: Double(size))
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

extension AttributedText.Color: SequentialValue {
    /// `@`: an NSColor.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    fileprivate static var chain: [(name: String, version: Int)] { [("NSColor", 0), ("NSObject", 0)] }

    /// The number of a catalog, after those of the other color spaces.
    private static var catalogNumber: Int { Space.allCases.count + 1 }

    /// Returns an NSColor. The components are rounded to `Float`.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` if the type is not `@`.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        if let unknown = original.object as? UnknownSequentialObject,
            Self.color(at: unknown.index, in: unknown.stream)?.color == self
        {
            return .object(coder.index(of: unknown))
        }
        guard let catalogName else { return .object(coder.shared(Self.chain, groups)) }
        let color = Self(space, components, opacity: opacity)
        let parts = [
            coder.string(catalogName.catalog), coder.string(catalogName.name), coder.shared(Self.chain, color.groups),
        ]
        let groups = [
            Self.kind(Self.catalogNumber),
            TypedStream.Group([.object, .object, .object], parts.map { .object($0) }),
        ]
        return .object(coder.shared(Self.chain, groups))
    }

    /// Returns the color of an NSColor.
    ///
    /// - Throws: `SequentialCodingError`: `.typeMismatch` for other values and forms, `.valueNotFound` for nil.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> AttributedText.Color {
        guard case .object(let index?) = value, let color = try coder.appKitValue(at: index) as? Self else {
            throw coder.typeMismatchError(self, found: value, of: type)
        }
        return color
    }

    private static func kind(_ number: Int) -> TypedStream.Group {
        TypedStream.Group([.character], [.integer(Int64(number))])
    }

    /// The contents of the NSColor without the name: the color space, and the components with the opacity.
    fileprivate var groups: [TypedStream.Group] {
        let numbers = components + [opacity]
        return [
            Self.kind((Space.allCases.firstIndex(of: space) ?? 0) + 1),
            TypedStream.Group(numbers.map { _ in .float }, numbers.map { .float(Float($0)) }),
        ]
    }

    /// Returns the color of the NSColor at a position of a stream, and whether it holds nothing else; nil for other forms.
    fileprivate static func color(at index: Int, in stream: TypedStream) -> (
        color: AttributedText.Color, isWhole: Bool
    )? {
        let groups = stream.objects[index].groups
        guard groups.count == 2, groups[0].types == [.character], let number = groups[0].values[0].integer else {
            return nil
        }
        if number == catalogNumber {
            guard groups[1].types == [.object, .object, .object], let catalog = text(groups[1].values[0], in: stream),
                let name = text(groups[1].values[1], in: stream), case .object(let inner?) = groups[1].values[2],
                stream.objects[inner].groups.first?.values.first?.integer != catalogNumber,
                let color = color(at: inner, in: stream)?.color
            else { return nil }
            let catalogName = CatalogName(catalog: catalog, name: name)
            return (
                AttributedText.Color(
                    color.space, color.components, opacity: color.opacity, catalogName: catalogName), false
            )
        }
        guard Space.allCases.indices.contains(number - 1) else { return nil }
        let space = Space.allCases[number - 1]
        let numbers = groups[1].values.compactMap { value -> Double? in
            guard case .float(let number) = value, number.isFinite else { return nil }
            return Double(number)
        }
        guard numbers.count == space.componentCount + 1, groups[1].values.count == numbers.count else { return nil }
        return (AttributedText.Color(space, numbers.dropLast(), opacity: numbers.last ?? 1), true)
    }

    /// Returns the text of an NSString.
    private static func text(_ value: TypedStream.Value, in stream: TypedStream) -> String? {
        guard case .object(let index?) = value, let group = stream.objects[index].groups.first, group.types == [.bytes],
            case .bytes(let bytes?) = group.values[0]
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension SequentialUnarchiver {
    /// Returns the font, the color or the paragraph style at a position; nil for other objects and for unknown forms.
    func appKitValue(at index: Int) throws -> Any? {
        let object = stream.objects[index]
        // The classes decide, so that a subclass with more contents stays what it is.
        switch stream.className(of: object) {
        case "NSFont":
            guard var font = AttributedText.Font.font(in: object.groups) else { return nil }
            try counted(string: font.name.utf8.count)
            let chain = stream.classChain(of: object).map { ($0.name, $0.version) }
            if !chain.elementsEqual(AttributedText.Font.chain, by: ==) || object.groups != font.groups {
                font.original = OriginalObject(try instance(of: UnknownSequentialObject.self, at: index))
            }
            return font
        case "NSColor":
            guard let (color, isWhole) = AttributedText.Color.color(at: index, in: stream) else { return nil }
            try counted(
                string: (color.catalogName?.catalog.utf8.count ?? 0) + (color.catalogName?.name.utf8.count ?? 0))
            guard isWhole else {
                var named = color
                named.original = OriginalObject(try instance(of: UnknownSequentialObject.self, at: index))
                return named
            }
            return color
        case "NSParagraphStyle", "NSMutableParagraphStyle":
            guard let (found, isWhole) = AttributedText.ParagraphStyle.style(in: object.groups) else { return nil }
            var style = found
            let chain = stream.classChain(of: object).map { ($0.name, $0.version) }
            if !isWhole || !chain.elementsEqual(AttributedText.ParagraphStyle.chain, by: ==)
                || object.groups != style.groups
            {
                style.original = OriginalObject(try instance(of: UnknownSequentialObject.self, at: index))
            }
            return style
        default: return nil
        }
    }
}

extension SequentialArchiver {
    /// Returns the position of an object with `groups`. Equal objects are one.
    func shared(_ chain: [(name: String, version: Int)], _ groups: [TypedStream.Group]) -> Int {
        leaf(SharedObject(name: chain[0].name, contents: "\(groups.map(\.values))")) {
            var contents = CollectedStream.Groups()
            for group in groups { contents.append(group) }
            let index = addObject()
            complete(index, classIndex(of: chain), contents)
            return index
        }
    }

    private struct SharedObject: Hashable {
        let name: String
        let contents: String
    }
}
