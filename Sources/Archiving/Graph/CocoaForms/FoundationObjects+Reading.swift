/// Foundation's values out of the objects that Cocoa archives them as.
///
/// Each function gives nil where the value is no such object, and throws where it is one that is damaged. Objects are
/// known by the keys they have, since classes of other names (subclasses, bridges to other languages) have the same.
extension ArchiveContents {
    package func entries(of value: ArchivedValue) -> ObjectEntries { ObjectEntries(value, in: self) }

    /// The number that `value` is or, where NSNumber had a foreign coder and is an object, that it has inside.
    package func number(_ value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedValue {
        guard value.node.kind == .dictionary else { return value }
        for key in ["NS.number", "NS.intval", "NS.dblval", "NS.boolval"] as [StaticString] {
            if let found = try self.value(of: key, in: value.node) {
                return ArchivedValue(node: found.node, uid: value.uid, isNull: false)
            }
        }
        return value
    }

    /// The text of a string: a leaf, or an object of NSString or NSMutableString; nil where it is something else.
    package func text(_ value: ArchivedValue) throws(KeyedArchiveError) -> String? {
        switch value.node.kind {
        case .ascii, .utf16: return value.isNull ? nil : try string(value.node)
        case .dictionary:
            // Inside the object "$null" is text: it is written so because it is not nil.
            if let text = try self.value(of: "NS.string", in: value.node)?.node {
                return text.kind == .ascii || text.kind == .utf16 ? try string(text) : nil
            }
            // The UTF-8 of a string whose class writes itself.
            guard let bytes = try self.value(of: "NS.bytes", in: value.node)?.node, bytes.kind == .data else {
                return nil
            }
            if let meter { try meter.pointee.countString(bytes.count) }
            return String(decoding: list.objects.bytes(bytes), as: UTF8.self)
        default: return nil
        }
    }

    /// Whether `value` is nil, or the NSNull that stands for nil in Foundation's containers.
    func isNil(_ value: ArchivedValue) -> Bool {
        if value.isNull { return true }
        guard value.node.kind == .dictionary, value.node.count == 1, let uid = try? classUID(of: value.node) else {
            return false
        }
        guard let entry = try? object(uid), let name = try? self.value(of: "$classname", in: entry.node) else {
            return false
        }
        return list.objects.isString(name.node, "NSNull")
    }

    /// The bytes of data, where they lie: of a leaf, of an NSMutableData, or of one that GNUstep wrote.
    @inline(__always)
    package func data(_ value: ArchivedValue) throws(KeyedArchiveError) -> UnsafeRawBufferPointer? {
        if value.node.kind == .data { return try countedBytes(value.node) }
        return try dataObject(value)
    }

    @inline(never)
    private func dataObject(_ value: ArchivedValue) throws(KeyedArchiveError) -> UnsafeRawBufferPointer? {
        var entries = entries(of: value)
        if let bytes = try entries.bytes("NS.data") { return bytes }
        return try entries.bytes("NS.bytes")
    }

    /// The seconds from 2001-01-01 00:00 UTC to a date: an NSDate, or as GNUstep has it, a date of the property list.
    package func date(_ value: ArchivedValue) throws(KeyedArchiveError) -> Double? {
        if value.node.kind == .date { return list.objects.real64(value.node) }
        var entries = entries(of: value)
        return try entries.real("NS.time")
    }

    /// The 16 bytes of an NSUUID, Apple's or GNUstep's.
    package func uuid(_ value: ArchivedValue) throws(KeyedArchiveError) -> UnsafeRawBufferPointer? {
        var entries = entries(of: value)
        var found = try entries.bytes("NS.uuidbytes")
        if found == nil { found = try entries.bytes("uuid") }
        if let found, found.count != 16 { throw entries.damaged("NS.uuidbytes", "data of 16 bytes") }
        return found
    }

    /// The text of an NSURL, and what it is relative to.
    func url(_ value: ArchivedValue) throws(KeyedArchiveError) -> (relative: String, base: ArchivedValue)? {
        var entries = entries(of: value)
        guard let relative = try entries.text("NS.relative") else { return nil }
        return (relative, try entries["NS.base"] ?? .null)
    }

    /// Bases of bases, more of which no URL has. Foundation's have none at all.
    private static var urlBaseLimit: Int { 16 }

    /// The texts of an NSURL, of what it is relative to, and so on.
    package func urlTexts(_ value: ArchivedValue) throws(KeyedArchiveError) -> [String]? {
        guard var (relative, base) = try url(value) else { return nil }
        var texts = [relative]
        var next = value
        while !base.isNull {
            guard texts.count <= Self.urlBaseLimit else {
                let sentence =
                    "The URL \"\(texts[0].prefix(80))\" has more than \(Self.urlBaseLimit) bases, one relative to the other"
                throw KeyedArchiveError(.other(.damaged, uid: value.uid, sentence: sentence))
            }
            guard let parts = try url(base) else { throw entries(of: next).damaged("NS.base", "a URL") }
            next = base
            (relative, base) = parts
            texts.append(relative)
        }
        return texts
    }

    /// The start of an NSDateInterval, in seconds from 2001-01-01 00:00 UTC, and its length in seconds, not negative.
    package func dateInterval(_ value: ArchivedValue) throws(KeyedArchiveError) -> (start: Double, duration: Double)? {
        var entries = entries(of: value)
        guard let start = try entries.date("NS.startDate") else { return nil }
        // Other writers than Apple's frameworks have the end and no duration.
        let end = try entries.date("NS.endDate")
        let duration = try entries.real("NS.duration") ?? end.map { $0 - start }
        guard let duration, duration >= 0 else { throw entries.damaged("NS.duration", "0 seconds or more") }
        return (start, duration)
    }
}

// MARK: - Numbers

extension ArchiveContents {
    /// The number of an NSDecimalNumber, Apple's or GNUstep's.
    package func decimal(_ value: ArchivedValue) throws(KeyedArchiveError) -> DecimalNumber? {
        var entries = entries(of: value)
        guard let mantissa = try entries.bytes("NS.mantissa") else {
            guard let text = try entries.text("$0") else { return nil }
            guard let number = DecimalNumber(text) else { throw entries.damaged("$0", "a decimal number of 38 digits") }
            return number
        }
        let order = try entries.integer("NS.mantissa.bo") ?? 0
        let length = try entries.integer("NS.length") ?? 0
        let exponent = try entries.integer("NS.exponent") ?? 0
        let isNegative = try entries.boolean("NS.negative") ?? false
        let isCompact = try entries.boolean("NS.compact") ?? false
        guard mantissa.count == 2 * DecimalNumber.wordLimit else {
            throw entries.damaged("NS.mantissa", "16 bytes long")
        }
        guard order == KeyedArchiveFormat.littleEndian || order == KeyedArchiveFormat.bigEndian else {
            throw entries.damaged("NS.mantissa.bo", "1 or 2")
        }
        guard (0...DecimalNumber.wordLimit).contains(length) else { throw entries.damaged("NS.length", "0 to 8") }
        guard DecimalNumber.exponents.contains(exponent) else { throw entries.damaged("NS.exponent", "-128 to 127") }
        var significand: UInt128 = 0
        // Words that are not in use may hold anything.
        for index in (0..<length).reversed() {
            let word = mantissa.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
            let value = order == KeyedArchiveFormat.littleEndian ? UInt16(littleEndian: word) : UInt16(bigEndian: word)
            significand = significand << 16 | UInt128(value)
        }
        return DecimalNumber(
            significand: significand, exponent: exponent, isNegative: isNegative, isCompact: isCompact,
            isNaN: isNegative && length == 0)
    }

    /// The indexes of an NSIndexPath.
    package func indexPath(_ value: ArchivedValue) throws(KeyedArchiveError) -> [Int]? {
        var entries = entries(of: value)
        guard let length = try entries.integer("NSIndexPathLength") else { return nil }
        guard length > 1 else {
            guard length >= 0 else { throw entries.damaged("NSIndexPathLength", "a number of indexes") }
            guard length == 1 else { return [] }
            guard let index = try entries.integer("NSIndexPathValue") else {
                throw entries.damaged("NSIndexPathValue", "an integer")
            }
            return [index]
        }
        guard let bytes = try entries.bytes("NSIndexPathData") else { throw entries.damaged("NSIndexPathData", "data") }
        if let integers = PackedIntegers.integers(in: bytes, count: length) {
            return integers.map { Int(truncatingIfNeeded: $0) }
        }
        let size = MemoryLayout<UInt64>.size
        guard bytes.count / size == length, bytes.count % size == 0 else {
            throw entries.damaged("NSIndexPathData", "data with as many indexes as NSIndexPathLength says")
        }
        // GNUstep has 64 bits for each index, the lower 32 of them big-endian.
        return (0..<length).map {
            Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: $0 * size, as: UInt32.self)))
        }
    }

    /// The ranges of an NSIndexSet, in ascending order and none of them empty.
    package func indexSet(_ value: ArchivedValue) throws(KeyedArchiveError) -> [Range<Int>]? {
        var entries = entries(of: value)
        guard let count = try entries.integer("NSRangeCount") else { return nil }
        guard count > 1 else {
            guard count >= 0 else { throw entries.damaged("NSRangeCount", "a number of ranges") }
            guard count == 1 else { return [] }
            let location = try entries.integer("NSLocation") ?? 0
            let length = try entries.integer("NSLength") ?? 0
            guard location >= 0, length >= 0, location <= Int.max - length else {
                throw entries.damaged("NSLength", "the length of a range of indexes")
            }
            return length == 0 ? [] : [location..<location + length]
        }
        guard let bytes = try entries.bytes("NSRangeData") else { throw entries.damaged("NSRangeData", "data") }
        let (integerCount, overflow) = count.multipliedReportingOverflow(by: 2)
        guard !overflow, let integers = PackedIntegers.integers(in: bytes, count: integerCount) else {
            throw entries.damaged("NSRangeData", "data with as many ranges as NSRangeCount says")
        }
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(count)
        var end: UInt64 = 0
        for index in stride(from: 0, to: integerCount, by: 2) {
            let (location, length) = (integers[index], integers[index + 1])
            guard location >= end, location <= UInt64(Int.max), length > 0, length <= UInt64(Int.max) - location else {
                throw entries.damaged("NSRangeData", "ranges of indexes in ascending order")
            }
            end = location + length
            ranges.append(Int(location)..<Int(end))
        }
        return ranges
    }
}

// MARK: - Measurements

/// What an NSMeasurement says.
struct ArchivedMeasurement {
    let value: Double
    /// The name of the unit's class, which says the dimension: "NSUnitLength".
    let unitName: String
    let symbol: String
    /// How values become values of the base unit; nil where the unit is of no dimension, or not in this way.
    let converter: (coefficient: Double, constant: Double)?
}

extension ArchiveContents {
    /// The parts of an NSMeasurement; nil where `value` is none.
    func measurement(_ value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedMeasurement? {
        var entries = entries(of: value)
        guard let unit = try entries["NS.unit"], let number = try entries.real("NS.value") else { return nil }
        var unitEntries = self.entries(of: unit)
        guard let classUID = try classUID(of: unit.node), let symbol = try unitEntries.text("NS.symbol") else {
            throw entries.damaged("NS.unit", "a unit")
        }
        var converter: (coefficient: Double, constant: Double)?
        if let found = try unitEntries["NS.converter"] {
            var converterEntries = self.entries(of: found)
            if let coefficient = try converterEntries.real("NS.coefficient") {
                converter = (coefficient, try converterEntries.real("NS.constant") ?? 0)
            }
        }
        return ArchivedMeasurement(
            value: number, unitName: try className(classUID), symbol: symbol, converter: converter)
    }
}
