// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension PropertyList {
    /// Whether the list has a key of keyed archives, and was therefore meant to be one.
    var hasKeysOfArchives: Bool { ["$objects", "$archiver", "$top"].contains { self[$0] != nil } }

    /// The number of bytes of all keys, strings and data.
    var textByteCount: Int {
        var count = 0
        forEachLeaf { leaf in
            switch leaf {
            case .string(let text): count += text.utf8.count
            case .data(let data): count += data.count
            default: break
            }
        } key: {
            count += $0.utf8.count
        }
        return count
    }

    /// Whether XML holds other values for it: it has no fractions of seconds, and no 32-bit reals.
    var isChangedByXML: Bool {
        var isChanged = false
        forEachLeaf { leaf in
            switch leaf {
            case .date(let date):
                let seconds = date.timeIntervalSinceReferenceDate
                if seconds != seconds.rounded(.down) { isChanged = true }
            case .real32: isChanged = true
            default: break
            }
        }
        return isChanged
    }
}
