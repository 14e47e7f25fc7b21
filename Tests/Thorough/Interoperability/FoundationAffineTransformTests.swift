// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Its numbers have 32 bits.
private let plain = AffineTransform(m11: 1.5, m12: 2, m21: -3, m22: 0.25, tX: 5, tY: -6)

private struct Drawing: Codable, Equatable {
    var transform = plain
    var exact: AffineTransform? = AffineTransform(m11: 0.1, m12: 1e300, m21: .pi, m22: -0.0, tX: 1 / 3, tY: .infinity)
    var steps = [AffineTransform.identity, AffineTransform(translationByX: 1e-300, byY: 0.1), plain]
}

@Suite(.inTurn) struct `Affine transforms of Foundation` {
    @Test(arguments: PropertyListFormat.allCases)
    func `come back from both coders, bit by bit`(format: PropertyListFormat) throws {
        let again = try roundTrip(Drawing(), format: format)
        #expect(again == Drawing() && again.exact?.m22.sign == .minus)
        let unarchiver = try unarchiver { archiver in
            try archiver.encode(plain, forKey: "transform")
            try archiver.encodeObject(plain, forKey: "any")
        }
        #expect(try unarchiver.decode(AffineTransform.self, forKey: "transform") == plain)
        let any = try unarchiver.decodeObject(of: [AffineTransform.self], forKey: "any")
        #expect(any as? AffineTransform == plain)
        let nan = try roundTrip(AffineTransform(m11: .nan, m12: 0.1, m21: 0, m22: 1, tX: 0, tY: 0), format: format)
        #expect(nan.m11.isNaN && nan.m12 == 0.1)
    }

    @Test func `are objects with the numbers of both Foundations`() throws {
        let text = try InspectedArchive(ArchiveEncoder().encode(plain)).text
        #expect(text.hasPrefix("NSAffineTransform{NSTransformStruct: "))
        #expect(
            text.contains("_NSKeyedCoderOldStyleArray{NS.count: 6, NS.size: 4, NS.type: 102, $0: 1.5")
                && !text.contains("exact"))
        #expect(try InspectedArchive(ArchiveEncoder().encode(AffineTransform(scale: 0.1))).text.contains("exact"))
    }

    @Test(arguments: [plain, .identity, AffineTransform(rotationByDegrees: 30)])
    func `are read by Foundation's coder, and read from it`(transform: AffineTransform) throws {
        /// Foundation's coder has 32 bits per number.
        func rounded(_ number: CGFloat) -> CGFloat { CGFloat(Float(number)) }
        let wanted = AffineTransform(
            m11: rounded(transform.m11), m12: rounded(transform.m12), m21: rounded(transform.m21),
            m22: rounded(transform.m22), tX: rounded(transform.tX), tY: rounded(transform.tY))
        // Foundation's reader does not allow the class of its own C array if secure coding is required.
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: ArchiveEncoder().encode(transform))
        unarchiver.requiresSecureCoding = false
        let object = try #require(unarchiver.decodeObject(forKey: "root") as? NSAffineTransform)
        #expect(object as AffineTransform == wanted)
        let data = foundationArchive(of: NSAffineTransform(transform: transform))
        #expect(try ArchiveDecoder().decode(AffineTransform.self, from: data) == wanted)
    }

    /// The data of Apple's frameworks, as the numbers of `format` in Python's notation of structs.
    private func appleArchive(_ data: [UInt8]?) throws -> Data {
        var fields: PropertyList.Dictionary = ["$class": .uid(2)]
        if let data { fields["NSTransformStruct"] = .data(Data(data)) }
        return try handmadeArchive(.dictionary(fields), classEntry("NSAffineTransform"))
    }

    private func bytes(_ numbers: Float...) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) } }
    }

    @Test func `are read from every form of Apple's frameworks`() throws {
        let forms: [([UInt8]?, AffineTransform)] = [
            (nil, .identity), (bytes(1.5, 2, -3, 0.25, 5, -6), plain),
            (bytes(2, 3, 4, 5), AffineTransform(m11: 2, m12: 0, m21: 0, m22: 3, tX: 4, tY: 5)),
            ([1] + bytes(4, 5), AffineTransform(translationByX: 4, byY: 5)),
            ([2] + bytes(4, 5), AffineTransform(scaleByX: 4, byY: 5)),
        ]
        for (data, transform) in forms {
            #expect(try ArchiveDecoder().decode(AffineTransform.self, from: appleArchive(data)) == transform)
        }
        for data in [[], [3] + bytes(4, 5), bytes(1), bytes(1, 2, 3, 4, 5, 6, 7)] {
            let error = try failure { try ArchiveDecoder().decode(AffineTransform.self, from: appleArchive(data)) }
            #expect(error.kind == .dataCorrupted && error.says("NSTransformStruct"))
        }
    }

    @Test func `are an error where the numbers are none, or do not agree`() throws {
        for fields: PropertyList in [
            ["$0": 5, "$class": .uid(2)], ["$0": .uid(3), "$class": .uid(2)],
            [
                "NSTransformStruct": .data(Data(bytes(1, 2, 3, 4, 5, 6))), "exact": .data(Data(count: 48)),
                "$class": .uid(2),
            ],
            [
                "NSTransformStruct": .data(Data(bytes(0, 0, 0, 0, 0, 0))), "exact": .data(Data(count: 40)),
                "$class": .uid(2),
            ],
        ] {
            let data = try handmadeArchive(fields, classEntry("NSAffineTransform"), ["NS.count": 6, "$0": 1])
            #expect(try failure(decoding: AffineTransform.self, from: data).kind == .dataCorrupted)
        }
    }

    @Test func `are read from the form in which they encode themselves`() throws {
        let own = try handmadeArchive(
            ["NS.objects": [.uid(3), .uid(4), .uid(5), .uid(6), .uid(7), .uid(8)], "$class": .uid(2)],
            classEntry("NSArray"), 1.5, 2.0, -3.0, 0.25, 5.0, -6.0)
        #expect(try ArchiveDecoder().decode(AffineTransform.self, from: own) == plain)
    }

    @Test(.needs(.gnustep)) func `are read by GNUstep's coder`() throws {
        let text = try GNUstepPeers.read(ArchiveEncoder().encode(plain))
        #expect(text == "NSAffineTransform ((1.500000, 2.000000) (-3.000000, 0.250000) (5.000000, -6.000000))")
    }

    @Test(.needs(.tool("python3"))) func `are big-endian numbers to plistlib`() throws {
        let expression = "__import__('struct').unpack('>6f', o(top['root'])['NSTransformStruct'])"
        let archives = try PropertyListFormat.allCases.map { format in
            var encoder = ArchiveEncoder()
            encoder.outputFormat = format
            return try encoder.encode(plain)
        }
        #expect(try Plistlib.evaluate(expression, in: archives) == "(1.5, 2.0, -3.0, 0.25, 5.0, -6.0)")
    }
}
