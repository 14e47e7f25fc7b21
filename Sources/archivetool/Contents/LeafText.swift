import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Leaves for people

extension ContentGraph.Leaf {
    /// The value for people to read, on one line.
    ///
    /// - Parameter limit: Unicode scalars of a string, after which it is cut short.
    func text(limit: Int) -> String {
        switch self {
        case .null: return "nil"
        case .nullObject: return "nil (not archived)"
        case .boolean(let value): return value ? "true" : "false"
        case .integer(let value): return "\(value)"
        case .real(let value, let isSingle): return isSingle ? "\(Float(value))" : "\(value)"
        case .string(let value): return VisibleText.literal(value, limit: limit)
        case .data(let value): return PropertyList.data(value.prefix(Self.shownBytes)).text(of: value.count)
        case .date(let value):
            return PropertyList.date(Date(timeIntervalSinceReferenceDate: value)).description
        case .uid(let value): return "uid \(value)"
        case .named("NSNull", _): return "null"
        case .named("class", let name): return "class " + VisibleText.name(name)
        // A UUID is shown whole.
        case .named(_, let value): return VisibleText.shortened(value, limit: max(limit, 36))
        case .bytes(let kind, let value):
            guard let text = String(validating: value.prefix(4 * limit), as: UTF8.self) else {
                return "\(kind), \(value.count) bytes"
            }
            return kind + " " + VisibleText.literal(text, limit: limit)
        case .damage(let sentence): return "damaged: " + VisibleText.shortened(sentence, limit: max(limit, 200))
        }
    }

    private static let shownBytes = 8
}

extension PropertyList {
    /// The text of data, of which only the beginning is here.
    fileprivate func text(of count: Int) -> String {
        guard case .data(let shown) = self else { return "" }
        let hexadecimal = shown.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "\(count) \(count == 1 ? "byte" : "bytes")"
            + (shown.isEmpty ? "" : " <\(hexadecimal)\(shown.count < count ? "…" : "")>")
    }
}

extension VisibleText {
    /// `text` with escapes, and `…` where it has more than `limit` scalars.
    static func shortened(_ text: some StringProtocol, limit: Int) -> String {
        guard let end = text.unicodeScalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
            end < text.endIndex
        else { return escaped(text) }
        return escaped(text[..<end]) + "…"
    }
}
