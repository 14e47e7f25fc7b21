// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A number for what was decoded from a sequential archive. It does not depend on the order that sets and dictionaries have
/// in memory, which differs from one to the next.
struct SequentialDigest {
    /// Levels of values in each other that are looked at.
    private static let depthLimit = 8

    /// Values that may still be looked at.
    private var budget = 5_000

    /// The number for all of `values`; nil where there are too many to look at.
    static func of(_ values: [Any?]) -> UInt64? {
        var digest = SequentialDigest()
        let value = digest.list(values, 0)
        return digest.budget > 0 ? value : nil
    }

    private mutating func list(_ values: [Any?], _ depth: Int) -> UInt64 {
        var digest = Digest()
        for value in values {
            guard budget > 0 else { break }
            digest.combine(number(for: value, depth))
        }
        digest.combine(values.count)
        return digest.value
    }

    private mutating func number(for value: Any?, _ depth: Int) -> UInt64 {
        budget -= 1
        guard let value, depth < Self.depthLimit else { return 0 }
        if let leaf = leaf(value) { return leaf }
        switch value {
        case let text as AttributedText: return attributed(text, depth + 1)
        case let object as any SequentialContents:
            var digest = Digest()
            digest.combine("\(Swift.type(of: object))")
            digest.combine(list(object.contents, depth + 1))
            return digest.value
        case let unknown as UnknownSequentialObject:
            var digest = Digest()
            for described in unknown.classChain {
                digest.combine(described.name)
                digest.combine(described.version)
            }
            digest.combine(unknown.groups.count)
            return digest.value
        case let elements as [Any]: return list(elements, depth + 1)
        case let elements as Set<AnyHashable>:
            return elements.reduce(UInt64(elements.count)) { $0 &+ number(for: $1.base, depth + 1) }
        case let entries as [AnyHashable: Any]:
            return entries.reduce(UInt64(entries.count)) {
                $0 &+ number(for: $1.key.base, depth + 1) &* 31 &+ number(for: $1.value, depth + 1) &* 7
            }
        default: return 1
        }
    }

    private func leaf(_ value: Any) -> UInt64? {
        var digest = Digest()
        switch value {
        case let text as String: digest.combine(text)
        case let data as Data: digest.combine(data)
        case let date as Date: digest.combine(date.timeIntervalSinceReferenceDate)
        case let url as URL:
            digest.combine(url.relativeString)
            digest.combine(url.baseURL?.relativeString ?? "none")
        // The same NSNumber as 1 or 0: archives distinguish them from numbers by the type "B" only, which is not written.
        case let flag as Bool: digest.combine(flag ? 1 : 0)
        case let number as any BinaryInteger: digest.combine(number)
        case let number as Float: digest.combine(UInt64(number.bitPattern))
        case let number as Double: digest.combine(number)
        case let value as TypedStream.TypedValue:
            digest.combine(value.type.description)
            digest.combine("\(value.value)")
        default: return nil
        }
        return digest.value
    }

    private mutating func attributed(_ text: AttributedText, _ depth: Int) -> UInt64 {
        var digest = Digest()
        digest.combine(text.string)
        // Adjacent runs with the same attributes are written as one.
        var last: (attributes: UInt64, length: Int)?
        for run in text.runs {
            guard budget > 0 else { break }
            let length = text.string.utf16.distance(from: run.range.lowerBound, to: run.range.upperBound)
            var attributes = Digest()
            for (name, value) in run.attributes.sorted(by: { $0.key < $1.key }) {
                attributes.combine(name)
                attributes.combine(number(for: value, depth))
            }
            if let before = last, before.attributes == attributes.value {
                last = (before.attributes, before.length + length)
                continue
            }
            digest.combine(last?.attributes ?? 0)
            digest.combine(last?.length ?? 0)
            last = (attributes.value, length)
        }
        digest.combine(last?.attributes ?? 0)
        digest.combine(last?.length ?? 0)
        return digest.value
    }
}
