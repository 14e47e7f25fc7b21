/// The keys that the compiler writes for a class with the macro `@Observable`.
///
/// The macro turns a stored property `title` into a computed one, which stores its value in `_title`, and adds a property for
/// the registrar of observers. So the cases are `_title` and `_$observationRegistrar`. Archives call the first `title`, as if
/// there were no macro, and do not have the second. Keys that are written by hand have no case for the registrar, and stay.
enum ObservedKeys {
    private static let registrar = "_$observationRegistrar"
    private static let mark = UInt8(ascii: "_")

    /// Whether the compiler wrote the keys of `type` for a class with the macro. Few have to know, and to find out takes long.
    static func areObserved<Key: CodingKey>(_ type: Key.Type) -> Bool {
        KeyTable<Int>.canIndex(type) && Key(stringValue: registrar) != nil
    }

    /// The name of `key` in an archive that is written; nil for the registrar.
    static func name<Key: CodingKey>(of key: Key) -> String? {
        let name = key.stringValue
        if let plain = plainName(of: key, name) { return plain }
        return name == registrar && areObserved(Key.self) ? nil : name
    }

    /// The name of the property, if `key`, whose string is `name`, is that of the stored property behind one that is observed;
    /// nil for other keys, and if another key has that name.
    static func plainName<Key: CodingKey>(of key: Key, _ name: String) -> String? {
        guard name.utf8.first == mark, name != registrar, areObserved(Key.self) else { return nil }
        let plain = String(name.dropFirst())
        return plain.isEmpty || Key(stringValue: plain) != nil ? nil : plain
    }

    /// The key of the stored property that archives call `name`; nil if there is none.
    static func key<Key: CodingKey>(_ name: String) -> Key? {
        areObserved(Key.self) ? Key(stringValue: "_" + name) : nil
    }
}
