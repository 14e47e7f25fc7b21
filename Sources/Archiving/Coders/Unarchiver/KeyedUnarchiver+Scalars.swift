// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes single values, with either rule for absent values.
extension KeyedUnarchiver {
    /// Decodes the leaf for the key `name`, or the next value without a key if `name` is nil.
    ///
    /// - Parameters:
    ///   - fast: Returns the leaf at an offset if it has its usual form.
    ///   - read: Returns the leaf of a value. It receives the unarchiver, which it therefore need not capture.
    @inline(__always)
    func decodeLeaf<Leaf>(
        _ name: String?, fast: (Int, ArchiveContents) -> Leaf? = { _, _ in nil },
        _ read: (KeyedUnarchiver, ArchivedValue, String) throws -> Leaf
    ) throws -> Leaf {
        if let name, let leaf = leaf(name, fast) { return leaf }
        return try required(name) { try read(self, $0, $1) }
    }

    /// The same for a leaf that may be absent or nil.
    @inline(__always)
    func decodeLeafIfPresent<Leaf>(
        _ name: String?, fast: (Int, ArchiveContents) -> Leaf? = { _, _ in nil },
        _ read: (KeyedUnarchiver, ArchivedValue, String) throws -> Leaf
    ) throws -> Leaf? {
        if let name, let leaf = leafIfPresent(name, fast) { return leaf }
        return try scalar(name, else: nil) { try read(self, $0, $1) }
    }

    /// Returns the result of `read` for the value for the key `name`, or for the next value without a key. Returns
    /// `fallback` if there is none or it is nil.
    @inline(never)
    func scalar<Result>(
        _ name: String?, else fallback: Result, _ read: (ArchivedValue, String) throws -> Result
    ) throws -> Result {
        let (name, value) = try found(name)
        guard let value, !value.isNull else { return fallback }
        return try read(value, name)
    }

    /// Returns the result of `read` for the value for the key `name`, or for the next value without a key.
    @inline(never)
    func required<Result>(_ name: String?, _ read: (ArchivedValue, String) throws -> Result) throws -> Result {
        if let name { return try read(requiredField(name), name) }
        let (name, value) = try requiredNextField()
        return try read(value, name)
    }

    /// Returns the value for the key `name`, or the next one without a key. It may be nil.
    @inline(__always)
    func requiredField(_ name: String?) throws -> ArchivedValue {
        if let name { try requiredField(name) } else { try requiredNextField().value }
    }

    @inline(never)
    private func requiredField(_ name: String) throws -> ArchivedValue {
        guard let value = try field(name) else { throw notFound(name) }
        return value
    }

    @inline(never)
    private func requiredNextField() throws -> (name: String, value: ArchivedValue) {
        let (name, value) = try nextField()
        guard let value else { throw notFound(name) }
        return (name, value)
    }

    /// Returns the value for the key `name`, or the next one without a key and its name. The value is nil if there is
    /// none.
    func found(_ name: String?) throws -> (name: String, value: ArchivedValue?) {
        guard let name else { return try nextField() }
        return (name, try field(name))
    }
}

// MARK: - Leaves

extension KeyedUnarchiver {
    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ value: ArchivedValue, _ name: String) throws -> Integer {
        do throws(ValueFailure) { return try archive.requiredInteger(value) } catch { throw unread(error, name) }
    }

    func real<Real: BinaryFloatingPoint>(_ value: ArchivedValue, _ name: String) throws -> Real {
        do throws(ValueFailure) { return try archive.requiredReal(value) } catch { throw unread(error, name) }
    }

    func bool(_ value: ArchivedValue, _ name: String) throws -> Bool {
        do throws(ValueFailure) {
            let number = try archive.requiredNumber(value)
            guard number.node.kind == .integer else { return try archive.requiredBool(number) }
            let integer: Int128 = try archive.requiredInteger(number)
            guard integer == 0 || integer == 1 else { throw .mismatch(Bool.self, number) }
            return integer == 1
        } catch {
            throw unread(error, name)
        }
    }

    @inline(__always)
    func string(_ value: ArchivedValue, _ name: String) throws -> String {
        do throws(ValueFailure) { return try archive.requiredText(value) } catch { throw unread(error, name) }
    }

    func data(_ value: ArchivedValue, _ name: String) throws -> Data { Data(try rawBytes(value, name, Data.self)) }

    func bytes(_ value: ArchivedValue, _ name: String, minimumLength: Int) throws -> [UInt8] {
        let bytes = try rawBytes(value, name, [UInt8].self)
        guard bytes.count >= minimumLength else {
            let count = bytes.count
            throw ArchivingError(.damaged, path: path(name)) {
                "Found \(count) bytes at \($0), where \(minimumLength) are needed"
            }
        }
        return Array(bytes)
    }

    private func rawBytes(_ value: ArchivedValue, _ name: String, _ type: any Any.Type) throws -> StoredBytes {
        do throws(ValueFailure) {
            return try archive.required(type, value, archive.data(value))
        } catch {
            throw unread(error, name)
        }
    }

    func date(_ value: ArchivedValue, _ name: String) throws -> Date {
        do throws(ValueFailure) {
            let seconds = try archive.required(Date.self, value, archive.date(value))
            return Date(timeIntervalSinceReferenceDate: seconds)
        } catch {
            throw unread(error, name)
        }
    }

    /// The next `count` numbers without a key, or those in the next value if that is a string; 0 if there are none.
    func nextNumbers(_ count: Int) throws -> [Double] {
        let zero = Array(repeating: 0.0, count: count)
        return try scalar(nil, else: zero) { value, name in
            switch value.node.kind {
            case .real64, .real32: break
            default: return try numbers(value, name, of: count == 4 ? .rect : .point)
            }
            let first: Double = try real(value, name)
            return try [first] + (1..<count).map { _ in try decodeNext(Double.self) }
        }
    }

    /// The numbers of `value`, which represents the struct `kind`.
    func numbers(_ value: ArchivedValue, _ name: String, of kind: Geometry.Kind) throws -> [Double] {
        if let numbers = try undamaged(archive.numbers(value, of: kind), at: name) { return numbers }
        let found = archive.describe(value)
        throw ArchivingError(.typeMismatch, path: path(name)) {
            "Found \(found) at \($0), where a \(kind) is expected: \(kind.count) numbers in braces"
        }
    }
}
