// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The names of the methods express two rules. `decodeInteger(forKey:)` and its counterparts follow Cocoa: an absent or
// nil value is 0 or false. `decode(_:forKey:)` throws for such a value, and `decodeIfPresent(_:forKey:)` returns nil.

// MARK: - An absent value is 0

extension KeyedUnarchiver {
    /// Returns the Boolean value under the key, or `false` if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type.
    public func decodeBool(forKey name: String) throws -> Bool {
        try decodeLeafIfPresent(name, usual: { $1.booleanLeaf(at: $0) }) { try $0.cocoaBoolean($1, at: $2) } ?? false
    }

    /// Returns the integer under the key, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.numberOutOfRange` if the type cannot represent it, `typeMismatch` if the value
    ///   has another type.
    public func decodeInteger(forKey name: String) throws -> Int {
        try decodeLeafIfPresent(name, usual: { $1.integerLeaf(at: $0) }) { try $0.integer($1, at: $2) } ?? 0
    }

    /// Returns the number under the key rounded to 32 bits, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.numberOutOfRange` if it is too large for 32 bits, `typeMismatch` if the value
    ///   has another type.
    public func decodeFloat(forKey name: String) throws -> Float {
        try decodeLeafIfPresent(name, usual: { $1.roundedLeaf(at: $0) }) { try $0.real($1, at: $2) } ?? 0
    }

    /// Returns the number under the key, or 0 if the key is absent or holds nil.
    ///
    /// - Throws: `ArchivingError.Code.numberOutOfRange` if it is an integer that `Double` cannot represent,
    ///   `typeMismatch` if the value has another type.
    public func decodeDouble(forKey name: String) throws -> Double {
        try decodeLeafIfPresent(name, usual: { $1.roundedLeaf(at: $0) }) { try $0.real($1, at: $2) } ?? 0
    }

    /// Decodes bytes for a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Parameters:
    ///   - name: The key.
    ///   - minimumLength: The least number of bytes to accept.
    /// - Throws: `ArchivingError.Code.typeMismatch` if the value has another type, `damaged` if it has fewer bytes.
    public func decodeBytes(forKey name: String, minimumLength: Int = 0) throws -> [UInt8]? {
        try bytes(name, minimumLength)
    }

    /// Decodes bytes that are the object's next value without a key. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decodeBytes(forKey:minimumLength:)`.
    public func decodeNextBytes(minimumLength: Int = 0) throws -> [UInt8]? {
        try bytes(nil, minimumLength)
    }
}

extension KeyedUnarchiver {
    private func bytes(_ name: String?, _ minimumLength: Int) throws -> [UInt8]? {
        try decodeLeafIfPresent(name) { frame, value, step in
            let bytes = try frame.rawBytes(value, as: [UInt8].self, at: step)
            guard bytes.count >= minimumLength else {
                let count = bytes.count
                throw ArchivingError(.damaged, path: frame.path(step)) {
                    "Found \(count) bytes at \($0), where \(minimumLength) are needed"
                }
            }
            return Array(bytes)
        }
    }
}

// MARK: - Points, sizes and rectangles

/// Decodes geometry: the string for a key, or the object's next numbers without a key. The next value without a key can be
/// such a string, too. If there is no value, or it is nil, the numbers are 0. A value of another type is the error
/// `ArchivingError.Code.typeMismatch`.
extension KeyedUnarchiver {
    /// Decodes a point for a key.
    public func decodePoint(forKey name: String) throws -> (x: Double, y: Double) {
        try pair(numbers(name, of: .point))
    }

    /// Decodes a point: the object's next values without a key.
    public func decodeNextPoint() throws -> (x: Double, y: Double) { try pair(nextNumbers(2)) }

    /// Decodes a size for a key.
    public func decodeSize(forKey name: String) throws -> (width: Double, height: Double) {
        try pair(numbers(name, of: .size))
    }

    /// Decodes a size: the object's next values without a key.
    public func decodeNextSize() throws -> (width: Double, height: Double) { try pair(nextNumbers(2)) }

    /// Decodes a rectangle for a key.
    public func decodeRect(forKey name: String) throws -> (x: Double, y: Double, width: Double, height: Double) {
        try four(numbers(name, of: .rect))
    }

    /// Decodes a rectangle: the object's next values without a key.
    public func decodeNextRect() throws -> (x: Double, y: Double, width: Double, height: Double) {
        try four(nextNumbers(4))
    }

    private func numbers(_ name: String, of kind: Geometry.Kind) throws -> [Double] {
        try decodeLeafIfPresent(name) { try $0.numbers($1, of: kind, at: $2) } ?? Array(repeating: 0, count: kind.count)
    }

    /// The next `count` numbers without a key, or those in the next value if that is a string; 0 if there are none.
    private func nextNumbers(_ count: Int) throws -> [Double] {
        let numbers: [Double]? = try decodeLeafIfPresent(nil) { frame, value, step in
            switch value.node.kind {
            case .real64, .real32: [try frame.real(value, at: step)]
            default: try frame.numbers(value, of: count == 4 ? .rect : .point, at: step)
            }
        }
        guard let numbers else { return Array(repeating: 0, count: count) }
        return try numbers + (numbers.count..<count).map { _ in try decodeNext(Double.self) }
    }

    private func pair(_ numbers: [Double]) -> (Double, Double) { (numbers[0], numbers[1]) }

    private func four(_ numbers: [Double]) -> (Double, Double, Double, Double) {
        (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}

// MARK: - Forms of Cocoa

extension DecodingFrame {
    /// Returns a Boolean value, which Cocoa's archives also have as an integer.
    func cocoaBoolean(_ value: ArchivedValue, at step: CodingPathStep) throws -> Bool {
        do throws(ValueFailure) {
            let number = try archive.requiredNumber(value)
            guard number.node.kind == .integer else { return try archive.requiredBool(number) }
            let integer: Int128 = try archive.requiredInteger(number)
            guard integer == 0 || integer == 1 else { throw .mismatch(Bool.self, number) }
            return integer == 1
        } catch {
            throw unread(error, step)
        }
    }

    func real<Real: BinaryFloatingPoint>(_ value: ArchivedValue, at step: CodingPathStep) throws -> Real {
        do throws(ValueFailure) { return try archive.requiredReal(value) } catch { throw unread(error, step) }
    }

    func rawBytes(_ value: ArchivedValue, as type: any Any.Type, at step: CodingPathStep) throws -> StoredBytes {
        do throws(ValueFailure) {
            return try archive.required(type, value, archive.data(value))
        } catch {
            throw unread(error, step)
        }
    }

    func date(_ value: ArchivedValue, at step: CodingPathStep) throws -> Date {
        do throws(ValueFailure) {
            let seconds = try archive.required(Date.self, value, archive.date(value))
            return Date(timeIntervalSinceReferenceDate: seconds)
        } catch {
            throw unread(error, step)
        }
    }

    /// Returns the numbers of `value`, which represents the struct `kind`.
    func numbers(_ value: ArchivedValue, of kind: Geometry.Kind, at step: CodingPathStep) throws -> [Double] {
        if let numbers = try undamaged(archive.numbers(value, of: kind), at: step) { return numbers }
        let found = archive.describe(value)
        throw ArchivingError(.typeMismatch, path: path(step)) {
            "Found \(found) at \($0), where a \(kind) is expected: \(kind.count) numbers in braces"
        }
    }
}
