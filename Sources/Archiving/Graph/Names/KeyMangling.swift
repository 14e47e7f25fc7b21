/// Keys that start with "$", which the format keeps for itself.
///
/// A user's key that starts with "$" has another one in front in the archive.
enum KeyMangling {
    /// The key that a user chose and that is `name` in an archive; nil for a key of the format's own.
    static func userKey(_ name: String) -> String? {
        // By code units: as a character, "$" may have an accent.
        guard name.utf8.first == UInt8(ascii: "$") else { return name }
        let rest = name.utf8.dropFirst()
        return rest.first == UInt8(ascii: "$") ? String(decoding: rest, as: UTF8.self) : nil
    }
}
