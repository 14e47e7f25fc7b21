/// What the objects of a new archive are in the old archive that is brought up to date with it.
struct Counterparts: Sendable {
    enum Kind: UInt8 {
        /// A value, such as a string or an array: it is found by comparing.
        case value
        /// An instance that both archives have.
        case instance
        /// An object of the old archive that the new one only refers to.
        case reference
        /// An instance that the old archive does not have.
        case added
    }

    private var kinds: [Kind]
    private var uids: [UInt32]

    /// Those of an archive with `count` objects, all of them values.
    init(count: Int) {
        kinds = [Kind](repeating: .value, count: count)
        uids = [UInt32](repeating: 0, count: count)
    }

    /// The number of objects of the new archive.
    var count: Int { kinds.count }

    /// What the object `uid` of the new archive is.
    func kind(_ uid: UInt32) -> Kind { Int(uid) < kinds.count ? kinds[Int(uid)] : .value }

    /// The uid in the old archive of an instance or a reference; 0 for others.
    subscript(uid: UInt32) -> UInt32 { Int(uid) < uids.count ? uids[Int(uid)] : 0 }

    /// Enters the object `uid` of the new archive, which is `old` in the old one.
    mutating func set(_ uid: UInt32, _ kind: Kind, _ old: UInt32 = 0) {
        kinds[Int(uid)] = kind
        uids[Int(uid)] = old
    }
}
