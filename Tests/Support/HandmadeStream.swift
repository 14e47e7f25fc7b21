// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import Testing

/// Bytes in hexadecimal, with text in single quotes as it is: `84 01 '@'`.
package func streamBytes(_ notation: String) -> [UInt8] {
    notation.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { position, part in
        position % 2 == 1 ? Array(part.utf8) : hex(String(part))
    }
}

/// The file with these bytes behind its header, which has version 4 and system 1000.
package func streamFile(_ notation: String, _ byteOrder: TypedStream.ByteOrder = .littleEndian) -> Data {
    streamFile(streamBytes(notation), byteOrder)
}

/// The file with these bytes behind its header, which takes 16 bytes.
package func streamFile(_ bytes: [UInt8], _ byteOrder: TypedStream.ByteOrder = .littleEndian) -> Data {
    let header =
        switch byteOrder {
        case .littleEndian: "04 0B 'streamtyped' 81 E803"
        case .bigEndian: "04 0B 'typedstream' 81 03E8"
        }
    return Data(streamBytes(header) + bytes)
}

/// A stream that has been put together by hand.
package func handmadeStream(
    _ groups: [TypedStream.Group], objects: [TypedStream.Object] = [], classes: [TypedStream.Class] = [],
    cStrings: [String] = [], byteOrder: TypedStream.ByteOrder = .littleEndian
) -> TypedStream {
    var stream = TypedStream(byteOrder: byteOrder)
    stream.groups = groups
    stream.objects = objects
    stream.classes = classes
    stream.cStrings = cStrings.map { Array($0.utf8) }
    return stream
}

/// A group whose types are written as in a file.
package func typedGroup(_ types: String, _ values: TypedStream.Value...) throws -> TypedStream.Group {
    TypedStream.Group(try TypeEncoding.list(types), values)
}

/// Expects that the file is read as the model, and that the model is written as the file.
package func expect(
    _ file: Data, is model: TypedStream, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    #expect(try TypedStream(file) == model, comment, sourceLocation: sourceLocation)
    #expect(try model.data() == file, comment, sourceLocation: sourceLocation)
}

/// Expects that the file is refused with this code at this byte.
package func expectRefusal(
    _ file: Data, _ code: TypedStreamError.Defect, at byteOffset: Int, _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let error = #expect(throws: TypedStreamError.self, comment, sourceLocation: sourceLocation) {
        try TypedStream(file)
    }
    #expect(error?.defect == code, comment, sourceLocation: sourceLocation)
    #expect(error?.byteOffset == byteOffset, comment, sourceLocation: sourceLocation)
    #expect(
        error?.description.hasSuffix("(byte \(byteOffset) of the typedstream)") == true, comment,
        sourceLocation: sourceLocation)
}
