// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PropertyList {
    /// The binary form, with the checksum of these bytes if the list is an archive that has one.
    ///
    /// - Throws: `PropertyListError` if the list is nested too deeply, or too large.
    func sealedBytes() throws(PropertyListError) -> StoredBytes {
        // Another value is not the data of the checksum, although leaves are shared.
        let placeholder = StoredChecksum.bytes(of: .random(in: 0...UInt64.max)).data
        guard let list = changingChecksum(to: .data(placeholder)) else {
            return try PropertyListFolding.binary(of: self, sharesLeaves: true)
        }
        let bytes = try PropertyListFolding.binary(of: list, sharesLeaves: true)
        return try StoredChecksum.sealed(bytes) ?? bytes
    }

    /// The list without the checksum of an archive, which would be that of other bytes.
    var withoutChecksum: PropertyList { changingChecksum(to: nil) ?? self }

    /// Returns the list with `value` instead of the checksum; nil if it has none.
    private func changingChecksum(to value: PropertyList?) -> PropertyList? {
        let key = StoredChecksum.key.description
        guard case .dictionary(var root) = self, case .dictionary(var top)? = root["$top"],
            case .data(let old)? = top[key], old.count == 8
        else { return nil }
        top[key] = value
        root["$top"] = .dictionary(top)
        return .dictionary(root)
    }
}
