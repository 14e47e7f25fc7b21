#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Numbers

extension SequentialArchiver {
    /// The position of an NSNumber: of the type `i` where that holds the number, as Foundation has them.
    func number<Integer: FixedWidthInteger>(_ number: Integer) -> Int {
        if let value = Int32(exactly: number) { return self.number(.int, .integer(Int64(value))) }
        if let value = Int64(exactly: number) { return self.number(.longLong, .integer(value)) }
        if let value = UInt64(exactly: number) { return self.number(.unsignedLongLong, .unsigned(value)) }
        // Numbers of more than 64 bits are not among the types that conform.
        preconditionFailure("An integer of more than 64 bits cannot be archived")
    }

    /// The position of an NSNumber of the type `c`, as Foundation has Bools.
    func number(_ number: Bool) -> Int { self.number(.character, .integer(number ? 1 : 0)) }

    /// The position of an NSNumber of the type `f`.
    func number(_ number: Float) -> Int { self.number(.float, .float(number)) }

    /// The position of an NSNumber of the type `d`.
    func number(_ number: Double) -> Int { self.number(.double, .double(number)) }

    private func number(_ type: TypeEncoding, _ value: TypedStream.Value) -> Int {
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
    /// What tells one number from others of its type.
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
    /// Adds an object of one of Foundation's classes, and gives its position.
    func add(_ class: SequentialFoundationClass, _ groups: [TypedStream.Group]) -> Int {
        var contents = CollectedStream.Groups()
        for group in groups { contents.append(group) }
        return add(`class`, contents)
    }

    private func add(_ class: SequentialFoundationClass, _ contents: CollectedStream.Groups) -> Int {
        let index = addObject()
        complete(index, classIndex(of: `class`.chain), contents)
        return index
    }

    /// The position of the object for `key`, which is made if there is none: equal texts and numbers are one object.
    private func leaf(_ key: some Hashable, _ make: () -> Int) -> Int {
        if let index = leafIndexes[AnyHashable(key)] { return index }
        let index = make()
        leafIndexes[AnyHashable(key)] = index
        return index
    }

    /// The position of an NSString.
    func string(_ text: String) -> Int {
        // Texts that differ in how their characters are composed are equal, and not the same.
        let bytes = Array(text.utf8)
        return leaf(bytes) { add(.string, [group(.bytes, .bytes(bytes))]) }
    }

    /// The position of the NSNull that stands for nil in containers.
    var null: Int { leaf(SequentialFoundationClass.null) { add(.null, []) } }

    /// The position of an NSData.
    func data(_ data: Data) -> Int {
        add(
            .data,
            [
                group(.int, .integer(Int64(data.count))),
                group(.array(count: data.count, of: .character), .bytes([UInt8](data))),
            ])
    }

    /// The position of an NSDate.
    func date(_ date: Date) -> Int {
        add(.date, [group(.double, .double(date.timeIntervalSinceReferenceDate))])
    }

    /// The position of an NSURL, with those of the URLs that it is relative to.
    func url(_ url: URL) -> Int {
        var groups = [group(.character, .integer(url.baseURL == nil ? 0 : 1))]
        if let base = url.baseURL { groups.append(group(.object, .object(self.url(base)))) }
        groups.append(group(.object, .object(string(url.relativeString))))
        return add(.url, groups)
    }

    /// The position of an object that holds `elements`: their number as a value of `countType`, and each in a group of its own.
    func container(
        _ class: SequentialFoundationClass, count: Int, _ countType: TypeEncoding, _ elements: [Int]
    ) throws -> Int {
        guard Int32(exactly: count) != nil else {
            throw error(.notEncodable, "Found a container of \(count) elements, of which \(Int32.max) can be archived")
        }
        let count: TypedStream.Value = countType == .int ? .integer(Int64(count)) : .unsigned(UInt64(count))
        var contents = CollectedStream.Groups()
        contents.append(group(countType, count))
        let types = types(of: .object)
        for element in elements { contents.append(types, CollectionOfOne(.object(element))) }
        return add(`class`, contents)
    }

    /// The position of the object that `element` is in a container.
    func element<Element: SequentialValue>(_ element: Element) throws -> Int {
        guard case .object(let index) = try nested({ try element.sequentialValue(as: .object, in: self) }) else {
            throw notEncodableError(element, as: .object)
        }
        return index ?? null
    }
}
