// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Objects of the described classes in Apple's files, compared with what plistlib finds in them.
@Suite(.inTurn, .needs(.corpus)) struct `Records in Apple's files` {
    /// The numbers of objects by their classes or the nearest described ones, by a search in the golden files, without those of
    /// archives in archives.
    private static let counts = [
        "CKContainerID": 1, "CKServerChangeToken": 1, "NSBezierPath": 25, "NSBitmapImageRep": 1,
        "NSByteCountFormatter": 1, "NSColorSpace": 9, "NSComparisonPredicate": 1, "NSConstantValueExpression": 2,
        "NSCursor": 3, "NSCustomResource": 21, "NSDateIntervalFormatter": 2, "NSExpression": 5,
        "NSFontDescriptor": 9, "NSFunctionExpression": 7, "NSISO8601DateFormatter": 2, "NSImage": 3,
        "NSKeyPathSpecifierExpression": 6, "NSMutableParagraphStyle": 4, "NSNumberFormatter": 8, "NSPSMatrix": 1,
        "NSParagraphStyle": 5, "NSPredicateOperator": 1, "NSRegularExpression": 3, "NSShadow": 21,
        "NSSortDescriptor": 2, "NSTextCheckingResult": 2, "NSTextTab": 32, "NSVariableExpression": 2,
    ]

    @Test func `are all objects of the classes, with the values of the files`() throws {
        var counts: [String: Int] = [:]
        for name in Corpus.names {
            guard let archive = try? KeyedArchive(Corpus.data(name)), let golden = try GoldenObjects(name) else {
                continue
            }
            for (uid, object) in golden.list.enumerated() where object["$class"] != nil {
                let value = archive[uid: UInt32(uid)]
                guard let className = value.foundationClassName, let found = try? value.foundationValue() else {
                    continue
                }
                guard case .record(let record) = found else { continue }
                counts[className, default: 0] += 1
                let keys = object.dictionary?.keys.filter { $0 != "$class" && !golden.isNil(object[$0]) } ?? []
                #expect(Set(record.fields.map(\.key)) == Set(keys), "\(className) \(uid) of \(name)")
                for field in record.fields {
                    let isEqual = golden.agrees(field, with: object)
                    #expect(isEqual, "\(field.key) of \(className) \(uid) of \(name): \(field)")
                }
            }
        }
        for (name, count) in Self.counts { #expect(counts[name, default: 0] >= count, "\(name): \(counts)") }
        #expect(Set(counts.keys).isSuperset(of: Self.counts.keys))
    }

    @Test func `include every object of a known class in those files`() throws {
        var unknown: [String] = []
        for name in Corpus.names {
            guard let archive = try? KeyedArchive(Corpus.data(name)) else { continue }
            for object in archive.objects {
                guard let className = object.foundationClassName else { continue }
                let value = try? object.foundationValue()
                if value == nil { unknown.append("\(className) \(object.uid ?? 0) of \(name)") }
            }
        }
        // Identifiers that someone shortened.
        #expect(unknown.allSatisfy { $0.hasPrefix("NSUUID ") } && unknown.count <= 2, "\(unknown)")
    }
}

extension GoldenObjects {
    fileprivate func isNil(_ value: GoldenDump?) -> Bool {
        value?.uid == 0 || follow(value)?.string == "$null" && value?.uid != nil
    }

    /// Whether a field has the value that `object` has under its key.
    fileprivate func agrees(_ field: FoundationValue.Record.Field, with object: GoldenDump) -> Bool {
        let value = object[field.key]
        switch field.value {
        case .string(let text)?: return text == self.text(value)
        case .boolean(let boolean)?: return value == .boolean(boolean) || value?.integer == (boolean ? 1 : 0)
        case .integer(let integer)?: return value?.integer == Int(integer)
        case .real(let real)?: return value?.number == real
        case .choice(_, let number)?, .flags(_, let number)?: return value?.integer == number
        case .data(let data)?: return data == bytes(value)
        case .date(let date)?: return date.timeIntervalSinceReferenceDate == follow(value)?["NS.time"]?.number
        case .point(let x, let y)?: return text(value) == "{\(Int(x)), \(Int(y))}"
        case .array(let elements)?:
            return elements.map(\.uid) == follow(value)?["NS.objects"]?.array?.map(\.uid)
        case .dictionary(let entries)?:
            let dictionary = follow(value)
            let numbered = (0..<entries.count).map { dictionary?["NS.object.\($0)"]?.uid }
            return entries.map(\.value.uid) == dictionary?["NS.objects"]?.array?.map(\.uid) ?? numbered
        case nil: return value?.uid == field.archived.uid
        default: return false
        }
    }
}
