/// Foundation's values as the objects that Cocoa archives them as.
///
/// Format: `docs/keyed-archive-format.md`, section 4.
extension ArchiveGraph {
    /// The keys and classes of values that archives may have many of. 0 until the first one.
    struct CocoaNames: BitwiseCopyable {
        fileprivate var dateKey: Reference = 0
        fileprivate var dateClass: Reference = 0
        fileprivate var uuidKey: Reference = 0
        fileprivate var uuidClass: Reference = 0
        fileprivate var relativeKey: Reference = 0
        fileprivate var baseKey: Reference = 0
        fileprivate var urlClass: Reference = 0
        fileprivate var nullObject: Reference = 0
    }

    /// The uid of the NSNull, which is one for all of the archive as it is one for a program.
    mutating func nullObject() -> Reference {
        if cocoaNames.nullObject == 0 { cocoaNames.nullObject = object(.null, []) }
        return cocoaNames.nullObject
    }

    /// The uid of data, a leaf.
    mutating func data(_ bytes: UnsafeRawBufferPointer) -> Reference {
        leaf(list.append(data: bytes))
    }

    /// The uid of data of `byteCount` bytes, a leaf, all of which `store` stores at the address that it is given.
    mutating func data(ofByteCount byteCount: Int, storedBy store: (UnsafeMutableRawPointer) -> Void) -> Reference {
        leaf(list.append(dataOfByteCount: byteCount, storedBy: store))
    }

    /// The uid of the NSDate that is `seconds` after 2001-01-01 00:00 UTC. Equal dates share one.
    mutating func date(_ seconds: Double) -> Reference {
        let known = numbers.entry(seconds.bitPattern, .date)
        if known.pointee.leaf != 0 { return known.pointee.leaf }
        let slot = reserveSlot()
        known.pointee.leaf = slot.uid
        if cocoaNames.dateKey == 0 { cocoaNames.dateKey = key("NS.time") }
        let time = list.append(seconds)
        if cocoaNames.dateClass == 0 { cocoaNames.dateClass = classUID(.date) }
        fill(slot, key: cocoaNames.dateKey, value: time, classUID: cocoaNames.dateClass)
        return slot.uid
    }

    /// The uid of the NSUUID of 16 bytes.
    mutating func uuid(_ bytes: UnsafeRawBufferPointer) -> Reference {
        let slot = reserveSlot()
        if cocoaNames.uuidKey == 0 { cocoaNames.uuidKey = key("NS.uuidbytes") }
        let data = list.append(data: bytes)
        if cocoaNames.uuidClass == 0 { cocoaNames.uuidClass = classUID(.uuid) }
        fill(slot, key: cocoaNames.uuidKey, value: data, classUID: cocoaNames.uuidClass)
        return slot.uid
    }

    /// The uid of the NSURL `relative`, which is relative to the one with the uid `base`, or to nothing (`null`).
    mutating func url(_ relative: String, base: Reference) -> Reference {
        let slot = reserveSlot()
        if cocoaNames.baseKey == 0 { cocoaNames.baseKey = key("NS.base") }
        if cocoaNames.relativeKey == 0 { cocoaNames.relativeKey = key("NS.relative") }
        let relative = string(relative)
        if cocoaNames.urlClass == 0 { cocoaNames.urlClass = classUID(.url) }
        let names = cocoaNames
        fill(slot, (names.baseKey, base), (names.relativeKey, relative), classUID: names.urlClass)
        return slot.uid
    }

    /// The uid of an object of a class that archives have few of.
    ///
    /// - Parameter entries: What stands under each key, which is one of the format's own.
    mutating func object(_ archivedClass: ArchivedClass, _ entries: [(key: String, value: Reference)]) -> Reference {
        var references = PlainArray<Reference>(capacity: 2 * entries.count + 2)
        for entry in entries {
            references.append(key(entry.key))
            references.append(entry.value)
        }
        let classUID = classUID(archivedClass)
        let slot = reserveSlot()
        fill(slot, entries: &references, classUID: classUID)
        return slot.uid
    }
}

// MARK: - Numbers

extension ArchiveGraph {
    /// The uid of an NSDecimalNumber, under the class name that Apple's frameworks write.
    mutating func decimal(_ number: DecimalNumber) -> Reference {
        let mantissa = withUnsafeBytes(of: number.significand.littleEndian) { list.append(data: $0) }
        return object(
            .decimalNumber,
            [
                ("NS.mantissa", mantissa),
                ("NS.mantissa.bo", integer(Int64(KeyedArchiveFormat.littleEndian), inline: true)),
                ("NS.length", integer(Int64(number.wordCount), inline: true)),
                ("NS.exponent", integer(Int64(number.exponent), inline: true)),
                ("NS.negative", boolean(number.isNegative, inline: true)),
                ("NS.compact", boolean(number.isCompact, inline: true)),
            ])
    }

    /// The uid of an NSIndexPath.
    mutating func indexPath(_ indexes: some Collection<Int>) -> Reference {
        var entries = [("NSIndexPathLength", integer(Int64(indexes.count), inline: true))]
        if indexes.count > 1 {
            var packed = PackedIntegers()
            for index in indexes { packed.append(UInt64(bitPattern: Int64(index))) }
            entries.append(("NSIndexPathData", packed.bytes.withUnsafeBytes { data($0) }))
        } else if let index = indexes.first {
            entries.append(("NSIndexPathValue", integer(Int64(index), inline: true)))
        }
        return object(.indexPath, entries)
    }

    /// The uid of an NSIndexSet of `ranges`, which are in ascending order and do not touch.
    mutating func indexSet(_ ranges: [Range<Int>]) -> Reference {
        var entries = [("NSRangeCount", integer(Int64(ranges.count), inline: true))]
        if ranges.count > 1 {
            var packed = PackedIntegers()
            for range in ranges {
                packed.append(UInt64(range.lowerBound))
                packed.append(UInt64(range.count))
            }
            entries.append(("NSRangeData", packed.bytes.withUnsafeBytes { data($0) }))
        } else if let range = ranges.first {
            entries.append(("NSLocation", integer(Int64(range.lowerBound), inline: true)))
            entries.append(("NSLength", integer(Int64(range.count), inline: true)))
        }
        return object(.indexSet, entries)
    }
}

// MARK: - Structs of numbers

extension ArchiveGraph {
    /// The uid of the NSValue of a point, a size or a rectangle.
    mutating func value(_ kind: Geometry.Kind, _ numbers: [Double]) -> Reference {
        let text = string(Geometry.text(of: numbers))
        let entries = [(kind.key.description, text), ("NS.special", integer(Int64(kind.special), inline: true))]
        return object(.value, entries)
    }

    /// The uid of the NSValue of a range.
    mutating func range(location: Int, length: Int) -> Reference {
        object(
            .value,
            [
                ("NS.rangeval.location", integer(Int64(location), inline: false)),
                ("NS.rangeval.length", integer(Int64(length), inline: false)),
                ("NS.special", integer(Int64(Geometry.specialRange), inline: true)),
            ])
    }
}

// MARK: - Measurements

extension ArchiveGraph {
    /// The uid of an NSMeasurement.
    ///
    /// - Parameter converter: How values become values of the base unit; nil for a unit that is of no dimension.
    mutating func measurement(
        _ value: Double, unit: ArchivedClass, symbol: String, converter: (coefficient: Double, constant: Double)?
    ) -> Reference {
        var entries = [("NS.symbol", string(symbol))]
        if let converter {
            let reference = object(
                .linearConverter,
                [
                    ("NS.coefficient", real(converter.coefficient, inline: true)),
                    ("NS.constant", real(converter.constant, inline: true)),
                ])
            entries.append(("NS.converter", reference))
        }
        let unit = object(unit, entries)
        return object(.measurement, [("NS.value", real(value, inline: true)), ("NS.unit", unit)])
    }
}
