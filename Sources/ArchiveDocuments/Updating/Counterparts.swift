// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The counterparts of a new archive's objects in the old archive that is being updated.
struct Counterparts: Sendable {
    enum Kind: UInt8 {
        /// A value, such as a string or an array, whose counterpart is found by comparison.
        case value
        /// An instance that is in both archives.
        case instance
        /// An object of the old archive that the new archive only references.
        case reference
        /// An instance that is not in the old archive.
        case added
        /// An instance that only its encoding has made, as a box of a value. Its counterpart is found by its contents.
        case temporary
    }

    private var kinds: [Kind]
    private var uids: [UInt32]

    /// The instances of the old archive that the program does not reference, by their uids there: their uids in the new one.
    var unused: [UInt32: UInt32] = [:]

    /// Creates counterparts for an archive with `count` objects, all of them values.
    init(count: Int) {
        kinds = [Kind](repeating: .value, count: count)
        uids = [UInt32](repeating: 0, count: count)
    }

    var count: Int { kinds.count }

    func kind(_ uid: UInt32) -> Kind { Int(uid) < kinds.count ? kinds[Int(uid)] : .value }

    /// The uid of an instance or a reference in the old archive; 0 for other objects.
    subscript(uid: UInt32) -> UInt32 { Int(uid) < uids.count ? uids[Int(uid)] : 0 }

    var instances: Set<UInt32> {
        var instances: Set<UInt32> = []
        for (kind, uid) in zip(kinds, uids) where kind == .instance || kind == .reference { instances.insert(uid) }
        return instances
    }

    mutating func set(_ uid: UInt32, _ kind: Kind, _ old: UInt32 = 0) {
        kinds[Int(uid)] = kind
        uids[Int(uid)] = old
    }
}
