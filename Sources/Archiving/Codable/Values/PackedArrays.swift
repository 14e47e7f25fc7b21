// MARK: - Encoding

extension ArchiveEncoding {
    /// The uid of the numbers in `buffer` as one piece of data; nil where an array of such elements is an object.
    @inline(__always)
    func packedReference<Element>(to buffer: UnsafeBufferPointer<Element>) -> Reference? {
        graph.pointee.packsNumbers ? packed(buffer) : nil
    }

    @inline(never)
    private func packed<Element>(_ buffer: UnsafeBufferPointer<Element>) -> Reference? {
        PackedNumbers.packable(Element.self)?.pack(UnsafeRawBufferPointer(buffer), in: graph)
    }
}

// MARK: - Decoding

extension ArchiveDecoding {
    /// The references of the elements of this decoder's value; nil where it may be data, which has none.
    @inline(__always)
    func elementsUnlessPacked() throws -> ArchivedElements? {
        try contents(at: .root) { contents throws(KeyedArchiveError) in try contents.elements(of: value) }
    }

    /// The numbers that are packed in this decoder's value, an array of which as `type` is going to be made; nil where it
    /// is no data.
    func packedNumbers(as type: any Any.Type) throws -> PackedNumbers? {
        let bytes = try contents(at: .root) { contents throws(KeyedArchiveError) in try contents.data(value) }
        guard let bytes else { return nil }
        let numbers: PackedNumbers
        do throws(PackedNumbersError) {
            numbers = try PackedNumbers(bytes)
        } catch {
            throw CodableErrors.notPacked(error, as: type, found: archive.describe(value), path: path())
        }
        try countVisits(numbers.count)
        return numbers
    }

    /// The elements of this decoder's value, which is no array.
    ///
    /// - Throws: Where it is no data either, or has no numbers packed that the elements can be.
    @inline(never)
    func packedElements<Element>() throws -> [Element] {
        guard let numbers = try packedNumbers(as: [Element].self) else {
            throw CodableErrors.mismatch([Any].self, found: value, in: archive, path: path())
        }
        if let number = PackedNumbers.packable(Element.self) { return try array(of: number, numbers) }
        guard let type = Element.self as? any Decodable.Type else {
            throw CodableErrors.mismatch([Element].self, found: value, in: archive, path: path())
        }
        return try array(of: type, numbers)
    }

    /// An array of `Number`, which is `Element`.
    private func array<Number: PackableNumber, Element>(of type: Number.Type, _ numbers: PackedNumbers) throws
        -> [Element]
    {
        let array = try [Number](unsafeUninitializedCapacity: numbers.count) { buffer, count in
            count = Number.unpack(numbers, into: buffer)
            if count < numbers.count { throw inexact(type, numbers, count) }
        }
        return Reinterpretation.same(array)
    }

    /// An array of `Value`, which is `Element`: of a type that decodes itself from a number.
    private func array<Value: Decodable, Element>(of type: Value.Type, _ numbers: PackedNumbers) throws -> [Element] {
        var container = PackedDecoding(self, numbers)
        var array: [Value] = []
        while !container.isAtEnd { array.append(try container.decode(type)) }
        return Reinterpretation.same(array)
    }

    /// An unkeyed container of the numbers that are packed in this decoder's value, which is no array.
    @inline(never)
    func packedContainer() throws -> any UnkeyedDecodingContainer {
        guard let numbers = try packedNumbers(as: [Any].self) else {
            throw CodableErrors.mismatch([Any].self, found: value, in: archive, path: path())
        }
        return PackedDecoding(self, numbers)
    }

    /// The error of the number at `index`, which a `type` cannot hold.
    func inexact(_ type: any Any.Type, _ numbers: PackedNumbers, _ index: Int) -> DecodingError {
        CodableErrors.inexact(type, found: numbers.describe(index), path: path(.index(index)))
    }
}

extension PackedNumbers {
    /// The number at `index` as an error names it.
    func describe(_ index: Int) -> String {
        (element.kind == .real ? "the number " : "the integer ") + text(at: index) + ", a packed \(element.name),"
    }
}
