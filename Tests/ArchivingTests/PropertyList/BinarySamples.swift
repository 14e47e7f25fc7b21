import Testing

@testable import Archiving

/// A binary property list put together by hand, right or wrong.
struct BinaryFile {
    var objects: [[UInt8]]
    var top: UInt64 = 0
    var offsetSize = 1
    var referenceSize = 1
    var header = Array("bplist00".utf8)
    /// Offsets that take the place of the true ones.
    var offsets: [UInt64]?
    /// Figures that take the place of the true ones.
    var objectCount: UInt64?
    var tableOffset: UInt64?
    var trailerOffsetSize: UInt8?
    var trailerReferenceSize: UInt8?

    init(_ objects: [UInt8]..., offsetSize: Int = 1, referenceSize: Int = 1) {
        self.objects = objects
        self.offsetSize = offsetSize
        self.referenceSize = referenceSize
    }

    var bytes: [UInt8] {
        var bytes = header
        var trueOffsets: [UInt64] = []
        for object in objects {
            trueOffsets.append(UInt64(bytes.count))
            bytes += object
        }
        let trueTableOffset = UInt64(bytes.count)
        for offset in offsets ?? trueOffsets { bytes += Self.number(offset, size: offsetSize) }
        bytes += [
            0, 0, 0, 0, 0, 0, trailerOffsetSize ?? UInt8(offsetSize), trailerReferenceSize ?? UInt8(referenceSize),
        ]
        bytes += Self.number(objectCount ?? UInt64(offsets?.count ?? objects.count), size: 8)
        bytes += Self.number(top, size: 8)
        bytes += Self.number(tableOffset ?? trueTableOffset, size: 8)
        return bytes
    }

    /// `value` in `size` bytes, the highest first.
    static func number(_ value: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) : 0 }
    }
}

/// The bytes that `hexadecimal` spells, with any spaces in between.
func hex(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.filter { $0 != " " && $0 != "\n" }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// The file that a writer makes where `write` gives the top object.
func binaryFile(
    _ write: (inout BinaryPropertyListWriter) -> BinaryPropertyListWriter.Reference
) throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = write(&writer)
    let finished = writer.finish(top: top)
    let bytes = try #require(finished)
    defer { if let base = bytes.baseAddress { Platform.release(base) } }
    return Array(bytes)
}

extension BinaryPropertyListWriter {
    mutating func appendArray(_ references: [Reference]) -> Reference {
        references.withUnsafeBufferPointer { append(array: $0) }
    }

    mutating func appendSet(_ references: [Reference]) -> Reference {
        references.withUnsafeBufferPointer { append(set: $0) }
    }

    /// A dictionary of `pairs`: a key, its value, the next key, its value and so on.
    mutating func appendDictionary(_ pairs: [Reference]) -> Reference {
        pairs.withUnsafeBufferPointer { buffer in
            // An empty array may have no address, and an empty dictionary asks for none of its pairs.
            var nothing: Reference = 0
            guard let base = buffer.baseAddress else {
                return withUnsafePointer(to: &nothing) { append(dictionary: $0, count: 0) }
            }
            return append(dictionary: base, count: pairs.count / 2)
        }
    }
}

/// What the bytes of a file say, by way of the reader and the value.
func propertyList(_ file: [UInt8]) throws -> PropertyList {
    try file.withUnsafeBytes { try PropertyList($0) }
}

/// What the XML says.
func propertyList(xml: String) throws -> PropertyList {
    try propertyList(Array(xml.utf8))
}

/// The error that reading `file` throws; nil where it throws none.
func propertyListError(reading file: [UInt8]) -> PropertyListError? {
    do {
        _ = try file.withUnsafeBytes { bytes throws(PropertyListError) in try PropertyList(bytes) }
        return nil
    } catch {
        return error as? PropertyListError
    }
}
