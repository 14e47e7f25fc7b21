// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Numbers

extension SequentialArchiver {
    /// Returns the position of an NSNumber. As in Foundation, its type is `i` if the number is in range.
    func number<Integer: FixedWidthInteger>(_ number: Integer) -> Int {
        if let value = Int32(exactly: number) { return self.number(.int, .integer(Int64(value))) }
        if let value = Int64(exactly: number) { return self.number(.longLong, .integer(value)) }
        if let value = UInt64(exactly: number) { return self.number(.unsignedLongLong, .unsigned(value)) }
        // No conforming type has more than 64 bits.
        preconditionFailure("An integer of more than 64 bits cannot be archived")
    }

    /// Returns the position of an NSNumber of the type `c`, which Foundation uses for Bools.
    func number(_ number: Bool) -> Int { self.number(.character, .integer(number ? 1 : 0)) }

    func number(_ type: TypeEncoding, _ value: TypedStream.Value) -> Int {
        let number = group(type, value)
        return leaf(NumberKey(type: type, bits: value.bits)) {
            let type = TypedStream.Value.cString(cStringIndex(of: Array(type.description.utf8)))
            return add(.number, [group(.cString, type), number])
        }
    }

    private struct NumberKey: Hashable {
        let type: TypeEncoding
        let bits: UInt64
    }
}

extension TypedStream.Value {
    fileprivate var bits: UInt64 {
        switch self {
        case .integer(let number): UInt64(bitPattern: number)
        case .unsigned(let number): number
        case .float(let number): UInt64(number.bitPattern)
        case .double(let number): number.bitPattern
        default: 0
        }
    }
}

// MARK: - Objects

extension SequentialArchiver {
    func add(_ class: SequentialFoundationClass, _ groups: [TypedStream.Group]) -> Int { add(`class`.chain, groups) }

    func add(_ chain: [(name: String, version: Int)], _ groups: [TypedStream.Group]) -> Int {
        let index = addObject()
        complete(index, classIndex(of: chain), groups)
        return index
    }

    /// Returns the position of the object for `key`, which is created if necessary. Equal texts and numbers share one object.
    func leaf(_ key: some Hashable, _ make: () -> Int) -> Int {
        if let index = leafIndexes[AnyHashable(key)] { return index }
        let index = make()
        leafIndexes[AnyHashable(key)] = index
        return index
    }

    func string(_ text: String) -> Int {
        // Swift considers texts with differently composed characters equal, but they are different NSStrings.
        let bytes = Array(text.utf8)
        return leaf(bytes) { add(.string, [group(.bytes, .bytes(bytes))]) }
    }

    /// The position of the NSNull that represents nil in containers.
    var null: Int { leaf(SequentialFoundationClass.null) { add(.null, []) } }

    func data(_ data: Data) -> Int {
        add(
            .data,
            [
                group(.int, .integer(Int64(data.count))),
                group(.array(count: data.count, of: .character), .bytes([UInt8](data))),
            ])
    }

    func date(_ date: Date) -> Int {
        add(.date, [group(.double, .double(date.timeIntervalSinceReferenceDate))])
    }

    /// Returns the position of an NSURL. Its base URLs become objects too.
    func url(_ url: URL) -> Int {
        var groups = [group(.character, .integer(url.baseURL == nil ? 0 : 1))]
        if let base = url.baseURL { groups.append(group(.object, .object(self.url(base)))) }
        groups.append(group(.object, .object(string(url.relativeString))))
        return add(.url, groups)
    }

    /// Returns the position of an object with `elements`: their number as a value of `countType`, then each in a group of its
    /// own.
    func container(
        _ class: SequentialFoundationClass, count: Int, _ countType: TypeEncoding, _ elements: [Int]
    ) throws -> Int {
        guard Int32(exactly: count) != nil else {
            throw error(.notEncodable, "Found a container of \(count) elements; at most \(Int32.max) can be archived")
        }
        let count: TypedStream.Value = countType == .int ? .integer(Int64(count)) : .unsigned(UInt64(count))
        return add(`class`, [group(countType, count)] + elements.map { group(.object, .object($0)) })
    }

    func element<Element: SequentialValue>(_ element: Element) throws -> Int {
        guard case .object(let index) = try nested({ try element.sequentialValue(as: .object, in: self) }) else {
            throw notEncodableError(element, as: .object)
        }
        return index ?? null
    }
}
