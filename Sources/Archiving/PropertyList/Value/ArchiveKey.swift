// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A step of a coding path in an archive: the name of a key, maybe with an integer, or the position in an array.
///
/// It is small enough to be stored in a path without memory of its own.
struct ArchiveKey: CodingKey, Hashable {
    private enum Step: Hashable {
        case key(String)
        case position(Int)
        case numbered(String, Int)
    }

    private let step: Step

    init(stringValue: String) { step = .key(stringValue) }
    init(intValue: Int) { step = .position(intValue) }
    init(_ key: some CodingKey) {
        step = key.intValue.map { .numbered(key.stringValue, $0) } ?? .key(key.stringValue)
    }
    init(integer: Int) { step = .numbered(String(integer), integer) }

    var stringValue: String {
        switch step {
        case .key(let name), .numbered(let name, _): name
        case .position(let position): "Index \(position)"
        }
    }

    var intValue: Int? {
        switch step {
        case .key: nil
        case .position(let integer), .numbered(_, let integer): integer
        }
    }

    /// The key of a superclass's part if no other key is given.
    static let `super` = ArchiveKey(stringValue: "super")
}

extension [any CodingKey] {
    /// The number of keys that are shown at each end of a long path.
    static var shownKeyCount: Int { 8 }
    private static var shownByteCount: Int { 200 }

    /// The path in the usual notation, `animals[3].name`. A long path is shown by both ends.
    var pathDescription: String { isEmpty ? "the root" : "\"\(Self.text(shortened))\"" }

    /// The path for an error, whose description shows all keys. In a long path one key replaces those between both ends,
    /// and says how many they are.
    var shortened: [any CodingKey] {
        let left = count - 2 * Self.shownKeyCount
        guard left > 1, Self.text(self).utf8.count > Self.shownByteCount else { return self }
        return prefix(Self.shownKeyCount) + [ArchiveKey(stringValue: "… \(left) more keys …")]
            + suffix(Self.shownKeyCount)
    }

    private static func text(_ keys: [any CodingKey]) -> String {
        var text = ""
        for key in keys {
            // A key may have an integer besides its name; a position has only an integer.
            if let index = key.intValue, key.stringValue == "Index \(index)" || key.stringValue == "\(index)" {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        return text
    }
}
