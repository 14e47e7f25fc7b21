#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What Cocoa's classes wrote becomes Foundation's types again. Objects that are none of those are read in the form in
// which the type encodes itself with other encoders.

extension NativeTypes {
    /// What reads arrays of leaves of Foundation's.
    static func foundationArray(_ type: any Any.Type) -> (any NativelyDecodable.Type)? {
        if type == [Data].self { return FoundationArrays.OfData.self }
        if type == [Date].self { return FoundationArrays.OfDate.self }
        if type == [URL].self { return FoundationArrays.OfURL.self }
        if type == [UUID].self { return FoundationArrays.OfUUID.self }
        return nil
    }
}

private enum FoundationArrays {
    enum OfData: LeafArrayDecoding { typealias Element = Data }
    enum OfDate: LeafArrayDecoding { typealias Element = Date }
    enum OfURL: LeafArrayDecoding { typealias Element = URL }
    enum OfUUID: LeafArrayDecoding { typealias Element = UUID }
}

extension ArchiveDecoding {
    /// What `read` finds in the archive.
    @inline(__always)
    func contents<Result>(
        at step: @autoclosure () -> CodingPathStep,
        _ read: (ArchiveContents) throws(KeyedArchiveError) -> Result
    ) throws -> Result {
        do throws(KeyedArchiveError) {
            return try read(archive)
        } catch {
            throw CodableErrors.damaged(error, path: path(step()))
        }
    }

    /// Lets `body` read an object that is not of the class that stands for `type`.
    func otherForm<Result>(
        of type: any Any.Type, _ value: ArchivedValue, at step: CodingPathStep,
        _ body: (ArchiveDecoding) throws -> Result
    ) throws -> Result {
        guard value.node.kind == .dictionary else {
            throw CodableErrors.mismatch(type, found: value, in: archive, path: path(step))
        }
        return try with(nil, value, step, body)
    }

    @inline(never)
    fileprivate func mismatch(_ type: any Any.Type, _ value: ArchivedValue, _ step: CodingPathStep) -> DecodingError {
        CodableErrors.mismatch(type, found: value, in: archive, path: path(step))
    }
}

// MARK: - Data, dates and identifiers

extension Data: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Data {
        let bytes = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            try contents.data(value)
        }
        guard let bytes else { return try elements(of: value, in: decoder, at: step()) }
        return Data(bytes)
    }

    /// The bytes of an array of numbers.
    @inline(never)
    private static func elements(
        of value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> Data {
        guard value.node.kind == .array || value.node.kind == .dictionary else {
            throw decoder.mismatch(Data.self, value, step)
        }
        return Data(try decoder.decode([UInt8].self, from: value, at: step))
    }
}

extension Date: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Date {
        let seconds = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            try contents.date(value)
        }
        guard let seconds else { return try number(value, in: decoder, at: step()) }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// The date that stands as the number of seconds.
    @inline(never)
    private static func number(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> Date {
        switch value.node.kind {
        case .real64, .real32, .integer:
            Date(timeIntervalSinceReferenceDate: try decoder.double(value, at: step))
        default: throw decoder.mismatch(Date.self, value, step)
        }
    }
}

extension UUID: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> UUID {
        let bytes = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            try contents.uuid(value)
        }
        guard let bytes else { return try string(value, in: decoder, at: step()) }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }

    @inline(never)
    private static func string(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> UUID {
        guard !value.isNull, value.node.kind == .ascii else { throw decoder.mismatch(UUID.self, value, step) }
        let text = try decoder.string(value, at: step)
        guard let uuid = UUID(uuidString: text) else {
            throw CodableErrors.invalid("The string \"\(text.prefix(40))\" is no UUID", path: decoder.path(step))
        }
        return uuid
    }
}

extension URL: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> URL {
        let parts = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            try contents.url(value)
        }
        guard let (relative, base) = parts else { return try otherURL(value, in: decoder, at: step()) }
        if base.isNull, let url = URL(string: relative) { return url }
        return try url(value, in: decoder, at: step())
    }

    /// The URL that stands as a string, or as a URL encodes itself elsewhere.
    @inline(never)
    private static func otherURL(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> URL {
        let text = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in try contents.text(value) }
        guard let text else { return try decoder.otherForm(of: URL.self, value, at: step) { try URL(from: $0) } }
        guard let url = URL(string: text) else {
            throw CodableErrors.invalid("The string \"\(text.prefix(80))\" is no URL", path: decoder.path(step))
        }
        return url
    }

    @inline(never)
    private static func url(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> URL {
        let texts = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.urlTexts(value)
        }
        guard let texts else { throw decoder.mismatch(URL.self, value, step) }
        do throws(InvalidURL) {
            return try URL(archivedTexts: texts)
        } catch {
            throw CodableErrors.invalid(
                "The string \"\(error.text.prefix(80))\" is no URL", path: decoder.path(step))
        }
    }
}

/// A text that is no URL.
package struct InvalidURL: Error {
    package var text: String
}

extension URL {
    /// The URL of a text relative to that of the next one, and so on.
    package init(archivedTexts texts: [String]) throws(InvalidURL) {
        var url: URL?
        for text in texts.reversed() {
            url = URL(string: text, relativeTo: url)
            guard url != nil else { throw InvalidURL(text: text) }
        }
        guard let url else { throw InvalidURL(text: "") }
        self = url
    }
}

// MARK: - Numbers and indexes

extension Decimal: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Decimal {
        try Decimal(number(value, in: decoder, at: step()))
    }

    /// The Decimal of the same parts.
    package init(_ number: DecimalNumber) throws {
        // The way round Decimal's own form is long, so numbers go it that are the worse for the short one.
        guard number.isCompact, !number.isNaN, let significand = UInt64(exactly: number.significand) else {
            self = try number.fields.value(of: Decimal.self)
            return
        }
        self.init(
            sign: number.isNegative ? .minus : .plus, exponent: number.exponent, significand: Decimal(significand))
    }

    private static func number(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> DecimalNumber {
        let objects = decoder.archive.list.objects
        let exact: DecimalNumber?
        switch value.node.kind {
        case .integer: exact = DecimalNumber(objects.integer(value.node))
        case .real64: exact = DecimalNumber(exactly: objects.real64(value.node))
        case .real32: exact = DecimalNumber(exactly: Double(objects.real32(value.node)))
        case .dictionary:
            let number = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
                try contents.decimal(value)
            }
            if let number { return number }
            return try decoder.otherForm(of: Decimal.self, value, at: step) { try DecimalNumber(from: $0) }
        default: throw decoder.mismatch(Decimal.self, value, step)
        }
        guard let exact else {
            throw CodableErrors.inexact(Decimal.self, found: value, in: decoder.archive, path: decoder.path(step))
        }
        return exact
    }
}

extension IndexPath: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> IndexPath {
        let indexes = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            try contents.indexPath(value)
        }
        guard let indexes else {
            return try decoder.otherForm(of: IndexPath.self, value, at: step()) { try IndexPath(from: $0) }
        }
        try decoder.countVisits(indexes.count)
        return IndexPath(indexes: indexes)
    }
}

/// `Value` is IndexSet.
enum IndexSetDecoding<Value: Decodable>: NativelyDecodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let ranges = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.indexSet(value)
        }
        // What IndexSet itself would make of its own form it does not check.
        let fields =
            try ranges.map(PlainFields.init(indexRanges:))
            ?? decoder.otherForm(of: Value.self, value, at: step) { try PlainFields(indexSetFrom: $0) }
        try decoder.countVisits(fields.count)
        address.initializeMemory(as: Value.self, to: try fields.value(of: Value.self))
    }
}

// MARK: - Intervals

extension DateInterval: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> DateInterval {
        let parts = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            try contents.dateInterval(value)
        }
        if let (start, duration) = parts {
            return DateInterval(start: Date(timeIntervalSinceReferenceDate: start), duration: duration)
        }
        let interval = try decoder.otherForm(of: DateInterval.self, value, at: step()) { try DateInterval(from: $0) }
        guard interval.duration >= 0 else {
            let sentence = "A date interval of \(interval.duration) seconds; an interval lasts 0 seconds or longer"
            throw CodableErrors.invalid(sentence, path: decoder.path(step()))
        }
        return interval
    }
}
