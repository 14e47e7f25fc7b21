// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension ArchiveDecoding {
    /// Returns the elements of this decoder's value, or nil if it may be data.
    @inline(__always)
    func elementsUnlessPacked() throws -> ArchivedElements? {
        try undamaged(archive.elements(of: value), at: .root)
    }

    /// Returns the numbers that are packed in this decoder's value, for an array of type `type`. Returns nil if it is
    /// not data.
    func packedNumbers(as type: any Any.Type) throws -> PackedNumbers? {
        let bytes = try undamaged(archive.data(value), at: .root)
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

    /// Returns the elements of this decoder's value, which is not an array.
    ///
    /// - Throws: An error if the value is not data, or if its packed numbers do not fit the elements.
    @inline(never)
    func packedElements<Element>() throws -> [Element] {
        guard let numbers = try packedNumbers(as: [Element].self) else {
            throw mismatch([Any].self, value, .root)
        }
        if let number = PackedNumbers.packable(Element.self) { return try array(of: number, numbers) }
        guard let type = Element.self as? any Decodable.Type else {
            throw mismatch([Element].self, value, .root)
        }
        return try array(of: type, numbers)
    }

    /// Returns an array of `Number`, which is `Element`.
    private func array<Number: PackableNumber, Element>(of type: Number.Type, _ numbers: PackedNumbers) throws
        -> [Element]
    {
        let array = Number.unpack(numbers)
        if array.count < numbers.count { throw inexact(type, numbers, array.count) }
        return Reinterpretation.same(array)
    }

    /// Returns an array of `Value`, which is `Element`. The type decodes itself from a number.
    private func array<Value: Decodable, Element>(of type: Value.Type, _ numbers: PackedNumbers) throws -> [Element] {
        let array = try withDecoder(nil, value, .root) { decoder in
            var container = PackedDecoding(decoder, numbers)
            var array: [Value] = []
            while !container.isAtEnd { array.append(try container.decode(type)) }
            return array
        }
        return Reinterpretation.same(array)
    }

    /// Returns the numbers that are packed in this decoder's value, which is not an array.
    @inline(never)
    func packedNumbersUnlessMismatch() throws -> PackedNumbers {
        guard let numbers = try packedNumbers(as: [Any].self) else {
            throw mismatch([Any].self, value, .root)
        }
        return numbers
    }

    /// Returns the error of the number at `index`, which `type` cannot hold.
    func inexact(_ type: any Any.Type, _ numbers: PackedNumbers, _ index: Int) -> DecodingError {
        DecodingError(.outOfRange(type, found: numbers.describe(index), path: path(.index(index))))
    }
}

extension PackedNumbers {
    /// Returns a description of the number at `index` for errors.
    func describe(_ index: Int) -> String {
        (element.kind == .real ? "the number " : "the integer ") + text(at: index) + ", a packed \(element.name),"
    }
}
