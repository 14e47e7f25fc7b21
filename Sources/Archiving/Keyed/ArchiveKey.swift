/// A step of a coding path as the archive knows it: the key's name, or the position in an array.
struct ArchiveKey: CodingKey, Hashable {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    /// The key under which a superclass's part is stored where no other key is given.
    static let `super` = ArchiveKey(stringValue: "super")
}

extension [any CodingKey] {
    /// The path as a person writes it: `animals[3].name`.
    var pathDescription: String {
        var text = ""
        for key in self {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        return text.isEmpty ? "the root" : "\"\(text)\""
    }
}
