// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// An archive by its property list, with the uids that the test chose, opened.
///
/// - Parameter objects: The slots from uid 1 on.
package func openArchive(
    top: PropertyList = ["root": .uid(1)], _ objects: PropertyList..., format: PropertyListFormat = .binary
) throws -> KeyedArchive {
    try KeyedArchive(handmadeArchive(top: top, objects: objects, format: format))
}

/// The entry of the class `names[0]`, which inherits from the others, and from NSObject.
package func classEntry(_ names: String...) -> PropertyList { classEntry(names) }

package func classEntry(_ names: [String]) -> PropertyList {
    ["$classname": .string(names[0]), "$classes": .array((names + ["NSObject"]).map { .string($0) })]
}

// MARK: - Bytes

/// A binary archive of which every byte is chosen.
///
/// The objects 0 to 11 of its property list are the root, its keys "$archiver", "$objects", "$top" and "$version", the
/// values of those in this order from 5 to 8 ($objects is 6, $top is 7), "$null" (9), "root" (10) and uid 1 (11). The
/// objects of the tests begin at 12. References take one byte.
package struct ByteArchive {
    /// The objects from 12 on.
    package var objects: [[UInt8]]
    /// What `$objects` refers to behind "$null".
    package var slots: [UInt8]
    /// `$top`: root is uid 1, unless something else is set.
    package var top: [UInt8]

    package init(slots: [UInt8], top: [UInt8] = hex("D1 0A 0B"), _ objects: [UInt8]...) {
        self.init(slots: slots, top: top, objects: objects)
    }

    package init(slots: [UInt8], top: [UInt8] = hex("D1 0A 0B"), objects: [[UInt8]]) {
        self.objects = objects
        self.slots = slots
        self.top = top
    }

    package var file: BinaryFile {
        var file = BinaryFile(
            hex("D4 01 02 03 04 05 06 07 08"), ascii("$archiver"), ascii("$objects"), ascii("$top"), ascii("$version"),
            ascii("NSKeyedArchiver"), BinaryFile.head(0xA0, count: slots.count + 1) + [9] + slots, top,
            hex("12 00 01 86 A0"), ascii("$null"), ascii("root"), hex("80 01"))
        file.objects += objects
        file.offsetSize = 4
        return file
    }

    package var data: Data { Data(file.bytes) }

    package func open() throws -> KeyedArchive { try KeyedArchive(data) }

    /// Where the object of that number begins.
    package func offset(of number: Int) -> Int { 8 + file.objects.prefix(number).map(\.count).reduce(0, +) }
}

/// The object of the string `text`.
package func ascii(_ text: String) -> [UInt8] { BinaryFile.head(0x50, count: text.utf8.count) + Array(text.utf8) }

extension BinaryFile {
    /// The marker of an object of `count` elements, and the count.
    package static func head(_ marker: UInt8, count: Int) -> [UInt8] {
        count < 15 ? [marker | UInt8(count)] : [marker | 15, 0x12] + number(UInt64(count), size: 4)
    }
}
