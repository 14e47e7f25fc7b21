// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

struct XMLEncoding {
    enum Characters {
        case utf8, utf16BigEndian, utf16LittleEndian, latin1
    }

    let characters: Characters
    let markSize: Int

    /// Detects the encoding of `bytes`; nil if they do not start with `<`, after an optional byte order mark and white
    /// space.
    ///
    /// UTF-16 is detected by its mark, or by the zero next to the first `<`. The name in the XML declaration is used
    /// only if several encodings are possible, which all contain ASCII unchanged.
    init?(detectedIn bytes: StoredBytes) {
        let first = bytes.prefix(3)
        if first.elementsEqual([0xEF, 0xBB, 0xBF]) {
            (characters, markSize) = (.utf8, 3)
        } else if first.starts(with: [0xFE, 0xFF]) {
            (characters, markSize) = (.utf16BigEndian, 2)
        } else if first.starts(with: [0xFF, 0xFE]) {
            (characters, markSize) = (.utf16LittleEndian, 2)
        } else if first.starts(with: [0x00, UInt8(ascii: "<")]) {
            (characters, markSize) = (.utf16BigEndian, 0)
        } else if first.starts(with: [UInt8(ascii: "<"), 0x00]) {
            (characters, markSize) = (.utf16LittleEndian, 0)
        } else {
            (characters, markSize) = (Self.declaresLatin1(bytes) ? .latin1 : .utf8, 0)
        }
        guard Self.startsElement(bytes, characters, from: markSize) else { return nil }
    }

    private static func startsElement(
        _ bytes: StoredBytes, _ characters: Characters, from start: Int
    ) -> Bool {
        var index = start
        while index < bytes.count {
            let byte: UInt8
            switch characters {
            case .utf8, .latin1:
                byte = bytes[index]
                index += 1
            case .utf16BigEndian, .utf16LittleEndian:
                guard index + 1 < bytes.count else { return false }
                let isBigEndian = characters == .utf16BigEndian
                guard bytes[isBigEndian ? index : index + 1] == 0 else { return false }
                byte = bytes[isBigEndian ? index + 1 : index]
                index += 2
            }
            if byte == UInt8(ascii: "<") { return true }
            guard byte.isXMLWhiteSpace else { return false }
        }
        return false
    }

    private static let declarationLimit = 256

    /// Returns whether the XML declaration names ISO 8859-1, the only encoding of old property lists besides Unicode's.
    private static func declaresLatin1(_ bytes: StoredBytes) -> Bool {
        guard let encoding = declaredEncoding(bytes) else { return false }
        return ["iso-8859-1", "iso8859-1", "latin1", "latin-1"].contains(encoding)
    }

    static func declaredEncoding(_ bytes: StoredBytes) -> String? {
        let head = bytes.prefix(declarationLimit)
        guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let declaration = String(decoding: head[..<end], as: UTF8.self).lowercased()
        guard let name = declaration.split(separator: "encoding", maxSplits: 1).dropFirst().first else { return nil }
        let parts = name.split(maxSplits: 2, omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
        guard parts.count == 3, parts[0].allSatisfy({ $0 == "=" || $0.isWhitespace }) else { return nil }
        return String(parts[1])
    }
}

// MARK: - Encodings other than UTF-8

extension XMLEncoding {
    /// Converts the document in `bytes` to UTF-8; an unpaired surrogate becomes U+FFFD.
    ///
    /// - Throws: `truncated` if UTF-16 ends within a unit.
    func string(_ bytes: StoredBytes) throws(PropertyListError) -> String {
        let document = bytes.part(markSize..<bytes.count)
        switch characters {
        case .utf8:
            return String(decoding: document, as: UTF8.self)
        case .latin1:
            var scalars = String.UnicodeScalarView()
            for byte in document { scalars.append(Unicode.Scalar(byte)) }
            return String(scalars)
        case .utf16BigEndian, .utf16LittleEndian:
            guard document.count % 2 == 0 else { throw PropertyListError(.truncated, at: bytes.count - 1) }
            let highOffset = characters == .utf16BigEndian ? 0 : 1
            let units = (0..<document.count / 2).lazy.map { (unit: Int) -> UInt16 in
                let high = UInt16(document[2 * unit + highOffset])
                return high << 8 | UInt16(document[2 * unit + 1 - highOffset])
            }
            return String(decoding: units, as: UTF16.self)
        }
    }

    /// The offset in the document of the character at `offset` in `utf8`, its transcoding.
    func offset(in utf8: StoredBytes, of offset: Int) -> Int {
        let prefix = utf8.part(0..<min(offset, utf8.count))
        switch characters {
        case .utf8: return markSize + offset
        case .latin1: return prefix.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        case .utf16BigEndian, .utf16LittleEndian:
            return markSize + 2 * prefix.withBytes { UTF16Transcoder.unitCount(ofValidUTF8: $0) }
        }
    }
}

extension UInt8 {
    var isXMLWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}
