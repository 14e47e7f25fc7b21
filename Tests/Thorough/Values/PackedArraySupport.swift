// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

extension ArchiveEncoder {
    /// An encoder that packs arrays of numbers.
    static var packing: ArchiveEncoder {
        var encoder = ArchiveEncoder()
        encoder.numericArrays = .packed
        return encoder
    }
}

extension InspectedArchive {
    /// The archive of `value` in which arrays of numbers are packed.
    init(packing value: some Encodable) throws { try self.init(of: value, by: .packing) }

    /// The data of each object that is data, in the order of the uids.
    var dataObjects: [Data] { objects.compactMap { if case .data(let data) = $0 { data } else { nil } } }
}

/// An archive whose root object is `data`, by hand.
func archive(ofData data: Data) throws -> Data { try handmadeArchive(.data(data)) }
