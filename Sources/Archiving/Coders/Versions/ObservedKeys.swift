// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The coding keys that the compiler synthesises for a class with the macro `@Observable`.
///
/// The macro turns a stored property `title` into a computed one, stores the value in `_title`, and adds a property for
/// the observation registrar. The keys are therefore `_title` and `_$observationRegistrar`. Archives store the first as
/// `title`, as without the macro, and omit the second. Hand-written keys have no registrar case and stay unchanged.
enum ObservedKeys {
    private static let registrar = "_$observationRegistrar"
    private static let mark = UInt8(ascii: "_")

    /// Returns whether the compiler synthesised the keys of `type` for an observable class. The test is slow; few
    /// callers need it.
    static func areObserved<Key: CodingKey>(_ type: Key.Type) -> Bool {
        Reinterpretation.isByte(type) && Key(stringValue: registrar) != nil
    }

    /// Returns the name of `key` in a written archive, or nil for the registrar.
    static func name<Key: CodingKey>(of key: Key) -> String? {
        let name = key.stringValue
        if let plain = plainName(of: key, name) { return plain }
        return name == registrar && areObserved(Key.self) ? nil : name
    }

    /// Returns the property name of `key`, whose string is `name`, if it is the storage of an observed property.
    /// Returns nil for other keys, and if another key has the property name.
    static func plainName<Key: CodingKey>(of key: Key, _ name: String) -> String? {
        guard name.utf8.first == mark, name != registrar, areObserved(Key.self) else { return nil }
        let plain = String(name.dropFirst())
        return plain.isEmpty || Key(stringValue: plain) != nil ? nil : plain
    }

    /// Returns the key of the stored property that archives call `name`, or nil if there is none.
    static func key<Key: CodingKey>(_ name: String) -> Key? {
        areObserved(Key.self) ? Key(stringValue: "_" + name) : nil
    }
}
